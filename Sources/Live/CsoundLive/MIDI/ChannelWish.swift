public import HarnessBase

/// A channel that a controller is to set: its name, and between which values.
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

  /// Reads such as `cutoff:20..20000:exp`. What is not said comes from what the orchestra says of the channel
  /// (`chn_k`), else it is 0..1 and linear.
  public init(_ text: String, among channels: [ChannelDescription]) throws(Failure) {
    // The grammar is that of a whole entry, whose controller is still to be found.
    guard let entry = try ControllerMap("0=" + text).entries.first, !text.contains(",") else {
      throw Failure(.usage, "'\(text)' is no channel.")
    }
    self.init(entry.value.name, entry.range, entry.curve)
    guard let known = channels.first(where: { $0.name == channel }) else { return }
    guard known.kind == .control else {
      throw Failure(.badInput, "'\(channel)' is no control channel.")
    }
    if !text.contains(":"), let range = known.range {
      self.range = range
      curve = known.isExponential && range.lowerBound > 0 ? .exponential : .linear
    }
  }
}
