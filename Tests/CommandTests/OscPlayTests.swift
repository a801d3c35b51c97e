import TestPages
import Foundation
import HarnessBase
import TestSupport
import Testing

@Suite("play --osc", .serialized)
struct OscPlayTests {
  /// A piece in a directory of its own; its notes are as loud as p4 says, and `level` is heard below them.
  private func piece(_ options: String = "", factor: Int = 1) throws -> String {
    try Self.text(options, factor).saved()
  }

  private static func text(_ options: String, _ factor: Int) -> String {
    """
    instr 1
      klevel chnget "level"
      chnset klevel * \(factor), "heard"
      out upsamp(klevel)
    endin
    instr 2
      a1 init p4
      out a1
    endin
    """.csd(score: "i 1 0 3600", ksmps: 64, options: "-n -d -m0 \(options)")
  }

  /// A free UDP port.
  private var port: Int { OscClient(to: 9).port }

  @Test("Channels, a new version, a recording and what is wrong")
  func playing() throws {
    let (csd, port) = (try piece(), port)
    let play = try RunningTool.play(csd, "--device", "null", "--osc", "\(port)")
    #expect(play.hears("OSC is received at 127.0.0.1, UDP port \(port)."))
    #expect(try listeners(on: port) == ["udp 0100007F"])
    #expect(!play.hears("The panel is at", atMost: 0.1))
    #expect(play.hears("48000 Hz"))
    let client = OscClient(to: port)
    client.say("/subscribe")
    #expect(!client.all().isEmpty)
    OscClient(to: port).say("/level", .f(0.25))
    #expect(client.hears(.init(address: "/heard", number: 0.25)))
    // The new version has the value, too.
    try Self.text("", 3).save(to: csd)
    #expect(play.hears("the new version plays"))
    #expect(client.hears(.init(address: "/heard", number: 0.75)))

    client.say("/record", .i(1))
    #expect(play.hears("Recording to"))
    usleep(300_000)
    client.say("/record", .i(0))
    #expect(play.hears("The recording ends after"))
    // Nobody subscribes to this answer: it comes to the sender.
    client.say("/record", .i(0))
    #expect(client.error() == "Nothing is being recorded.")
    client.say("/levle", .i(1))
    #expect(play.hears("OSC: Nothing has the address '/levle'."))
    try play.quit().good()
    let directory = (csd as NSString).deletingLastPathComponent
    let files = try Files.names(in: directory).sorted()
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
    let play = try RunningTool.playing(
      csd, "--device", Rig.name(["FILE=\(file)", "WAIT=1"]), "--osc", "\(port)")
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
    try play.quit().good()
    let sound = try Rig.samples(of: file)
    let begins = sound.indices.filter { sound[$0] == 0.5 && sound[$0 - 1] == 0 }
    let first = try #require(begins.first)
    #expect(begins == [first, first + 1003, first + 2049])
  }

  @Test("Wrong options, an address that is none, and a port that is taken")
  func options() throws {
    let csd = try piece()
    func failure(_ words: String...) throws -> Ending {
      try opcodekit(["play", csd, "--device", "null", "--duration", "0.1"] + words)
    }
    #expect(try failure("--osc-address", "127.0.0.1").exitCode == 64)
    #expect(try failure("--osc", "70000").exitCode == 64)
    try failure("--osc", "\(port)", "--osc-address", "nowhere").refused(
      64, "'nowhere' is no IP address")
    let holder = OscClient(to: 9)
    try failure("--osc", "\(holder.port)").refused(69, "port \(holder.port)")
    try failure("--osc", "\(port)", "--osc-address", "0.0.0.0").refused(0, "OSC has no passwords")
  }

