import CALSA
import CsoundLive
import Foundation
import HarnessBase
import Synchronization
import TestSupport
import Testing

@Suite("MIDI", .serialized)
struct MIDITests {
  private func parsed(_ bytes: [UInt8]) -> [[UInt8]] {
    var parser = MIDIParser()
    return bytes.compactMap { parser.take($0)?.bytes }
  }

  @Test(
    "Messages come out whole, each with its status",
    arguments: [
      ("a note", [0x90, 60, 100], [[0x90, 60, 100]]),
      ("running status, velocity 0", [0x90, 60, 1, 62, 0], [[0x90, 60, 1], [0x90, 62, 0]]),
      ("a clock behind the status", [0x90, 0xF8, 60, 1], [[0xF8], [0x90, 60, 1]]),
      (
        "a clock between data", [0x90, 60, 0xFE, 1, 61, 2],
        [[0xFE], [0x90, 60, 1], [0x90, 61, 2]]
      ),
      ("a clock in exclusive", [0xF0, 1, 0xF8, 2, 0xF7, 5, 6], [[0xF8]]),
      ("exclusive ends running status", [0x80, 1, 2, 0xF0, 9, 0xF7, 3, 4], [[0x80, 1, 2]]),
      ("a status ends exclusive", [0xF0, 1, 2, 0x90, 3, 4], [[0x90, 3, 4]]),
      ("programs and pressure", [0xC2, 5, 6, 0xD2, 7], [[0xC2, 5], [0xC2, 6], [0xD2, 7]]),
      ("pitch bend", [0xE0, 0, 64], [[0xE0, 0, 64]]),
      ("song position", [0x90, 1, 2, 0xF2, 3, 4, 5, 6], [[0x90, 1, 2], [0xF2, 3, 4]]),
      ("quarter frames", [0xF1, 7, 8, 0xF3, 9], [[0xF1, 7], [0xF3, 9]]),
      ("a tune request", [0x90, 1, 0xF6, 2, 3], [[0xF6]]),
      ("what has no meaning", [0x90, 1, 2, 0xF4, 3, 4, 0xF5, 5], [[0x90, 1, 2]]),
      ("data without a status", [1, 2, 3], []),
      ("a status inside a message", [0x90, 60, 0x80, 61, 0], [[0x80, 61, 0]]),
    ] as [(String, [UInt8], [[UInt8]])])
  func messages(name: String, bytes: [UInt8], expected: [[UInt8]]) {
    let found = parsed(bytes)
    #expect(found == expected, "\(name)")
  }

  @Test("Whatever the bytes, nothing comes out in part")
  func noise() {
    var generator = SeededGenerator(seed: 5)
    var parser = MIDIParser()
    var (count, wrong) = (0, 0)
    for _ in 0..<300_000 {
      guard let bytes = parser.take(UInt8.random(in: 0...255, using: &generator))?.bytes else {
        continue
      }
      count += 1
      let isShort = bytes[0] & 0xE0 == 0xC0 || bytes[0] == 0xF1 || bytes[0] == 0xF3
      let length = bytes[0] >= 0xF6 ? 1 : isShort ? 2 : 3
      let isWhole =
        bytes.count == length && bytes[0] >= 0x80 && bytes.dropFirst().allSatisfy { $0 < 0x80 }
      if !isWhole || [0xF0, 0xF4, 0xF5, 0xF7].contains(bytes[0]) { wrong += 1 }
    }
    #expect(wrong == 0 && count > 10_000)
  }

  @Test("A controller of one MIDI channel is no other's")
  func channels() throws {
    var map = try ControllerMap("7@2=a,7@3=b,8=c")
    map.take(.controller(7, 127, channel: 3))
    #expect(map.entries.map(\.value.value) == [0, 1, 0])
    #expect(map.entries.map(\.text) == ["7@2=a:0..1:lin", "7@3=b:0..1:lin", "8=c:0..1:lin"])
    map.bind(7, midiChannel: 3, to: ChannelWish("d"))
    #expect(map.entries.map(\.value.name) == ["a", "c", "d"])
    map.bind(7, to: ChannelWish("e"))
    #expect(map.entries.map(\.value.name) == ["c", "e"])
    // One of any MIDI channel is another of each.
    map.bind(7, midiChannel: 5, to: ChannelWish("f"))
    #expect(map.entries.map(\.value.name) == ["c", "f"])
    for text in ["7@0=a", "7@17=a", "7@=a"] {
      #expect(throws: Failure.self, "\(text)") { try ControllerMap(text) }
    }
  }

