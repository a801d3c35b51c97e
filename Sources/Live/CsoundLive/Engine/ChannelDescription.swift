/// A channel that an orchestra has declared when it began.
public struct ChannelDescription: Sendable, Equatable {
  public enum Kind: Sendable, Equatable { case control, audio, string, other }

  public var name: String
  public var kind: Kind
  /// Whether the orchestra reads it, and whether it writes it.
  public var isInput: Bool
  public var isOutput: Bool
  /// What `chn_k` says of its values; nil where it says nothing.
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