  @Test("A page and OSC record and pause the same; a recording has the pause as silence")
  func pages() throws {
    let (csd, port, page) = (try piece(), port, freePort())
    let play = try RunningTool.playing(
      csd, "--device", "null", "--osc", "\(port)", "--panel", "--port", "\(page)")
    let (first, second) = (try RawClient(panel: page), try RawClient(panel: page))
    #expect(second.message("transport")?["paused"] as? Bool == false)
    first.say(#"{"type":"set","channel":"level","value":0.25}"#)
    usleep(200_000)
    first.say(#"{"type":"record","on":true}"#)
    let recording = second.message("transport")?["recording"] as? [String: Any]
    let name = try #require(recording?["name"] as? String)
    #expect(play.hears("/\(name)'."))
    OscClient(to: port).say("/record", .i(1))
    #expect(play.hears("OSC: It is being recorded already, into '\(name)'."))
    usleep(300_000)
    OscClient(to: port).say("/pause", .i(1))
    #expect(second.message("transport")?["paused"] as? Bool == true)
    usleep(300_000)
    // The position in the piece stands still.
    let positions = try (0..<2).map { _ in
      usleep(150_000)
      let client = try RawClient(panel: page)
      return try #require(client.message("status")?["seconds"] as? Double)
    }
    #expect(positions[0] == positions[1])
    first.say(#"{"type":"pause","on":false}"#)
    #expect(second.message("transport")?["paused"] as? Bool == false)
    usleep(300_000)
    second.say(#"{"type":"record","on":false}"#)
    #expect(play.hears("The recording ends after"))
    second.say(#"{"type":"record","on":false}"#)
    #expect(second.message("refused")?["reason"] as? String == "Nothing is being recorded.")
    try play.quit().good()
    let sound = try Sound(readingFrom: (csd as NSString).deletingLastPathComponent + "/" + name)
    let silent = sound.samples.count { $0 == 0 }
    #expect(sound.samples.first == 0.25 && sound.samples.last == 0.25)
    #expect((20_000...80_000).contains(silent), "\(silent)")
    #expect(sound.samples.allSatisfy { (0...0.25).contains($0) })
  }

  @Test("With --record pages show its file, and cannot end it")
  func whole() throws {
    let (csd, page) = (try piece(), freePort())
    let file = (csd as NSString).deletingLastPathComponent + "/take.wav"
    let play = try RunningTool.playing(
      csd, "--device", "null", "--panel", "--port", "\(page)", "--record", file)
    let client = try RawClient(panel: page)
    var recording: [String: Any]?
    while recording == nil {
      recording = try #require(client.message("transport"))["recording"] as? [String: Any]
    }
    #expect(recording?["name"] as? String == "take.wav")
    #expect(recording?["isWhole"] as? Bool == true)
    client.say(#"{"type":"record","on":false}"#)
    let reason = client.message("refused")?["reason"] as? String
    #expect(reason == "--record already records all of it, into 'take.wav'.")
    try play.quit().good()
    #expect(Files.exist(file))
  }

  @Test(
    "Of a recording that cannot be written any more what fits is kept, and no page shows it as going on"
  )
  func full() throws {
    let (csd, page) = (try piece(), freePort())
    // 2.4 MB: some seconds. The memory of a performance, which counts as a file, has more than half of that.
    let play = try RunningTool.play(
      csd, "--device", "null", "--panel", "--port", "\(page)", fileLimit: 4800)
    #expect(play.hears("It listens at 127.0.0.1, TCP port \(page)."))
    #expect(try listeners(on: page) == ["tcp 0100007F"])
    #expect(play.hears("48000 Hz"))
    let client = try RawClient(panel: page)
    client.answersPings = true
    client.say(#"{"type":"record","on":true}"#)
    #expect(play.hears("Recording to"))
    var states: [Bool] = []
    let end = ContinuousClock.now + .seconds(40)
    while states.suffix(2) != [true, false], ContinuousClock.now < end {
      // For five seconds there may be no message.
      guard let transport = client.message("transport") else { continue }
      states.append(transport["recording"] != nil)
    }
    #expect(states.suffix(2) == [true, false], "\(states)")
    #expect(play.hears("Nothing is recorded any more."))
    play.quit().refused(73, "What fits is in '")
    let directory = csd.parentPath
    let kept = try Files.names(in: directory).filter { $0.hasSuffix(".wav") }
    #expect(kept.count == 1)
    #expect(try Sound(readingFrom: directory + "/" + kept[0]).frameCount > 48_000)
  }
}