  @Test("A channel whose name has colons, commas or blanks stands in quotes")
  func quoted() throws {
    let text = "7=\"FL:Cut off, low\":20..20000:exp"
    let map = try ControllerMap(text + ",1=depth")
    #expect(map.entries.map(\.value.name) == ["FL:Cut off, low", "depth"])
    #expect(map.entries[0].text == text)
  }

  @Test("Controllers set channels with a range and a curve")
  func controllers() throws {
    let map = try ControllerMap("74=cutoff:20..20000:exp,1=depth,7=pan:-1..1")
    map.take(.controller(74, 127))
    map.take(.controller(1, 0))
    map.take(.controller(7, 127, channel: 9))
    #expect(map.entries.map { $0.value.name } == ["cutoff", "depth", "pan"])
    #expect(map.entries.map { $0.value.value } == [20_000, 0, 1])
    map.take(.controller(74, 0))
    map.take(.noteOn(74, velocity: 127))
    #expect(map.entries[0].value.value == 20)
    for text in ["", "128=a", "1=a:2..1", "1=a:0..1:exp", "a=1", "1=a:0..1:log"] {
      #expect(throws: Failure.self, "\(text)") { try ControllerMap(text) }
    }
  }

  @Test("A channel is bound to the controller that is moved, and the file keeps it")
  func learning() throws {
    let said = Mutex<[String]>([])
    let learner = MIDILearner(try ControllerMap("1=depth,74=cutoff:20..20000:exp")) { entry, map in
      said.withLock { $0.append("\(entry.controller) \(entry.value.name) of \(map.entries.count)") }
    }
    learner.learn(ChannelWish("pan", -1...1))
    // A controller that repeats itself is not moved, one of a channel's modes is none, a note is none.
    learner.take(.controller(1, 64))
    for _ in 0..<2 { learner.take(.controller(11, 3)) }
    for value in [0, 127] as [UInt8] { learner.take(.controller(123, value)) }
    for value in [1, 90] as [UInt8] { learner.take(.noteOn(7, velocity: value)) }
    #expect(said.withLock { $0.isEmpty } && learner.wish?.channel == "pan")
    for value in [126, 127, 0] as [UInt8] { learner.take(.controller(74, value, channel: 5)) }
    #expect(said.withLock { $0 } == ["74 pan of 2"] && learner.wish == nil)
    let entries = learner.map.entries
    #expect(entries.map(\.text) == ["1=depth:0..1:lin", "74=pan:-1..1:lin"])
    #expect(entries[1].value.value == -1 && abs(entries[0].value.value - 64.0 / 127) < 1e-15)
    let path = Rig.file() + ".cc"
    try learner.map.write(to: path)
    #expect(try ControllerMap(file: path).entries.map(\.text) == entries.map(\.text))
    #expect(learner.forget("pan") && !learner.forget("pan"))
    try learner.map.write(to: path)
    #expect(try ControllerMap(file: path).entries.map(\.controller) == [1])
    try "1=a\nnonsense\n".save(to: path)
    let failure = #expect(throws: Failure.self) { try ControllerMap(file: path) }
    #expect(failure?.exitCode == 65 && failure?.message.contains("'nonsense'") == true)
  }

