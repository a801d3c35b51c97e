import Comparing
import CsoundHost
import Foundation
import HarnessBase
import Linting
import Rendering
import Synchronization

/// Opcodes with one fault each, and what `validate` and `compare` find in them.
public struct Trust: Sendable {
  /// An opcode with exactly one bug.
  public struct Fault: Codable, Sendable {
    public var opcode: String
    /// The same opcode without the bug.
    public var twin: String
    /// The bug in one sentence.
    public var bug: String
    /// The checks that are meant to find the bug, `compare` among them; empty if none finds it.
    public var caughtBy: [String]
    /// Whether one of these is enough: which finds it depends on where memory lies.
    public var isOneEnough: Bool?
    /// The only Csound in which an opcode can have the bug; absent if it can in any.
    public var csound: Int?
  }

  /// The results for one opcode.
  public struct Verdict: Codable, Sendable {
    public var opcode: String
    /// Absent if the opcode is correct.
    public var twin, bug: String?
    /// Ids of the checks that failed, crashed or warned; `compare` among them.
    public var caughtBy: [String] = []
    /// How many checks were not skipped.
    public var checksRun = 0
    public var accounts: [String] = []
  }

  /// The name under which the findings of `compare` are listed.
  public static let compare = "compare"

  private struct File: Codable { var faults: [Fault] }

  public let faults: [Fault]
  /// The checks that are meant to find a fault, in this Csound or in another.
  public let meantChecks: Set<String>
  private let validator: Validator
  private let root: String
  private let signatures: [Signature]
  private static let source = "Tests/FaultyPlugins/faults.c"

  /// Builds the plugin of faulty opcodes and reads its list of faults.
  public init(root: String, worker: [String], jobs: Int) throws(Failure) {
    self.root = root
    let csound = Csound.major
    let plugin = ReferencePlugin(
      Self.source, root, csound: CsoundVersion(rawValue: csound) ?? .six)
    try plugin.build()
    let path = root + "/Tests/FaultyPlugins/faults.json"
    let all = try DataFile.read(File.self, from: path, as: "a list of faults").faults
    faults = all.filter { $0.csound ?? csound == csound }
    meantChecks = Set(all.flatMap(\.caughtBy))
    var validator = Validator(
      worker: worker, plugin: plugin.path, directory: root + "/build/trust", timeLimit: 10)
    validator.jobs = jobs
    validator.level = 3
    validator.arguments = try ArgumentFile(
      readingFrom: root + "/Tests/FaultyPlugins/faults.arguments.json")
    for fault in faults { validator.arguments.copy(fault.twin, to: fault.opcode) }
    self.validator = validator
    signatures = try validator.pool.lint(plugin.path, name: "faults").signatures
    for fault in faults {
      for name in [fault.opcode, fault.twin]
      where !signatures.contains(where: { $0.opcode == name }) {
        throw .badInput("'\(path)' names '\(name)', which the plugin does not have.")
      }
    }
  }

  /// The correct versions of the faulty opcodes, each once.
  public var twins: [String] {
    var names: [String] = []
    for fault in faults where !names.contains(fault.twin) { names.append(fault.twin) }
    return names
  }

  /// Runs the whole catalogue of checks, or those of `checks`, on an opcode, and compares it with
  /// its twin.
  public func examine(
    _ opcode: String, checks: [String]? = nil,
    progress: @Sendable @escaping (String, Int, Int) -> Void = { _, _, _ in }
  ) throws(Failure) -> Verdict {
    let fault = faults.first { $0.opcode == opcode }
    var verdict = Verdict(opcode: opcode, twin: fault?.twin, bug: fault?.bug)
    var validator = validator
    if let checks { validator.checks = Check.catalogue.filter { checks.contains($0.id) } }
    let overloads = signatures.filter { $0.opcode == opcode }
    for signature in overloads {
      if !validator.checks.isEmpty {
        try validator.validate(
          [signature], among: signatures,
          finished: { subject throws(Failure) in verdict.add(subject) }, progress: progress)
      }
      if let twin = verdict.twin, checks?.contains(Self.compare) ?? true {
        verdict.add(try compare(signature, with: twin))
      }
      // One overload is enough to find a fault; a correct opcode must be correct in every overload.
      if verdict.twin != nil, !verdict.caughtBy.isEmpty { break }
    }
    return verdict
  }

