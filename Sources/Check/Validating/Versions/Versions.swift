import Foundation
import HarnessBase
import Linting
import Rendering
import Synchronization

/// Plays the same calls of Csound's own opcodes in two Csounds and compares what comes out.
struct Versions {
  let first, second: VersionPlayer
  let arguments: ArgumentFile
  let unplayed: UnplayedOpcodes
  private(set) var firstSignatures, secondSignatures: [Signature]
  /// Whether instructions are counted.
  var counts = false
  /// The directory for orchestras that show a change; nil if they are not kept.
  var kept: String?
  /// What `validate` finds in both Csounds, by opcode.
  var faults: [String: ValidatedFaults] = [:]
  /// What was recorded about the opcodes of these two Csounds, by name; nil if nothing was.
  var recorded: [String: [VersionFinding]]?
  /// The directory for orchestras, with the recorded input.
  private let scratch: ScratchDirectory
  let input: String
  /// The seed of the noise in it.
  let seed: UInt64
  /// The memory of one more note of an instrument with hardly any opcode, in each Csound.
  private var emptyNotes: [Int] = []
  /// What reads the recorded input with the same samples in both Csounds; nil if nothing does.
  private(set) var reader: Scene.Reader?

  init(
    _ first: CsoundLibrary, _ second: CsoundLibrary, arguments: ArgumentFile,
    unplayed: UnplayedOpcodes, seed: UInt64
  ) throws(Failure) {
    scratch = try ScratchDirectory("versions")
    input = scratch.path + "/input.wav"
    self.first = VersionPlayer(first, directory: scratch.path)
    self.second = VersionPlayer(second, directory: scratch.path)
    (self.arguments, self.unplayed, self.seed) = (arguments, unplayed, seed)
    (firstSignatures, secondSignatures) = ([], [])
    do throws(Failure) {
      firstSignatures = try self.first.signatures()
      secondSignatures = try self.second.signatures()
      try VersionScene.input(seed: seed).write(to: input)
      let notes = try both(VersionScene.emptyNotes)
      emptyNotes = [notes.0, notes.1].map { $0[0].bytes - $0[1].bytes }
      for candidate in Scene.Reader.allCases {
        let scenes = VersionScene.alone(candidate)
        let (before, after) = try both(scenes.map { $0.scene.text($0.plan, command: "") })
        let isAlike = zip(before, after).allSatisfy {
          $0.ending == .ended && $1.ending == .ended && $0.isHeard && $0.samples == $1.samples
        }
        guard !isAlike else {
          reader = candidate
          break
        }
      }
    } catch {
      close()
      throw error
    }
  }

  func close() { scratch.remove() }

  /// The overloads to compare, by opcode: those of the first Csound, or else those of the second.
  func overloads(of opcode: String) -> [Signature] {
    func listed(_ all: [Signature]) -> [Signature] {
      var found: [Signature] = []
      for signature in all where signature.opcode == opcode && !found.contains(signature) {
        found.append(signature)
      }
      return found
    }
    let before = listed(firstSignatures)
    return before.isEmpty ? listed(secondSignatures) : before
  }

  /// Csound 7 lists `oscsend` and `vaddi`, and also compiles their earlier names `OSCsend` and `vadd_i`.
  private static func plain(_ name: String) -> String {
    name.replacing("_", with: "").lowercased()
  }

  /// Whether a Csound lists an opcode, under its name or as Csound 7 writes it.
  private static func lists(_ signatures: [Signature], _ opcode: String) -> Bool {
    let plain = plain(opcode)
    return signatures.contains { $0.opcode == opcode || Self.plain($0.opcode) == plain }
  }

  /// The names that one of the two lists; an opcode that both have has its name in the first.
  var names: Set<String> {
    let known = Set(firstSignatures.map(\.opcode))
    let plain = Set(known.map(Self.plain))
    return known.union(secondSignatures.map(\.opcode).filter { !plain.contains(Self.plain($0)) })
  }

