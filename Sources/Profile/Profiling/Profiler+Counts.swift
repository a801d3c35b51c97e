import CTrace
import Foundation
import HarnessBase
import Rendering

extension Profiler {
  /// Counts the instructions of each call until the score ends or for `limit` seconds of sound.
  /// First renders without counting, to compare the samples. Notes are performed on one thread.
  ///
  /// `progress` is called with the seconds of sound so far and, while counting, their final number.
  public func count(
    _ orchestra: Orchestra, limit: Double?, with callgrind: Callgrind,
    progress: @escaping @Sendable (_ seconds: Double, _ all: Double?) -> Void = { _, _ in }
  ) throws(Failure) -> (profile: Profile, wasCutOff: Bool) {
    var orchestra = orchestra
    orchestra.threads = 1
    var job = ProfileJob(orchestra: orchestra, limit: limit, tracingShare: nil)
    let plain = try run(job, of: "Rendering '\(orchestra.path)'") { progress($0, nil) }
    (job.tracingShare, job.mode) = (0, .counts)
    let report = try callgrind.pool(pool).run([job]) { _, report in
      if case .progress(let seconds) = report { progress(seconds, plain.soundSeconds) }
    }[0]
    guard case .done(let take) = report else {
      if case .failed(let failure) = report { throw failure }
      throw Callgrind.failure(of: report, counting: "'\(orchestra.path)'")
    }
    let start = SiteCounts(try callgrind.file(CallCounter.Dump.start.rawValue))
    let cycles = SiteCounts(try callgrind.file(CallCounter.Dump.cycles.rawValue))
    return (
      try Profile(orchestra, plain: plain, counted: take, start: start, cycles: cycles),
      plain.wasCutOff
    )
  }
}

extension Profile {
  /// Makes a profile of two counts: `start` before the first k-cycle, `cycles` from then on.
  fileprivate init(
    _ orchestra: Orchestra, plain: ProfileTake, counted: ProfileTake, start: SiteCounts,
    cycles: SiteCounts
  ) throws(Failure) {
    var take = counted
    let calls = take.trace!.calls
    guard take.trace!.engine.unrecorded == 0 else {
      throw .badInput(
        "The instructions of '\(orchestra.path)' cannot be counted: it has too many different paths"
          + " of calls between user-defined opcodes; leave out --counts.")
    }
    // At the end of the score, `csoundPerformKsmps` is called once more than there are k-cycles.
    let passes = calls.indices.reduce(0) { sum, index in
      sum + cycles.passes(index, isInit: false).calls + cycles.passes(index, isInit: true).calls
    }
    let performed =
      (cycles.overhead - passes * Int(TRACE_INSIDE + TRACE_OUTSIDE)) / Int(TRACE_INSIDE)
    let before = OwnCounts(start, calls, cycles: 0)
    let own = OwnCounts(cycles, calls, cycles: performed)
    let isComplete = calls.indices.allSatisfy { index in
      own.passes[index] == calls[index].passes
        && before.inits[index] + own.inits[index] == calls[index].inits
        && own.perform[index] >= 0 && own.initialize[index] >= 0
    }
    guard isComplete, own.engine >= 0, (0...1).contains(performed - take.load.cycles) else {
      throw .internalFault(
        "Callgrind's counts of '\(orchestra.path)' do not agree with the calls that were made.")
    }
    take.replaceTimes(own: own, before: before)
    self.init(orchestra, plain: [plain], traced: [take])
    rounds = nil
    instructions = cycles.total - cycles.overhead
    accounted = Double(own.engine + own.sum) / Double(instructions!)
  }
}

extension ProfileTake {
  /// Replaces all sums of times by sums of instructions.
  fileprivate mutating func replaceTimes(own: OwnCounts, before: OwnCounts) {
    trace!.cost = Cost(pass: 0, entering: 0, repeating: 0, whole: 0)
    trace!.cycles = Cycles(
      drawn: load.cycles, covered: load.cycles, timed: load.cycles, plain: 0,
      seconds: Double(own.engine + own.sum), tracing: 0,
      timedSeconds: Double(own.engine + own.sum), timedTracing: 0, tracingFactor: 1, beside: 0)
    trace!.engine.starting = 0
    trace!.engine.beforeNotes = 0
    trace!.engine.betweenNotes = Double(own.engine)
    trace!.engine.afterNotes = 0
    trace!.engine.tracingBefore = 0
    trace!.engine.tracingBetween = 0
    trace!.engine.recording = 0
    for index in trace!.calls.indices {
      trace!.calls[index].timedPasses = trace!.calls[index].passes
      trace!.calls[index].estimatedPasses = Double(trace!.calls[index].passes)
      trace!.calls[index].seconds = Double(own.perform[index])
      trace!.calls[index].initSeconds = Double(before.initialize[index] + own.initialize[index])
      trace!.calls[index].tracing = 0
      trace!.calls[index].samplingError = 0
      trace!.calls[index].worst = 0
      trace!.calls[index].worstInit = 0
    }
    for index in trace!.instruments.indices {
      trace!.instruments[index].worst = 0
      trace!.instruments[index].seconds = []
    }
  }
}
