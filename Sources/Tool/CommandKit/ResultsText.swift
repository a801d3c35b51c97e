import Foundation
import HarnessBase

/// Results as JSON text. Each member of the whole has a line, and so has each row of an array of rows, so that a
/// recorded run is as short as its table, and a comparison of two versions names rows.
package enum ResultsText {
  /// The text of a value, with a line feed at its end. Members of objects are in alphabetical order. JSON has no NaN and
  /// infinity: should a result have one, it is a text, so that no run is lost for it.
  package static func of(_ value: some Encodable) throws(Failure) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    do {
      return String(decoding: laidOut(try encoder.encode(value)), as: UTF8.self)
    } catch {
      throw .internalFault("The results cannot be written as JSON: \(error).")
    }
  }

  /// Puts line feeds and spaces into JSON text that has none.
  private static func laidOut(_ compact: Data) -> [UInt8] {
    var text: [UInt8] = []
    // For each array or object that is open, whether its elements have lines of their own.
    var open: [Bool] = []
    var isQuoted = false
    var isEscaped = false
    func breakLine() {
      text += "\n".utf8
      text += repeatElement(UInt8(ascii: " "), count: 2 * open.count)
    }
    for (place, byte) in compact.enumerated() {
      if isQuoted {
        text.append(byte)
        isQuoted = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        let next = compact[compact.startIndex + place + 1]
        let isRows = next == UInt8(ascii: "{") || next == UInt8(ascii: "[")
        let isEmpty = next == byte + 2
        open.append(!isEmpty && (open.isEmpty || (open == [true] && isRows)))
        text.append(byte)
        if open.last == true { breakLine() }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if open.removeLast() { breakLine() }
        text.append(byte)
      case UInt8(ascii: ","):
        text.append(byte)
        if open.last == true { breakLine() } else { text += " ".utf8 }
      case UInt8(ascii: ":"):
        text += ": ".utf8
      default:
        isQuoted = byte == UInt8(ascii: "\"")
        text.append(byte)
      }
    }
    return text + "\n".utf8
  }
}
