import Panels

/// The values of a panel's channels, and which client made the last change of each.
///
/// Changes are numbered. A client that knows everything up to a number is sent only the latest value of each channel
/// that has changed since, so it never gets far behind and needs no queue.
package struct PanelState {
  package struct Channel {
    package let name: String
    package let isText: Bool
    /// The range in which clients may set the channel; nil: they may not set it.
    package let bounds: ClosedRange<Double>?
    package var value: ChannelValue?
    /// The number of its last change.
    package var change = 0
    /// The client that made this change; 0: the piece, or the panel itself.
    package var author = 0
    /// The value in the piece at the last look.
    package var observed: Double?
    /// Until this time, in seconds, the piece may still have an older value than the one it was given; 0: no longer.
    package var settles = 0.0
  }

  package private(set) var channels: [Channel] = []
  private var places: [String: Int] = [:]
  package private(set) var lastChange = 0
  /// Seconds after which a value that was set has certainly reached the piece.
  package static let settlingTime = 0.5

  package init(_ panel: Panel) {
    var bounds: [String: ClosedRange<Double>] = [:]
    var names: [String] = []
    var texts: Set<String> = []
    var known: Set<String> = []
    for widget in panel.widgets {
      for (index, name) in widget.channels.enumerated() where !name.isEmpty {
        if known.insert(name).inserted { names.append(name) }
        if widget.setsText { texts.insert(name) }
        guard let new = widget.bounds(ofChannel: index) else { continue }
        let old = bounds[name] ?? new
        bounds[name] =
          min(old.lowerBound, new.lowerBound)...max(old.upperBound, new.upperBound)
      }
    }
    channels = names.map {
      Channel(name: $0, isText: texts.contains($0), bounds: bounds[$0])
    }
    for (place, name) in names.enumerated() { places[name] = place }
  }

  package func place(of name: String) -> Int? { places[name] }

  /// The place of a channel if it has values of this kind.
  func place(of name: String, for value: ChannelValue) -> Int? {
    places[name].flatMap { channels[$0].isText == value.isText ? $0 : nil }
  }

  /// Sets a value for a client, or for the panel itself (0).
  package mutating func set(
    _ place: Int, to value: ChannelValue, by author: Int, at now: Double
  ) {
    change(place, to: value, by: author, settles: now + Self.settlingTime)
  }

  private mutating func change(
    _ place: Int, to value: ChannelValue, by author: Int = 0, settles: Double = 0
  ) {
    lastChange += 1
    channels[place].value = value
    channels[place].change = lastChange
    channels[place].author = author
    channels[place].settles = settles
  }

  /// Notes the value that the piece has. A value from before a client's last change, which the piece may still have, is
  /// ignored.
  package mutating func observe(_ place: Int, _ value: Double, at now: Double, hasAdvanced: Bool) {
    // NaN is no change after NaN.
    func isSame(_ other: Double?) -> Bool { other == value || other?.isNaN == true && value.isNaN }
    let before = channels[place].observed
    channels[place].observed = value
    if isSame(channels[place].value?.number) {
      channels[place].settles = 0
      return
    }
    let isSettling = channels[place].settles > 0
    if isSettling {
      guard now >= channels[place].settles, hasAdvanced else { return }
    } else if isSame(before), channels[place].value != nil {
      return
    }
    change(place, to: .number(value))
  }

  /// Notes the text that the piece has. A text from before a client's last change is ignored.
  package mutating func observe(_ place: Int, _ text: String, at now: Double) {
    guard channels[place].value != .text(text), now >= channels[place].settles else { return }
    change(place, to: .text(text))
  }

  /// A preset with the present values of all channels that can be set, but for those of buttons, which may be held now.
  func preset(_ name: String, without buttons: Set<String> = []) -> PanelPreset {
    PanelPreset(
      name,
      Self.values(of: channels.filter { $0.bounds != nil && !buttons.contains($0.name) }))
  }

  /// The values of those channels that have one. JSON has no number for those that are not finite.
  static func values(of channels: [Channel]) -> [String: ChannelValue] {
    let known = channels.filter { $0.value?.number?.isFinite ?? true }
    return Dictionary(known.compactMap { one in one.value.map { (one.name, $0) } }) { $1 }
  }

  /// The channels that have changed since `change`, the last change that a client knows, except those that this client
  /// itself changed last. If `change` is 0, all channels with a value.
  package func news(since change: Int, for client: Int) -> [Channel] {
    change == lastChange
      ? []
      : channels.filter {
        $0.change > change && $0.value != nil && ($0.author != client || change == 0)
      }
  }
}

extension PanelWidget {
  /// Whether its channels are strings.
  var setsText: Bool {
    kind == .field || kind == .file
      || (kind == .menu || kind == .radio) && options.contains { $0.text != nil }
  }

  /// The range in which the widget may set one of its channels; nil: it only shows the channel.
  func bounds(ofChannel index: Int) -> ClosedRange<Double>? {
    guard !isReadOnly else { return nil }
    func hull(_ values: [Double]) -> ClosedRange<Double>? {
      let values = values.filter(\.isFinite)
      guard let low = values.min(), let high = values.max() else { return nil }
      return low...high
    }
    switch kind {
    case .slider, .knob, .number, .range, .pad, .surface, .table:
      let range = range(index)
      return hull([range.minimum, range.maximum])
    case .button, .switch: return hull([off, on])
    case .menu, .radio: return hull(options.map(\.value))
    case .momentary: return 0...1
    case .field, .file: return 0...0
    case .label, .meter, .text, .scope, .spectrum, .keyboard, .event, .console, .panel: return nil
    }
  }
}
