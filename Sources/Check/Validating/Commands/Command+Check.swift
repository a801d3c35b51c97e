import CommandKit
import CsoundHost
import Foundation
import HarnessBase

extension Command {
  private static let evidence = Option(
    name: "evidence", value: "DIR",
    help: "Where sounds and pictures of differences go; build/check unless given.")
  static let check = Command(
    name: "check", operands: "[CSD or DIR …]",
    summary: "Render recorded orchestras again and compare them with their recordings.",
    options: [evidence, .plugin, .toolCsound, .timeLimit] + RecordingsReport.exports
      as [any CommandOption]
      + Shard.options
  ) { arguments throws(Failure) in
    var files: [GoldenFile] = []
    for operand in arguments.operands.isEmpty ? ["."] : arguments.operands {
      for path in try recordings(operand) where !files.contains(where: { $0.path == path }) {
        files.append(file(path, arguments))
      }
    }
    try arguments.handOver(toHostOf: files.filter { $0.obstacle == nil }.map { $0.made ?? $0.csd })
    let directory =
      if let given = arguments[evidence] {
        URL(fileURLWithPath: given).standardizedFileURL.path
      } else {
        try Project.outputDirectory("check")
      }
    let run = try SharedRun(
      arguments, RecordingsReport(), units: files.map { Project.short($0.path) })
    let line = ProgressLine("check")
    let own = run.own.map { files[$0] }
    return try run.finish { () throws(Failure) in
      let checked = try Golden(arguments).check(
        own, evidence: directory
      ) { line.count($1) }
      for (unit, file) in zip(run.own, own) {
        run.found(checked.filter { $0.file.path == file.path }, unit: unit)
      }
    }
  }

  /// A recording, also one that cannot be checked: the others are.
  private static func file(_ path: String, _ arguments: Arguments) -> GoldenFile {
    do throws(Failure) {
      var file = try GoldenFile(readingFrom: path)
      file.played = try file.plugin(arguments)
      return file
    } catch { return GoldenFile(unreadable: path, error) }
  }

  /// The paths of the recordings that an operand stands for: the recording of a CSD, a recording itself, or all
  /// recordings in a directory and below it.
  private static func recordings(_ operand: String) throws(Failure) -> [String] {
    let path = URL(fileURLWithPath: OrchestraAndScore.original(of: operand)).standardizedFileURL
      .path
    if isDirectory(path) {
      let files = GoldenFile.all(in: path)
      guard !files.isEmpty else {
        throw .missingInput(
          "There is no recording in '\(operand)', so nothing was checked; ./opcodekit record CSD makes"
            + " one.")
      }
      return files
    }
    try requireReadableFile(operand)
    if path.hasSuffix(GoldenFile.suffix) { return [path] }
    guard !path.hasSuffix(".flac") else {
      throw .usage(
        "'\(operand)' is a sound; give the CSD, or its recording NAME\(GoldenFile.suffix).")
    }
    let place = GoldenFile.path(of: path, in: GoldenFile.directory(of: path))
    guard FileManager.default.fileExists(atPath: place) else {
      throw .missingInput(
        "'\(operand)' has no recording in '\(Project.short(place))', so nothing was checked;"
          + " ./opcodekit record \(operand) makes one.")
    }
    return [place]
  }
}

/// The results of the checked recordings, one for each variant.
struct RecordingsReport: SharedReport {
  static var command: String { "check" }
  static var things: String { "recordings" }
  static var exports: [Option<String?>] { [.json, .junit, .markdown] }

  func row(_ checked: [Golden.Checked]) -> String? { nil }

  func conclude(
    _ recordings: [[Golden.Checked]], units: Int, _ exports: Exports
  ) throws(Failure) -> ExitCode {
    let checked = recordings.flatMap(\.self)
    let report = GoldenReport(checked)
    print(report.table)
    for account in report.accounts { print("\n" + account) }
    print("\n" + report.conclusion)
    try exports[.json]?.write(checked.map(GoldenExport.init))
    try exports[.junit]?.write(
      JUnit.text(recordings.map(JUnit.Suite.init), partial: exports.partial))
    try exports[.markdown]?.write(
      report.markdown + (exports.partial.map { "\n\($0.sentence)\n" } ?? ""))
    // A recording that could not be rendered is graver than one that differs.
    for item in checked {
      if case .failure(let failure) = item.result { throw failure }
    }
    return checked.allSatisfy(\.passed) ? .success : .checkFailed
  }
}

extension Golden.Checked {
  var orchestra: String { Project.short(file.csd) }

  /// The result in one word, for a table.
  var verdict: String {
    switch result {
    case .success(let checked): checked.comparison.passed ? "passed" : "FAILED"
    case .failure: "ERROR"
    }
  }

  var comparison: GoldenComparison? { try? result.get().comparison }

  /// What is wrong, in sentences; nil if nothing is.
  var complaint: String? {
    switch result {
    case .failure(let failure): return failure.message
    case .success(let checked):
      let comparison = checked.comparison
      guard !comparison.passed else { return nil }
      let what = comparison.deviations.map(\.sentence).joined(separator: "; ")
      let place = comparison.firstBad.map { "; first bad sample \($0.words)" } ?? ""
      guard let recorder = file.recording.csound, recorder != Csound.version else {
        return what + place + "."
      }
      return what + place
        + ". It was recorded with Csound \(recorder), and this is \(Csound.version)."
    }
  }

