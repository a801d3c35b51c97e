/// What a piece can ask of its widgets: the properties that the section `<Cabbage>` writes, by a widget's channel.
public struct CabbageProperties: Sendable {
  private var widgets: [CabbageWidget] = []

  /// Has no widgets if the CSD has no section, or one that cannot be read.
  public init(of csd: String = "") {
    func add(_ more: [CabbageWidget]) {
      for widget in more {
        widgets.append(widget)
        add(widget.children)
      }
    }
    add((try? CabbageImporter.widgets(of: csd)) ?? [])
  }

  /// The channels of all widgets whose identifiers begin with the same values, as in `visible(1), type("knob")`.
  public func channels(with identifiers: String = "") -> [String] {
    let wanted = CabbageText.widgets(of: "wanted " + identifiers).first?.identifiers ?? [:]
    return widgets.filter { widget in
      wanted.allSatisfy { name, values in
        widget.identifiers[name]?.first == values.first
          || widget.identifiers[name] == nil
            && widget.usual(name).map(ChannelValue.number) == values.first
      }
    }.flatMap { $0.texts("channel") }
  }

  /// The numbers of a property; one or more, 0 where nothing is written and Cabbage has no default.
  public func numbers(_ property: String, of channel: String) -> [Double] {
    let widget = widget(of: channel)
    let name = property.lowercased()
    if let (list, index) = Self.parts[name] { return [numbers(list, of: channel)[index]] }
    switch name {
    case "bounds":
      let bounds = widget.bounds
      return [bounds?.x ?? 0, bounds?.y ?? 0, bounds?.width ?? 0, bounds?.height ?? 0]
    case "range": return widget.wholeRange
    case _ where name.hasSuffix("colour"):
      let color = widget.color(Self.colors[name] ?? name)
      guard let color else { return [0, 0, 0, 0] }
      return [color.red, color.green, color.blue].map(Double.init) + [(color.alpha * 255).rounded()]
    default:
      let written = widget.numbers(name)
      return written.isEmpty ? [widget.usual(name) ?? 0] : written
    }
  }

  /// The texts of a property; one or more, an empty one where nothing is written.
  public func texts(_ property: String, of channel: String) -> [String] {
    let (widget, name) = (widget(of: channel), property.lowercased())
    let written = widget.texts(name)
    let items = name == "items" ? widget.texts("text") : name == "text" ? widget.texts("items") : []
    return [written, items].first { !$0.isEmpty } ?? [""]
  }

  private func widget(of channel: String) -> CabbageWidget {
    widgets.first { $0.texts("channel").contains(channel) } ?? CabbageWidget(type: "")
  }

  /// Properties that are one of a list's numbers.
  private static let parts: [String: (list: String, index: Int)] = [
    "left": ("bounds", 0), "top": ("bounds", 1), "width": ("bounds", 2), "height": ("bounds", 3),
    "min": ("range", 0), "max": ("range", 1), "sliderskew": ("range", 3), "increment": ("range", 4),
  ]

  /// The identifiers that write a colour of another name.
  private static let colors = ["oncolour": "colour:1", "onfontcolour": "fontcolour:1"]
}

extension CabbageWidget {
  /// Minimum, maximum, value, skew and increment; what is not written is as in Cabbage's sliders.
  fileprivate var wholeRange: [Double] {
    var range = [0, 1, 0, 1, 0.001]
    let written = (identifiers["range"] ?? []).map(\.number)
    for (index, number) in written.prefix(range.count).enumerated() {
      range[index] = number ?? range[index]
    }
    for (index, name) in ["min", "max", "value"].enumerated() {
      range[index] = numbers(name).first ?? range[index]
    }
    return range
  }

  /// Cabbage's default; nil if it has none or differs from widget to widget.
  fileprivate func usual(_ name: String) -> Double? {
    switch name {
    case "value": wholeRange[2]
    case "visible", "active", "alpha": 1
    case "automatable": Self.withoutValue.contains(type) ? 0 : 1
    default: nil
    }
  }

  private static let withoutValue: Set = [
    "", "csoundoutput", "fftdisplay", "filebutton", "form", "gentable", "groupbox", "image",
    "infobutton",
    "keyboard", "label", "line", "signaldisplay", "soundfiler", "texteditor",
  ]
}
