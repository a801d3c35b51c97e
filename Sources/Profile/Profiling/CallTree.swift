import CsoundHost

/// The calls of a trace, without the overhead of tracing, and sums over the calls.
struct CallTree {
  private let taken: [ProfileTake.Call]
  private(set) var calls: [Profile.Call] = []
  private let source: OrchestraSource
  /// The actual overhead of tracing, divided by its overhead for opcodes that do nothing.
  let tracingFactor: Double
  /// The factor from the k-cycles that the figures cover to all k-cycles.
  let scale: Double
  let overlap: Overlap
  /// For each call, with the calls inside it: the squared uncertainty of its seconds; nil if unknown.
  private var doubts: [Double?] = []
  /// For each call: the uncertainty of the correction for overlap, in seconds. It is added up linearly,
  /// because it errs in the same direction for opcodes that are called together.
  private var overlapDoubts: [Double] = []
  /// For each call: the index of the top-level call that contains it.
  private var roots: [Int] = []

  init(_ trace: ProfileTake.Trace, _ load: ProfileTake.Load, _ source: OrchestraSource) {
    taken = trace.calls
    let isSampled = trace.cycles.drawn < load.cycles
    scale = Double(load.cycles) / Double(max(1, trace.cycles.covered))
    self.source = source
    var places: [ProfileTake.Statement: OrchestraSource.Place] = [:]
    let bodies = Dictionary(grouping: Set(taken.map { BodyStatement($0) }), by: \.body)
    for statements in bodies.values {
      places.merge(source.places(of: statements.map(\.statement))) { $1 }
    }
    tracingFactor = Self.tracingFactor(trace)
    overlap = Overlap(trace, tracingFactor: tracingFactor)
    // Without enough untraced k-cycles, a call's tracing overhead may differ from the mean by this part.
    let doubtfulPart = trace.cycles.plain >= 100 ? 0 : 0.3
    for (index, call) in taken.enumerated() {
      let passes =
        isSampled ? Int((call.estimatedPasses * scale).rounded()) : call.passes
      let place = places[call.statement]!
      calls.append(
        Profile.Call(
          caller: call.caller, opcode: call.statement.readableOpcode, body: call.body.label,
          isUserOpcode: call.body.isUserOpcode, file: place.file, line: place.line,
          passes: passes, seconds: overlap.seconds(of: call) * scale,
          total: 0,
          inits: call.inits,
          initSeconds: max(
            0, call.initSeconds - Double(call.inits) * trace.cost.pass),
          initTotal: 0, worst: call.worst,
          outputs: call.statement.outputs.filter { !$0.hasPrefix("#") },
          bodyPlace: call.body.place, index: call.statement.index))
      doubts.append(
        call.samplingError.map {
          let sampled = 2 * $0 * trace.cycles.seconds * scale
          let traced = call.tracing * scale * doubtfulPart
          return sampled * sampled + traced * traced
        })
      overlapDoubts.append(overlap.doubt(of: call) * scale)
      roots.append(call.caller.map { roots[$0] } ?? index)
    }
    for index in calls.indices.reversed() {
      calls[index].total += calls[index].seconds
      calls[index].initTotal += calls[index].initSeconds
      guard let caller = calls[index].caller else { continue }
      calls[caller].total += calls[index].total
      calls[caller].initTotal += calls[index].initTotal
      doubts[caller] = doubts[caller].flatMap { own in doubts[index].map { own + $0 } }
      overlapDoubts[caller] += overlapDoubts[index]
    }
  }

  /// The actual overhead of tracing, divided by its overhead for opcodes that do nothing.
  ///
  /// It depends on caches and pipelines. If some k-cycles were not traced, it follows from how much
  /// longer the timed ones took. Otherwise it is 1, or less if some call's passes took less altogether
  /// than the overhead that would be subtracted.
  private static func tracingFactor(_ trace: ProfileTake.Trace) -> Double {
    if trace.cycles.plain >= 100, trace.cycles.timed >= 50 { return trace.cycles.tracingFactor }
    let factors = trace.calls.filter { $0.timedPasses >= 1000 && $0.tracing > 0 }
      .map { $0.seconds / $0.tracing }
    return min(1, factors.min() ?? 1)
  }

  private struct BodyStatement: Hashable {
    var body: UInt64
    var statement: ProfileTake.Statement

    init(_ call: ProfileTake.Call) {
      body = call.body.id
      statement = call.statement
    }
  }