  /// What is wrong and which files show it; nil if nothing is.
  var account: String? {
    guard let complaint else { return nil }
    var lines = ["\(orchestra), \(reference.variant.title): \(complaint)"]
    if case .success(let checked) = result {
      lines.append(
        checked.evidenceProblem.map { "  No sounds of it: \($0)" } ?? "  Wrote \(evidence.files)")
      if let problem = checked.pictureProblem { lines.append("  No picture: \(problem)") }
    }
    return lines.joined(separator: "\n")
  }
}

extension GoldenComparison.Point {
  fileprivate var words: String {
    let values =
      switch (actual, expected) {
      case (let actual?, let expected?): "\(actual) instead of \(expected)"
      case (nil, _): "nothing more where the reference goes on"
      case (_, nil): "sound where the reference has ended"
      }
    return "in channel \(channel) at \(seconds.formatted(4)) s (sample \(sample)): \(values)"
  }
}

extension GoldenEvidence {
  /// The files with the evidence, as one short text.
  fileprivate var files: String {
    let names = ["actual.wav", "expected.wav", "difference.wav", "picture.png"]
      .filter { FileManager.default.fileExists(atPath: directory + "/" + $0) }
    return Project.short(directory) + "/{" + names.joined(separator: ",") + "}"
  }
}

/// What check prints, and its summary in Markdown.
struct GoldenReport {
  private let checked: [Golden.Checked]
  private static let headings = [
    "orchestra", "variant", "seconds", "difference dB", "limit", "spectral dB", "limit", "result",
  ]

  init(_ checked: [Golden.Checked]) { self.checked = checked }

  private var rows: [[String]] {
    checked.map { item in
      let limits = item.file.recording.limits
      let comparison = item.comparison
      return [
        item.orchestra, item.reference.variant.title, comparison?.seconds.formatted(3) ?? "none",
        comparison?.difference.decibels ?? "none", limits.tolerance.formatted(1),
        comparison.map { $0.spectralDistance.isFinite ? $0.spectralDistance.formatted(2) : "none" }
          ?? "none",
        limits.spectralDistance.formatted(2), item.verdict,
      ]
    }
  }

  var table: String {
    Table(
      rows: [Self.headings] + rows,
      alignment: [.left, .left, .right, .right, .right, .right, .right]
    ).text
  }

  var accounts: [String] { checked.compactMap(\.account) }

  var conclusion: String {
    let counts = ["passed", "FAILED", "ERROR"].map { word in
      "\(checked.count { $0.verdict == word }) \(word.lowercased())"
    }
    return "\(checked.count) checked: \(counts[0]), \(counts[1]), \(counts[2]) in rendering"
  }

  var markdown: String {
    var table = MarkdownTable(Self.headings)
    for row in rows { table.add(row) }
    let accounts = checked.compactMap { item in
      item.complaint.map { "- **\(item.orchestra), \(item.reference.variant.title)**: \($0)\n" }
    }
    let list = accounts.isEmpty ? "" : "\n" + accounts.joined()
    return "## Golden renders: \(conclusion)\n\n\(table.text)\(list)"
  }
}

/// A checked variant in JSON.
struct GoldenExport: Encodable {
  var orchestra, variant, recording, verdict: String
  var limits: GoldenRecording.Limits
  /// Absent if there is no finite number: for identical sounds, and for sounds that could not be
  /// compared.
  var differenceDecibels, peakErrorDecibels, spectralDistanceDecibels, seconds: Double?
  var isIdentical: Bool
  var deviations: [GoldenComparison.Deviation]
  var firstBad: GoldenComparison.Point?
  /// Why it could not be rendered; absent if it was.
  var error: String?
  /// The directory with the sounds and the picture of the difference.
  var evidence: String?
  var pictureProblem: String?

  init(_ item: Golden.Checked) {
    orchestra = item.file.csd
    variant = item.reference.variant.name
    recording = item.file.path
    verdict = item.verdict.lowercased()
    limits = item.file.recording.limits
    let comparison = item.comparison
    differenceDecibels = comparison?.difference.finite
    peakErrorDecibels = comparison?.peakError.finite
    spectralDistanceDecibels = comparison?.spectralDistance.finite
    seconds = comparison?.seconds
    isIdentical = comparison?.difference == -.infinity
    deviations = comparison?.deviations ?? []
    firstBad = comparison?.firstBad
    // JSON has no NaN.
    if let actual = firstBad?.actual { firstBad?.actual = actual.finite }
    switch item.result {
    case .success(let checked):
      if !item.passed, checked.evidenceProblem == nil { evidence = item.evidence.directory }
      pictureProblem = checked.pictureProblem
    case .failure(let failure): error = failure.message
    }
  }
}

extension JUnit.Suite {
  /// The checked variants of one recording.
  init(_ checked: [Golden.Checked]) {
    let cases = checked.map { item in
      let outcome: JUnit.Case.Outcome =
        switch item.result {
        case .failure(let failure): .error(failure.message)
        case .success: item.complaint.map { .failure($0) } ?? .success
        }
      return JUnit.Case(name: item.reference.variant.title, outcome: outcome)
    }
    self.init(name: checked.first?.orchestra ?? "", cases: cases)
  }
}
