import Probing
import Foundation
import HarnessBase
import Linting
import Rendering
import Synchronization

/// Runs the checks of the catalogue on overloads, in worker processes.
public struct Validator: Sendable {
  /// The checks to run.
  public var checks: [Check] = Check.catalogue
  /// The thoroughness of the checks, 1 to 10.
  public var level = 5
  public var seed: UInt64 = 1
  /// The number of worker processes at a time.
  public var jobs = 2
  /// The part to run, counted from 1, and the number of parts that all cases are divided into.
  public var shard = (part: 1, count: 1)
  public var arguments = ArgumentFile()
  public var exclusions = Exclusions()
  /// Workers that do one check each.
  public let pool: WorkerPool
  /// Workers that do several checks, which is sooner done.
  private var shared: WorkerPool
  /// The path of a plugin with the opcodes; nil for the worker's own opcodes or Csound's.
  public let plugin: String?
  /// The directory for orchestras that show a fault.
  public let directory: String

  /// `timeLimit` is in seconds without a report. A process that checks share does `checksPerProcess` of them.
  public init(
    worker: [String], plugin: String? = nil, directory: String, timeLimit: Double = 20,
    checksPerProcess: Int = 12
  ) {
    pool = WorkerPool(worker, timeLimit: timeLimit, jobsPerWorker: 1)
    shared = WorkerPool(worker, timeLimit: timeLimit, jobsPerWorker: checksPerProcess)
    shared.explainsCrashes = false
    self.plugin = plugin
    self.directory = directory
  }

  /// The result of one check of one overload.
  public struct CheckResult: Codable, Sendable {
    public var check: Check
    public var outcome: Outcome
    /// The path of the orchestra that shows the fault or warning; nil if there is none.
    public var orchestra: String?
    /// The number of blocks the opcode computed during the check.
    public var blocks: Int
    /// How long it took; 0 if it did not come to an end.
    public var seconds = 0.0
  }

  /// The results of all checks of one overload.
  public struct Subject: Codable, Sendable {
    public var signature: Signature
    /// The values of its arguments, for display.
    public var values: String
    public var results: [CheckResult]
    /// Whether nothing but zero comes out of it, so that no check counts as passed.
    public var isSilent = false

    /// Joins the results of several parts (shards) for one overload, with the checks in the order
    /// of `ids`.
    public init(joining parts: [Subject], _ ids: [String]) {
      signature = parts[0].signature
      values = parts.map(\.values).first { !$0.isEmpty } ?? ""
      isSilent = parts.contains(where: \.isSilent)
      let all = parts.flatMap(\.results)
      results = ids.flatMap { id in all.filter { $0.check.id == id } }
    }

    init(_ signature: Signature) { (self.signature, values, results) = (signature, "", []) }

    public func count(_ kind: Outcome.Kind) -> Int { results.count { $0.outcome.kind == kind } }
  }

  /// The signatures of Csound's own opcodes.
  public func builtins() throws(Failure) -> [Signature] {
    try pool.builtins()
  }

  /// Validates signatures, all from the same plugin or all from Csound. `all` lists every signature
  /// of that source.
  public func validate(
    _ signatures: [Signature], among all: [Signature],
    finished: (Subject) throws(Failure) -> Void = { _ in },
    progress: @Sendable @escaping (_ underWay: String, _ done: Int, _ of: Int) -> Void = {
      _, _, _ in
    }
  ) throws(Failure) {
    var number = 0
    for signature in signatures {
      try finished(try validate(signature, among: all, &number, progress))
    }
  }

