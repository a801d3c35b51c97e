/// A table in Markdown, as CI pages show it.
package struct MarkdownTable {
  private var lines: [String]

  package init(_ headings: [String], _ rows: [[String]] = []) {
    lines = [headings, headings.map { _ in "---" }].map(Self.line) + rows.map(Self.line)
  }

  /// Adds a row.
  package mutating func add(_ cells: [String]) { lines.append(Self.line(cells)) }

  /// The table as text that ends with a newline.
  package var text: String { lines.joined(separator: "\n") + "\n" }

  /// A row with a bar between cells. Inside a cell, a bar is escaped and a newline becomes a space,
  /// as either would end the cell.
  private static func line(_ cells: [String]) -> String {
    let safe = cells.map {
      $0.replacing("\\", with: "\\\\").replacing("|", with: "\\|").replacing("\n", with: " ")
    }
    return "| " + safe.joined(separator: " | ") + " |"
  }
}
