/// The calls of a trace with what tracing took subtracted, and sums over them.
struct CallTree {
  private let taken: [ProfileTake.Call]
  private(set) var calls: [Profile.Call] = []
  private let source: OrchestraSource
  /// What tracing costs a pass, seconds.
  let timedPassCost: Double
  /// From the k-cycles covered to all.
  let scale: Double
  /// Index of the top-level call each one is in.
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
    timedPassCost = Self.timedPassCost(trace)
    for (index, call) in taken.enumerated() {
      let traced =
        call.estimatedPasses * timedPassCost + call.extraReadings * trace.cost.extraReading
      let passes =
        isSampled ? Int((call.estimatedPasses * scale).rounded()) : call.passes
      let place = places[call.statement]!
      calls.append(
        Profile.Call(
          caller: call.caller, opcode: call.statement.readableOpcode, body: call.body.label,
          isUserOpcode: call.body.isUserOpcode, file: place.file, line: place.line,
          passes: passes, seconds: max(0, call.seconds - traced) * scale, total: 0,
          inits: call.inits,
          initSeconds: max(0, call.initSeconds - Double(call.inits) * timedPassCost),
          initTotal: 0, worst: call.worst))
      roots.append(call.caller.map { roots[$0] } ?? index)
    }
    for index in calls.indices.reversed() {
      calls[index].total += calls[index].seconds
      calls[index].initTotal += calls[index].initSeconds
      guard let caller = calls[index].caller else { continue }
      calls[caller].total += calls[index].total
      calls[caller].initTotal += calls[index].initTotal
    }
  }

  /// What tracing costs a pass.
  ///
  /// Where some k-cycles were not traced, it is what the timed ones took beyond them, within half and
  /// four times what it costs an opcode that does nothing: caches and pipelines decide. Else it is
  /// what it costs that opcode, but no more than the passes of the fastest call took altogether.
  private static func timedPassCost(_ trace: ProfileTake.Trace) -> Double {
    let idle = trace.cost.timedPass
    if trace.cycles.plain >= 100, trace.cycles.timed >= 50, trace.cycles.passCost > 0 {
      return min(max(trace.cycles.passCost, 0.5 * idle), 4 * idle)
    }
    let means = trace.calls.filter { $0.timedPasses >= 1000 }
      .map { $0.seconds / $0.estimatedPasses }
    return min(idle, means.min() ?? .infinity)
  }

  private struct BodyStatement: Hashable {
    var body: UInt64
    var statement: ProfileTake.Statement

    init(_ call: ProfileTake.Call) {
      body = call.body.id
      statement = call.statement
    }
  }

  /// Whether its init passes are in k-cycles: those at the beginning of the orchestra run before them.
  func initializesInCycles(_ index: Int) -> Bool { taken[roots[index]].body.number != 0 }

  // MARK: Sums

  /// Sums over calls that belong together; the total leaves out what is called inside one of them.
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
          initSeconds: 0, worstInit: 0)
      row.passes += call.passes
      row.seconds += call.seconds
      row.samples += call.passes * taken[index].ksmps
      row.inits += call.inits
      row.initSeconds += call.initSeconds
      row.worst = max(row.worst, call.worst)
      row.worstInit = max(row.worstInit, taken[index].worstInit)
      if !above.contains(key) { row.total += call.total + call.initTotal }
      rows[key] = row
    }
    return rows.map { ($0.key, $0.value) }.sorted { $0.row.ownSeconds > $1.row.ownSeconds }
  }

  func opcodes() -> [Profile.Row] {
    rows(by: { calls[$0].opcode }, name: { calls[$0].opcode }).map(\.row)
  }

  func lines() -> [Profile.Row] {
    rows(
      by: { OrchestraSource.Place(file: calls[$0].file, line: calls[$0].line) },
      name: { calls[$0].body }
    ).map { place, row in
      var row = row
      row.file = source.files.indices.contains(place.file) ? source.files[place.file].path : nil
      row.line = place.line
      row.text =
        place.file == OrchestraSource.noFile ? "compiled in performance" : source.text(place)
      return row
    }
  }

  /// Instruments and user-defined opcodes.
  func instruments(_ known: [ProfileTake.Instrument]) -> [Profile.Row] {
    // An instrument that was defined anew is there more than once.
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
  /// The opcode as orchestras have it: operators as signs, without the suffix of the overload.
  var readableOpcode: String { Self.readable(opcode) }

  static func readable(_ opcode: String) -> String {
    let signs = [
      "##add": "+", "##sub": "-", "##mul": "*", "##div": "/", "##pow": "^", "##mod": "%",
      "##addin": "+=", "##subin": "-=",
    ]
    let word = opcode.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)[0]
    guard !word.isEmpty else { return opcode }
    return signs[String(word)] ?? String(word.drop { $0 == "#" })
  }
}
