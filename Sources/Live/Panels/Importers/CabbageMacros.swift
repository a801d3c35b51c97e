/// The macros of a `<Cabbage>` section: `#define NAME #text#`, used as `$NAME` or `$NAME.`.
enum CabbageMacros {
  /// The text with its macros expanded and their definitions removed.
  static func expand(_ text: String) -> String {
    var (macros, rest) = ([String: String](), "")
    var scanner = TextScanner(text)
    while let character = scanner.next {
      if character == "#" {
        guard let (name, body) = definition(&scanner) else {
          rest.append(character)
          scanner.skip()
          continue
        }
        macros[name] = body
      } else if character == "$" {
        scanner.skip()
        let name = scanner.take { $0.isLetter || $0.isNumber || $0 == "_" }
        guard let body = macros[name] else {
          rest += "$" + name
          continue
        }
        if scanner.next == "." { scanner.skip() }
        rest += body
      } else {
        rest.append(character)
        scanner.skip()
      }
    }
    return rest
  }

  /// Takes a definition; nil if none begins here. Without `#` around it, the text goes to the line's end.
  private static func definition(_ scanner: inout TextScanner) -> (name: String, body: String)? {
    let start = scanner.position
    scanner.skip()
    guard scanner.take(while: \.isLetter).lowercased() == "define" else {
      scanner.position = start
      return nil
    }
    scanner.skipWhile { $0 == " " || $0 == "\t" }
    let name = scanner.take { $0.isLetter || $0.isNumber || $0 == "_" }
    scanner.skipWhile { $0 == " " || $0 == "\t" }
    guard scanner.next == "#" else { return (name, scanner.take { !$0.isNewline }) }
    scanner.skip()
    let body = scanner.take { $0 != "#" }
    scanner.skip()
    return (name, body)
  }
}
