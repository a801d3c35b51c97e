import HarnessBase

/// A widget as a `<Cabbage>` section writes it: `rslider bounds(10, 10, 70, 70), channel("mix")`.
struct CabbageWidget: Equatable, Sendable {
  /// In lower case.
  let type: String
  /// The values of each identifier, by its name in lower case. If one is written twice, the last counts.
  var identifiers: [String: [ChannelValue]] = [:]
  /// The widgets between its braces.
  var children: [CabbageWidget] = []

  /// The numbers of an identifier; empty if it is not written.
  func numbers(_ name: String) -> [Double] { (identifiers[name] ?? []).compactMap(\.number) }
  /// The texts of an identifier; empty if it is not written.
  func texts(_ name: String) -> [String] { (identifiers[name] ?? []).map(\.written) }

  /// `bounds`, or `pos` and `size`, as written; nil if they are not.
  var bounds: PanelBounds? {
    var parts = numbers("bounds")
    if parts.count < 4 { parts = numbers("pos") + numbers("size") }
    return parts.count < 4 ? nil : PanelBounds(parts[0], parts[1], parts[2], parts[3])
  }

  /// The colour that an identifier writes as a name or as numbers; nil if it is not written.
  func color(_ name: String) -> PanelColor? {
    guard let written = identifiers[name] ?? identifiers[name + ":0"] else { return nil }
    let parts = written.compactMap(\.number).map { UInt8(whole: $0) }
    if parts.count >= 3 {
      return PanelColor(
        parts[0], parts[1], parts[2], alpha: parts.count > 3 ? Double(parts[3]) / 255 : 1)
    }
    return written.first.flatMap { ColorNames.color($0.written) }
  }
}

/// Reads a `<Cabbage>` section into its widgets, in order.
///
/// Comments begin with `;` or `//`, or lie between `/*` and `*/`. `\` at a line's end continues the line. `#define
/// NAME #text#` and `$NAME` are macros. Braces after a widget hold its children. Commas between identifiers can be
/// left out. Numbers can be sums and products.
struct CabbageText {
  private var scanner: TextScanner
  private var open: [CabbageWidget] = []
  /// How many braces are open beyond the depth `deepest`; they are ignored.
  private var ignoredBraces = 0
  private static let deepest = 64
  private var current: CabbageWidget?
  private var widgets: [CabbageWidget] = []

  static func widgets(of section: String) -> [CabbageWidget] {
    var text = CabbageText(scanner: TextScanner(CabbageMacros.expand(uncommented(section))))
    return text.read()
  }

  private mutating func read() -> [CabbageWidget] {
    while let character = scanner.next {
      if character.isLetter || character == "_" {
        readWord()
      } else if character == "{" {
        openBrace()
        scanner.skip()
      } else if character == "}" {
        if ignoredBraces > 0 { ignoredBraces -= 1 } else { close() }
        scanner.skip()
      } else if character == "\"" {
        _ = scanner.takeQuoted()
      } else {
        scanner.skip()
      }
    }
    finishWidget()
    while !open.isEmpty { close() }
    return widgets
  }

  /// Reads a word: an identifier if a parenthesis follows, otherwise, at the beginning of a line, a widget's type.
  private mutating func readWord() {
    let beginsLine = scanner.beginsLine
    let word = scanner.take { $0.isLetter || $0.isNumber || $0 == "_" || $0 == ":" }.lowercased()
    let place = scanner.position
    scanner.skipWhile { $0 == " " || $0 == "\t" }
    if scanner.next == "(" {
      let values = scanner.takeParenthesized().map(ChannelValue.init(written:))
      current?.identifiers[word] = values
    } else {
      scanner.position = place
      guard beginsLine else { return }
      finishWidget()
      current = CabbageWidget(type: word)
    }
  }

  private mutating func openBrace() {
    guard open.count < Self.deepest else {
      ignoredBraces += 1
      return
    }
    open.append(current ?? CabbageWidget(type: ""))
    current = nil
  }

  private mutating func finishWidget() {
    guard let widget = current else { return }
    current = nil
    if open.isEmpty { widgets.append(widget) } else { open[open.count - 1].children.append(widget) }
  }

  private mutating func close() {
    finishWidget()
    current = open.popLast()
    finishWidget()
  }

  /// The section without comments and with continued lines joined.
  private static func uncommented(_ section: String) -> String {
    let lines = OrchestraTokens.code(of: section)
      .split(omittingEmptySubsequences: false) { $0.isNewline }
    return lines.reduce(into: "") { result, line in
      result += line
      while result.last == " " || result.last == "\t" { result.removeLast() }
      if result.last == "\\" {
        result.removeLast()
        result.append(" ")
      } else {
        result.append("\n")
      }
    }
  }
}

extension ChannelValue {
  /// The text, or the number as a text.
  var written: String {
    switch self {
    case .text(let text): text
    case .number(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
    }
  }

  /// Reads one of the values between an identifier's parentheses: a quoted text, a number or sum of numbers, or a word.
  init(written: String) {
    if written.hasPrefix("\"") {
      let inner = written.dropFirst()
      self = .text(String(inner.hasSuffix("\"") ? inner.dropLast() : inner))
    } else if let number = Arithmetic.value(of: written) {
      self = .number(number)
    } else {
      self = .text(written)
    }
  }
}
