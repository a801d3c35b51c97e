import CsoundLive
import Foundation
import HarnessBase
import Synchronization
import TestSupport
import Testing

@Suite("What a listener may call", .serialized)
struct ListenerTests {
  /// The notices there are.
  enum Moment: String, CaseIterable, Sendable {
    case started, message, xruns, replaced, ended

    init(_ notice: Notice) {
      self =
        switch notice {
        case .started: .started
        case .message: .message
        case .xruns: .xruns
        case .replaced: .replaced
        case .ended: .ended
        }
    }
  }

  typealias Call = @Sendable (Performance) throws -> Void

  static let piece = Piece(
    .orchestra(
      """
      \(header())
      gitable ftgen 1, 0, 8, -2, 1, 2, 3
      chn_k "level", 3
      chn_S "word", 3
      instr 1
        prints "hello\\n"
      endin
      instr 2
      endin
      """, score: "i 1 0 3"))

  /// Every function of a performance but those that end it or wait for its end.
  static let calls: KeyValuePairs<String, Call> = [
    "isPlaying": { _ = $0.isPlaying },
    "status": { _ = $0.status },
    "format": { _ = $0.format },
    "frame": { _ = $0.frame },
    "frame(at:)": { _ = $0.frame(at: 0) },
    "channels": { _ = $0.channels },
    "instrumentLoads": { _ = $0.instrumentLoads },
    "recentOutput": { _ = $0.recentOutput(64) },
    "play": { try $0.play() },
    "add": { try $0.add(ControlValue("level"), Trigger("press"), ObservedValue("level")) },
    "send": { try $0.send("i", [2, 0, 0.1]) },
    "send(line:)": { try $0.send(line: "i 2 0 0.1") },
    "send(atBeat:)": { try $0.send("i", [2, 0, 0.1], atBeat: 1, of: TempoMap(tempo: 120)) },
    "send(midi:)": { try $0.send(midi: .noteOn(60, velocity: 1)) },
    "compile": { try $0.compile("instr 3\nendin") },
    "setString": { try $0.setString("word", to: "a") },
    "string(of:)": { _ = try $0.string(of: "word") },
    "table": { _ = try $0.table(1) },
    "pause": { $0.pause() },
    "setTable": { try $0.setTable(1, to: [Double](repeating: 0, count: 8)) },
    "replace": { try $0.replace(with: Self.piece) },
    "replace again": { try $0.replace(with: Self.piece) },
    "resume": { $0.resume() },
    "record": { try $0.record(to: Rig.file() + ".wav") },
    "finishRecording": { try $0.finishRecording() },
    "mixer": { performance in
      let mixer = try performance.mixer()
      let channel = try mixer.add(Self.piece)
      try mixer.set(channel, volume: 0.5)
      try mixer.send("i", [2, 0, 0.1], to: channel)
      try mixer.remove(channel)
    },
    "port": { performance in
      let port = PerformancePort(performance)
      try port.set("level", to: 1)
      try port.press("press")
      _ = try port.value(of: "level")
    },
  ]

  static let endings: KeyValuePairs<String, Call> = [
    "stop": { $0.stop() },
    "requestStop": { $0.requestStop() },
    "wait": { $0.wait() },
    "wait(atMost:)": { _ = $0.wait(atMost: 60) },
    "stop, play, stop": { performance in
      performance.stop()
      try performance.play()
      performance.stop()
    },
  ]

  /// Plays, has `call` called in the first notice of a kind, and returns what of it came back.
  private func play(
    _ moment: Moment, _ call: @escaping @Sendable (Performance, Record) -> Void
  ) throws -> Record {
    let record = Record()
    let performance = Performance(
      Self.piece,
      settings: Settings(
        device: Rig.device("XRUN=4800", "SPEED=2"), period: 256, midi: true)
    ) { notice in
      guard Moment(notice) == moment, let performance = record.performance else { return }
      guard record.isFirst else { return }
      call(performance, record)
      record.finish()
    }
    record.begin(performance)
    try performance.play()
    if moment == .replaced {
      do {
        try performance.replace(with: Self.piece)
      } catch {
        // On a busy machine the piece may be over before.
        try performance.play()
        try performance.replace(with: Self.piece)
      }
    }
    try #require(record.waits(), "\(moment): hangs in \(record.last)")
    performance.stop()
    record.begin(nil)
    return record
  }

  /// What a listener does, seen by a test.
  private final class Record: Sendable {
    private struct State {
      var performance: Performance?
      var isCalled = false
      var calls: [String] = []
    }

    private let state = Mutex(State())
    private let done = DispatchSemaphore(value: 0)

    func begin(_ performance: Performance?) { state.withLock { $0.performance = performance } }
    var performance: Performance? { state.withLock { $0.performance } }
    var isFirst: Bool {
      state.withLock { state in
        defer { state.isCalled = true }
        return !state.isCalled
      }
    }
    func enter(_ call: String) { state.withLock { $0.calls.append(call) } }
    var last: String { state.withLock { $0.calls.last ?? "no notice" } }
    var count: Int { state.withLock { $0.calls.count } }
    func finish() { done.signal() }
    func waits() -> Bool { done.wait(timeout: .now() + 30) == .success }
  }

  @Test("In every notice it may call every function", arguments: Moment.allCases)
  func calls(_ moment: Moment) throws {
    let record = try play(moment) { performance, record in
      for (name, call) in Self.calls {
        record.enter(name)
        // After the end most of them say that it is over, which is an answer too.
        try? call(performance)
      }
    }
    #expect(record.count == Self.calls.count)
  }

