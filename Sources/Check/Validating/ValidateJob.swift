import Probing
import CsoundHost
import Foundation
import Linting
import Rendering

/// One check of one overload.
public struct ValidateJob: Job {
  var check: String
  var signature: Signature
  var plan: CallPlan
  /// Calls of the opcode's other overloads whose arguments differ only in rate.
  var counterparts: [CallPlan]
  var plugin: String?
  var level: Int
  var seed: UInt64
  /// The file in which to write the current orchestra.
  var path: String

  public func perform(in worker: WorkerContext) -> CheckReport {
    // Tells which checks are under way.
    worker.progress(0)
    let start = ContinuousClock.now
    var report = ValidationWorker(renderer: worker.renderer, progress: worker.progress)
      .examine(self)
    report.seconds = (ContinuousClock.now - start) / .seconds(1)
    return report
  }
}

/// Finds argument values with which an opcode gives output.
public struct ExploreJob: Job {
  var signature: Signature
  var plan: CallPlan
  var plugin: String?
  var path: String
  /// The index of the first assignment to try; the earlier ones have ended the process.
  var first: Int

  public func perform(in worker: WorkerContext) -> Exploration {
    ValidationWorker(renderer: worker.renderer, progress: worker.progress).explore(self)
  }
}

/// The values an overload is validated with.
public struct Exploration: Codable, Sendable {
  var plan: CallPlan
  /// How good the values are: 4 is best; -1 if no note plays.
  var score: Int
  /// Why no note plays, if none does.
  var reason: String
  /// Whether all that comes out is zero.
  var isSilent = false
}

/// The result of a check in a worker.
public struct CheckReport: Codable, Sendable {
  var outcome: Outcome
  /// The number of blocks the opcode computed.
  var blocks: Int
  var seconds = 0.0
}

/// Validates in the worker process.
struct ValidationWorker {
  let renderer: Renderer
  let progress: (Double) -> Void

  func examine(_ job: ValidateJob) -> CheckReport {
    limitMemory()
    // Loads the plugin first, because only libraries in memory can be watched.
    if let plugin = job.plugin { try? Plugin.check(plugin) }
    let examination = Examination(job, with: renderer)
    guard let check = Check(rawValue: job.check) else {
      return CheckReport(outcome: .skipped("there is no such check"), blocks: 0)
    }
    Heap.isOwn.store(check.isAlone, ordering: .relaxed)
    var outcome = Outcome.success
    do throws(Outcome) { try check.examine(examination) } catch { outcome = error }
    return CheckReport(outcome: outcome, blocks: examination.blocks)
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
          level: 1, seed: 1, path: job.path), with: renderer)
      do throws(Outcome) {
        let take = try examination.play(Scene())
        tried.score = Self.score(take)
        tried.isSilent =
          tried.score == 1 && take.first.peak == 0 && !take.first.streams.isEmpty
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

  /// The plan with different values for the numbers that have neither a typical value nor a default.
  static func assignments(_ plan: CallPlan) -> [CallPlan] {
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

  /// The value of a number and, if it stands for a table, the table's `ftgen` arguments, from its index
  /// among the unknown numbers and its rate.
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

  /// Limits the address space to 8 GiB, so that an opcode that requests too much memory fails alone.
  private func limitMemory() {
    // A sanitizer reserves more address space than that.
    guard dlsym(nil, "__asan_init") == nil, dlsym(nil, "__tsan_init") == nil else { return }
    var limit = rlimit(rlim_cur: 8 << 30, rlim_max: 8 << 30)
    setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
  }
}
