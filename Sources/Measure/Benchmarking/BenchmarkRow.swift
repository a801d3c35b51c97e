import Comparing
import Counting
import HarnessBase
import Statistics
import Workers

/// What tells one row of a benchmark from every other.
public struct BenchmarkPlace: Codable, Hashable, Sendable {
  /// The pairing's name.
  public var pairing: String
  public var subject: String
  public var rival: String
  public var rates: String
  /// Whether the opcodes computed what comes after a signal has ended.
  public var isSilence: Bool
  public var sampleRate: Double
  public var ksmps: Int
  /// How many instances of the opcode ran side by side.
  public var instances: Int
  /// What its figures count.
  public var unit: Pairing.Unit

  public init(
    pairing: String, subject: String, rival: String, rates: String, isSilence: Bool,
    sampleRate: Double, ksmps: Int, instances: Int, unit: Pairing.Unit
  ) {
    self.pairing = pairing
    self.subject = subject
    self.rival = rival
    self.rates = rates
    self.isSilence = isSilence
    self.sampleRate = sampleRate
    self.ksmps = ksmps
    self.instances = instances
    self.unit = unit
  }
}

/// One row of a benchmark: a rate combination at a ksmps.
@dynamicMemberLookup
public struct BenchmarkRow: Sendable {
  public var place: BenchmarkPlace
  /// The pairing's group.
  public var group: String?
  public var report: Report<Measurement>
  /// What came of counting its instructions; nil when they were not to be counted.
  public var countReport: Report<InstructionCount>?
  /// The comparisons at this rate combination and ksmps.
  public var cases: [ComparedCase]

  public subscript<Value>(dynamicMember member: KeyPath<BenchmarkPlace, Value>) -> Value {
    place[keyPath: member]
  }

  public init(
    place: BenchmarkPlace, group: String?, report: Report<Measurement>,
    countReport: Report<InstructionCount>? = nil, cases: [ComparedCase]
  ) {
    self.place = place
    self.group = group
    self.report = report
    self.countReport = countReport
    self.cases = cases
  }

  public var instructions: InstructionCount? { countReport?.reply }

  /// Why the row has no measurement, or no count where it should have one.
  public var failure: Failure? {
    let work = "\(place.subject) \(place.rates) at ksmps \(place.ksmps)"
    if measurement == nil { return report.failure(of: "Timing \(work)") }
    if let countReport, instructions == nil {
      return Callgrind.failure(of: countReport, counting: work)
    }
    return nil
  }

  public var measurement: Measurement? { report.reply }

  /// Rival cost over subject cost; nil where noise left no interval.
  public var ratio: Estimate? { measurement.flatMap { $0.hasRatio ? $0.ratio : nil } }

  /// The worst of the cases; −∞ when all are identical, NaN when none could be compared.
  public var nullDepth: Double { cases.compactMap { $0.comparison?.nullDepth }.max() ?? .nan }
  public var peakError: Double { cases.compactMap { $0.comparison?.peakError }.max() ?? .nan }
}
