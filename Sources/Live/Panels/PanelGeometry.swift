/// Width and height in the source's pixels.
public struct PanelSize: Codable, Sendable, Equatable {
  public var width, height: Double

  public init(_ width: Double, _ height: Double) { (self.width, self.height) = (width, height) }
}

/// A rectangle in the source's pixels, from the upper left corner of its window, or of the panel if it is in no group
/// of kind `window`. Boxes, tabs and pages have no origin of their own: importers add up nested positions.
public struct PanelBounds: Codable, Sendable, Equatable {
  public var x, y, width, height: Double

  public init(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  /// The same bounds; nil if one of the numbers is infinite or NaN.
  public var finite: PanelBounds? {
    let parts = [x, y, width, height].compactMap(\.inJSON)
    return parts.count == 4 ? PanelBounds(parts[0], parts[1], parts[2], parts[3]) : nil
  }
}

/// A colour: red, green and blue from 0 to 255, alpha from 0 to 1. In JSON `"#rrggbb"` or `"#rrggbbaa"`.
public struct PanelColor: Sendable, Equatable {
  public var red, green, blue: UInt8
  public var alpha: Double

  public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8, alpha: Double = 1) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, min(1, max(0, alpha)))
  }

  /// Reads `#rrggbb` or `#rrggbbaa`; nil for anything else.
  public init?(_ text: String) {
    let digits = text.dropFirst()
    guard text.hasPrefix("#"), digits.count == 6 || digits.count == 8,
      digits.allSatisfy(\.isHexDigit), let number = UInt32(digits, radix: 16)
    else { return nil }
    let parts = digits.count == 6 ? number << 8 | 255 : number
    self.init(
      UInt8(parts >> 24), UInt8(parts >> 16 & 255), UInt8(parts >> 8 & 255),
      alpha: Double(parts & 255) / 255)
  }

  public var text: String {
    let parts = [red, green, blue] + (alpha < 1 ? [UInt8((alpha * 255).rounded())] : [])
    return "#" + parts.map { String(0x100 + Int($0), radix: 16).dropFirst() }.joined()
  }
}

extension PanelColor: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let color = PanelColor(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(text)' is no colour; write #rrggbb or #rrggbbaa.")
    }
    self = color
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
