import Foundation
import HarnessBase
import Rendering

/// Two opcodes to compare, with the orchestra and the cases to compare them in, read from a file
/// `Benchmarks/NAME.json`.
public struct Pairing: Sendable {
  /// The file's name without its extension.
  public var name = ""
  /// The group in whose summary of speeds it is counted, such as `pack`; nil for none.
  public var group: String?
  /// The opcode under test.
  public var subject: String
  /// The package's product whose plugin provides the subject; nil for the pack's or the author's own.
  public var subjectProduct: String?
  /// The opcode to compare the subject with; empty if the subject is only compared with other builds of
  /// itself.
  public var rival: String
  /// The source in C, C++ or Faust of a plugin that provides the rival, relative to the project's root; nil if Csound
  /// or the orchestra provides it.
  public var rivalSource: String?
  /// The libraries that the rival's plugin is linked with, and the Debian package of each, such as `fftw3` and
  /// `libfftw3-dev`.
  public var rivalLibraries: [String: String] = [:]
  /// The libraries that the rival opens itself when it plays, and the Debian package of each, such as
  /// `libfftw3.so.3` and `libfftw3-double3`.
  public var rivalOpens: [String: String] = [:]
  /// What subject and rival compute, and how exactly, in a few words for a table; nil if they sound the same.
  public var accuracy: String?
  /// The CSD, relative to the project's root. It takes the opcode from the macro `OPCODE`, leaves
  /// it out when `EMPTY` is defined, and lasts `DURATION` seconds.
  public var orchestra: String
  /// The calls of both opcodes, if the orchestra is written from them; nil for a CSD written by hand.
  public internal(set) var pattern: CallPattern?
  /// The largest null depth that passes, in dB, -400 to 40; -100 by default.
  public var tolerance: Double
  /// Whether the orchestra can use Csound's installed plugins. Otherwise they are not loaded, so that
  /// results do not depend on what is installed.
  public var usesInstalledPlugins: Bool?
  /// The rate combinations of the opcode's overloads.
  public var rates: [Variant]
  /// The situations to compare in, each at every rate, sample rate and ksmps.
  public var cases: [Case]
  public var sampleRates: [Double]
  public var ksmps: [Int]
  public var benchmark: Benchmark
  /// Macros that make the orchestra read a sound from its input channels; nil if it cannot.
  public var input: [String: String]?

  /// A named set of macros.
  public struct Variant: Sendable {
    public var name: String
    public var macros: [String: String]
  }

  public struct Case: Sendable {
    public var name: String
    public var macros: [String: String]
    /// This case's own tolerance in dB, with the reason, if it cannot reach the pairing's tolerance.
    public var tolerance: Double?
    public var reason: String?
    /// The sample rates of this case, in Hz; nil for the pairing's.
    public var sampleRates: [Double]?
  }

  public struct Benchmark: Sendable {
    public var macros: [String: String]
    public var sampleRate: Double
    public var ksmps: [Int]
    /// What one figure counts: the cost of a sample, of a k-rate call or of an i-time call.
    public var unit: Unit
    /// How many times these macros make the orchestra call the opcode in each k-cycle, for opcodes whose
    /// single call is too cheap to measure; or the number of channels a call computes. Nil for 1.
    public var callsPerPass: Int?
    /// How many calls in one note are timed, beside a first one that is not: a call alone also costs what it waits for
    /// its inputs, and less where Csound's own work overlaps it. With 0 the only call is timed.
    public var calls = 0
    /// Macros for a further row at each rate combination, which times silence after a signal has ended.
    public var silence: [String: String]?
    /// The number of samples after which the opcode's work repeats, if its k-cycles differ, as with an
    /// FFT hop. A turn of the measurement is a multiple of it. Nil if all k-cycles do the same work.
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

  /// What is wrong with the pairing, such as an empty list or a value out of range; nil if nothing is.
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
    guard (0...64).contains(benchmark.calls) else {
      return "'benchmark.calls' is \(benchmark.calls); it must lie between 0 and 64."
    }
    return nil
  }
}
