import HarnessBase

/// A command's report on its work, parts of which other machines may have done.
///
/// Its stored properties are those that are the same in all parts.
package protocol SharedReport: Codable, Sendable {
  /// The result of one unit of the work.
  associatedtype Finding: Codable & Sendable

  static var command: String { get }
  /// What the units are called, such as `pieces`.
  static var things: String { get }
  /// The files it can write.
  static var exports: [Option<String?>] { get }
  /// Whether rows are numbered.
  static var numbersRows: Bool { get }

  /// The line above the rows. `part` says which part of the work this is, such as ", part 1 of 2"; empty for the whole.
  func heading(part: String, units: Int) -> String?
  /// The row that is printed when a unit is done; nil for none.
  func row(_ finding: Finding) -> String?
  /// Joins the findings that several parts have made about one unit.
  func joined(_ findings: [Finding]) -> Finding
  /// Prints what follows the rows and writes the files. The findings are in the order of the units.
  func conclude(_ findings: [Finding], units: Int, _ exports: Exports) throws(Failure) -> ExitCode
}

extension SharedReport {
  package static var exports: [Option<String?>] { [.json] }
  package static var numbersRows: Bool { true }
  package func heading(part: String, units: Int) -> String? { nil }
  package func joined(_ findings: [Finding]) -> Finding { findings[0] }
}

/// The files that a report is to be written to.
package struct Exports {
  private var files: [String: FileExport] = [:]
  /// How much of its work the run has done.
  package var extent: RunExtent
  /// How far the run came if it was stopped; nil if it came to its end.
  package var partial: PartialRun? { extent.partial }

  /// Fails if one of the files cannot be written.
  package init(
    _ arguments: Arguments, _ options: [Option<String?>], partial: PartialRun? = nil
  ) throws(Failure) {
    extent = RunExtent(partial)
    for option in options {
      files[option.name] = try FileExport(arguments, option)
    }
  }

  package subscript(option: Option<String?>) -> FileExport? {
    var file = files[option.name]
    file?.extent = extent
    return file
  }
}
