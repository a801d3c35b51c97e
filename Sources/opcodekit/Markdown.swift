/// A table in Markdown, as GitHub and GitLab show it.
struct MarkdownTable {
  private var rows: [[String]]

  init(_ headings: [String]) {
    rows = [headings, Array(repeating: "---", count: headings.count)]
  }

  mutating func add(_ cells: [String]) { rows.append(cells.map(Self.escaped)) }

  /// The table, a line for each row, with a line break at its end.
  var text: String {
    rows.map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
  }

  /// A cell's text that neither ends the cell nor the line.
  private static func escaped(_ cell: String) -> String {
    cell.replacing("|", with: "\\|").replacing("\n", with: " ")
  }
}
