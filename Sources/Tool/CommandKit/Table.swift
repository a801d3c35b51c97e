/// Rows of words in aligned columns.
package struct Table {
  package var rows: [[String]]
  /// The alignment of each column; columns without one are left-aligned.
  package var alignment: [Columns.Alignment]

  package init(rows: [[String]], alignment: [Columns.Alignment] = []) {
    (self.rows, self.alignment) = (rows, alignment)
  }

  package var text: String {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    let columns = Columns(widths: widths, alignment: alignment)
    return rows.map(columns.line).joined(separator: "\n")
  }
}

/// Columns whose widths are fixed before all rows are known; a longer word shifts the rest of its
/// row.
package struct Columns {
  package enum Alignment { case left, right }

  package var widths: [Int]
  package var alignment: [Alignment]

  package init(widths: [Int], alignment: [Alignment] = []) {
    (self.widths, self.alignment) = (widths, alignment)
  }

  package func line(_ words: [String]) -> String {
    var line = ""
    for (column, word) in words.enumerated() {
      let padding = String(repeating: " ", count: max(0, widths[column] - word.count))
      let isRight = column < alignment.count && alignment[column] == .right
      line += (column == 0 ? "" : "  ") + (isRight ? padding + word : word + padding)
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}
