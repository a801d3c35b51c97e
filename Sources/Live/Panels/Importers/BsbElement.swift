import Foundation
import FoundationXML

/// An XML element: its name, attributes, text and children.
final class BsbElement {
  let name: String
  let attributes: [String: String]
  var children: [BsbElement] = []
  var content = ""

  init(_ name: String, _ attributes: [String: String] = [:]) {
    (self.name, self.attributes) = (name, attributes)
  }

  /// The elements of a section, and the line of its first XML error; nil without errors.
  static func elements(of section: Substring) -> (root: BsbElement, errorLine: Int?) {
    let (parser, reader) = (XMLParser(data: Data(printable(section).utf8)), BsbReader())
    parser.delegate = reader
    _ = parser.parse()
    return (reader.root, reader.errorLine)
  }

  /// The text without the control characters that XML does not allow.
  static func printable(_ text: Substring) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter { $0.value >= 32 || $0 == "\n" || $0 == "\t" || $0 == "\r" }))
  }

  func child(_ name: String) -> BsbElement? { children.first { $0.name == name } }
  func text(_ name: String) -> String? { child(name)?.content }
  func number(_ name: String) -> Double? {
    text(name).flatMap { Double(finite: $0.trimmingCharacters(in: .whitespaces)) }
  }
  func isTrue(_ name: String) -> Bool { text(name) == "true" }

  func color(_ name: String) -> PanelColor? {
    guard let element = child(name), element.attributes["mode"] != "nobackground" else {
      return nil
    }
    let parts = ["r", "g", "b"].compactMap { element.number($0) }.map { UInt8(whole: $0) }
    return parts.count == 3 ? PanelColor(parts[0], parts[1], parts[2]) : nil
  }
}

/// Makes elements of what the parser finds.
private final class BsbReader: NSObject, XMLParserDelegate {
  private(set) var root = BsbElement("")
  private(set) var errorLine: Int?
  private var open: [BsbElement] = []

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    let element = BsbElement(name, attributes)
    if open.isEmpty { root = element }
    open.append(element)
  }

  func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
    errorLine = errorLine ?? parser.lineNumber
    // What follows the error cannot be assigned to an element.
    parser.abortParsing()
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) { open.last?.content += text }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    // An element joins its parent at its end tag; without one it is left out.
    if let element = open.popLast() { open.last?.children.append(element) }
  }
}
