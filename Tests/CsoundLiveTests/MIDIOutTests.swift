import CALSA
import CsoundLive
import Foundation
import HarnessBase
import TestSupport
import Testing

@Suite("MIDI out", .serialized)
struct MIDIOutTests {
  private func message(_ bytes: [UInt8], at time: Int) -> MIDIEntry {
    let word = bytes.enumerated().reduce(UInt32(0)) { $0 | UInt32($1.element) << (8 * $1.offset) }
    return MIDIEntry(kind: .message, count: UInt8(bytes.count), word: word, time: time)
  }

  private func bytes(_ messages: [MIDIMessage]) -> [[UInt8]] { messages.map(\.bytes) }

  @Test("Messages leave at their times, those of one time in their order")
  func schedule() {
    var schedule = MIDISchedule()
    for (note, time) in [(60, 300), (61, 100), (62, 100), (63, 200)] as [(UInt8, Int)] {
      schedule.take(message([0x90, note, 1], at: time))
    }
    #expect(schedule.next == 100 && schedule.messages(until: 99).isEmpty)
    #expect(
      bytes(schedule.messages(until: 200)) == [[0x90, 61, 1], [0x90, 62, 1], [0x90, 63, 1]])
    #expect(schedule.next == 300)
    #expect(bytes(schedule.messages(until: 300)) == [[0x90, 60, 1]] && schedule.next == nil)
  }

  @Test("What sounds ends in a pause, with a new version and at the end")
  func endings() {
    func filled() -> MIDISchedule {
      var schedule = MIDISchedule()
      let begun: [[UInt8]] = [
        [0x90, 60, 1], [0x90, 61, 1], [0x80, 61, 0], [0x91, 62, 1], [0x91, 62, 0], [0x92, 63, 1],
        [0xB2, 123, 0], [0xB4, 64, 127], [0xB5, 64, 127], [0xB5, 64, 0], [0x9F, 127, 9],
      ]
      for bytes in begun { schedule.take(message(bytes, at: 0)) }
      _ = schedule.messages(until: 0)
      return schedule
    }
    let rest: [[UInt8]] = [[0x80, 60, 0], [0x8F, 127, 0], [0xB4, 64, 0]]
    var schedule = filled()
    schedule.take(MIDIEntry(kind: .release, time: 5))
    #expect(bytes(schedule.messages(until: 5)) == rest && schedule.end().isEmpty)
    schedule = filled()
    for time in [10, 20] { schedule.take(MIDIEntry(kind: .period, time: time)) }
    #expect(bytes(schedule.messages(until: 30)) == rest)
    schedule = filled()
    schedule.take(message([0xC0, 7], at: 1_000_000))
    #expect(bytes(schedule.end()) == [[0xC0, 7]] + rest)
  }

  /// Notes of 50 ms by the score, one that is held, and sound.
  private let piece = (
    orchestra: duet.orchestra + """

      instr 11
        noteondur 2, p4, 100, 0.05
      endin
      instr 12
        noteon 1, p4, 90
        kdown init 1
        if release() == 1 && kdown == 1 then
          midiout 128, 1, p4, 0
          kdown = 0
        endif
        xtratim 0.01
      endin
      """,
    score: duet.score + "i 11 0 1 60\ni 11 0.1 1 61\ni 11 0.2 1 62\n"
  )

  @Test("The opcodes' messages arrive in order, and the sound is that of the offline render")
  func playing() throws {
    let (file, wire) = (Rig.file(), Wire())
    defer { wire.close() }
    let performance = Performance(
      piece.orchestra, piece.score,
      Settings(device: Rig.device("FILE=\(file)"), midi: true, midiOutput: wire.path))
    try performance.play()
    performance.wait()
    #expect(performance.status?.unsentMIDI == 0)
    let expected = [60, 61, 62].flatMap { note in
      [[0x91, note, 100], [0x81, note, 100]] as [[UInt8]]
    }
    #expect(waits { wire.messages.count == 6 } && wire.messages == expected, "\(wire.messages)")
    let (sound, rendered) = (try played(file), try offline(piece.orchestra, piece.score))
    #expect(sound.count >= rendered.count)
    #expect(zip(sound, rendered).allSatisfy { $0 == Float($1) })
  }

  @Test(
    "A held note ends when the piece pauses, is replaced or stops; a new version repeats nothing")
  func held() throws {
    let wire = Wire()
    defer { wire.close() }
    func version(_ note: Int) -> Piece {
      Piece(
        .orchestra(
          piece.orchestra.replacing("noteon 1, p4", with: "noteon 1, p4 + \(note)"),
          score: "i 11 0 1 50\nf 0 60"))
    }
    let performance = Performance(
      version(0), settings: Settings(device: .null, midiOutput: wire.path))
    try performance.play()
    defer { performance.stop() }
    func plays(_ note: UInt8, _ expected: UInt8) throws {
      try performance.send("i", [12, 0, -1, Double(note)])
      #expect(wire.hears([0x90, expected, 90]))
    }
    try plays(60, 60)
    performance.pause()
    #expect(wire.hears([0x80, 60, 0]))
    performance.resume()
    try plays(61, 61)
    try performance.replace(with: version(10))
    #expect(wire.hears([0x80, 61, 0]))
    try plays(62, 72)
    performance.stop()
    #expect(wire.hears([0x80, 72, 0]))
    // The score's note was not sent again while the new version was performed up to where the old one was.
    #expect(wire.messages.count { $0 == [0x91, 50, 100] } == 1, "\(wire.messages)")
  }

  @Test("A FIFO is heard by readers that come later, and come back")
  func readers() throws {
    let path = Rig.fifo()
    let performance = Performance(
      piece.orchestra, "f 0 60", Settings(device: .null, midiOutput: path))
    try performance.play()
    defer { performance.stop() }
    for _ in 1...2 {
      try performance.send("i", [11, 0, 1, 40])
      let wire = Wire(path)
      #expect(
        waits {
          try? performance.send("i", [11, 0, 1, 41])
          return wire.messages.contains([0x91, 41, 100])
        })
      wire.close()
    }
    #expect(performance.status?.unsentMIDI == 0)
  }

  @Test("A receiver that takes no more makes no period late; what it gets is whole")
  func flood() throws {
    let path = Rig.fifo()
    let file = open(path, O_RDONLY | O_NONBLOCK)
    let orchestra = """
      \(header())
      instr 1
        kindex = 0
        while kindex < 100 do
          midiout 176, 1, 7, kindex
          kindex += 1
        od
      endin
      """
    let performance = Performance(orchestra, "i 1 0 60", Settings(device: .null, midiOutput: path))
    try performance.play()
    // 75,000 messages a second: the FIFO is full after 22,000.
    #expect(waits { performance.status?.unsentMIDI ?? 0 > 10_000 })
    #expect(performance.status?.xruns == 0)
    performance.stop()
    var data = [UInt8](repeating: 0, count: 1 << 17)
    let count = read(file, &data, data.count)
    close(file)
    #expect(count > 60_000 && count % 3 == 0)
    #expect(
      stride(from: 0, to: count, by: 3).allSatisfy {
        data[$0] == 0xB0 && data[$0 + 1] == 7 && data[$0 + 2] < 100
      })
  }

  @Test("Data that are no MIDI are not sent")
  func faulty() throws {
    let wire = Wire()
    defer { wire.close() }
    let orchestra = """
      ksmps = 64
      0dbfs = 1
      instr 1
        ; Csound passes this key on as it is.
        outkpat 1, 200, 5, 0, 1
        midiout 176, 1, 7, 100
        turnoff
      endin
      """
    let performance = Performance(
      orchestra, "i 1 0 60\nf 0 60", Settings(device: .null, midiOutput: wire.path))
    try performance.play()
    defer { performance.stop() }
    #expect(wire.hears([0xB0, 7, 100]))
    #expect(performance.status?.unsentMIDI == 1 && wire.messages == [[0xB0, 7, 100]])
  }

  @Test("What cannot take MIDI is refused before the piece plays")
  func refused() throws {
    for (name, code) in [("/nosuch/fifo", 66), (Rig.configuration, 65), ("no such client", 69)] {
      let performance = Performance(
        duet.orchestra, duet.score, Settings(device: .null, midiOutput: name))
      let failure = #expect(throws: Failure.self, "\(name)") { try performance.play() }
      #expect(failure.map { Int($0.exitCode) } == code, "\(failure?.message ?? "")")
    }
  }

  @Test("Messages become events of ALSA's sequencer, and the same messages again")
  func sequencer() throws {
    let events = try #require(SequencerEvents())
    let messages: [[UInt8]] = [
      [0x92, 60, 100], [0x82, 60, 0], [0xB0, 7, 1], [0xC5, 9], [0xD5, 9], [0xE1, 0, 64],
      [0xA0, 1, 2], [0xF8], [0xFA], [0xFB], [0xFC],
    ]
    for bytes in messages {
      var event = try #require(events.event(of: bytes))
      #expect(events.meaning(of: &event) == .bytes(bytes))
    }
    #expect(events.event(of: [0x90, 60]) == nil)
  }
}
