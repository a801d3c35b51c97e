import Foundation
import HarnessBase

/// Reads the section `<Cabbage>` as Cabbage 3 writes it, in JSON, into the widgets of Cabbage 2.
enum CabbageJson {
  /// Whether a section is JSON.
  static func isWritten(in section: String) -> Bool {
    section.first { !$0.isWhitespace }.map { $0 == "{" || $0 == "[" } ?? false
  }

  static func widgets(of section: String) throws(Failure) -> [CabbageWidget] {
    let read = try? JSONSerialization.jsonObject(
      with: Data(section.utf8))
    let list = (read as? [String: Any])?["widgets"] ?? read
    guard let list = list as? [[String: Any]] else {
      throw .badInput(
        "The section <Cabbage> is no JSON with a list of widgets, as Cabbage 3 reads it; Cabbage 3 shows where it is"
          + " wrong.")
    }
    return list.map(widget)
  }

  private static func widget(_ written: [String: Any]) -> CabbageWidget {
    var widget = CabbageWidget(type: type(written["type"] as? String ?? ""))
    for (name, value) in written {
      widget.identifiers[name.lowercased()] = values(value)
    }
    widget.identifiers["bounds"] = numbers(written["bounds"], "left", "top", "width", "height")
    widget.identifiers["size"] = numbers(written["size"], "width", "height")
    let text = (written["label"] as? [String: Any])?["text"] ?? written["text"]
    let both = text as? [String: Any]
    widget.identifiers["text"] = both.map { values($0["off"]) + values($0["on"]) } ?? values(text)
    // Cabbage 3 counts a menu's choices from 0 unless it is told otherwise.
    widget.identifiers["first"] = [.number(written["indexOffset"] as? Bool == true ? 1 : 0)]
    if let channels = written["channels"] as? [[String: Any]] { read(channels, into: &widget) }
    widget.children = (written["children"] as? [[String: Any]] ?? []).map(Self.widget)
    return widget
  }

  /// `rotarySlider` is Cabbage 2's `rslider`, `horizontalRangeSlider` its `hrange`.
  private static func type(_ name: String) -> String {
    var name = name.lowercased()
    for (long, short) in [
      ("rangeslider", "range"), ("rotary", "r"), ("horizontal", "h"), ("vertical", "v"),
      ("numberslider", "nslider"),
    ] { name = name.replacing(long, with: short) }
    return name
  }

  private static func read(_ channels: [[String: Any]], into widget: inout CabbageWidget) {
    widget.identifiers["channel"] = channels.flatMap { values($0["id"]) }
    let ranges = channels.compactMap { $0["range"] as? [String: Any] }
    guard let first = ranges.first else { return }
    if let value = first["defaultValue"] { widget.identifiers["value"] = values(value) }
    widget.identifiers["range"] = range(first)
    guard ranges.count == 2 else { return }
    (widget.identifiers["rangex"], widget.identifiers["rangey"]) = (range(first), range(ranges[1]))
    guard widget.type.hasSuffix("range") else { return }
    let ends = ranges.map { values($0["defaultValue"]).first?.written ?? "" }
    widget.identifiers["range"]?[2] = .text(ends.joined(separator: ":"))
  }

  private static func range(_ written: [String: Any]) -> [ChannelValue] {
    let usual = [("min", 0.0), ("max", 1), ("defaultValue", 0), ("skew", 1), ("increment", 0)]
    return usual.map { .number(values(written[$0.0]).first?.number ?? $0.1) }
  }

  private static func numbers(_ written: Any?, _ names: String...) -> [ChannelValue]? {
    guard let written = written as? [String: Any] else { return nil }
    return names.flatMap { values(written[$0]) }
  }

  /// A number, a truth value, a text, or a list of them; empty for anything else.
  private static func values(_ written: Any?) -> [ChannelValue] {
    switch written {
    case let number as NSNumber: [.number(number.doubleValue)]
    case let text as String: [.text(text)]
    case let list as [Any]: list.flatMap(values)
    default: []
    }
  }
}
