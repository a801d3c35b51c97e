import Foundation
import HarnessBase
import Rendering

/// Which opcode is held against which, on which orchestra, in which cases: a file
/// `Benchmarks/NAME.json`.
public struct Pairing: Sendable {
  /// The file's name without its extension.
  public var name = ""
  /// The set its speed is summed up in, such as `pack`; absent for none.
  public var group: String?
  /// The opcode under test.
  public var subject: String
  /// The product of the package whose plugin has it; absent for the pack's or the author's own.
  public var subjectProduct: String?
  /// The opcode it is held to; empty where it has none and is only held against other builds of it.
  public var rival: String
  /// A C file with a plugin that has the rival, relative to the project's root; absent when Csound or
  /// the orchestra has it.
  public var rivalSource: String?
  /// The CSD, relative to the project's root. It takes the opcode from the macro `OPCODE`, leaves
  /// it out when `EMPTY` is defined, and lasts `DURATION` seconds.
  public var orchestra: String
  /// How both are called, where the orchestra is written from that.
  public internal(set) var pattern: CallPattern?
  /// Largest null depth that passes, dB.
  public var tolerance: Double
  /// Lets the orchestra use Csound's installed plugins. Without it they are not loaded, so that
  /// results do not depend on what a machine has installed.
  public var usesInstalledPlugins: Bool?
  /// The rate combinations of the opcode's overloads.
  public var rates: [Variant]
  /// The situations to compare in, each at every rate, sample rate and ksmps.
  public var cases: [Case]
  public var sampleRates: [Double]
  public var ksmps: [Int]
  public var benchmark: Benchmark
  /// Macros that make the orchestra read a sound from its input channels; absent when it cannot.
  public var input: [String: String]?

  /// A named set of macros.
  public struct Variant: Sendable {
    public var name: String
    public var macros: [String: String]
  }

  public struct Case: Sendable {
    public var name: String
    public var macros: [String: String]
    /// Where this case cannot reach the pairing's tolerance: its own, with the reason.
    public var tolerance: Double?
    public var reason: String?
    /// The sample rates of this case; absent for all of the pairing's.
    public var sampleRates: [Double]?
  }

  public struct Benchmark: Sendable {
    public var macros: [String: String]
    public var sampleRate: Double
    public var ksmps: [Int]
    /// What one figure counts: the cost of a sample, of a k-rate call or of an i-time call.
    public var unit: Unit
    /// How often these macros make the orchestra run the opcode in each k-cycle, for opcodes too
    /// cheap to measure once, or how many channels it computes in a call; 1 when absent.
    public var callsPerPass: Int?
    /// Macros for another row at each rate combination: what comes after a signal has ended.
    public var silence: [String: String]?
    /// After how many samples the opcode's work repeats, when it does not do the same in each k-cycle;
    /// a turn of the measurement is a multiple of it.
    public var period: Int?
  }

  public enum Unit: String, Codable, Sendable {
    case sample, call

    public init(from decoder: any Decoder) throws {
      let text = try decoder.singleValueContainer().decode(String.self)
      guard let unit = Unit(rawValue: text) else {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(
            codingPath: decoder.codingPath,
            debugDescription: "it is '\(text)' and must be 'sample' or 'call'."))
      }
      self = unit
    }
  }

  /// What forbids using the pairing: a run that would compare nothing, or a rate Csound cannot have.
  var problem: String? {
    guard subject != rival else { return "'subject' and 'rival' are the same opcode." }
    let lists = [
      ("rates", rates.count), ("cases", cases.count), ("sampleRates", sampleRates.count),
      ("ksmps", ksmps.count), ("benchmark.ksmps", benchmark.ksmps.count),
    ]
    for (name, count) in lists where count == 0 { return "'\(name)' is empty." }
    for item in cases where item.sampleRates?.isEmpty == true {
      return "'sampleRates' of the case '\(item.name)' is empty."
    }
    for name in rival.isEmpty ? [subject] : [subject, rival]
    where name.wholeMatch(of: /[A-Za-z]\w*/.asciiOnlyWordCharacters()) == nil {
      return "'\(name)' is no name of an opcode."
    }
    for (kind, names) in [("rates", rates.map(\.name)), ("cases", cases.map(\.name))] {
      guard Set(names).count == names.count else {
        return "two of its '\(kind)' have the same name."
      }
    }
    for limit in [tolerance] + cases.compactMap(\.tolerance) where !(-400...40).contains(limit) {
      return "the tolerance \(limit) is not between -400 and 40 dB."
    }
    let allRates = sampleRates + [benchmark.sampleRate] + cases.flatMap { $0.sampleRates ?? [] }
    for rate in allRates where !Orchestra.sampleRateRange.contains(rate) {
      return "the sample rate \(rate) is not between 1000 and 768000 Hz."
    }
    for ksmps in ksmps + benchmark.ksmps where !Orchestra.ksmpsRange.contains(ksmps) {
      return "the ksmps \(ksmps) is not between 1 and 65536."
    }
    guard (benchmark.period ?? 1) > 0, (benchmark.period ?? 1) < 1 << 24 else {
      return "'benchmark.period' is not between 1 and 16777215 samples."
    }
    guard (benchmark.callsPerPass ?? 1) > 0 else {
      return "'benchmark.callsPerPass' is not positive."
    }
    return nil
  }
}
