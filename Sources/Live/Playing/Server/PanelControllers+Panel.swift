public import CsoundLive
public import Panels

extension ControllerMap {
  /// The controllers that a panel's source assigns to its widgets.
  public init(_ panel: Panel) {
    self.init()
    for widget in panel.widgets {
      guard let midi = widget.midi, let channel = widget.channels.first, !channel.isEmpty,
        (0...127).contains(midi.controller), (0...16).contains(midi.channel),
        let bounds = widget.bounds(ofChannel: 0), bounds.lowerBound < bounds.upperBound,
        !widget.setsText
      else { continue }
      bind(
        UInt8(midi.controller), midiChannel: midi.channel,
        to: ChannelWish(channel, bounds, panel.curve(of: channel, bounds)))
    }
  }
}

extension Panel {
  /// The curve of a controller for a channel: exponential if a widget's is and all values are above 0, otherwise
  /// linear.
  func curve(of channel: String, _ bounds: ClosedRange<Double>) -> ControllerMap.Curve {
    let curves = widgets.flatMap { widget in
      widget.channels.indices.filter { widget.channels[$0] == channel }
        .map { widget.range($0).curve }
    }
    return bounds.lowerBound > 0 && curves.contains(.exponential) ? .exponential : .linear
  }
}
