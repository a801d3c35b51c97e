import Foundation
import HarnessBase
import Rendering
import Synchronization

/// Prints a line on standard error.
package func printError(_ line: String) { writeError(line + "\n") }

/// Prints a text on standard output, as Swift's function does.
package func print(_ text: String, terminator: String = "\n") {
  Swift.print(OrchestraAndScore.told(text), terminator: terminator)
}

/// Writes to standard error; if that fails, nobody can be told.
package func writeError(_ text: String) {
  // What was printed before comes first.
  fflush(nil)
  try? FileHandle.standardError.write(
    contentsOf: Data(OrchestraAndScore.told(text).callingTool.utf8))
}

extension String {
  /// The text with the tool called as is usual at this place: `./opcodekit` in the kit's clone, `opcodekit` elsewhere.
  package var callingTool: String {
    AuthorPackage.isInKit ? self : replacing("./opcodekit", with: "opcodekit")
  }
}

/// The terminal that standard output is connected to, if any.
package enum Terminal {
  /// How many columns it has; nil where standard output is no terminal.
  package static var columns: Int? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Whether it can show bold text.
  package static var isBold: Bool {
    isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }
}

/// A line on standard error that counts finished jobs; nothing when it is no terminal.
package final class ProgressLine: Sendable {
  private let title: String
  private let rows: RowProgress?
  private let finished = Mutex(0)

  /// `rows` is given if all these jobs together make one of its rows.
  package init(_ title: String, among rows: RowProgress? = nil) {
    self.title = title
    self.rows = rows
  }

  package static let isShown = isatty(STDERR_FILENO) == 1

  package func count(_ stage: JobProgress) {
    guard case .finished = stage else { return }
    finished.withLock { finished in
      finished += 1
      let text = "\(title): \(finished) done"
      if let rows { rows.show(text) } else { Self.show(text) }
    }
  }

  package static func show(_ text: String) {
    guard isShown else { return }
    writeError("\r\u{1B}[K\(text)")
  }

  package static func clear() { show("") }
}

/// An output file of a command. It reports what it writes, and fails before the work if its place cannot be written.
package struct FileExport {
  private let file: OutputFile
  /// How much of its work the run has done. Unless that is all, a file that is there is left as it is, and the values
  /// are written beside it.
  package var extent = RunExtent.whole

  /// The file that an option asks for; nil if the option is not given. Fails if the command line names the same file
  /// elsewhere, so that no input is overwritten.
  package init?(_ arguments: Arguments, _ option: Option<String?>) throws(Failure) {
    guard let path = arguments[option] else { return nil }
    let others = arguments.given.filter { $0.key != option.name }.map(\.value)
    file = try OutputFile(path, inputs: arguments.operands + others)
  }

  package init(_ path: String) throws(Failure) { file = try OutputFile(path) }

  package func write(_ value: some Encodable) throws(Failure) {
    guard let partial = extent.partial else { return try write(ResultsText.of(value)) }
    try write(ResultsText.of(PartialExport(value: value, partial: partial)))
  }

  /// Writes the value as JSON; if `isNew`, fails where there is a file already.
  package func write(isNew: Bool, _ value: some Encodable) throws(Failure) {
    try write(ResultsText.of(value), mustBeNew: isNew)
  }

  /// Writes the text, and reports that on standard error if `isTold`.
  package func write(
    _ text: String, mustBeNew: Bool = false, isTold: Bool = true
  ) throws(Failure) {
    let place = extent == .whole ? file : try file.sparingExisting
    try place.write(Data(OrchestraAndScore.told(text).utf8), mustBeNew: mustBeNew)
    guard isTold else { return }
    let left =
      place.path == file.path
      ? "" : " '\(file.path)' was left as it was, because these results are not complete."
    printError("Wrote \(place.path).\(left)")
  }
}

extension Double {
  /// The number with a fixed count of decimals; what is rounded to zero has no sign.
  package func formatted(_ decimals: Int) -> String {
    let text = String(format: "%.\(decimals)f", self)
    return text.hasPrefix("-") && Double(text) == 0 ? String(text.dropFirst()) : text
  }

  /// A level in dB with one decimal; "identical" for -inf, "none" for NaN and +inf.
  package var decibels: String {
    if self == -.infinity { return "identical" }
    return isFinite ? formatted(1) : "none"
  }

  /// The number, or nil if it is not finite, because JSON has no such numbers.
  package var finite: Double? { isFinite ? self : nil }
}

extension OrchestraAndScore {
  /// A text with the orchestra files' names in place of those of the CSDs made of them.
  package static func told(_ text: String) -> String {
    sources.reduce(text) { text, source in
      text.replacing(source.csd, with: source.orchestra)
        .replacing(Project.short(source.csd), with: source.orchestra)
    }
  }
}
