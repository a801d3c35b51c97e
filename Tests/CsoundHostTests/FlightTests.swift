import CFlight
import CsoundHost
import Foundation
import TestSupport
import Testing

@Suite("The flight recorder: what is the cause of a dropout, and the trace")
struct FlightTests {
  /// A record in which the device loses a period of 5 ms at 1 s: the period before took `wall` seconds, `busy` of them
  /// running, after a pause.
  private func flight(
    wall: Double, busy: Double, pause: Double = 0.004, diskFaults: Int = 0,
    events: [Flight.Event] = []
  ) -> Flight {
    var flight = Flight(sampleRate: 48000, ksmps: 60, events: events)
    (flight.period, flight.buffer) = (240, 720)
    func period(_ begin: Double, _ end: Double, _ dropouts: UInt32) -> flight_period {
      flight_period(
        number: 1, begin: Int64(begin * 1e9), end: Int64(end * 1e9), frame: Int64(begin * 48000),
        dropouts: dropouts)
    }
    let before = (0..<20).map {
      period(0.9 + 0.005 * Double($0), 0.901 + 0.005 * Double($0), 0)
    }
    let begin = 0.996 + pause
    flight.periods =
      before + [period(begin, begin + wall, 0), period(begin + wall, begin + wall + 0.001, 1)]
    // The thread is looked at every 50 ms, and other programs held it up for most of the time that it lost.
    flight.thread = [
      ThreadTime(time: 0.9, ran: 7), ThreadTime(time: 0.95, ran: 7.01),
      ThreadTime(
        time: begin + wall + 0.03, ran: 7.021 + busy, waited: 0.9 * (wall - busy + pause),
        diskFaults: diskFaults),
    ]
    return flight
  }

  private typealias Event = Flight.Event
  private let cycle = Flight.Event(kind: .cycle, begin: 1, end: 1.1)

