import Panels

/// What a panel has taken up of the values that were kept the last time.
public struct TakenUp: Sendable, Equatable {
  /// When they were kept.
  public let time: String
  /// The number of values that the piece has begun with.
  public var count = 0
  /// Channels whose values were beyond the ranges that there are now, and were moved to their ends; sorted.
  public var limited: [String] = []
  /// Channels whose values do not fit the panel that there is now, or that it no longer has; sorted.
  public var left: [String] = []
  /// Channels that the piece sets again and again, so that it cannot begin with their values; in the order found.
  public var overwritten: [String] = []
}

/// What a channel of a panel may be set to.
struct Admitted {
  var bounds: ClosedRange<Double>
  var isText: Bool
  /// The values of the options, if only menus and radios set the channel; nil: any within the bounds.
  var options: [PanelOption]?

  /// Of the channels that a panel can set. Those of buttons are left out: they begin released.
  static func channels(of panel: Panel) -> [String: Admitted] {
    let pressed = panel.buttonChannels
    var admitted: [String: Admitted] = [:]
    for channel in PanelState(panel).channels where !pressed.contains(channel.name) {
      guard let bounds = channel.bounds else { continue }
      admitted[channel.name] = Admitted(bounds: bounds, isText: channel.isText, options: [])
    }
    for widget in panel.widgets where !widget.isReadOnly {
      let isChoice = widget.kind == .menu || widget.kind == .radio
      for (index, name) in widget.channels.enumerated()
      where widget.bounds(ofChannel: index) != nil {
        if !isChoice { admitted[name]?.options = nil }
        admitted[name]?.options?.append(contentsOf: widget.options)
      }
    }
    return admitted
  }

  /// The value nearest to this one that the channel may have; nil if it fits none.
  func nearest(to value: ChannelValue) -> ChannelValue? {
    switch value {
    case .number(let number):
      guard !isText, number.isFinite else { return nil }
      if let options { return options.contains { $0.value == number } ? value : nil }
      return .number(bounds.nearest(to: number))
    case .text(let text):
      return isText && options?.contains { $0.text == text } ?? true ? value : nil
    }
  }
}

extension ClosedRange<Double> {
  /// The value in the range that is nearest to this one.
  func nearest(to value: Double) -> Double { Swift.min(upperBound, Swift.max(lowerBound, value)) }
}

extension Panel {
  /// The channels of buttons that are on only while they are held or pressed.
  var buttonChannels: Set<String> {
    Set(widgets.filter { $0.kind == .button || $0.kind == .momentary }.flatMap(\.channels))
  }
}
