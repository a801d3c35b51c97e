import CsoundLive
import Foundation
import HarnessBase
import TestSupport
import Testing

@Suite("Events and channels", .serialized)
struct EventTests {
  /// Each note is a one for as long as it sounds, at a channel of its own for p4.
  static let clicks = """
    \(header())
    instr 1
      a1 init p4
      out a1
    endin
    """

  private func performance(
    _ orchestra: String, _ score: String, ksmps: Int? = nil, file: String, speed: Int = 4,
    isSampleAccurate: Bool = true
  ) -> Performance {
    Performance(
      Piece(
        .orchestra(orchestra, score: score), ksmps: ksmps, isSampleAccurate: isSampleAccurate),
      settings: Settings(
        device: Rig.device("FILE=\(file)", "SPEED=\(speed)", "WAIT=1"), period: 1024))
  }

  @Test("Events with a time begin on their exact sample")
  func exact() throws {
    let file = Rig.file()
    let performance = performance(Self.clicks, "f 0 2", ksmps: 10, file: file)
    var generator = SeededGenerator(seed: 10)
    // Apart by more than their length, in any order.
    let starts = (0..<100).map { 20_000 + 700 * $0 + Int.random(in: 0..<300, using: &generator) }
    let gate = Gate()
    try performance.add(gate)
    try performance.play()
    for start in starts.shuffled(using: &generator) {
      try performance.send("i", [1, 0, 200.0 / 48000, 0.5], at: start)
    }
    gate.open()
    performance.wait()
    let sound = try played(file)
    let begins = sound.indices.filter { sound[$0] == 0.5 && ($0 == 0 || sound[$0 - 1] == 0) }
    #expect(begins == starts)
    #expect(starts.allSatisfy { sound[$0 + 150] == 0.5 })
  }

  @Test("Events of one frame are played in the order in which they were sent")
  func order() throws {
    let orchestra = """
      \(header())
      gilevel init 0
      instr 1
        gilevel = 10 * gilevel + p4 / 10000
      endin
      instr 2
        a1 init gilevel
        out a1
      endin
      """
    let file = Rig.file()
    let performance = performance(orchestra, "f 0 1", file: file, isSampleAccurate: false)
    let gate = Gate()
    try performance.add(gate)
    try performance.play()
    for digit in 1...4 { try performance.send("i", [1, 0, 0, Double(digit)], at: 24_000) }
    try performance.send("i", [2, 0, 0.1], at: 30_000)
    gate.open()
    performance.wait()
    #expect(try played(file).contains { abs($0 - 0.1234) < 1e-6 })
  }

  @Test("Events that come late are played at once, and counted; a held note ends by its number")
  func late() throws {
    let file = Rig.file()
    let performance = performance(Self.clicks, "f 0 1", file: file, isSampleAccurate: false)
    try performance.play()
    while performance.frame < 12_000 { usleep(1000) }
    try performance.send("i", [1.5, 0, -1, 0.25], at: 5000)
    while performance.frame < 20_000 { usleep(1000) }
    try performance.send("i", [-1.5, 0, 0, 0])
    performance.wait()
    let status = try #require(performance.status)
    #expect(status.lateEvents == 1)
    let sound = try played(file)
    let first = try #require(sound.firstIndex(of: 0.25)),
      last = try #require(sound.lastIndex(of: 0.25))
    #expect(first >= 10_000 && last > first && last < sound.count - 4096)
  }

  @Test("Ten thousand events from two threads: none is lost")
  func many() throws {
    let orchestra = """
      \(header())
      gicount ftgen 1, 0, 1, -2, 0
      chn_k "count", 3
      instr 1
        icount table 0, 1
        tableiw icount + 1, 0, 1
      endin
      instr 2
        kcount table k(0), 1
        chnset kcount, "count"
      endin
      """
    let performance = Performance(orchestra, "f 0 60\ni 2 0 60")
    let count = ObservedValue("count")
    try performance.add(count)
    try performance.play()
    let sender = Thread {
      for index in 0..<5000 { try? performance.send("i", [1, 0, 0], at: 2000 + index) }
    }
    sender.start()
    for index in 0..<5000 { try performance.send("i", [1, 0, 0], at: 2000 + 7 * index) }
    waits { count.value >= 10_000 }
    performance.stop()
    #expect(count.value == 10_000)
  }

  static let gauge = """
    \(header())
    chn_k "level", 3
    chn_k "press", 3
    chn_k "pulses", 3
    chn_a "sound", 3
    instr 1
      klevel chnget "level"
      kpress chnget "press"
      kpulses init 0
      kpulses += kpress
      chnset kpulses, "pulses"
      chnset klevel * 2, "later"
      out a(klevel)
    endin
    """

