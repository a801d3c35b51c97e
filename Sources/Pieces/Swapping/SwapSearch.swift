import Comparing
import Foundation
import HarnessBase
import Rendering

/// The search for the swaps of one piece.
struct SwapSearch {
  typealias Call = SwappedPiece.Call

  private let acceleration: Acceleration
  private let piece: SwappedPiece
  private let scratch: String
  private let told: @Sendable (String) -> Void
  private var trial: SwapTrial
  private var subjects: [String: String] { acceleration.counterparts.subjects }

  /// A version of the piece with some calls swapped, and its result.
  private struct Attempt {
    var csd: String
    var finding: SwapFinding
  }
  private var attempts: [Set<Call>: Attempt] = [:]
  private(set) var result: FasterPiece
  private var kept: [Call] = []

  init(
    _ acceleration: Acceleration, _ piece: SwappedPiece, path: String, scratch: String,
    told: @escaping @Sendable (String) -> Void
  ) {
    (self.acceleration, self.piece, self.scratch) = (acceleration, piece, scratch)
    self.told = told
    trial = SwapTrial(of: path, acceleration.settings, scratch: scratch)
    result = FasterPiece(path: path)
  }

  mutating func run(_ calls: [Call]) throws(Failure) {
    let calls = leaveOutHidden(calls)
    guard !calls.isEmpty else { return }
    told("as it is")
    if let finding = try trial.playOriginal() {
      result.outcome = finding.verdict == .skipped ? .skipped : .originalFails
      result.reason = finding.reason
      return
    }
    result.seconds = trial.original.seconds
    guard trial.original.peak > 0 else {
      (result.outcome, result.reason) = (.silent, trial.original.errors.first)
      return
    }
    let candidates = try resolve(calls)
    for unit in units(of: leaveOutIncomplete(candidates)) {
      kept += try keepAlone(unit)
    }
    try keepTogether()
    try keepFast()
    guard !kept.isEmpty, result.outcome == .unchanged else { return }
    result.outcome = .swapped
    result.nullDepthDecibels = try attempt(kept).finding.nullDepthDecibels
  }

  private static func opcodes(of calls: [Call]) -> [String] { Set(calls.map(\.opcode)).sorted() }

