import Foundation
import Sounds
import TestSupport
import Testing

@Suite("play --osc", .serialized)
struct OscPlayTests {
  /// A piece in a directory of its own; its notes are as loud as p4 says, and `level` is heard below them.
  private func piece(_ options: String = "", factor: Int = 1) throws -> String {
    let csd = try temporaryDirectory() + "/piece.csd"
    try write(csd, options, factor)
    return csd
  }

  private func write(_ csd: String, _ options: String, _ factor: Int) throws {
    try """
    <CsoundSynthesizer>
    <CsOptions>
    -n -d -m0 \(options)
    </CsOptions>
    <CsInstruments>
    sr = 48000
    ksmps = 64
    nchnls = 1
    0dbfs = 1
    instr 1
      klevel chnget "level"
      chnset klevel * \(factor), "heard"
      out upsamp(klevel)
    endin
    instr 2
      a1 init p4
      out a1
    endin
    </CsInstruments>
    <CsScore>
    i 1 0 3600
    </CsScore>
    </CsoundSynthesizer>
    """.write(toFile: csd, atomically: true, encoding: .utf8)
  }

  /// A free UDP port.
  private var port: Int { OscClient(to: 9).port }

  @Test("Channels, a new version, a recording and what is wrong")
  func playing() throws {
    let (csd, port) = (try piece(), port)
    let play = try PlayTests.Run(csd, "--device", "null", "--osc", "\(port)")
    #expect(play.hears("OSC is received at 127.0.0.1, UDP port \(port)."))
    #expect(!play.hears("The panel is at", atMost: 0.1))
    #expect(play.hears("48000 Hz"))
    let client = OscClient(to: port)
    client.say("/subscribe")
    #expect(!client.all().isEmpty)
    OscClient(to: port).say("/level", .f(0.25))
    #expect(client.all().contains { $0.address == "/heard" && $0.number == 0.25 })
    // The new version has the value, too.
    try write(csd, "", 3)
    #expect(play.hears("the new version plays"))
    #expect(client.all().contains { $0.address == "/heard" && $0.number == 0.75 })

    client.say("/record", .i(1))
    #expect(play.hears("Recording to"))
    usleep(300_000)
    client.say("/record", .i(0))
    #expect(play.hears("The recording ends after"))
    client.say("/levle", .i(1))
    #expect(play.hears("OSC: Nothing has the address '/levle'."))
    play.say("quit")
    #expect(play.end().exitCode == 0)
    let directory = (csd as NSString).deletingLastPathComponent
    let files = try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
    let recording = try #require(files.first { $0.hasSuffix(".wav") })
    #expect(recording.wholeMatch(of: /piece-\d{4}-\d\d-\d\d-\d{6}\.wav/) != nil)
    let sound = try Sound(readingFrom: directory + "/" + recording)
    #expect(sound.frameCount > 4800 && sound.samples.allSatisfy { $0 == 0.25 })
    // Without a page nothing is kept.
    #expect(files == [recording, "piece.csd"].sorted())
  }

  @Test("In a piece that asks for --sample-accurate, notes of bundles begin on their sample")
  func sampleAccurate() throws {
    let (csd, port, file) = (try piece("--sample-accurate"), port, Rig.file())
    let play = try PlayTests.Run(csd, "--device", Rig.name(["FILE=\(file)"]), "--osc", "\(port)")
    #expect(play.hears("48000 Hz"))
    usleep(200_000)
    let tag = Packet.tag(in: 0.3)
    OscClient(to: port).send(
      Packet.bundle(
        1,
        [0, 1003, 2049].map { frames in
          Packet.bundle(
            tag + UInt64(frames) << 32 / 48000,
            [Packet.message("/note", [.i(2), .d(200 / 48000.0), .f(0.5)])])
        }))
    usleep(700_000)
    play.say("quit")
    let ending = play.end()
    #expect(ending.exitCode == 0)
    let sound = try Data(contentsOf: URL(fileURLWithPath: file)).withUnsafeBytes {
      Array($0.bindMemory(to: Float.self))
    }
    let begins = sound.indices.filter { sound[$0] == 0.5 && sound[$0 - 1] == 0 }
    let first = try #require(begins.first)
    #expect(
      begins == [first, first + 1003, first + 2049] || !ending.output.contains(" 0 xruns"),
      "\(begins)")
  }

  @Test("Wrong options, an address that is none, and a port that is taken")
  func options() throws {
    let csd = try piece()
    func failure(_ words: String...) throws -> Ending {
      try opcodekit(["play", csd, "--device", "null", "--duration", "0.1"] + words)
    }
    #expect(try failure("--osc-address", "127.0.0.1").exitCode == 64)
    #expect(try failure("--osc", "70000").exitCode == 64)
    let address = try failure("--osc", "\(port)", "--osc-address", "nowhere")
    #expect(address.exitCode == 64 && address.errors.contains("'nowhere' is no IP address"))
    let holder = OscClient(to: 9)
    let taken = try failure("--osc", "\(holder.port)")
    #expect(taken.exitCode == 69 && taken.errors.contains("port \(holder.port)"))
    let other = try failure("--osc", "\(port)", "--osc-address", "0.0.0.0")
    #expect(other.exitCode == 0 && other.errors.contains("OSC has no passwords"))
  }
}
