import Foundation
import HarnessBase
import Rendering

/// The results of one part of a command's work, as `--results` writes them.
struct ResultsFile<Report: SharedReport>: Codable {
  struct Entry: Codable {
    var unit: Int
    var finding: Report.Finding
  }

  var command = Report.command
  var shard: Shard
  /// What the command was given, without options that do not change the findings.
  var operands: [String]
  var options: [String: String]
  var provenance: Provenance
  /// The names of all units of the work, also of those that other parts do.
  var units: [String]
  /// How far the part came, if its run was stopped.
  var partial: PartialRun?
  var report: Report
  var entries: [Entry]
}

/// The fields of a results file that do not depend on the command.
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
    Failure.badInput(
      "'\(path)' is no results file as --results writes it, or is incomplete; do that part again.")
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

  /// The command line that does a part.
  func call(of part: Int) -> String {
    let options = options.sorted { $0.key < $1.key }
      .flatMap { option in
        // An option that was given several times has a line for each.
        option.value.split(separator: "\n", omittingEmptySubsequences: false)
          .map { "--\(option.key)" + ($0.isEmpty ? "" : " \($0)") }
      }
    return
      (["./opcodekit", command] + operands + options
      + ["--shard \(part)/\(shard.count)", "--results FILE"]).joined(separator: " ")
  }

  /// How it differs from another part of the same work; nil if in nothing that matters.
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
