import HarnessBase
import Rendering

extension Measurement {
  /// Combines the timings of several processes.
  ///
  /// The sets of engines of one process share conditions such as where its code lies in memory, so a
  /// process counts as one observation. The ratio's interval is that of `rerunEstimate`.
  public init(_ processes: [ProcessTiming]) {
    let rounds = processes.flatMap { $0.sets.joined() }
    self.init(
      subject: rounds.map(\.subject).median, rival: rounds.map(\.rival).median,
      ratio: CostRatio(processes.map { Array($0.sets.joined()) }).rerunEstimate,
      rounds: rounds.count)
    subjectBytes = processes.lazy.compactMap(\.subjectBytes).first
    rivalBytes = processes.lazy.compactMap(\.rivalBytes).first
  }
}

extension [Report<ProcessTiming>] {
  /// The timings of one row in several processes as one measurement, or the report of the first process
  /// that failed.
  var measurement: Report<Measurement> {
    let timings = compactMap(\.reply)
    guard timings.count == count, let last else {
      let other = first { $0.reply == nil }
      return other?.map { Measurement([$0]) } ?? .notRun
    }
    return last.map { _ in Measurement(timings) }
  }
}
