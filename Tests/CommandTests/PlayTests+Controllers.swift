import Foundation
import HarnessBase
import TestSupport
import Testing

/// Controllers, and the files beside the piece.
extension PlayTests {
  @Test("A controller is learned by a typed line and kept beside the piece")
  func learned() throws {
    let name = Rig.file()
    let (file, raw, fifo) = (name + ".csd", Rig.file(), Rig.fifo())
    try silent.replacing("chn_k \"level\", 3", with: "chn_k \"level\", 3, 2, 0, 0, 0.5")
      .replacing("f 0 10", with: "i 1 0 10").save(to: file)
    let device = Rig.name(["FILE=\(raw)"])
    for isLearning in [true, false] {
      let play = try RunningTool.playing(
        file, "--device", device, "--midi", fifo, "--duration", "60")
      let keys = try #require(FileHandle(forWritingAtPath: fifo))
      if isLearning {
        play.type("learn levle")
        #expect(play.hears("No channel is called 'levle'; did you mean level?"))
        play.type("learn level")
        #expect(play.hears("Move the controller that is to set level from 0.0 to 0.5."))
        keys.write(Data([0xB0, 20, 1, 20, 2]))
        #expect(play.hears("Controller 20 sets level."))
        play.type("forget nothing")
        #expect(play.hears("No controller sets 'nothing'."))
      }
      keys.write(Data([0xB0, 20, 127]))
      #expect(try waits { try Rig.samples(of: raw).count { $0 == 0.5 } > 1000 })
      play.interrupt().refused(130)
    }
    #expect(try String(file: name + ".cc") == "20=level:0..0.5:lin\n")
    let without = try RunningTool.playing(file, "--device", "null", "--duration", "60")
    without.type("learn level")
    #expect(without.hears("There is no MIDI to learn from; --midi names a source."))
    without.interrupt().refused(130)
  }

  @Test("Panel and controllers that are half written are kept aside, and the piece plays without")
  func halfWritten() throws {
    // As Foundation writes it in paths of its own.
    let (name, fifo) = (Rig.file().replacing("//", with: "/"), Rig.fifo())
    try silent.save(to: name + ".csd")
    let kept = ["panel.json": #"{"version": 1, "wid"#, "cc": "20=level:0..0.5:lin\n21=le:"]
    for (ending, text) in kept {
      try text.save(to: "\(name).\(ending)")
    }
    let play = try RunningTool.play(
      name + ".csd", "--device", "null", "--midi", fifo, "--duration", "0.1"
    ).end().good()
    for (ending, aside, beginning) in [
      ("panel.json", "panel.unreadable.json", "with the panel of its own text"),
      ("cc", "unreadable.cc", "without learned controllers"),
    ] {
      let place = "\(name).\(aside)"
      #expect(play.errors.contains("begins \(beginning); the file is kept as '\(place)'."))
      #expect(try String(file: place) == kept[ending])
      #expect(access("\(name).\(ending)", F_OK) != 0)
    }
  }

  @Test("Notes of an MPE controller have bends of their own, and that of the zone")
  func mpe() throws {
    let (file, raw, fifo) = (Rig.file() + ".csd", Rig.file(), Rig.fifo())
    try silent.replacing(
      "klevel chnget \"level\"", with: "kbend pchbend 0, 48\n  klevel = kbend / 96"
    )
    .save(to: file)
    let play = try RunningTool.playing(
      file, "--device", Rig.name(["FILE=\(raw)"]), "--midi", fifo, "--mpe", "48", "--duration", "60"
    )
    let keys = try #require(FileHandle(forWritingAtPath: fifo))
    func heard(_ level: Float) throws -> Bool {
      try Rig.samples(of: raw).contains { abs($0 - level) < 2e-4 }
    }
    // Half of 48 semitones, then 2 more from the wheel of the zone.
    keys.write(Data([0xE4, 0, 96, 0x94, 60, 100]))
    #expect(try waits { try heard(24 / 96) })
    keys.write(Data([0xE0, 127, 127]))
    #expect(try waits { try heard(26 / 96) })
    try play.quit().good()
    try opcodekit("play", file, "--mpe", "48", "--device", "null").refused(
      64, "--mpe needs a source of MIDI")
  }
}
