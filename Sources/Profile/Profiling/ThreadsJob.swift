import CFlight
import CsoundHost
import HarnessBase
import Rendering

/// Renders a piece with its recorder. By one thread it finds out which notes had to follow one another, by the rules that
/// Csound has for `-j`; by more, how much of the threads' time notes take.
public struct ThreadsJob: Job {
  public var orchestra: Orchestra
  /// Seconds of sound after which it stops; nil for the score's end.
  public var limit: Double?
  package init(orchestra: Orchestra, limit: Double?) {
    (self.orchestra, self.limit) = (orchestra, limit)
  }

  /// k-cycles between two readings of the recorder.
  private static let cyclesPerReading = 16

  public func perform(in worker: WorkerContext) throws(Failure) -> ThreadsTake {
    let tracer = Tracer(renderer: worker.renderer)
    var made: FlightRecorder?
    let csound = try worker.renderer.start(orchestra) { csound throws(CsoundError) in
      made = FlightRecorder(csound.engine, flight_everything)
    }
    guard let recorder = made else { throw .unavailable("There is no memory for a trace.") }
    // Csound's threads do not survive its end.
    _ = (Unmanaged.passRetained(csound), Unmanaged.passRetained(recorder))
    try tracer.requireEnd(of: orchestra, csound, limit: limit)
    let longest = (limit ?? Renderer.longestUnlimited) * csound.sampleRate / Double(csound.ksmps)
    var heartbeat = worker.renderer.heartbeat()
    var chain = Chain(recorder, isWanted: orchestra.threads == 1)
    var (cycles, goesOn) = (0, true)
    while goesOn, cycles < Int(longest.rounded(.up)) {
      goesOn = recorder.performKsmps(csound)
      cycles += goesOn ? 1 : 0
      if cycles.isMultiple(of: Self.cyclesPerReading) { chain.read() }
      heartbeat.beat(seconds: Double(cycles * csound.ksmps) / csound.sampleRate)
    }
    chain.read()
    FloatMode.current = .precise
    try tracer.requireSound(of: orchestra, csound, cycles)
    return chain.take
  }
}

/// What a render's threads did. Times are in seconds.
public struct ThreadsTake: Codable, Sendable {
  /// All k-cycles; in them all notes, and the longest chain of notes that had to follow one another.
  public var cycles = 0.0
  public var notes = 0.0
  public var chain = 0.0
  /// By instrument and by line, the largest part of the chain first.
  public var instruments: [Part] = []
  public var lines: [Part] = []
  /// What makes notes follow one another, with the instruments that use it.
  public var shared: [Shared] = []

  public struct Part: Codable, Sendable {
    public var name: String
    public var line = 0
    public var chain = 0.0
    /// All of its time; nil for lines.
    public var all: Double?
  }

  public struct Shared: Codable, Sendable {
    public var name: String
    public var instruments: [String]
  }
}

/// Adds up notes, and the longest chain of each k-cycle.
private struct Chain {
  private struct Line: Hashable { var line: UInt32, opcode: UInt16 }
  private struct Note {
    var instrument: Int, ticks: UInt64
    /// When it could end at the earliest, and the note before it in its chain.
    var end: UInt64 = 0
    var before: Int?
    var calls: [(Line, UInt64)] = []
  }

  private let recorder: FlightRecorder
  private let isWanted: Bool
  private var number: UInt64 = 0
  private var notes: [Note] = []
  private var cycleTicks: UInt64 = 0
  private var (all, inChain): ([Int: UInt64], [Int: UInt64]) = ([:], [:])
  private var lines: [Line: UInt64] = [:]
  private var chainTicks: UInt64 = 0
  private var uses: [Int: [String: UInt32]] = [:]
  private var conflicts: [[Int]: Bool] = [:]

  init(_ recorder: FlightRecorder, isWanted: Bool) {
    (self.recorder, self.isWanted) = (recorder, isWanted)
  }