  /// Compares an overload.
  func compare(_ signature: Signature) throws(Failure) -> VersionFinding {
    var finding = VersionFinding(
      opcode: signature.opcode, outputs: signature.outputs, inputs: signature.inputs,
      verdict: .notPlayed)
    guard Self.lists(firstSignatures, signature.opcode) else {
      finding.verdict = .new
      return finding
    }
    let siblings = firstSignatures.filter { $0.opcode == signature.opcode && $0 != signature }
    let entry = arguments.entry(signature)
    let plan: CallPlan
    do throws(Outcome) {
      plan = try CallPlan(signature, siblings: siblings, entry: entry)
    } catch {
      finding.message = error.message
      return finding
    }
    // The second may compile a name that it does not list.
    let isThere =
      Self.lists(secondSignatures, signature.opcode) ? true : try isCompiled(plan)
    finding.verdict = isThere ? .notPlayed : .gone
    if !arguments.knows(signature.opcode), let reason = unplayed.reason(signature.opcode) {
      finding.message = isThere ? reason : nil
      return finding
    }
    let chosen: CallPlan
    switch try explored(plan, signature) {
    case .success(let found): chosen = found
    case .failure(let refused):
      finding.message = refused.message
      return finding
    }
    var audible = try? CallPlan(signature, siblings: siblings, entry: entry, anyRate: .a)
    if let other = audible, other.inputs.count == chosen.inputs.count {
      for index in other.inputs.indices {
        audible!.inputs[index].value = chosen.inputs[index].value
        audible!.inputs[index].data.table = chosen.inputs[index].data.table
      }
    }
    finding.values = chosen.valuesText
    let scenes = VersionScene.all(of: chosen, audible: audible, reader: reader ?? .poscil)
    let (before, after) = try both(scenes.map { $0.scene.text($0.plan, command: $0.kind.rawValue) })
    finding.bytes = zip([before, after], emptyNotes).map {
      max(0, $0[0].bytes - $0[1].bytes - $1)
    }
    if counts { finding.instructions = try instructions(scenes) }
    for (index, scene) in scenes.enumerated() {
      finding.scenes.append(
        SceneComparison(in: scene, before[index], after[index], channels: scene.channels))
    }
    if !(before + after).contains(where: \.isHeard) {
      for index in finding.scenes.indices where finding.scenes[index].verdict == .same {
        finding.scenes[index].verdict = .notPlayed
        finding.scenes[index].message = "nothing of it is heard"
      }
    }
    // What only listens to it, such as sumarray, may refuse an output.
    for index in finding.scenes.indices {
      guard [.refuses, .accepts].contains(finding.scenes[index].verdict),
        let refused = finding.scenes[index].message?.firstMatch(of: /\(opcode ([^.)]+)/)?.1,
        refused != signature.opcode
      else { continue }
      finding.scenes[index].verdict = .notPlayed
    }
    try judgeRandomness(&finding, scenes, before, after)
    if let faults = faults[signature.opcode] { faults.judge(&finding) }
    finding.conclude()
    if !isThere, [.refuses, .notPlayed].contains(finding.verdict) { finding.verdict = .gone }
    try keep(&finding, scenes, before, after)
    return finding
  }

  /// The plan with values, and numbers of arguments and outputs, with which a note of it plays, in both Csounds if there are
  /// such; or why none does.
  private func explored(
    _ plan: CallPlan, _ signature: Signature
  ) throws(Failure) -> Result<CallPlan, Failure> {
    let others =
      [1, 2].compactMap { plan.with(outputs: $0, of: signature) }
      + CallPlan.variadicCounts(of: signature).map { plan.with(variadics: $0) }
    let candidates =
      ValidationWorker.assignments(plan)
      + others.filter { $0 != plan }.flatMap(ValidationWorker.assignments)
    guard candidates.count > 1 else { return .success(plan) }
    let texts = candidates.map {
      VersionScene.all(of: $0, audible: nil, reader: reader ?? .poscil)[1].scene.text(
        $0, command: "")
    }
    let played = try both(texts, timeLimit: Self.exploringLimit)
    func score(_ played: Played) -> Int {
      guard played.ending == .ended else { return -1 }
      guard played.firstNotFinite == nil, let peak = played.samples.map(abs).max() else { return 0 }
      guard peak > 0, peak < 1e6 else { return 1 }
      return Set(played.samples.dropFirst(6400)).count > 2 ? 4 : 2
    }
    // Values that one of the two refuses are taken only if there are no others.
    let scores = zip(played.0.map(score), played.1.map(score)).map {
      10 * min($0, $1) + max($0, $1)
    }
    let best = scores.max()!
    if best < 0, played.0.allSatisfy({ score($0) < 0 }), played.1.allSatisfy({ score($0) < 0 }) {
      // An opcode that crashes with every value is played on, so that both Csounds are judged.
      guard let refused = played.0.first.flatMap(\.refusal) else { return .success(plan) }
      return .failure(Failure(.badInput, refused))
    }
    return .success(candidates[scores.firstIndex(of: best)!])
  }

