import HarnessBase

/// What a command says of its work, when others may have done parts of it.
///
/// Its own properties are what is true of all parts alike.
package protocol SharedReport: Codable, Sendable {
  /// What one unit of the work gave.
  associatedtype Finding: Codable & Sendable

  static var command: String { get }
  /// What the units are called, such as `pieces`.
  static var things: String { get }
  /// The files it can write.
  static var exports: [Option<String?>] { get }
  /// Whether rows are numbered.
  static var numbersRows: Bool { get }

  /// What stands before the rows; `part` is empty, or which part of the work it is: ", part 1 of 2".
  func heading(part: String, units: Int) -> String?
  /// What is printed as soon as a unit is done.
  func row(_ finding: Finding) -> String?
  /// One finding of those that several parts have of one unit.
  func joined(_ findings: [Finding]) -> Finding
  /// Prints what follows the rows and writes the files, of findings in the order of the units.
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
  /// How much of the work they are about, where that is not all.
  package let partial: PartialRun?

  /// Fails where one of them cannot be written.
  package init(
    _ arguments: Arguments, _ options: [Option<String?>], partial: PartialRun? = nil
  ) throws(Failure) {
    self.partial = partial
    for option in options {
      files[option.name] = try FileExport(arguments, option)
      files[option.name]?.partial = partial
    }
  }

  package subscript(option: Option<String?>) -> FileExport? { files[option.name] }
}
