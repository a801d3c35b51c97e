import CommandKit
import Foundation
import HarnessBase
import Linting
import Rendering

/// The Csounds that the command compares: `--csound` is given twice.
private struct TwoCsounds: CommandOption {
  let name = "csound"
  let letter: Character? = nil
  let value: String? = "6|7|DIR|FILE"
  let help =
    "The two Csounds, the older one first: 6, 7, a directory with an installed or a built Csound, or its library. Twice."
  let repeats = true

  func parsed(_ text: String?) throws(Failure) -> any Sendable { text ?? "" }
}

extension Command {
  private static let csounds = TwoCsounds()
  private static let changed = Option(
    name: "changed", value: "FILES", takes: .names,
    help: "Only opcodes of these C files of Csound's sources, separated by commas.")
  private static let all = Option(name: "all", help: "Also print what is the same.")
  private static let keep = Option(
    name: "keep", value: "DIR",
    help:
      "Write an orchestra for each change into this directory, with its sounds and a small test.")
  private static let counts = Option(
    name: "counts", help: "Also count the instructions of each opcode, under valgrind.")
  private static let validating = Option(
    name: "validate", help: "Also run 'validate --builtin' in both, and compare what it finds.")
  private static let seed = Option(
    name: "seed", value: "N", takes: ValueReader.wholeNumber(1...Int.max).map { UInt64($0) },
    standard: 1, help: "The seed of the noise that the opcodes get; 1 unless given.")

  static let versions = Command(
    name: "versions", operands: "[NAME …] [FILE.csd or DIR …]",
    summary:
      "Compare Csound's own opcodes, or pieces, in two Csounds: what sounds different, fails or is mended.",
    options: [csounds, changed, all, keep, counts, validating, seed, .duration, .arguments]
      + VersionsReport.exports
      + Shard.options
  ) { arguments throws(Failure) in
    let given = (arguments.given["csound"] ?? "").split(separator: "\n").map(String.init)
    guard given.count == 2 else {
      throw .usage(
        "versions compares two Csounds, \(given.isEmpty ? "none" : "\(given.count)") given; write --csound 6 --csound"
          + " 7, or directories of builds.")
    }
    guard arguments.operands.isEmpty || arguments[changed] == nil else {
      throw .usage("Opcodes are named or taken from --changed; leave one out.")
    }
    let builtins = Project.kit + "/Benchmarks/builtins"
    var versions = try Versions(
      CsoundLibrary(given[0], kit: Project.kit), CsoundLibrary(given[1], kit: Project.kit),
      arguments: ArgumentFile(
        readingFrom: arguments[.arguments] ?? builtins + "/arguments.json"),
      unplayed: UnplayedOpcodes(readingFrom: builtins + "/unplayed.json"), seed: arguments[seed])
    defer { versions.close() }
    let folders = arguments.operands.filter { isFolder($0, versions) }
    let pieces =
      arguments.operands.filter { $0.hasSuffix(".csd") && !folders.contains($0) }
      + (folders.isEmpty ? [] : try PieceFiles.all(folders))
    for piece in pieces { try requireReadableFile(piece) }
    guard !pieces.isEmpty || arguments[.duration] == nil else {
      throw .usage(
        "--duration is for pieces, and none is named; name FILE.csd or DIR, or leave it out.")
    }
    let opcodes = try names(arguments, versions)
    if opcodes.isEmpty, let option = arguments.given(counts, validating).first {
      throw .usage(
        "--\(option.name) is for opcodes, and none is named; name some, or leave it out.")
    }
    if !pieces.isEmpty {
      versions.recorded = try Atlas.recorded(
        versions.first.csound, versions.second.csound, in: Project.kit)
    }
    versions.counts = arguments[counts]
    versions.kept = arguments[keep].map { URL(fileURLWithPath: $0).path }
    if arguments[validating] { try versions.validate(opcodes) }
    let overloads = opcodes.flatMap(versions.overloads)
    let run = try SharedRun(
      arguments, VersionsReport(versions, opcodes: opcodes.count, printsAll: arguments[all]),
      units: pieces + overloads.map(\.title))
    defer { ProgressLine.clear() }
    return try run.finish { () throws(Failure) in
      for unit in run.own {
        if unit < pieces.count {
          run.progress.show(pieces[unit])
          let piece = try versions.compare(piece: pieces[unit], duration: arguments[.duration])
          run.found(.piece(piece), unit: unit)
        } else {
          let overload = overloads[unit - pieces.count]
          run.progress.show(overload.title)
          run.found(.overload(try versions.compare(overload)), unit: unit)
        }
      }
    }
  }

  /// Whether an operand is a folder of pieces; a name that an opcode has is the opcode's.
  private static func isFolder(_ operand: String, _ versions: Versions) -> Bool {
    !versions.names.contains(operand) && !PieceFiles.folders([operand]).isEmpty
  }

  /// The opcodes to compare: those named, those of changed files, or all that one of the two lists.
  private static func names(
    _ arguments: Arguments, _ versions: Versions
  ) throws(Failure) -> [String] {
    let known = Set((versions.firstSignatures + versions.secondSignatures).map(\.opcode))
    if let files = arguments[changed] {
      let names = try ChangedOpcodes(files).names.filter(known.contains)
      guard !names.isEmpty else {
        throw .badInput(
          "The files of --changed have no opcodes that one of the two Csounds lists: "
            + files.joined(separator: ", ") + ".")
      }
      return names
    }
    guard arguments.operands.isEmpty else {
      let names = arguments.operands.filter { !$0.hasSuffix(".csd") && !isFolder($0, versions) }
      for name in names where !known.contains(name) {
        throw .usage(NearNames.unknown("No opcode", name, known))
      }
      return names
    }
    // Those with signs are for Csound's parser.
    return versions.names.filter { $0.wholeMatch(of: /[A-Za-z]\w*/) != nil }.sorted()
  }
}

