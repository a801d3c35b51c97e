import Foundation
import HarnessBase
import Rendering
import Workers

/// What a part of a command's work gave, as `--results` keeps it.
struct ResultsFile<Report: SharedReport>: Codable {
  struct Entry: Codable {
    var unit: Int
    var finding: Report.Finding
  }

  var command = Report.command
  var shard: Shard
  /// What the command was told, but for what does not change the findings.
  var operands: [String]
  var options: [String: String]
  var provenance: Provenance
  /// The names of all units, of which the part has some.
  var units: [String]
  /// How much of the part was done, where its run was stopped.
  var partial: PartialRun?
  var report: Report
  var entries: [Entry]
}

/// What stands in a file of results whatever the command is.
struct ResultsHead: Decodable {
  var command: String
  var shard: Shard
  var operands: [String]
  var options: [String: String]
  var provenance: Provenance
  var units: [String]
  var partial: PartialRun?

  init(readingFrom path: String) throws(Failure) {
    self = try Self.decode(ResultsHead.self, from: path)
    guard shard.count > 0, (1...shard.count).contains(shard.part) else { throw Self.unusable(path) }
  }

  private static func unusable(_ path: String) -> Failure {
    Failure(
      .badInput,
      "'\(path)' holds no results as a command's --results writes them, or not all of them; do that"
        + " part again.")
  }

  static func decode<Content: Decodable>(
    _ type: Content.Type, from path: String
  ) throws(Failure) -> Content {
    try requireReadableFile(path)
    do {
      return try JSONCoding.decode(type, from: try Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
      throw unusable(path)
    }
  }

  /// The words that have the part done.
  func call(of part: Int) -> String {
    let options = options.sorted { $0.key < $1.key }
      .map { "--\($0.key)" + ($0.value.isEmpty ? "" : " \($0.value)") }
    return
      (["./opcodekit", command] + operands + options
      + ["--shard \(part)/\(shard.count)", "--results FILE"]).joined(separator: " ")
  }

  /// In what it differs from another part of the same work; nil where in nothing that matters.
  func difference(from other: ResultsHead) -> String? {
    if command != other.command { return "of the command \(command), not \(other.command)" }
    if shard.count != other.shard.count {
      return "one of \(shard.count) parts, not of \(other.shard.count)"
    }
    if operands != other.operands || options != other.options {
      return "made by '\(call(of: shard.part))', not '\(other.call(of: shard.part))'"
    }
    let (here, there) = (provenance, other.provenance)
    if here.csound != there.csound { return "made with Csound \(here.csound), not \(there.csound)" }
    if here.commit != there.commit {
      let (mine, others) = (here.commit ?? "none", there.commit ?? "none")
      return "made at commit \(mine), not \(others)"
    }
    return units == other.units ? nil : "about other files or opcodes"
  }
}
