import Foundation

/// Which opcode is held against which, on which orchestra, in which cases: a file
/// `Benchmarks/NAME.json`.
public struct Pairing: Codable, Sendable {
  /// The opcode under test.
  public var subject: String
  /// The opcode it is held to.
  public var rival: String
  /// The CSD, relative to the project's root. It takes the opcode from the macro `OPCODE`, leaves
  /// it out when `EMPTY` is defined, and lasts `DURATION` seconds.
  public var orchestra: String
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
  public struct Variant: Codable, Sendable {
    public var name: String
    public var macros: [String: String]
  }

  public struct Case: Codable, Sendable {
    public var name: String
    public var macros: [String: String]
    /// Where this case cannot reach the pairing's tolerance: its own, with the reason.
    public var tolerance: Double?
    public var reason: String?
    /// The sample rates of this case; absent for all of the pairing's.
    public var sampleRates: [Double]?
  }

  public struct Benchmark: Codable, Sendable {
    public var macros: [String: String]
    public var sampleRate: Double
    public var ksmps: [Int]
    /// What one figure counts: the cost of a sample, of a k-rate call or of an i-time call.
    public var unit: Unit
    /// Macros for the orchestra to run the opcode more often in each pass, and how often; for
    /// opcodes too cheap to measure once.
    public var callsPerPass: Int?
  }

  public enum Unit: String, Codable, Sendable {
    case sample, call
  }

  /// Reads every pairing in a directory, in alphabetical order.
  public static func all(in directory: String) throws(Failure) -> [Pairing] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: directory)
    } catch {
      throw Failure(.missingInput, "The directory '\(directory)' with the pairings is missing.")
    }
    var pairings: [Pairing] = []
    for name in names.sorted() where name.hasSuffix(".json") {
      try pairings.append(Pairing(readingFrom: directory + "/" + name))
    }
    return pairings
  }

  /// Reads one pairing.
  public init(readingFrom path: String) throws(Failure) {
    try requireReadableFile(path)
    do {
      let data = try Data(contentsOf: URL(fileURLWithPath: path))
      self = try JSONDecoder().decode(Pairing.self, from: data)
    } catch let error as DecodingError {
      throw Failure(.badInput, "'\(path)' is not a pairing: \(error.sentence)")
    } catch {
      throw Failure(.missingInput, "'\(path)' cannot be read: \(error.localizedDescription)")
    }
  }

  /// The orchestra at one rate combination.
  func orchestra(
    root: String, rates: Variant, macros: [String: String], sampleRate: Double?, ksmps: Int?,
    plugin: String?
  ) -> Orchestra {
    Orchestra(
      path: orchestra.hasPrefix("/") ? orchestra : root + "/" + orchestra,
      macros: macros.merging(rates.macros) { $1 }, sampleRate: sampleRate, ksmps: ksmps,
      plugin: plugin)
  }
}

extension DecodingError {
  /// What is wrong and where, in one sentence.
  var sentence: String {
    func place(_ path: [any CodingKey]) -> String {
      path.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
    }
    return switch self {
    case .keyNotFound(let key, let context):
      "'\(place(context.codingPath + [key]))' is missing."
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "'\(place(context.codingPath))': \(context.debugDescription)"
    case .dataCorrupted(let context):
      context.codingPath.isEmpty
        ? "it is not valid JSON." : "'\(place(context.codingPath))': \(context.debugDescription)"
    @unknown default: "\(self)"
    }
  }
}
