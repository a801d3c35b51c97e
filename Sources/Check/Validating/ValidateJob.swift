import CsoundHost
import Foundation
import Linting
import Rendering
import Scenes
import Workers

/// One check of one overload.
public struct ValidateJob: Job {
  var check: String
  var signature: Signature
  var plan: CallPlan
  var counterparts: [CallPlan]
  var plugin: String?
  var otherPlugin: String?
  var level: Int
  var seed: UInt64
  /// Where the orchestra that is playing is written.
  var path: String

  public func perform(in worker: WorkerContext) -> CheckReport {
    ValidationWorker(renderer: worker.renderer, progress: worker.progress).examine(self)
  }
}

/// Finds values with which an opcode does something.
public struct ExploreJob: Job {
  var signature: Signature
  var plan: CallPlan
  var plugin: String?
  var path: String
  /// How many of the assignments are known to end the process.
  var first: Int

  public func perform(in worker: WorkerContext) -> Exploration {
    ValidationWorker(renderer: worker.renderer, progress: worker.progress).explore(self)
  }
}

/// The values an overload is validated with.
public struct Exploration: Codable, Sendable {
  var plan: CallPlan
  /// How good they are: higher is better, below 0 no note plays at all.
  var score: Int
  /// Why no note plays.
  var reason: String
}

/// What came of a check in a worker.
public struct CheckReport: Codable, Sendable {
  var outcome: Outcome
  /// How many blocks the opcode computed.
  var blocks: Int
}

/// The child's side of validation.
struct ValidationWorker {
  let renderer: Renderer
  let progress: (Double) -> Void

  func examine(_ job: ValidateJob) -> CheckReport {
    limitMemory()
    // What watches its calls must find it in memory.
    if let plugin = job.plugin { try? Plugin.check(plugin) }
    let examination = Examination(job, job.plan, with: renderer)
    guard let check = Check.named(job.check) else {
      return CheckReport(outcome: .skipped("there is no such check"), blocks: 0)
    }
    do throws(Outcome) {
      try check.examine(examination)
      return CheckReport(outcome: .success, blocks: examination.blocks)
    } catch {
      return CheckReport(outcome: error, blocks: examination.blocks)
    }
  }

  /// Tries assignments of values until one gives a moving, finite output.
  func explore(_ job: ExploreJob) -> Exploration {
    limitMemory()
    var best = Exploration(plan: job.plan, score: -1, reason: "")
    for (index, plan) in Self.assignments(job.plan).enumerated() where index >= job.first {
      progress(Double(index))
      var tried = Exploration(plan: plan, score: -1, reason: "")
      let examination = Examination(
        ValidateJob(
          check: "", signature: job.signature, plan: plan, counterparts: [], plugin: job.plugin,
          otherPlugin: nil, level: 1, seed: 1, path: job.path), plan, with: renderer)
      do throws(Outcome) {
        let take = try examination.play(Scene())
        tried.score = Self.score(take)
        tried.reason = take.errors.first ?? "its init pass fails without a message"
      } catch {
        tried.reason = error.message
      }
      if tried.score > best.score || best.reason.isEmpty { best = tried }
      if best.score == 4 { break }
    }
    return best
  }

  private static func score(_ take: Take) -> Int {
    guard take.errors.isEmpty, let note = take.notes.first, note.failedInits == 0 else { return -1 }
    guard note.notFinite == nil else { return 0 }
    guard note.peak > 0 else { return note.outputs.isEmpty ? 4 : 1 }
    guard note.peak < 1e6 else { return 1 }
    let moves = note.outputs.joined().contains { stream in
      stream.values.dropFirst(100).contains { $0 != stream.values.first }
    }
    guard moves || note.outputs.allSatisfy(\.isEmpty) else { return 2 }
    return note.peak < 1e-3 ? 3 : 4
  }

  /// The plan with different values for the numbers nothing is known about.
  private static func assignments(_ plan: CallPlan) -> [CallPlan] {
    let open = plan.inputs.indices.filter { index in
      let input = plan.inputs[index]
      return input.isNumber && !input.isTable && input.data.typical == nil && !input.isLeftOut
        && input.fallback == nil
    }
    guard !open.isEmpty else { return [plan] }
    return rules.map { rule in
      var plan = plan
      for (ordinal, index) in open.enumerated() {
        let (value, table) = rule(ordinal, plan.inputs[index].rate)
        plan.inputs[index].value = value
        plan.inputs[index].data.table = table
      }
      return plan
    }
  }

  private static let sine = "8192, 10, 1"

  /// The value of a number, or the table it stands for, by its place among the unknown ones and rate.
  private typealias Rule = @Sendable (Int, CallPlan.Rate) -> (Double, String?)

  private static let rules: [Rule] = [
    { _, _ in (0.5, nil) },
    { ordinal, _ in (ordinal == 0 ? 440 : 0.5, nil) },
    { ordinal, _ in (ordinal == 1 ? 440 : 0.5, nil) },
    { ordinal, rate in rate == .i ? (1, sine) : (ordinal == 1 ? 440 : 0.5, nil) },
    { ordinal, rate in rate == .i ? (1, sine) : (ordinal == 0 ? 440 : 0.5, nil) },
    { _, _ in (1, nil) },
    { _, _ in (2, nil) },
    { _, rate in (rate == .i ? 1 : 0.5, nil) },
    { _, _ in (10, nil) },
    { _, _ in (100, nil) },
    { _, _ in (0, nil) },
  ]

  /// Lets an opcode that wants all the memory there is fail, not the machine.
  private func limitMemory() {
    // A sanitizer reserves more than there is.
    guard dlsym(nil, "__asan_init") == nil, dlsym(nil, "__tsan_init") == nil else { return }
    var limit = rlimit(rlim_cur: 8 << 30, rlim_max: 8 << 30)
    setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
  }
}