  private func validate(
    _ signature: Signature, among all: [Signature], _ number: inout Int,
    _ progress: @Sendable @escaping (String, Int, Int) -> Void
  ) throws(Failure) -> Subject {
    let own = checks.filter { $0.level <= level }
    let part = own.filter { _ in
      number += 1
      return (number - 1) % shard.count == shard.part - 1
    }
    var subject = Subject(signature)
    guard !part.isEmpty else { return subject }
    let siblings = all.filter { $0.opcode == signature.opcode && $0 != signature }
    let place = place(of: signature, for: part)
    /// One fault, whatever number of checks it prevents; or why no check can be tried.
    func prevented(by outcome: Outcome, because cause: String) -> Subject {
      subject.results = part.enumerated().map { number, check in
        let outcome =
          outcome.isFault && number > 0 ? .skipped("not tried, because \(cause)") : outcome
        return CheckResult(check: check, outcome: outcome, orchestra: nil, blocks: 0)
      }
      return subject
    }
    guard !signature.isNeverPerformed else {
      let cause = "with thread \(signature.thread) its performance function is never called"
      return prevented(by: .failed("\(cause); thread 3 calls both functions"), because: cause)
    }
    let plan: CallPlan
    switch try exploredWithAnyCount(signature, siblings, place) {
    case .success(let found):
      (plan, subject.isSilent) = (found.plan, found.isSilent)
    case .failure(let outcome):
      return prevented(
        by: outcome, because: "no argument values were found with which it comes to an end")
    }
    subject.values = plan.valuesText
    func call(_ name: String?, _ plan: CallPlan) -> (String?, CallPlan, [CallPlan]) {
      (name, plan, counterparts(signature, plan, siblings))
    }
    let calls = [call(nil, plan)] + plan.variants.map { call($0.name, $0.plan) }
    let counts = CallPlan.variadicCounts(of: signature).map {
      call("\($0)", plan.with(variadics: $0))
    }
    var trials: [Trial] = []
    var jobs: [ValidateJob] = []
    for check in part where exclusions.reason(check, signature) == nil {
      let isOfCounts = check.id == "arguments-count" && !counts.isEmpty
      for (name, plan, counterparts) in isOfCounts ? counts : calls {
        let with = name.map { "-with-" + $0.replacing(" ", with: "-") } ?? ""
        let path = "\(place)/\(check.id)\(with).csd"
        trials.append(Trial(check: check, path: path, name: name))
        jobs.append(
          ValidateJob(
            check: check.id, signature: signature, plan: plan, counterparts: counterparts,
            plugin: plugin, level: level, seed: seed, path: path))
      }
    }
    let reports = try reports(of: jobs, alone: trials.map(\.check.isAlone), progress)
    for index in trials.indices {
      trials[index].conclude(reports[index].checked, subject.isSilent ? subject.values : nil)
    }
    // Removes the directory only if it is empty.
    rmdir(place)
    subject.results = part.map { check in
      if let reason = exclusions.reason(check, signature) {
        return CheckResult(
          check: check, outcome: .skipped("excluded: \(reason)"), orchestra: nil, blocks: 0)
      }
      return Trial.joined(trials.filter { $0.check.id == check.id })
    }
    return subject
  }

  /// Does the checks that can share a process, then the others, and again those that are not good in company: only what
  /// a check finds in a process of its own counts.
  private func reports(
    of jobs: [ValidateJob], alone: [Bool],
    _ progress: @Sendable @escaping (String, Int, Int) -> Void
  ) throws(Failure) -> [Report<CheckReport>] {
    var reports = [Report<CheckReport>](repeating: .notRun, count: jobs.count)
    let state = Mutex<(underWay: Set<Int>, done: Set<Int>)>(([], []))
    func run(_ indices: [Int], in pool: WorkerPool) throws(Failure) {
      let found = try pool.run(indices.map { jobs[$0] }, parallel: self.jobs) { place, report in
        let (underWay, done) = state.withLock { state in
          if report.isProgress {
            state.underWay.insert(indices[place])
          } else {
            state.underWay.remove(indices[place])
            state.done.insert(indices[place])
          }
          return state
        }
        progress(
          underWay.sorted().map { jobs[$0].check }.joined(separator: ", "), done.count, jobs.count)
      }
      for (index, report) in zip(indices, found) { reports[index] = report }
    }
    try run(jobs.indices.filter { !alone[$0] }, in: shared)
    try run(jobs.indices.filter { alone[$0] || !reports[$0].isGood }, in: pool)
    return reports
  }

  /// The directory for orchestras of an overload, without those that earlier runs of these checks left there.
  private func place(of signature: Signature, for checks: [Check]) -> String {
    let types = "\(signature.outputs)-\(signature.inputs)"
      .replacing("[]", with: "A").replacing(/[^A-Za-z0-9-]/, with: "_")
    let name = signature.name.replacing(/[^A-Za-z0-9_.-]/, with: "_")
    let place = "\(directory)/\(name)-\(types)"
    let files = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
    for check in checks {
      let older = files.filter { $0.hasPrefix("\(check.id)-with-") }
      for name in Trial.endings.map({ check.id + $0 }) + older { unlink("\(place)/\(name)") }
    }
    try? makeDirectory(place)
    return place
  }

  private static let crashed = "it crashes with every argument value that it does not refuse"

  /// The outcome of an opcode that does not come to an end. `account` is the explanation of its debug build.
  fileprivate static func hang(
    _ seconds: Double, _ lastWords: LastWords?, _ account: String?
  ) -> Outcome {
    .crashed(
      "it does not come to an end: nothing happened for \(String(format: "%g", seconds)) s"
        + (lastWords?.whereabouts ?? "") + (account.map { ". \($0)" } ?? ""))
  }

  /// Finds values with which the opcode gives output, or the outcome that prevents it: with two arguments
  /// or outputs for a variadic letter or, if it crashes with them or refuses them, another number.
  private func exploredWithAnyCount(
    _ signature: Signature, _ siblings: [Signature], _ place: String
  ) throws(Failure) -> Result<Exploration, Outcome> {
    let plan: CallPlan
    do throws(Outcome) {
      plan = try CallPlan(signature, siblings: siblings, entry: arguments.entry(signature))
    } catch {
      return .failure(error)
    }
    let first = try explored(signature, plan, place)
    guard case .failure = first else { return first }
    let others =
      CallPlan.variadicCounts(of: signature).map { plan.with(variadics: $0) }
      + [1, 2].compactMap { plan.with(outputs: $0, of: signature) }
    for other in others where other != plan {
      let found = try explored(signature, other, place)
      if case .success = found { return found }
    }
    return first
  }

