/// Evaluates sums and products of numbers, such as `10+2*75`, which some pieces write in widgets' bounds.
enum Arithmetic {
  /// The length in bytes of the longest text that is read. A limit, as each byte may be a bracket, which takes stack.
  private static let longest = 200

  /// The value; nil if the text is not such an expression.
  static func value(of text: String) -> Double? {
    guard text.utf8.count <= longest else { return nil }
    var scanner = TextScanner(text.filter { !$0.isWhitespace })
    guard let value = sum(&scanner), scanner.next == nil else { return nil }
    return value.inJSON
  }

  private static let operations: [Character: @Sendable (Double, Double) -> Double] = [
    "+": (+), "-": (-), "*": (*), "/": (/),
  ]

  private static func sum(_ scanner: inout TextScanner) -> Double? {
    terms(&scanner, "+-") { terms(&$0, "*/", factor) }
  }

  private static func terms(
    _ scanner: inout TextScanner, _ signs: String, _ term: (inout TextScanner) -> Double?
  ) -> Double? {
    guard var value = term(&scanner) else { return nil }
    while let sign = scanner.next, signs.contains(sign) {
      scanner.skip()
      guard let next = term(&scanner) else { return nil }
      value = operations[sign]!(value, next)
    }
    return value
  }

  private static func factor(_ scanner: inout TextScanner) -> Double? {
    switch scanner.next {
    case "-", "+":
      let isNegative = scanner.next == "-"
      scanner.skip()
      return factor(&scanner).map { isNegative ? -$0 : $0 }
    case "(":
      scanner.skip()
      guard let value = sum(&scanner), scanner.next == ")" else { return nil }
      scanner.skip()
      return value
    default: return number(&scanner)
    }
  }

  private static func number(_ scanner: inout TextScanner) -> Double? {
    var digits = scanner.take { $0.isNumber || $0 == "." }
    if let letter = scanner.next, letter == "e" || letter == "E" {
      scanner.skip()
      let sign = scanner.next == "-" || scanner.next == "+" ? String(scanner.next!) : ""
      if !sign.isEmpty { scanner.skip() }
      digits += "e" + sign + scanner.take(while: \.isNumber)
    }
    return Double(digits.hasSuffix(".") ? String(digits.dropLast()) : digits)
  }
}