  @Test("A value goes to Csound, a press is seen in one cycle, a value comes back")
  func bindings() throws {
    let file = Rig.file()
    let performance = performance(Self.gauge, "i 1 0 1.5", file: file, speed: 2)
    let (level, press) = (ControlValue("level"), Trigger("press"))
    // The last is declared only when the note begins, the one before is of another type.
    let (pulses, wrong, later) = (
      ObservedValue("pulses"), ObservedValue("sound"), ObservedValue("later")
    )
    for binding in [level, press, pulses, wrong, later] as [any ChannelBinding] {
      try performance.add(binding)
    }
    try performance.play()
    level.value = 0.125
    for _ in 0..<20 { press.press() }
    while performance.isPlaying, later.value != 0.25 || pulses.value < 20 { usleep(1000) }
    #expect(pulses.value == 20)
    #expect(wrong.cycles == 0 && pulses.cycles > 0)
    performance.wait()
    #expect(try played(file).contains(0.125))
  }

  /// Counts cycles, as a binding of a program's own.
  final class CycleCounter: ChannelBinding {
    nonisolated(unsafe) let memory = UnsafeMutablePointer<Int>.allocate(capacity: 3)

    init() { memory.initialize(repeating: 0, count: 3) }
    deinit { memory.deallocate() }

    func setUp(_ performance: Performance) -> [ChannelLink] {
      [
        ChannelLink(
          before: { $0!.assumingMemoryBound(to: Int.self)[0] += 1 },
          after: { $0!.assumingMemoryBound(to: Int.self)[1] += 1 }, context: memory)
      ]
    }

    func cleanUp() { memory[2] += 1 }
  }

  @Test("A binding of one's own is called before and after each cycle, and cleaned up once")
  func ownBinding() throws {
    let file = Rig.file()
    let performance = performance(Self.clicks, "i 1 0 0.1 0.5", file: file)
    let counter = CycleCounter()
    try performance.add(counter)
    try performance.play()
    performance.wait()
    // 75 cycles of sound; in the next Csound says that the score has ended.
    #expect(counter.memory[1] == 75 && counter.memory[0] == 76 && counter.memory[2] == 1)
  }

  @Test("A table is read and written whole while it plays")
  func tables() throws {
    let performance = Performance("gi1 ftgen 5, 0, 1024, -7, 0, 1024, 1\n" + Self.clicks, "f 0 60")
    try performance.play()
    let ramp = try performance.table(5)
    #expect(ramp.count == 1024 && ramp[512] == 0.5)
    let new = (0..<1024).map { Double($0 % 7) }
    try performance.setTable(5, to: new)
    #expect(try performance.table(5) == new)
    #expect(throws: Failure(.badInput, "There is no function table 6.")) {
      try performance.table(6)
    }
    #expect(throws: Failure(.badInput, "Function table 5 has 1024 samples, not 10.")) {
      try performance.setTable(5, to: [Double](repeating: 0, count: 10))
    }
    performance.stop()
  }

  @Test("A panel finds the channels with their hints, and moves them by name")
  func port() throws {
    let orchestra = """
      sr = 48000
      0dbfs = 1
      chn_k "cutoff", 1, 3, 800, 20, 20000
      chn_k "steps", 3, 1, 4, 1, 16
      chn_S "title", 3
      chn_a "bus", 2
      instr 1
        kcutoff chnget "cutoff"
        Stitle chnget "title"
        chnset strlenk(Stitle) + kcutoff, "sum"
      endin
      """
    let performance = Performance(orchestra, "i 1 0 60")
    let port: any ChannelPort = PerformancePort(performance)
    #expect(port.channels.isEmpty)
    try port.set("cutoff", to: 100)
    try performance.play()
    let channels = Dictionary(uniqueKeysWithValues: port.channels.map { ($0.name, $0) })
    let cutoff = try #require(channels["cutoff"])
    #expect(cutoff.kind == .control && cutoff.isInput && !cutoff.isOutput)
    #expect(cutoff.range == 20...20_000 && cutoff.initial == 800 && cutoff.isExponential)
    #expect(channels["steps"]?.isWhole == true && channels["steps"]?.range == 1...16)
    #expect(channels["title"]?.kind == .string && channels["bus"]?.kind == .audio)
    try port.set("title", to: "seven..")
    #expect(try waits { try port.value(of: "sum") == 107 })
    #expect(try port.value(of: "nobody") == nil)
    performance.stop()
    #expect(throws: Failure.self) { try port.set("title", to: "late") }
  }
}