  @Test(
    "In every notice it may end the performance, wait for its end, and begin another",
    arguments: Moment.allCases)
  func endings(_ moment: Moment) throws {
    for (name, call) in Self.endings {
      let record = try play(moment) { performance, record in
        record.enter(name)
        do { try call(performance) } catch { record.enter("an error: \(error)") }
        if name != "requestStop", performance.isPlaying { record.enter("goes on") }
      }
      #expect(record.count == 1, "\(moment), \(name): \(record.last)")
    }
  }

  @Test("A piece that its listener plays again at each end loops, and nothing piles up")
  func loop() async {
    // In a process of its own, because the threads and descriptors of other tests count too.
    await #expect(processExitsWith: .success) { try Self.playInLoop(rounds: 300) }
  }

  /// Plays a piece again from the notice of its end, and counts the threads and the descriptors of
  /// the process in every fiftieth round.
  private static func playInLoop(rounds: Int) throws {
    @Sendable func counts() -> [Int] {
      ["task", "fd"].map {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\($0)").count) ?? -1
      }
    }
    let over = DispatchSemaphore(value: 0)
    let played = Atomic<Int>(0)
    let record = Record()
    let binding = CountedBinding()
    let counted = Mutex<[[Int]]>([])
    let performance = Performance(
      "sr = 48000\n0dbfs = 1\ninstr 1\nendin\n", "i 1 0 0.002", Settings(device: .null, period: 64)
    ) { notice in
      guard case .ended(_, let failure) = notice else { return }
      let round = played.wrappingAdd(1, ordering: .relaxed).newValue
      if round % 50 == 0 { counted.withLock { $0.append(counts()) } }
      if let failure { record.enter(failure.message) }
      guard round < rounds, let performance = record.performance else {
        over.signal()
        return
      }
      do { try performance.play() } catch { record.enter("\(error)") }
    }
    record.begin(performance)
    try performance.add(binding)
    try performance.play()
    #expect(over.wait(timeout: .now() + 120) == .success, "\(played.load(ordering: .relaxed))")
    performance.wait()
    #expect(record.count == 0, "\(record.last)")
    // Each cleanUp came before the next setUp.
    #expect(binding.text == String(repeating: "+-", count: rounds))
    let kept = counted.withLock { $0 }
    let (first, last) = (try #require(kept.first), try #require(kept.last))
    #expect(zip(first, last).allSatisfy { $1 <= $0 + 2 }, "\(kept)")
    record.begin(nil)
  }

  private final class CountedBinding: ChannelBinding {
    private let calls = Mutex("")
    var text: String { calls.withLock { $0 } }
    func setUp(_ performance: Performance) -> [ChannelLink] {
      // Whoever sets up may look, and end what plays, which is nothing.
      performance.stop()
      calls.withLock { $0 += performance.isPlaying ? "playing" : "+" }
      return []
    }
    func cleanUp() { calls.withLock { $0 += "-" } }
  }

  @Test("Two listeners that stop each other's performance both come back")
  func eachOther() throws {
    let records = [Record(), Record()]
    // Each has the other's performance.
    let performances = (0..<2).map { index in
      Performance(Self.piece, settings: Settings(device: .null)) { notice in
        guard case .message(let message) = notice, message.text.contains("hello") else { return }
        records[index].performance?.stop()
        records[index].performance?.wait()
        records[index].finish()
      }
    }
    records[0].begin(performances[1])
    records[1].begin(performances[0])
    for performance in performances { try performance.play() }
    for record in records { #expect(record.waits()) }
    for performance in performances { performance.wait() }
    for record in records { record.begin(nil) }
  }

  @Test(
    "A listener that is busy keeps nobody from ending, and hears everything in order afterwards")
  func busy() throws {
    let ear = Ear()
    let (door, begun) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let performance = Performance(Self.piece, settings: Settings(device: .null)) { notice in
      if case .started = notice {
        begun.signal()
        door.wait()
      }
      ear.listener(notice)
    }
    try performance.play()
    begun.wait()
    usleep(100_000)
    performance.stop()
    #expect(!performance.isPlaying && ear.ending == nil)
    #expect(!performance.wait(atMost: 0.1))
    door.signal()
    performance.wait()
    let moments = ear.notices.map(Moment.init)
    #expect(moments.contains(.started) && moments.last == .ended && ear.text.contains("hello"))
  }

  @Test("Of more messages than may wait for a busy listener the rest is left out, and counted")
  func omitted() throws {
    let ear = Ear()
    let door = DispatchSemaphore(value: 0)
    let chatty = """
      \(header())
      instr 1
        printks "x\\n", 0
      endin
      """
    let performance = Performance(
      chatty, (1...12).map { "i 1.0\($0) 0 2" }.joined(separator: "\n"),
      Settings(device: Rig.device("SPEED=4"))
    ) { notice in
      if case .started = notice { door.wait() }
      ear.listener(notice)
    }
    try performance.play()
    #expect(!performance.wait(atMost: 1.5))
    door.signal()
    performance.wait()
    let said = ear.notices.compactMap {
      if case .message(let message) = $0 { message.text } else { nil }
    }
    #expect(said.count { $0.contains("messages of Csound were left out") } == 1)
    #expect(said.count < 10_100 && said.count > 9000, "\(said.count)")
  }
}