  @Test("Each cause is named with its numbers")
  func causes() throws {
    let start = Event(kind: .start, begin: 1.001, end: 1.08, instrument: "Pad")
    func pass(_ opcode: String) -> Event {
      Event(kind: .initPass, begin: 1.002, end: 1.07, instrument: "Pad", opcode: opcode, line: 7)
    }
    func cause(_ events: [Event]) throws -> Flight.Cause {
      try #require(flight(wall: 0.1, busy: 0.1, events: [cycle] + events).cause)
    }
    let table = try cause([start, pass("ftgen")])
    #expect(
      table.kind == .table && table.sentence.contains("ftgen in line 7, instr Pad, took 68.0 ms"))
    let initPass = try cause([start, pass("diskin2")])
    #expect(initPass.kind == .initPass)
    #expect(
      initPass.sentence.contains("instr Pad took 79.0 ms, 68.0 ms of it in diskin2 in line 7"))
    let burst = try cause(
      (0..<50).map {
        Event(
          kind: .start, begin: 1 + 0.0015 * Double($0), end: 1.001 + 0.0015 * Double($0),
          instrument: "Drop")
      })
    #expect(burst.kind == .burst && burst.sentence.contains("50 notes began"))
    #expect(try cause([Event(kind: .engine, begin: 1, end: 1.09)]).kind == .engine)
    let dear = try cause([Event(kind: .note, begin: 1.001, end: 1.099, instrument: "Pad")])
    #expect(dear.kind == .cycles && dear.sentence.contains("instr Pad takes 98 % of the time"))
  }

  @Test(
    "A thread that did not run is told from one that computed, and the disk from other programs")
  func stopped() throws {
    let held = try #require(flight(wall: 0.1, busy: 0.002, events: [cycle]).cause)
    #expect(held.kind == .notRunning && held.sentence.contains("98.0 ms of the 100.0 ms"))
    #expect(held.sentence.contains("other programs ran for"))
    // Dear k-cycles are not blamed on a program that took a little of the time.
    #expect(
      try #require(flight(wall: 0.1, busy: 0.08, events: [cycle]).cause).kind == .cycles)
    let disk = try #require(flight(wall: 0.1, busy: 0.002, diskFaults: 12, events: [cycle]).cause)
    #expect(disk.kind == .pageFaults && disk.sentence.contains("12 page faults"))
    let late = try #require(flight(wall: 0.001, busy: 0.001, pause: 0.2).cause)
    #expect(late.kind == .notRunning && late.sentence.contains("did not run for 200."))
    #expect(try #require(flight(wall: 0.1, busy: 0.1, events: [cycle]).cause).kind == .cycles)
    var calm = flight(wall: 0.001, busy: 0.001)
    calm.periods.removeLast()
    #expect(calm.cause == nil)
  }

  /// Plays a piece; with the samples what the recorder has, which is nil without `detail`.
  private func play(_ piece: String, _ detail: flight_detail?, _ option: String = "-m0") throws -> (
    samples: [Double], recorder: FlightRecorder?, events: [Flight.Event], lines: [Flight.Line]
  ) {
    let path = try temporaryDirectory() + "/flight.csd"
    try piece.save(to: path)
    var recorder: FlightRecorder?
    FloatMode.current = .csound
    let csound = try Csound()
    try csound.compile(path, options: [option]) {
      if let detail { recorder = FlightRecorder(csound.engine, detail) }
    }
    var (samples, number): ([Double], UInt64) = ([], 0)
    var goesOn = true
    while goesOn {
      goesOn = recorder?.performKsmps(csound) ?? csound.performKsmps()
      samples += csound.output
    }
    defer { csound.close() }
    return (samples, recorder, recorder?.events(from: &number) ?? [], recorder?.lines() ?? [])
  }

  @Test("An engine's record has each k-cycle and note; the trace is JSON whose events nest")
  func recorded() throws {
    let piece = """
      instr Odd
        kcount = 0
        while kcount < 3000 do
          kcount += 1
        od
        out oscili:a(0.1, 440)
      endin
      instr 2
        itable ftgen 0, 0, 65536, 10, 1
        kagain metro 50
        if kagain == 1 then
          reinit again
        endif
      again:
        out oscili:a(0.1, i(kagain) + 220, itable)
      endin
      """.csd(score: "i \"Odd\" 0 0.5\ni 2 0.1 0.2\ni 2 0.1 0.2", ksmps: 48)
    let plain = try play(piece, nil)
    for detail in [flight_brief, flight_whole] {
      let (samples, recorder, events, _) = try play(piece, detail)
      #expect(samples == plain.samples && recorder?.loads().first?.name == "Odd")
      #expect(events.count { $0.kind == .cycle } * 48 == samples.count)
      #expect(events.filter { $0.kind == .start }.map(\.instrument) == ["Odd", "2", "2"])
      let passes: [Flight.Kind] = [.initPass, .call]
      #expect(events.allSatisfy { $0.opcode.isEmpty != passes.contains($0.kind) })
      let tables = events.filter { $0.kind == .initPass && $0.opcode == "ftgen" }
      #expect(tables.count == 2 && tables.allSatisfy { $0.instrument == "2" })
      #expect(events.contains { $0.kind == .note && $0.instrument == "Odd" })
      var flight = Flight(sampleRate: 48000, ksmps: 48, events: events)
      flight.findLines(in: piece)
      #expect(flight.events.first { $0.opcode == "ftgen" }?.line == 15)
      try requireNesting(flight.trace(of: "a \"piece\".csd"))
    }
  }

  @Test(
    "Passes are recorded, in few k-cycles where they are so short that all would cost more than 3 %; -j has a track each"
  )
  func adapting() throws {
    func events(_ line: String, notes: Int, _ option: String = "-m0") throws -> (
      cyclesPerSample: Int, events: [Flight.Event], lines: [Flight.Line]
    ) {
      let piece = "instr 1\n  \(line)\nendin".csd(
        score: String(repeating: "i 1 0 0.5\n", count: notes), ksmps: 32)
      let (_, recorder, events, lines) = try play(piece, flight_brief, option)
      return (try #require(recorder).cyclesPerSample, events, lines)
    }
    let short = String(repeating: "k1 += 1\n", count: 20)
    let few = try events("a1 oscili 0.1, 220\nk1 init 0\n" + short, notes: 200)
    #expect(few.cyclesPerSample >= 64)
    // Once each in these k-cycles, and in no others after the first tenth of a second.
    let sampled = few.events.filter(\.isSampled)
    #expect((1...750 / 64).contains(sampled.count), "\(sampled.count)")
    let last = try #require(sampled.last)
    #expect(few.events.count { $0.kind == .call && $0.begin >= last.begin } <= 22 * 200)
    let late = few.events.filter { $0.kind == .call && $0.begin >= few.events[0].begin + 0.25 }
    #expect(
      late.allSatisfy { call in
        sampled.contains { $0.begin <= call.begin && call.end <= $0.end }
      })
    // Every line that performs has its share.
    #expect(Set(few.lines.map(\.opcode)) == ["oscili", "+"], "\(few.lines)")
    #expect(Set(few.lines.map(\.line)).count == 16, "\(few.lines)")
    #expect(few.lines.reduce(0) { $0 + $1.share } < 1)
    let long = try events("out moogladder(oscili(0.1, 220), 900, 0.5)", notes: 20)
    #expect(long.cyclesPerSample == 1 && long.lines.first?.opcode == "moogladder")
    #expect(long.events.allSatisfy { $0.thread == 0 && $0.kind != .wait })
    let two = try events("out moogladder(oscili(0.1, 220), 900, 0.5)", notes: 20, "-j2")
    #expect(two.events.contains { $0.kind == .call && $0.thread == 1 && $0.opcode == "moogladder" })
    #expect(two.events.contains { $0.kind == .wait })
    #expect(two.events.count { $0.kind == .note } >= 20 * 700)
  }

  /// A reader of the documented format: complete events of a track lie apart or inside one another.
  private func requireNesting(_ data: Data) throws {
    let all = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let events = try #require(all["traceEvents"] as? [[String: Any]])
    var open: [Double] = []
    for event in events where event["ph"] as? String == "X" {
      let begin = try #require(event["ts"] as? Double)
      let end = begin + (try #require(event["dur"] as? Double))
      #expect(event["name"] is String && event["pid"] as? Int == 1 && event["tid"] as? Int == 1)
      while let last = open.last, last <= begin + 0.002 { open.removeLast() }
      #expect(open.last.map { end <= $0 + 0.002 } ?? true)
      open.append(end)
    }
    #expect(events.count { $0["ph"] as? String == "M" } == 3)
  }
}