  @Test("What is not said of a channel comes from its hints")
  func wishes() throws {
    func channel(_ name: String, _ kind: ChannelDescription.Kind, exponential: Bool)
      -> ChannelDescription
    {
      ChannelDescription(
        name: name, kind: kind, isInput: true, isOutput: false, range: 20...2000, initial: nil,
        isExponential: exponential, isWhole: false)
    }
    let channels = [
      channel("cutoff", .control, exponential: true), channel("title", .string, exponential: false),
    ]
    #expect(
      try ChannelWish("cutoff", among: channels) == ChannelWish("cutoff", 20...2000, .exponential))
    #expect(try ChannelWish("cutoff:1..2", among: channels) == ChannelWish("cutoff", 1...2))
    #expect(try ChannelWish("other", among: channels) == ChannelWish("other"))
    for text in ["title", "a:2..1", "a,1=b", ""] {
      #expect(throws: Failure.self, "\(text)") { try ChannelWish(text, among: channels) }
    }
  }

  @Test("Events of ALSA's sequencer become whole messages; clients come and go")
  func sequencer() throws {
    let events = try #require(SequencerEvents())
    func event(_ type: snd_seq_event_type, _ fill: (inout snd_seq_event_t) -> Void)
      -> SequencerEvents.Meaning
    {
      var event = snd_seq_event_t()
      event.type = snd_seq_event_type_t(type.rawValue)
      fill(&event)
      return events.meaning(of: &event)
    }
    func note(_ velocity: UInt8) -> SequencerEvents.Meaning {
      event(SND_SEQ_EVENT_NOTEON) {
        ($0.data.note.channel, $0.data.note.note, $0.data.note.velocity) = (2, 60, velocity)
      }
    }
    // The second with its status too, and one of velocity 0 as it is.
    #expect(note(100) == .bytes([0x92, 60, 100]) && note(0) == .bytes([0x92, 60, 0]))
    let bend = event(SND_SEQ_EVENT_PITCHBEND) { $0.data.control.value = -8192 }
    #expect(bend == .bytes([0xE0, 0, 0]))
    #expect(event(SND_SEQ_EVENT_CLOCK) { _ in } == .bytes([0xF8]))
    #expect(event(SND_SEQ_EVENT_PORT_START) { $0.data.addr.client = 20 } == .arrived(20))
    #expect(event(SND_SEQ_EVENT_CLIENT_EXIT) { $0.data.addr.client = 20 } == .left(20))
    #expect(event(SND_SEQ_EVENT_PORT_SUBSCRIBED) { _ in } == .nothing)
    #expect(SequencerEvents.isWanted("Keystation 49", isHardware: true, by: "Key"))
    #expect(!SequencerEvents.isWanted("Keystation 49", isHardware: true, by: "Nord"))
    #expect(SequencerEvents.isWanted("Keystation 49", isHardware: true, by: "all"))
    #expect(!SequencerEvents.isWanted("PureData", isHardware: false, by: "all"))
  }

  @Test("A source that vanishes ends its notes, and is heard again; what is none is refused")
  func hotPlug() throws {
    let heard = Mutex<[[UInt8]]>([])
    let (path, port) = try port { message, _ in heard.withLock { $0.append(message.bytes) } }
    func hears(_ message: [UInt8]) -> Bool { waits { heard.withLock { $0.last == message } } }
    // Nobody has written yet; the FIFO goes, and another comes under its name.
    try FileManager.default.removeItem(atPath: path)
    #expect(hears([0xBF, 123, 0]))
    usleep(50_000)
    try #require(mkfifo(path, 0o600) == 0)
    // Its writers come and go.
    for note in [60, 62] as [UInt8] {
      let fifo = try #require(FileHandle(forWritingAtPath: path))
      heard.withLock { $0 = [] }
      fifo.write(Data([0x90, note, 100]))
      #expect(hears([0x90, note, 100]))
      try fifo.close()
      #expect(hears([0xBF, 123, 0]))
      #expect(heard.withLock { $0.count } == 33)
    }
    // Then a terminal, which is a device of characters, as raw MIDI is: it is unplugged and another plugged in.
    for note in [61, 62] as [UInt8] {
      let master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
      var (isLocked, number): (CInt, CUnsignedInt) = (0, 0)
      // TIOCSPTLCK and TIOCGPTN: unlocks the other end, and gives its number.
      try #require(ioctl(master, 0x4004_5431, &isLocked) == 0)
      try #require(ioctl(master, 0x8004_5430, &number) == 0)
      let slave = "/dev/pts/\(number)"
      let line = open(slave, O_RDWR | O_NOCTTY)
      var settings = termios()
      tcgetattr(line, &settings)
      cfmakeraw(&settings)
      tcsetattr(line, TCSANOW, &settings)
      try? FileManager.default.removeItem(atPath: path)
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: slave)
      // Until it has been opened, what is written waits in the terminal.
      let message: [UInt8] = [0x90, note, 0x10]
      #expect(write(master, message, 3) == 3)
      #expect(hears(message))
      close(line)
      close(master)
      #expect(hears([0xBF, 123, 0]))
    }
    port.close()
    #expect(throws: Failure.self) { try MIDIPort("/nosuch/fifo") { _, _ in } }
    #expect(throws: Failure.self) { try MIDIPort(Rig.configuration) { _, _ in } }
  }

  /// A FIFO and a port that reads it.
  private func port(_ deliver: @escaping MIDIPort.Delivery) throws -> (path: String, port: MIDIPort)
  {
    let path = Rig.fifo()
    return (path, try MIDIPort(path, deliver: deliver))
  }

  @Test("Notes of a wire sound through Csound's own MIDI opcodes, with clocks in between")
  func notes() throws {
    let file = Rig.file()
    let orchestra = """
      \(header())
      massign 0, 1
      instr 1
        inote notnum
        a1 init inote / 128
        out a1
      endin
      """
    let performance = Performance(
      orchestra, "f 0 60", Settings(device: Rig.device("FILE=\(file)"), midi: true))
    let (path, port) = try port { message, time in
      try? performance.send(midi: message, at: performance.frame(at: time))
    }
    try performance.play()
    let wire = try #require(FileHandle(forWritingAtPath: path))
    wire.write(Data([0xF8, 0x90, 0xF8, 32, 0xF8, 100]))
    usleep(150_000)
    wire.write(Data([0xF8, 32, 0, 64, 0xFE, 90]))
    usleep(150_000)
    // The writer goes, and with it the note that sounds.
    try wire.close()
    usleep(150_000)
    performance.stop()
    port.close()
    let sound = try played(file)
    let (low, high) = (sound.count { $0 == 0.25 }, sound.count { $0 == 0.5 })
    #expect(low > 2000 && high > 2000, "\(low) \(high)")
    let end = try #require(sound.lastIndex(of: 0.5))
    #expect(sound.firstIndex(of: 0.5)! >= sound.lastIndex(of: 0.25)! && end < sound.count - 2000)
  }

  @Test("All sound off ends the notes that sound")
  func soundOff() throws {
    let sounding = ObservedValue("notes")
    let orchestra = """
      \(header())
      massign 0, 1
      chn_k "notes", 2
      instr 1
      endin
      instr 2
        chnset active:k(1), "notes"
      endin
      """
    let performance = Performance(orchestra, "i 2 0 60", Settings(device: .null, midi: true))
    try performance.add(sounding)
    try performance.play()
    defer { performance.stop() }
    func sounds(_ count: Double) -> Bool { waits { sounding.value == count } }
    for note in [60, 64] as [UInt8] { try performance.send(midi: .noteOn(note, velocity: 90)) }
    #expect(sounds(2))
    // Another controller ends nothing.
    try performance.send(midi: .controller(119, 0))
    usleep(50_000)
    #expect(sounding.value == 2)
    try performance.send(midi: .controller(120, 0))
    #expect(sounds(0))
    // So does the end of all that was played, with the notes of events and lines.
    for channel in 1...16 {
      try performance.send(midi: .noteOn(50, velocity: 90, channel: channel))
    }
    try performance.send("i", [1.3, 0, -1])
    try performance.send(line: " i 1 0 100")
    #expect(sounds(18))
    try performance.endNotes()
    #expect(sounds(0))
    // The instrument of the score goes on.
    let cycles = sounding.cycles
    usleep(50_000)
    #expect(sounding.cycles > cycles)
  }
}
