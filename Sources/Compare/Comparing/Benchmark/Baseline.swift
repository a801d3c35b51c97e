import Foundation
import HarnessBase
import Rendering

/// The results of a benchmark, saved as a JSON file, to compare later benchmarks with.
public struct Baseline: Codable, Equatable, Sendable {
  /// The file's format and its version. A change in the meaning of the fields gets a new number.
  public static let format = "OpcodeKit baseline 1"

  public struct Row: Codable, Equatable, Sendable {
    public var place: BenchmarkPlace
    /// Nanoseconds per unit; nil if the measurement was too noisy.
    public var subjectNanoseconds: Double?
    public var rivalNanoseconds: Double?
    /// The rival's cost divided by the subject's; nil if the measurement was too noisy.
    public var ratio: Estimate?
    /// The subject's instructions per unit; nil if they were not counted.
    public var instructions: Double?
  }

  public var format: String
  /// The confidence level of the ratios' intervals, 0 to 1.
  public var confidence: Double
  public var provenance: Provenance
  /// The file name of the plugin that provided the subjects; nil for the tool's own opcodes.
  public var plugin: String?
  public var rows: [Row]

  public init(_ rows: [Row], provenance: Provenance, plugin: String?) {
    format = Self.format
    confidence = Estimate.confidence
    self.provenance = provenance
    self.plugin = plugin.map { ($0 as NSString).lastPathComponent }
    self.rows = rows
  }

  /// Reads a baseline. Fails if its format or its confidence level is not the current one, or if it
  /// has no rows.
  public init(readingFrom path: String) throws(Failure) {
    struct Head: Decodable { var format: String }
    let format = try DataFile.read(Head.self, from: path, as: "a baseline").format
    guard format == Self.format else {
      throw .badInput(
        "'\(path)' has the format '\(format)' and must have '\(Self.format)'; make it again with"
          + " ./opcodekit bench --save.")
    }
    self = try DataFile.read(Baseline.self, from: path, as: "a baseline")
    guard confidence == Estimate.confidence else {
      throw .badInput(
        "The intervals of '\(path)' hold with \(confidence * 100) %, not"
          + " \(Estimate.confidence * 100) %; make it again with ./opcodekit bench --save.")
    }
    guard !rows.isEmpty else {
      throw .badInput("'\(path)' has no rows; make it again with ./opcodekit bench --save.")
    }
  }
}

extension Baseline.Row {
  init(_ row: BenchmarkRow) {
    let timed = row.measurement.flatMap { $0.hasRatio ? $0 : nil }
    self.init(
      place: row.place, subjectNanoseconds: timed?.subject, rivalNanoseconds: timed?.rival,
      ratio: timed?.ratio, instructions: row.instructions?.subject)
  }
}
