import HarnessBase
import Rendering

/// The settings that identify a row of a benchmark.
public struct BenchmarkPlace: Codable, Hashable, Sendable {
  /// The pairing's name.
  public var pairing: String
  public var subject: String
  public var rival: String
  public var rates: String
  /// Whether the row times the opcodes on silence, after their input signal has ended.
  public var isSilence: Bool
  public var sampleRate: Double
  public var ksmps: Int
  /// The number of instances of the opcode that play at the same time.
  public var instances: Int
  /// What the row's costs refer to: a sample or a call.
  public var unit: Pairing.Unit

  /// What is done to its opcode, for messages.
  var work: String { "\(subject) \(rates) at ksmps \(ksmps)" }
}

/// One row of a benchmark: a rate combination at a ksmps.
@dynamicMemberLookup
public struct BenchmarkRow: Sendable {
  public var place: BenchmarkPlace
  /// The pairing's group.
  public var group: String?
  public var report: Report<Measurement>
  /// The report of counting its instructions; nil if counting was not requested.
  public var countReport: Report<InstructionCount>?
  /// The comparisons at this rate combination and ksmps.
  public var cases: [ComparedCase]

  public subscript<Value>(dynamicMember member: KeyPath<BenchmarkPlace, Value>) -> Value {
    place[keyPath: member]
  }

  public var instructions: InstructionCount? { countReport?.reply }

  /// Why the row has no measurement, or why a requested count is missing; nil if nothing is
  /// missing.
  public var failure: Failure? {
    if measurement == nil { return report.failure(of: "Timing \(place.work)") }
    if let countReport, instructions == nil {
      return Callgrind.failure(of: countReport, counting: place.work)
    }
    return nil
  }

  public var measurement: Measurement? { report.reply }

  /// The rival's cost divided by the subject's; nil if the measurement was too noisy.
  public var ratio: Estimate? { measurement.flatMap { $0.hasRatio ? $0.ratio : nil } }

  /// The largest null depth (dB) and peak error (dBFS) of the cases; −∞ if all are identical, NaN
  /// if none could be compared.
  public var nullDepth: Double { cases.compactMap { $0.comparison?.nullDepth }.max() ?? .nan }
  public var peakError: Double { cases.compactMap { $0.comparison?.peakError }.max() ?? .nan }
}
