/// Rows of words in aligned columns.
struct Table {
  enum Alignment { case left, right }

  var rows: [[String]]
  /// Alignment by column; columns beyond are left-aligned.
  var alignment: [Alignment] = []

  var text: String {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      var line = ""
      for (column, word) in row.enumerated() {
        let padding = String(repeating: " ", count: widths[column] - word.count)
        let isRight = column < alignment.count && alignment[column] == .right
        line += (column == 0 ? "" : "  ") + (isRight ? padding + word : word + padding)
      }
      while line.last == " " { line.removeLast() }
      return line
    }.joined(separator: "\n")
  }
}
