import Foundation
import TestSupport
import Testing

@Suite("MIDI out, the MIDI clock and sessions for Open Stage Control", .serialized)
struct StageTests {
  private let text = """
    chn_k "level", 3, 2, 0.2, 0, 0.5
    instr 1
      noteondur 1, 60, 100, 0.2
    endin
    instr 2
      ktempo chnget "clock"
      krun chnget "clock_run"
      if changed2(round(ktempo)) == 1 then
        printks "heard %d%n", 0, round(ktempo)
      endif
      if trigger(krun, 0.5, 1) == 1 then
        printks "stopped%n", 0
      endif
    endin
    """.csd(score: "i 1 0.1 1\ni 2 0 3600", ksmps: 64)

  private func piece() throws -> String { try text.saved() }

  @Test("A FIFO gets the piece's notes and a clock of the tempo asked for")
  func sent() throws {
    let (csd, fifo) = (try piece(), Rig.fifo())
    let descriptor = open(fifo, O_RDONLY | O_NONBLOCK)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let play = try RunningTool.play(
      csd, "--device", "null", "--midi-out", fifo, "--clock-out", "600", "--duration", "1")
    var bytes: [UInt8] = []
    func read() {
      var block = [UInt8](repeating: 0, count: 4096)
      let count = Glibc.read(descriptor, &block, block.count)
      if count > 0 { bytes += block.prefix(count) }
    }
    while play.isRunning {
      read()
      usleep(5000)
    }
    read()
    let ending = try play.end().good()
    let seconds = try #require(ending.output.firstMatch(of: /: ([\d.]+) s,/)?.1)
    let expected = try #require(Double(seconds)) * 240
    let pulses = Double(bytes.count { $0 == 0xF8 })
    #expect(abs(pulses - expected) < 12, "\(pulses) of \(expected)")
    #expect(bytes.first == 0xFA && bytes.last == 0xFC)
    let notes = bytes.filter { $0 < 0xF8 }
    #expect(notes.starts(with: [0x90, 60, 100, 0x80, 60]), "\(notes)")
  }

  @Test("A second play follows the clock of the first")
  func followed() throws {
    let (csd, fifo) = (try piece(), Rig.fifo())
    let follower = try RunningTool.playing(
      csd, "--device", "null", "--midi", fifo, "--clock-in", "clock")
    let leader = try RunningTool.play(
      csd, "--device", "null", "--midi-out", fifo, "--clock-out", "90")
    #expect(follower.hears("heard 90"))
    #expect(!follower.hears("stopped", atMost: 0.1))
    try leader.quit().good()
    #expect(follower.hears("stopped"))
    let ending = try follower.quit().good()
    #expect(!ending.errors.contains("--clock-in"), "\(ending.errors)")
  }

  @Test("A MIDI port or a tempo that is none ends play with a sentence, before the piece plays")
  func wrongMIDI() throws {
    let (csd, fifo, directory) = (try piece(), Rig.fifo(), try temporaryDirectory())
    let tempos = ["0", "1001", "nan", "1,5", ""]
    let cases: [([String], Int32, String)] =
      [
        // With ALSA's sequencer there is no such client, and without it there is none at all.
        (["--midi-out", "nosuchclient"], 69, "sequencer|No receiver of MIDI"),
        (["--midi", "nosuchclient", "--clock-in", "clock"], 69, "sequencer|No source of MIDI"),
        (["--midi-out", directory], 65, "neither a FIFO nor a device"),
        (["--midi-out", ""], 64, "--midi-out has no name"),
        (["--midi", fifo, "--clock-in", ""], 64, "--clock-in has no name"),
        (["--midi", fifo, "--midi-out", fifo], 64, "the same FIFO"),
        (["--clock-out", "120"], 64, "--midi-out"),
        (["--clock-in", "clock"], 64, "name one with --midi"),
        (["--midi-out", fifo, "--clock-out", "score"], 65, "t statement"),
      ] + tempos.map { (["--midi-out", fifo, "--clock-out", $0], 64, "from 1 to 1000") }
    for (words, exitCode, sentence) in cases {
      let ending = try opcodekit(["play", csd, "--device", "null", "--duration", "0.1"] + words)
      #expect(ending.exitCode == exitCode, "\(words): \(ending.errors)")
      let isSaid = sentence.split(separator: "|").contains { ending.errors.contains($0) }
      #expect(isSaid, "\(words): \(ending.errors)")
      #expect(!ending.errors.contains("48000 Hz"), "\(words)")
    }
  }

  @Test("A channel of a clock that the piece does not name is told, and the piece plays")
  func unknownChannels() throws {
    let (csd, source, receiver) = (try piece(), Rig.fifo(), Rig.fifo())
    let ending = try opcodekit(
      "play", csd, "--device", "null", "--duration", "0.1", "--midi", source, "--clock-in", "clack",
      "--midi-out", receiver, "--clock-out", "levle"
    ).good()
    let errors = ending.errors
    expectWords(
      errors, "--clock-out: No channel is called 'levle'; did you mean level?",
      "--clock-in: No channel is called 'clack'; did you mean clock?")
    let known = try opcodekit(
      "play", csd, "--device", "null", "--duration", "0.1", "--midi-out", receiver, "--clock-out",
      "level")
    #expect(known.exitCode == 0 && !known.errors.contains("--clock-out"), "\(known.errors)")
  }

  @Test("A session is written to a new file only, and nothing else is touched")
  func session() throws {
    let csd = try piece()
    let directory = (csd as NSString).deletingLastPathComponent
    let file = directory + "/piece.json"
    try opcodekit("panels", csd, "--export-osc", file, "--target", "10.0.0.7:9001")
      .good().says("3 controls for Open Stage Control, sent to 10.0.0.7:9001")
    #expect(try jsonObject(file)["type"] as? String == "session")
    // The performer has changed it.
    try "changed".save(to: file)
    let cases: [([String], Int32, String)] = [
      (["--export-osc", file], 73, "exists"),
      (["--export-osc", csd], 64, "would overwrite"),
      (["--export-osc", directory], 73, "is a directory"),
      (["--export-osc", directory + "/none/a.json"], 73, "cannot be written"),
      (["--export-osc", ""], 73, "cannot be written"),
      (["--target", "10.0.0.7:9001"], 64, "add --export-osc"),
      (["--export-osc", directory + "/b.json", "--target", "10.0.0.7"], 64, "a host and a port"),
      (["--export-osc", directory + "/b.json", "--target", "host:0"], 64, "a host and a port"),
      (["--export-osc", directory + "/b.json", "--target", "host:x"], 64, "a host and a port"),
      (["--export-ocs", directory + "/b.json"], 64, "is no option"),
    ]
    for (words, exitCode, sentence) in cases {
      try opcodekit(["panels", csd] + words).refused(exitCode, sentence)
    }
    #expect(try opcodekit("panels", directory).exitCode == 66)
    #expect(try opcodekit("panels", directory + "/none.csd").exitCode == 66)
    #expect(try String(file: file) == "changed")
    #expect(try String(file: csd) == text)
    let files = try Files.names(in: directory).sorted()
    #expect(files == ["piece.csd", "piece.json"])
  }
}
