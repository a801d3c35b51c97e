/// A channel that an orchestra had declared when it began.
public struct ChannelDescription: Sendable, Equatable {
  public enum Kind: Sendable, Equatable { case control, audio, string, other }

  public var name: String
  public var kind: Kind
  /// Whether the orchestra reads the channel.
  public var isInput: Bool
  /// Whether the orchestra writes the channel.
  public var isOutput: Bool
  /// The range that `chn_k` declares; nil if it declares none.
  public var range: ClosedRange<Double>?
  public var initial: Double?
  /// Whether equal steps of a control are equal ratios of the value.
  public var isExponential: Bool
  public var isWhole: Bool

  public init(
    name: String, kind: Kind, isInput: Bool, isOutput: Bool, range: ClosedRange<Double>? = nil,
    initial: Double? = nil, isExponential: Bool = false, isWhole: Bool = false
  ) {
    (self.name, self.kind, self.isInput, self.isOutput) = (name, kind, isInput, isOutput)
    (self.range, self.initial, self.isExponential, self.isWhole) =
      (range, initial, isExponential, isWhole)
  }
}
