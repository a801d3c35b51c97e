import Foundation
import Statistics
import Workers

extension Measurement {
  /// How many processes measure a row that is to be held against another run's.
  public static let processes = 8

  /// What several processes found, each on its own, at least six.
  ///
  /// Where a process has its code and data, and what the machine does at its hour, is luck that all in
  /// it share: a process counts as one observation of the logarithm of the ratio, with the 99 %
  /// interval of their mean by Student's t. Unbounded when one of them found a cost of nothing.
  public init(processes: [Measurement]) {
    let ratios = processes.map(\.ratio.value)
    let logarithm = Estimate(trimmedMeanOf: ratios.map(log), trimming: 0)
    let isKnown = logarithm.low.isFinite && processes.allSatisfy { min($0.subject, $0.rival) > 0 }
    self.init(
      subject: processes.map(\.subject).median, rival: processes.map(\.rival).median,
      ratio: Estimate(
        value: isKnown ? exp(logarithm.value) : ratios.median,
        low: isKnown ? exp(logarithm.low) : -.infinity,
        high: isKnown ? exp(logarithm.high) : .infinity),
      rounds: processes.reduce(0) { $0 + $1.rounds })
    subjectBytes = processes.first?.subjectBytes
    rivalBytes = processes.first?.rivalBytes
  }
}

extension [Report<Measurement>] {
  /// The measurements of one row in several processes as one, or what went wrong in one of them.
  var mergingProcesses: Report<Measurement> {
    var measurements: [Measurement] = []
    for report in self {
      guard case .done(let measurement) = report else { return report }
      measurements.append(measurement)
    }
    return .done(count == 1 ? measurements[0] : Measurement(processes: measurements))
  }
}