  /// Reads what was recorded; complete k-cycles only.
  mutating func read() {
    let capacity = 1 << 20
    var events = [flight_event](unsafeUninitializedCapacity: capacity) { buffer, count in
      count = flight_read(recorder.flight, &number, buffer.baseAddress, capacity)
    }
    events.sort { ($0.begin, $1.end) < ($1.begin, $0.end) }
    // Within a pass other passes are not counted again.
    var until: UInt64 = 0
    for event in events {
      switch flight_kind(rawValue: UInt32(event.kind)) {
      case flight_cycle:
        endCycle()
        cycleTicks += event.end - event.begin
      case flight_note:
        all[Int(event.instrument), default: 0] += event.end - event.begin
        if isWanted {
          notes.append(Note(instrument: Int(event.instrument), ticks: event.end - event.begin))
        }
      case flight_call where !notes.isEmpty && event.begin >= until:
        until = event.end
        notes[notes.count - 1].calls.append(
          (Line(line: event.line, opcode: event.opcode), event.end - event.begin))
      default: break
      }
    }
    endCycle()
  }

  private mutating func endCycle() {
    // For each instrument its note that can end last.
    var last: [Int: Int] = [:]
    for index in notes.indices {
      let instrument = notes[index].instrument
      for (other, note) in last where follows(instrument, other) {
        guard notes[note].end > notes[index].end else { continue }
        (notes[index].end, notes[index].before) = (notes[note].end, note)
      }
      notes[index].end += notes[index].ticks
      if last[instrument].map({ notes[$0].end < notes[index].end }) ?? true {
        last[instrument] = index
      }
    }
    var next = last.values.max { notes[$0].end < notes[$1].end }
    chainTicks += next.map { notes[$0].end } ?? 0
    while let index = next {
      inChain[notes[index].instrument, default: 0] += notes[index].ticks
      for (line, ticks) in notes[index].calls { lines[line, default: 0] += ticks }
      next = notes[index].before
    }
    notes.removeAll(keepingCapacity: true)
  }

  /// Whether a note of one instrument must wait for an earlier one of another, or of the same.
  private mutating func follows(_ one: Int, _ other: Int) -> Bool {
    let pair = [min(one, other), max(one, other)]
    if let known = conflicts[pair] { return known }
    let result = use(of: one).contains { name, access in
      use(of: other)[name].map { Self.orders(access | $0) } ?? false
    }
    conflicts[pair] = result
    return result
  }

  /// Reading alone orders no notes, and neither does adding alone.
  private static func orders(_ accesses: UInt32) -> Bool {
    accesses != flight_reads.rawValue && accesses != flight_adds.rawValue
  }

  private mutating func use(of instrument: Int) -> [String: UInt32] {
    if let known = uses[instrument] { return known }
    var names: [String: UInt32] = [:]
    withUnsafeMutablePointer(to: &names) { names in
      flight_shared(
        recorder.flight, instrument,
        { context, name, access in
          let names = context!.assumingMemoryBound(to: [String: UInt32].self)
          names.pointee[String(cString: name!), default: 0] |= access.rawValue
        }, names)
    }
    uses[instrument] = names
    return names
  }

  var take: ThreadsTake {
    let rate = flight_rate(recorder.flight)
    func seconds(_ ticks: UInt64) -> Double { Double(ticks) / rate }
    func name(_ instrument: Int) -> String {
      flight_instrument(recorder.flight, instrument).map { String(cString: $0) } ?? "\(instrument)"
    }
    var take = ThreadsTake()
    take.cycles = seconds(cycleTicks)
    take.notes = seconds(all.values.reduce(0, +))
    take.chain = seconds(chainTicks)
    take.instruments = all.map {
      .init(name: name($0.key), chain: seconds(inChain[$0.key] ?? 0), all: seconds($0.value))
    }.sorted { ($1.chain, $1.all!, $0.name) < ($0.chain, $0.all!, $1.name) }
    take.lines = lines.map { line, ticks in
      let name = flight_opcode(recorder.flight, Int(line.opcode)).map { String(cString: $0) }
      return .init(
        name: Flight.readable(name ?? "?"), line: Int(line.line), chain: seconds(ticks))
    }.sorted { ($1.chain, $0.line) < ($0.chain, $1.line) }
    var users: [String: (accesses: UInt32, instruments: [Int])] = [:]
    for (instrument, names) in uses {
      for (name, access) in names {
        users[name, default: (0, [])].accesses |= access
        users[name]!.instruments.append(instrument)
      }
    }
    take.shared = users.filter { Self.orders($0.value.accesses) }.map { used in
      .init(name: used.key, instruments: used.value.instruments.sorted().map(name))
    }.sorted { ($1.instruments.count, $0.name) < ($0.instruments.count, $1.name) }
    return take
  }
}
