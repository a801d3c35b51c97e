import Foundation

/// How the controls look in Open Stage Control, and how texts are written so that it shows them as they are.
extension StageSession {
  /// Black or white, whichever is easier to read on a colour.
  static func ink(on color: PanelColor) -> String {
    let light = 0.299 * Double(color.red) + 0.587 * Double(color.green) + 0.114 * Double(color.blue)
    return light < 128 ? "#ffffff" : "#000000"
  }

  /// The colours of a control on a ground.
  static func colors(of widget: PanelWidget, on ground: PanelColor?) -> [String: Any] {
    var colors: [String: Any] = [:]
    switch widget.kind {
    case .text, .label:
      // The fill of a text is what lies behind it.
      colors["alphaFillOff"] = 0
      if let color = widget.background {
        (colors["colorFill"], colors["alphaFillOff"]) = (color.text, 1)
      }
      if let color = widget.color {
        colors["colorText"] = color.text
      } else if let ground = widget.background ?? ground {
        colors["colorText"] = ink(on: ground)
      }
      if widget.kind == .text, let size = widget.fontSize {
        colors["css"] = "font-size: \(size)rem;"
      }
    case .panel:
      if let color = widget.background { colors["colorBg"] = color.text }
    default:
      if let color = widget.color { colors["colorWidget"] = color.text }
      if let ground { colors["colorText"] = ink(on: ground) }
    }
    return colors
  }

  /// Makes room for the control below its label, or beside it; leaves the label out if there is none.
  static func fitLabel(of part: inout [String: Any], in bounds: PanelBounds) {
    guard let label = part["html"] as? String, let type = part["type"] as? String else {
      return
    }
    var isTall = ["knob", "xy"].contains(type)
    if part["horizontal"] as? Bool == false { isTall = true }
    if label.isEmpty {
      part["html"] = nil
    } else if bounds.height >= (isTall ? 50 : 40) {
      part["css"] = ".html {line-height: 18rem;}"
    } else if !isTall, bounds.width >= 80 {
      part["css"] =
        "& {flex-direction: row;}\n.html {line-height: \(bounds.height)rem; padding: 0 6rem;}"
    } else {
      part["html"] = nil
    }
  }

  /// A value as it comes back: OSC has floats of 32 bits, and a button or a list shows only a value equal to its own.
  static func sent(_ value: Double) -> Double {
    Float(value).isFinite ? Double(Float(value)) : value
  }

  /// A text as HTML.
  package static func escaped(_ text: String) -> String {
    literal(
      text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;"))
  }

  /// A text that is shown as it is. Open Stage Control computes `@{…}` and its like, draws an icon for `^name`, and
  /// reads numbers, `true`, `auto` and other JSON as such: a blank without width keeps it from that. With
  /// `isTyped` the text is sent, too, so only what would be computed is changed.
  package static func literal(_ text: String, isTyped: Bool = false) -> String {
    let computed = text.replacing(/(@|#|JS|VAR|OSC|IMPORT)\{/) { $0.1 + "\u{FEFF}{" }
    guard !isTyped else { return computed }
    let plain = computed.replacing("^", with: "^\u{FEFF}")
    let json = try? JSONSerialization.jsonObject(
      with: Data(plain.utf8), options: .fragmentsAllowed)
    return json != nil || plain == "auto" ? plain + "\u{FEFF}" : plain
  }
}
