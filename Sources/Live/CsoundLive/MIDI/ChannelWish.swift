public import HarnessBase

/// A channel that a MIDI controller is to set, with its range and curve.
public struct ChannelWish: Sendable, Equatable {
  public var channel: String
  public var range: ClosedRange<Double>
  public var curve: ControllerMap.Curve

  /// An exponential curve needs a range above 0.
  public init(
    _ channel: String, _ range: ClosedRange<Double> = 0...1, _ curve: ControllerMap.Curve = .linear
  ) {
    (self.channel, self.range, self.curve) = (channel, range, curve)
  }

  /// Reads a text such as `cutoff:20..20000:exp`. If the text is only a name, range and curve come from the orchestra's
  /// declaration of the channel (`chn_k`). Otherwise the range is 0..1 and the curve linear unless given.
  public init(_ text: String, among channels: [ChannelDescription]) throws(Failure) {
    // The grammar is that of a map's entry; 0 stands for the controller, which is not known yet.
    guard let entry = try ControllerMap("0=" + text).entries.first, !text.contains(",") else {
      throw .usage("'\(text)' is no channel.")
    }
    self.init(entry.value.name, entry.range, entry.curve)
    guard let known = channels.first(where: { $0.name == channel }) else { return }
    guard known.kind == .control else { throw .badInput("'\(channel)' is no control channel.") }
    if !text.contains(":"), let range = known.range {
      self.range = range
      curve = known.isExponential && range.lowerBound > 0 ? .exponential : .linear
    }
  }
}