  /// Whether the second Csound compiles a call, which no note plays.
  private func isCompiled(_ plan: CallPlan) throws(Failure) -> Bool {
    var scene = VersionScene.all(of: plan, audible: nil, reader: reader ?? .poscil)[1].scene
    (scene.notes, scene.end) = ([], 0.01)
    let paths = try write([scene.text(plan, command: "")], "compiled")
    return try second.play(paths, input: input)[0].ending == .ended
  }

  private func write(_ texts: [String], _ name: String) throws(Failure) -> [String] {
    var paths: [String] = []
    for (index, text) in texts.enumerated() {
      let path = "\(scratch.path)/\(name)-\(index).csd"
      try writing(path) { try text.write(toFile: path, atomically: false, encoding: .utf8) }
      paths.append(path)
    }
    return paths
  }

  /// The processor time for a call whose values are only tried, in seconds.
  private static let exploringLimit = 2

  /// Plays orchestras in both Csounds at the same time.
  func both(
    _ texts: [String], timeLimit: Int = VersionPlayer.timeLimit
  ) throws(Failure) -> ([Played], [Played]) {
    let paths = [try write(texts, "first"), try write(texts, "second")]
    let done = atOnce { [first, second, input] index throws(Failure) in
      try (index == 0 ? first : second).play(paths[index], input: input, timeLimit: timeLimit)
    }
    return (try done[0].get(), try done[1].get())
  }

  /// Does a work for both Csounds at the same time, 0 for the first and 1 for the second.
  func atOnce<Value: Sendable>(
    _ work: @Sendable (Int) throws(Failure) -> Value
  ) -> [Result<Value, Failure>] {
    let results = Mutex<[Result<Value, Failure>?]>([nil, nil])
    DispatchQueue.concurrentPerform(iterations: 2) { index in
      let result = Result { () throws(Failure) in try work(index) }
      results.withLock { $0[index] = result }
    }
    return results.withLock { $0.map { $0! } }
  }

  /// The instructions for each sample in each Csound, less those of the same instrument without the opcode; empty if an
  /// orchestra does not come to its end.
  private func instructions(_ scenes: [VersionScene]) throws(Failure) -> [Double] {
    guard let scene = scenes.first(where: { $0.kind == .moving }) ?? scenes.dropFirst().first else {
      return []
    }
    let texts = [scene.scene, scene.scene.with { $0.callsOpcode = false }]
      .map { $0.text(scene.plan, command: "") }
    var counts: [Double] = []
    for player in [first, second] {
      guard let found = try player.count(try write(texts, "counted"), input: input) else {
        return []
      }
      counts.append(Double(found[0] - found[1]) / (0.4 * VersionScene.sampleRate))
    }
    return counts
  }

  /// Looks at differences again that may be chance: both play each such scene once more, and with other seeds.
  private func judgeRandomness(
    _ finding: inout VersionFinding, _ scenes: [VersionScene], _ before: [Played], _ after: [Played]
  ) throws(Failure) {
    // A crash or NaN has no first frame that differs.
    let suspects = finding.scenes.indices.filter {
      finding.scenes[$0].firstFrame != nil && finding.scenes[$0].verdict != .rounding
    }
    guard !suspects.isEmpty else { return }
    let texts = suspects.map { scenes[$0] }.map { $0.scene.text($0.plan, command: "") }
    let again = try both(texts + texts.map { $0.replacing("\nseed 1\n", with: "\nseed 2\n") })
    var octaves = try OctaveComparison()
    for (place, index) in suspects.enumerated() {
      let others = [again.0, again.1].map { [$0[place], $0[place + suspects.count]] }
      guard
        let judged = try octaves.judge(
          before[index], after[index], others: others, channels: scenes[index].channels,
          more: { () throws(Failure) in
            let more = (3...8).map { texts[place].replacing("\nseed 1\n", with: "\nseed \($0)\n") }
            return try first.play(try write(more, "seeds"), input: input)
          })
      else { continue }
      (finding.scenes[index].verdict, finding.scenes[index].message) = judged
    }
  }
}

extension VersionScene {
  /// The channels of its sound.
  var channels: Int { max(1, Call(plan, scene).heard.count) }
}