  /// Compares an overload with the same overload of its twin, at several sample rates and ksmps.
  private func compare(
    _ signature: Signature, with twin: String
  ) throws(Failure) -> [Report<Comparison>] {
    let siblings = signatures.filter { $0.opcode == signature.opcode && $0 != signature }
    guard
      var plan = try? CallPlan(
        signature, siblings: siblings, entry: validator.arguments.entry(signature))
    else { return [] }
    plan.opcode = "$OPCODE"
    let directory = root + "/build/trust/compare"
    try? makeDirectory(directory)
    var jobs: [CompareJob] = []
    for (number, (scene, plan)) in Self.scenes(plan).enumerated() {
      let path = "\(directory)/\(signature.name)-\(number + 1).csd"
      try writing(path) {
        try scene.text(plan, command: "csound")
          .write(toFile: path, atomically: true, encoding: .utf8)
      }
      let orchestra = Orchestra(path: path, plugin: validator.plugin)
      jobs.append(
        CompareJob(
          subject: orchestra.with(["OPCODE": signature.opcode]),
          rival: orchestra.with(["OPCODE": twin]), input: nil, tolerance: -100,
          evidence: Evidence(directory: "\(directory)/\(signature.name)-\(number + 1)")))
    }
    return try validator.pool.run(jobs, parallel: validator.jobs)
  }
}

extension Trust {
  /// The cases that a pairing of the opcode would have.
  fileprivate static func scenes(_ plan: CallPlan) -> [(Scene, CallPlan)] {
    let moving = Scene(duration: 0.25).withMovingControls(plan)
    var scenes = [
      (moving, plan),
      (moving.with { ($0.sampleRate, $0.ksmps) = (44_100, 16) }, plan),
      (moving.with { ($0.sampleRate, $0.ksmps) = (96_000, 1) }, plan),
      (moving.with { $0.fullScale = 32_768 }, plan),
      (
        moving.with { scene in
          for index in plan.inputs.indices {
            scene.laterStrings[index] = plan.inputs[index].data.otherString
          }
        }, plan
      ),
    ]
    // Two notes, with the optional arguments at their upper limits; the second reuses the first
    // one's memory.
    var extreme = plan
    for index in plan.inputs.indices where plan.inputs[index].fallback != nil {
      extreme.inputs[index].value = plan.inputs[index].data.high ?? 1
      extreme.inputs[index].isLeftOut = false
    }
    let twice = moving.with { $0.notes.append(Scene.Note(start: 0.3, variant: 2)) }
    scenes.append((twice, extreme))
    var odd = plan
    for index in plan.inputs.indices {
      guard let table = plan.inputs[index].data.table else { continue }
      odd.inputs[index].data.table = "1000" + table.drop { $0 != "," }
    }
    scenes.append((moving, odd))
    if let last = plan.inputs.last, last.isVariadic {
      var many = plan
      many.inputs += Array(repeating: last, count: 12)
      scenes.append((moving, many))
    }
    return scenes
  }
}

extension Trust.Verdict {
  fileprivate mutating func add(_ subject: Validator.Subject) {
    for result in subject.results where result.outcome.kind != .skipped {
      checksRun += 1
      guard result.outcome.kind != .success else { continue }
      add(result.check.id, result.outcome.message)
    }
  }

  fileprivate mutating func add(_ reports: [Report<Comparison>]) {
    for case .done(let comparison) in reports {
      checksRun += 1
      guard comparison.verdict != .passed, comparison.verdict != .rivalSilent else { continue }
      add(Trust.compare, "null depth \(comparison.nullDepth) dB")
    }
  }

  private mutating func add(_ id: String, _ account: String) {
    guard !caughtBy.contains(id) else { return }
    caughtBy.append(id)
    accounts.append("\(id): \(account)")
  }
}

extension Scene {
  /// The scene with every control changing: from k-cycle to k-cycle, or within a block if it is at
  /// audio rate.
  func withMovingControls(_ plan: CallPlan) -> Scene {
    with { scene in
      for index in plan.controls {
        let value = Scene.number(plan.inputs[index].value)
        switch plan.inputs[index].rate {
        case .k: scene.expressions[index] = "\(value) * (1 + 0.3 * sin(kcycle * 0.07))"
        default:
          scene.beforeCall += [
            "ain\(index + 1) oscili 0.3 * \(value), 811", "ain\(index + 1) += \(value)",
          ]
        }
      }
    }
  }
}