  /// Whether the call's init passes run in k-cycles. Those of instrument 0 run before the first one.
  func initializesInCycles(_ index: Int) -> Bool { taken[roots[index]].body.number != 0 }

  // MARK: Sums

  /// Sums over the calls with the same key. The total counts a call inside another of the same key once.
  private func rows<Key: Hashable>(
    by key: (Int) -> Key, name: (Int) -> String
  ) -> [(key: Key, row: Profile.Row)] {
    var rows: [Key: Profile.Row] = [:]
    var outer: [Set<Key>] = []
    for index in calls.indices {
      let key = key(index)
      let call = calls[index]
      let above = call.caller.map { outer[$0] } ?? []
      outer.append(above.union([key]))
      var row =
        rows[key]
        ?? Profile.Row(
          name: name(index), passes: 0, seconds: 0, total: 0, samples: 0, worst: 0, inits: 0,
          initSeconds: 0, startSeconds: 0, worstInit: 0)
      row.passes += call.passes
      row.seconds += call.seconds
      row.samples += call.passes * taken[index].ksmps
      row.inits += call.inits
      if initializesInCycles(index) {
        row.initSeconds += call.initSeconds
      } else {
        row.startSeconds += call.initSeconds
      }
      row.worst = max(row.worst, call.worst)
      row.worstInit = max(row.worstInit, taken[index].worstInit)
      if !above.contains(key) {
        row.total += call.total + (initializesInCycles(index) ? call.initTotal : 0)
      }
      rows[key] = row
    }
    return rows.map { ($0.key, $0.value) }.sorted { $0.row.ownSeconds > $1.row.ownSeconds }
  }

  func opcodes() -> [Profile.Row] {
    rows(by: { calls[$0].opcode }, name: { calls[$0].opcode }).map(\.row)
  }

  /// `whole` is the time of all calls and the engine, in seconds.
  func lines(of whole: Double) -> [Profile.Row] {
    func place(_ index: Int) -> OrchestraSource.Place {
      OrchestraSource.Place(file: calls[index].file, line: calls[index].line)
    }
    let squares = Dictionary(grouping: calls.indices, by: place).mapValues { indices in
      indices.reduce(0.0 as Double?) { sum, index in
        sum.flatMap { sum in doubts[index].map { sum + $0 } }
      }
    }
    var overlaps: [OrchestraSource.Place: Double] = [:]
    var above: [Set<OrchestraSource.Place>] = []
    for index in calls.indices {
      let outer = calls[index].caller.map { above[$0] } ?? []
      if !outer.contains(place(index)) {
        overlaps[place(index), default: 0] += overlapDoubts[index]
      }
      above.append(outer.union([place(index)]))
    }
    let allOverlaps = calls.indices.filter { calls[$0].caller == nil }
      .reduce(0) { $0 + overlapDoubts[$1] }
    return rows(by: place, name: { calls[$0].body }).map { place, row in
      var row = row
      row.doubt = squares[place].flatMap { $0 }.map { square in
        // The loss of all lines together is known: if one line's share of it is too large, the others'
        // share is too small by as much.
        let overlap = min(overlaps[place]!, allOverlaps - overlaps[place]!)
        return (square + overlap * overlap).squareRoot() / whole
      }
      row.file = source.files.indices.contains(place.file) ? source.files[place.file].path : nil
      row.line = place.line
      row.text =
        place.file == OrchestraSource.noFile ? "compiled in performance" : source.text(place)
      return row
    }
  }

  /// Sums over instruments and user-defined opcodes.
  func instruments(_ known: [ProfileTake.Instrument]) -> [Profile.Row] {
    // An instrument that was redefined during the performance appears more than once.
    let byLabel = Dictionary(grouping: known) { $0.body.label }
    return rows(by: { taken[$0].body.label }, name: { taken[$0].body.label }).map { label, row in
      var row = row
      row.isUserOpcode = label.hasPrefix("opcode ")
      if let versions = byLabel[label] {
        row.notes = versions.reduce(0) { $0 + $1.notesBegun }
        row.mostNotes = versions.map(\.mostNotes).max()
        row.worst = max(row.worst, versions.map(\.worst).max()!)
      }
      return row
    }.sorted { $0.total > $1.total }
  }
}

extension ProfileTake.Statement {
  /// The opcode as orchestras write it: operators as signs, names without the suffix of the overload.
  var readableOpcode: String { Flight.readable(opcode) }
}