  /// The calls of each opcode, or of opcodes that are swapped together.
  private func units(of calls: [Call]) -> [[Call]] {
    let units = Dictionary(grouping: calls) {
      acceleration.counterparts.group(of: $0.opcode).min()!
    }
    return units.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The parts of a unit that can be swapped by themselves: each call, or those of an instrument.
  private func parts(of unit: [Call]) -> [[Call]] {
    guard acceleration.counterparts.group(of: unit[0].opcode).count > 1 else {
      return unit.map { [$0] }
    }
    let blocks = Dictionary(grouping: unit) { [$0.file, $0.block] }
    return blocks.values.sorted { ($0[0].file, $0[0].block) < ($1[0].file, $1[0].block) }
  }

  // MARK: What may be swapped

  /// Leaves out opcodes that user-defined opcodes of the piece hide, and returns the other calls.
  private mutating func leaveOutHidden(_ calls: [Call]) -> [Call] {
    let declared = piece.declaredOpcodes
    for (opcode, subject) in subjects.sorted(by: { $0.key < $1.key })
    where declared.contains(opcode) {
      result.leftOut.append(
        FasterPiece.LeftOut(
          opcode: opcode, counterpart: subject, places: [], reason: .hidden))
    }
    let hidden = calls.filter { declared.contains(subjects[$0.opcode]!) }
    for opcode in Self.opcodes(of: hidden) {
      leaveOut(hidden.filter { $0.opcode == opcode }, .counterpartHidden)
    }
    return calls.filter { !hidden.contains($0) }
  }

  /// The calls that Csound resolves to overloads which the counterparts have too, and that play.
  private mutating func resolve(_ calls: [Call]) throws(Failure) -> [Call] {
    told("resolving its calls")
    guard let resolved = try compiled(calls) else { return [] }
    var able: [Call] = []
    for call in calls {
      guard let compiled = resolved[call] else { continue }
      if compiled.isEmpty {
        leaveOut([call], .notCompiled)
      } else if let other = compiled.first(where: {
        !acceleration.counterparts.mayTake($0, of: call.opcode)
      }) {
        leaveOut([call], .formMissing, "outputs '\(other.outputs)', inputs '\(other.inputs)'")
      } else if !compiled.contains(where: \.hasStarted) {
        leaveOut([call], .notPlayed)
      } else {
        able.append(call)
      }
    }
    return able
  }

  /// Leaves out calls of opcodes that work together where not all of their instrument can be swapped.
  private mutating func leaveOutIncomplete(_ able: [Call]) -> [Call] {
    let groups = acceleration.counterparts.groups
    let grouped =
      groups.isEmpty
      ? [] : piece.calls(among: groups.reduce(Counterparts.companions) { $0.union($1) })
    var whole: [Call] = []
    for part in units(of: able).flatMap(parts) {
      let group = acceleration.counterparts.group(of: part[0].opcode)
      let missing =
        group.count == 1
        ? nil
        : grouped.first {
          $0.file == part[0].file && $0.block == part[0].block && !part.contains($0)
            && (group.contains($0.opcode) || Counterparts.companions.contains($0.opcode))
        }
      guard let missing else {
        whole += part
        continue
      }
      leaveOut(part, .formMissing, "goes with \(missing.opcode) in line \(missing.line)")
    }
    return whole
  }

  /// How Csound compiles each of the calls; nil if the piece does not sound the same twice.
  ///
  /// The piece is rendered with a unique name for each call, registered for the same opcode, so that
  /// each call can be found among the compiled ones. If it does not compile this way, each half of the
  /// calls is tried alone, down to single words that turn out not to be calls.
  private mutating func compiled(
    _ calls: [Call]
  ) throws(Failure) -> [Call: [CompiledCall]]? {
    let markers = Dictionary(
      uniqueKeysWithValues: calls.enumerated().map { ($1, "opcodekit_call_\($0)") })
    let csd = scratch + "/marked.csd"
    try piece.write(markers, to: csd)
    let names = calls.map { (markers[$0]!, $0.opcode) }
    let finding = try trial.judge(csd, names: Dictionary(uniqueKeysWithValues: names))
    if finding.verdict == .formMissing {
      guard calls.count > 1 else {
        leaveOut(calls, .unclear)
        return [:]
      }
      let middle = calls.count / 2
      guard let first = try compiled(Array(calls[..<middle])),
        let second = try compiled(Array(calls[middle...]))
      else { return nil }
      return first.merging(second) { one, _ in one }
    }
    guard finding.passes else {
      (result.outcome, result.reason) = (.doesNotRepeat, finding.reason)
      return nil
    }
    return Dictionary(
      uniqueKeysWithValues: calls.map { ($0, finding.calls[markers[$0]!] ?? []) })
  }

  // MARK: What sounds the same

  private mutating func attempt(_ calls: [Call]) throws(Failure) -> Attempt {
    if let known = attempts[Set(calls)] { return known }
    let csd = "\(scratch)/swap\(attempts.count).csd"
    let names = calls.map { ($0, subjects[$0.opcode]!) }
    try piece.write(Dictionary(uniqueKeysWithValues: names), to: csd)
    told("with \(Self.opcodes(of: calls).joined(separator: ", ")) swapped")
    let made = Attempt(csd: csd, finding: try trial.judge(csd))
    attempts[Set(calls)] = made
    return made
  }

  /// The calls of a unit that sound the same when no other opcode is swapped.
  private mutating func keepAlone(_ calls: [Call]) throws(Failure) -> [Call] {
    let all = try attempt(calls).finding
    if all.passes { return calls }
    let parts = parts(of: calls)
    guard parts.count > 1, all.verdict.isMiss || all.verdict == .formMissing else {
      leaveOut(calls, all)
      return []
    }
    var good: [Call] = []
    for part in parts {
      let one = try attempt(part).finding
      if one.passes { good += part } else { leaveOut(part, one) }
    }
    guard !good.isEmpty else { return [] }
    let rest = try attempt(good).finding
    if rest.passes { return good }
    leaveOut(good, rest)
    return []
  }

  /// Leaves units out until the rest sounds the same together, the one that differs most first.
  private mutating func keepTogether() throws(Failure) {
    while !kept.isEmpty {
      let together = try attempt(kept).finding
      if together.passes { return }
      var worst: (unit: [Call], depth: Double)?
      for unit in units(of: kept) {
        let depth = try attempt(unit).finding.nullDepthDecibels ?? -.infinity
        if worst.map({ depth > $0.depth }) ?? true { worst = (unit, depth) }
      }
      leaveOut(worst!.unit, together)
      kept.removeAll(where: worst!.unit.contains)
    }
  }

  // MARK: What is faster

  /// Times the swap of each opcode and of all together, and leaves out opcodes that are slower.
  private mutating func keepFast() throws(Failure) {
    while !kept.isEmpty {
      let units = units(of: kept)
      let sets = units.count > 1 ? units + [kept] : units
      guard let timing = try time(sets) else { return }
      let measurements = units.indices.map { timing.measurement(of: $0 + 1) }
      let judges = acceleration.patience > 0
      var slower = units.indices.filter { judges && measurements[$0].verdict == .slower }
      if judges, slower.isEmpty, timing.measurement(of: sets.count).verdict == .slower {
        slower = [
          units.indices.min { measurements[$0].ratio.value < measurements[$1].ratio.value }!
        ]
      }
      for index in slower {
        leaveOut(units[index], .slower, speed: measurements[index])
        kept.removeAll(where: units[index].contains)
      }
      guard slower.isEmpty else {
        try keepTogether()
        continue
      }
      result.speed = timing.measurement(of: sets.count)
      for (index, unit) in units.enumerated() {
        let opcodes = Self.opcodes(of: unit)
        result.swaps.append(
          FasterPiece.Swap(
            opcode: opcodes.joined(separator: ", "),
            counterpart: opcodes.map { subjects[$0]! }.joined(separator: ", "),
            places: Self.places(of: unit),
            nullDepthDecibels: try attempt(unit).finding.nullDepthDecibels,
            speed: measurements[index]))
      }
      return
    }
  }

  /// Times the piece as it is and with each set of calls swapped; nil if it cannot be timed.
  private mutating func time(_ sets: [[Call]]) throws(Failure) -> PieceTiming? {
    var csds: [String] = []
    for set in sets { csds.append(try attempt(set).csd) }
    told("timing")
    let (report, seconds) = try trial.time(
      csds, fewestSets: acceleration.fewestSets, patience: acceleration.patience)
    result.timedSeconds = seconds
    if let timing = report.reply { return timing }
    (result.outcome, result.reason) = (.notTimed, report.failure(of: "Timing it").message)
    return nil
  }

  // MARK: What can be ported

  /// Finds user-defined opcodes that take much of the time and can be ported.
  mutating func findPorts() throws(Failure) {
    guard !piece.declaredOpcodes.isEmpty, result.outcome != .originalFails,
      result.outcome != .skipped, CsoundVersion.tools == .six
    else { return }
    told("what its user-defined opcodes take")
    let settings = acceleration.settings
    let path = URL(fileURLWithPath: OrchestraAndScore.original(of: result.path)).path
    guard let opcodes = try settings.perform(OpcodesJob(path: path, entersFolder: true)).reply
    else { return }
    let able = Set(
      opcodes.filter { Translation.obstacles(to: $0, among: opcodes).isEmpty }.map(\.name))
    guard !able.isEmpty, let shares = try? settings.shares(of: trial) else { return }
    result.ports = shares.filter {
      able.contains($0.key) && $0.value >= FasterPiece.Port.smallestShare
    }
    .map { FasterPiece.Port(opcode: $0.key, share: $0.value) }.sorted { $0.share > $1.share }
  }

  // MARK: Results

  /// Writes the piece and makes sure that it sounds the same in the directory where it is written.
  mutating func write(to output: String) throws(Failure) {
    told("writing")
    let names = Dictionary(uniqueKeysWithValues: kept.map { ($0, subjects[$0.opcode]!) })
    // An output that is not a regular file has no directory to play in; the piece was tried in its own.
    if try OutputFile(output).isReplaced { try requirePlaying(names, beside: output) }
    result.written = try piece.write(names, to: output, includingBeside: true)
  }

  /// Plays the piece from a temporary file beside the output. Throws if it does not sound like the
  /// original there.
  private func requirePlaying(_ names: [Call: String], beside output: String) throws(Failure) {
    let directory = output.parentPath
    let written = try piece.write(
      names, to: PartFile.path(of: output) + ".csd", includingBeside: true)
    defer { written.forEach { _ = unlink($0) } }
    let finding = try trial.judge(written.last!, in: directory)
    guard finding.passes else {
      throw .badInput(
        "The piece with its opcodes swapped does not play in '\(directory)' as it does in its own"
          + " directory, where the files are that it names; write it there."
          + (finding.reason.map { " Csound says: \($0)" } ?? ""))
    }
  }

  private mutating func leaveOut(
    _ calls: [Call], _ reason: FasterPiece.LeftOut.Reason, _ detail: String? = nil,
    depth: Double? = nil, speed: Comparing.Measurement? = nil
  ) {
    guard !calls.isEmpty else { return }
    let opcodes = Self.opcodes(of: calls)
    let opcode = opcodes.joined(separator: ", ")
    if let same = result.leftOut.firstIndex(where: {
      $0.opcode == opcode && $0.reason == reason && $0.detail == detail
        && $0.nullDepthDecibels == depth && speed == nil
    }) {
      result.leftOut[same].places += Self.places(of: calls)
      return
    }
    result.leftOut.append(
      FasterPiece.LeftOut(
        opcode: opcode, counterpart: opcodes.map { subjects[$0]! }.joined(separator: ", "),
        places: Self.places(of: calls), reason: reason, detail: detail, nullDepthDecibels: depth,
        speed: speed))
  }

  private mutating func leaveOut(_ calls: [Call], _ finding: SwapFinding) {
    let reason: FasterPiece.LeftOut.Reason
    switch finding.verdict {
    case .formMissing: reason = .formMissing
    case .doesNotRepeat: reason = .doesNotRepeat
    case .crash: reason = .crashes
    case .hang: reason = .hangs
    case .swappedFails, .originalFails, .skipped: reason = .fails
    case .differs, .identical, .close, .silent: reason = .differs
    }
    leaveOut(calls, reason, finding.reason, depth: finding.nullDepthDecibels)
  }

  private static func places(of calls: [Call]) -> [FasterPiece.Place] {
    calls.map { FasterPiece.Place(path: $0.path, line: $0.line) }
  }
}

extension SwapFinding {
  /// Whether the swapped piece sounds like the original.
  fileprivate var passes: Bool { verdict == .identical || verdict == .close }
}
