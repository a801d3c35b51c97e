/// A part of a page that a command writes, between two comments that name it:
///
///     <!-- speed, by ./opcodekit dev docs --update -->
///     …
///     <!-- end of speed -->
public enum GeneratedPart {
  private static let author = ", by ./opcodekit dev docs --update -->"

  /// The names of the generated parts of a text, in order.
  public static func names(in text: String) -> [String] {
    text.split(separator: "\n").compactMap(name)
  }

  private static func name(_ line: Substring) -> String? {
    guard line.hasPrefix("<!-- "), line.hasSuffix(author) else { return nil }
    return String(line.dropFirst(5).dropLast(author.count))
  }

  /// The text with its generated parts replaced; nil if a part has no end. `content` takes a part's
  /// name and returns its lines, which end with a newline.
  public static func updating<Problem: Error>(
    _ text: String, _ content: (String) throws(Problem) -> String
  ) throws(Problem) -> String? {
    var lines: [Substring] = []
    var end: Substring?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let open = end {
        guard line == open else { continue }
        end = nil
      } else if let name = name(line) {
        end = "<!-- end of \(name) -->"
        lines += [line, Substring(try content(name))]
        continue
      }
      lines.append(line)
    }
    return end == nil ? lines.joined(separator: "\n") : nil
  }
}
