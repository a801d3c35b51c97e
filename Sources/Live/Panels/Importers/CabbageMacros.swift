/// The macros of a `<Cabbage>` section: `#define NAME #text#`, used as `$NAME` or `$NAME.`.
enum CabbageMacros {
  /// The text with its macros expanded and their definitions removed. Without `#` around it, the text of a macro goes to
  /// the line's end.
  static func expand(_ text: String) -> String {
    guard text.contains("#") else { return text }
    let definition = /#(?i:define)(?!\p{L})[ \t]*(\w*)[ \t]*(?:#([^#]*)(?:#|\z)|(.*))/
    let use = /\$(\w+)(\.?)/
    var (macros, rest, expanded) = ([Substring: Substring](), text[...], "")
    while let sign = rest.firstIndex(where: { $0 == "#" || $0 == "$" }) {
      expanded += rest[..<sign]
      rest = rest[sign...]
      if let match = rest.prefixMatch(of: definition) {
        macros[match.1] = match.2 ?? match.3 ?? ""
        rest = rest[match.range.upperBound...]
      } else if let match = rest.prefixMatch(of: use), let body = macros[match.1] {
        expanded += body
        rest = rest[match.range.upperBound...]
      } else {
        expanded.append(rest.removeFirst())
      }
    }
    return expanded + rest
  }
}