  private func explored(
    _ signature: Signature, _ plan: CallPlan, _ place: String
  ) throws(Failure) -> Result<Exploration, Outcome> {
    var first = 0
    // The explanation of one of its crashes; further crashes are not explained.
    var account: String?
    /// Whether it did not come to an end once; after the second time no other values are tried.
    var hasHung = false
    while true {
      let path = "\(place)/explore.csd"
      defer { try? FileManager.default.removeItem(atPath: path) }
      let job = ExploreJob(
        signature: signature, plan: plan, plugin: plugin, path: path, first: first)
      let reached = Mutex(first)
      var pool = pool
      pool.explainsCrashes = account == nil
      let report = try pool.run([job]) { _, report in
        if case .progress(let index) = report { reached.withLock { $0 = Int(index) } }
      }[0]
      switch report {
      case .crashed(_, let lastWords), .timedOut(_, let lastWords):
        account = account ?? lastWords?.account
      default: break
      }
      switch report {
      case .done(let found) where found.score >= 0: return .success(found)
      case .done where first > 0:
        let why = account.map { ". \($0)" } ?? ""
        return .failure(.crashed("\(Self.crashed)\(why)"))
      case .done(let found):
        return .failure(
          .skipped("no argument values were found with which it starts: \(found.reason)"))
      case .timedOut(let seconds, let lastWords) where hasHung:
        return .failure(Self.hang(seconds, lastWords, account))
      case _ where report.endedItsWorker:
        if case .timedOut = report { hasHung = true }
        first = reached.withLock { $0 } + 1
      default:
        return .failure(.skipped(report.failure(of: "the search for argument values").message))
      }
    }
  }

  /// The same call with the rates of other overloads.
  private func counterparts(
    _ signature: Signature, _ plan: CallPlan, _ siblings: [Signature]
  ) -> [CallPlan] {
    var found: [CallPlan] = []
    func consider(_ other: Signature, anyRate: CallPlan.Rate) {
      guard other.outputs == signature.outputs,
        var candidate = try? CallPlan(
          other, siblings: [], entry: arguments.entry(signature), anyRate: anyRate),
        candidate.inputs.count == plan.inputs.count
      else { return }
      for (index, input) in plan.inputs.enumerated() {
        let rate = candidate.inputs[index].rate
        let differs = rate != input.rate
        guard
          !differs
            || (input.isNumber && !input.isTable && !input.isArray && input.rate != .i
              && (rate == .a || rate == .k) && !candidate.inputs[index].isArray),
          candidate.inputs[index].isArray == input.isArray
        else { return }
        candidate.inputs[index] = input
        candidate.inputs[index].rate = rate
      }
      if candidate.inputs.map(\.rate) != plan.inputs.map(\.rate) { found.append(candidate) }
    }
    for sibling in siblings { consider(sibling, anyRate: .k) }
    if signature.inputs.contains("x") { consider(signature, anyRate: .a) }
    return found
  }
}

extension CallPlan {
  /// The inputs' values, for display.
  var valuesText: String {
    inputs.indices.filter { !inputs[$0].isLeftOut }.map { index in
      let input = inputs[index]
      if input.isArray { return "array" }
      if input.isSignal { return "signal" }
      if input.rate == .S { return "\"\(input.data.string ?? "text")\"" }
      if input.isTable { return "table (\(input.data.table!))" }
      return Scene.number(input.value)
    }.joined(separator: ", ")
  }
}

extension Report<CheckReport> {
  /// Whether the check came to its end and found nothing.
  fileprivate var isGood: Bool {
    if case .done(let report) = self {
      [.success, .skipped].contains(report.outcome.kind)
    } else {
      false
    }
  }

  /// The report of a check, also of one that came to no end.
  var checked: CheckReport {
    if case .done(let report) = self { return report }
    return CheckReport(outcome: prevented, blocks: 0)
  }

  private var prevented: Outcome {
    switch self {
    case .crashed(let signal, let lastWords):
      let account = lastWords?.account.map { ". \($0)" } ?? ""
      return .crashed("it ends its process: \(String(cString: strsignal(signal)))\(account)")
    case .exited(code: Probe.lackOfMemory):
      return .skipped("there is not enough memory for the marks around its arguments")
    case .exited(let code): return .crashed("it ends its process with exit code \(code)")
    case .timedOut(let seconds, let lastWords):
      return Validator.hang(seconds, lastWords, lastWords?.account)
    case .notRun:
      return .skipped("not run, because four checks before it did not come to an end")
    default: return .skipped(failure(of: "the check").message)
    }
  }
}