/// The results of `versions`.
struct VersionsReport: SharedReport {
  private let first, second: CsoundLibrary
  private let opcodes: Int
  private let printsAll: Bool
  /// Whether both Csounds get the same input.
  private let hasInput: Bool

  init(_ versions: Versions, opcodes: Int, printsAll: Bool) {
    (first, second) = (versions.first.csound, versions.second.csound)
    (self.opcodes, self.printsAll) = (opcodes, printsAll)
    hasInput = versions.reader != nil
  }

  static var command: String { "versions" }
  static var things: String { "overloads and pieces" }
  static var exports: [Option<String?>] { [.json, .junit, .markdown] }
  static var numbersRows: Bool { false }

  private var titles: String { "\(first.title) and \(second.title)" }

  func heading(part: String, units: Int) -> String? {
    let what = opcodes == 0 ? "" : "\(opcodes.counted("opcode")), "
    return "\(what)\(units.counted(opcodes == 0 ? "piece" : "overload")) in \(titles)\(part)"
      + (hasInput
        ? "" : "; nothing reads a sound file alike in both, so that differences may be the input's")
  }

  func row(_ finding: Finding) -> String? {
    guard printsAll || finding.verdict.isChange || finding.costs || finding.isPiece else {
      return nil
    }
    return finding.text
  }

  func conclude(
    _ findings: [Finding], units: Int, _ exports: Exports
  ) throws(Failure) -> ExitCode {
    print(counts(findings))
    try exports[.json]?.write(export(findings))
    try exports[.junit]?.write(
      JUnit.text(
        [JUnit.Suite(name: titles, cases: findings.map(JUnit.Case.init))],
        partial: exports.partial))
    try exports[.markdown]?.write(
      markdown(findings) + (exports.partial.map { "\n\($0.sentence)\n" } ?? ""))
    guard findings.contains(where: { $0.verdict != .notPlayed }) else {
      throw .usage(
        "Nothing was compared: \(findings.first?.cells.last ?? "no overload was chosen")"
          .trimmingCharacters(in: ["."]) + ".")
    }
    return findings.contains { $0.verdict.isBad } ? .checkFailed : .success
  }

  private func export(_ findings: [Finding]) -> VersionsExport {
    var export = VersionsExport(first: first, second: second)
    for finding in findings {
      switch finding {
      case .overload(let finding): export.overloads.append(finding)
      case .piece(let finding): export.pieces.append(finding)
      }
    }
    return export
  }

  /// How many overloads and pieces have each verdict.
  private func counts(_ findings: [Finding]) -> String {
    let counts = VersionVerdict.allCases.compactMap { verdict -> String? in
      let count = findings.count { $0.verdict == verdict }
      return count == 0 ? nil : "\(count) \(verdict.rawValue)"
    }
    let pieces = findings.count(where: \.isPiece)
    let what = [
      pieces == 0 ? nil : pieces.counted("piece"),
      pieces == findings.count ? nil : (findings.count - pieces).counted("overload"),
    ]
    return "\(what.compactMap(\.self).joined(separator: ", ")): \(counts.joined(separator: ", "))"
  }

  private func markdown(_ findings: [Finding]) -> String {
    let changes = findings.filter { $0.verdict.isChange || $0.costs }
    let table = MarkdownTable(["verdict", "opcode", "null depth", "where"], changes.map(\.cells))
    return "### \(titles)\n\n\(counts(findings))\n" + (changes.isEmpty ? "" : "\n" + table.text)
  }
}

extension VersionsReport {
  /// What is found about one unit of the work.
  enum Finding: Codable, Sendable {
    case overload(VersionFinding)
    case piece(PieceFinding)

    var isPiece: Bool {
      if case .piece = self { return true }
      return false
    }

    /// Whether its cost has changed.
    var costs: Bool {
      if case .overload(let finding) = self { return finding.costChanges }
      return false
    }

    var verdict: VersionVerdict {
      switch self {
      case .overload(let finding): finding.verdict
      case .piece(let finding): finding.comparison.verdict
      }
    }

    /// The verdict, what it is about, the greatest null depth and where it differs.
    var cells: [String] {
      switch self {
      case .overload(let finding): finding.cells
      case .piece(let finding): finding.cells
      }
    }

    var text: String {
      let row = cells.filter { !$0.isEmpty }.joined(separator: "  ")
      guard case .piece(let finding) = self else { return row }
      return ([row] + finding.lines.map(\.report)).joined(separator: "\n")
    }
  }
}

extension Signature {
  fileprivate var title: String { "\(opcode) (\(outputs) ← \(inputs))" }
}

extension JUnit.Case {
  /// Only what is new and bad fails.
  fileprivate init(_ finding: VersionsReport.Finding) {
    let outcome: Outcome =
      switch finding.verdict {
      case _ where finding.verdict.isBad: .failure(finding.text)
      case .notPlayed: .skipped(finding.cells[3])
      case _ where finding.verdict.isChange: .output(finding.text)
      default: .success
      }
    self.init(name: finding.cells[1], outcome: outcome)
  }
}
