import Foundation

/// The values of one channel of a widget, and how they are spread along the widget.
///
/// The value at a position t, from 0 at the left or lower end to 1, is
/// `linear`: minimum + (maximum − minimum)·t, `exponential`: minimum·(maximum ∕ minimum)^t, `skew`:
/// minimum + (maximum − minimum)·t^(1 ∕ skew). It is then rounded to a whole number of steps from the minimum.
public struct ValueRange: Codable, Sendable, Equatable {
  public enum Curve: String, Codable, Sendable {
    case linear
    /// Equal distances are equal ratios. Minimum and maximum have the same sign, and neither is 0.
    case exponential
    /// Bent by `skew`, as in Cabbage.
    case skew
  }

  /// The value at the left or lower end. It may be greater than the maximum: values then fall towards the other end.
  public var minimum: Double
  public var maximum: Double
  /// What the channel is set to when the piece begins, and what a double click restores. Nil: the channel keeps what
  /// the orchestra gives it, and a double click goes to what the piece has begun with.
  public var initial: Double?
  /// The distance between two neighbouring values; 0: continuous.
  public var step: Double
  public var curve: Curve
  /// Above 0; used by the curve `skew` only.
  public var skew: Double

  public init(
    _ minimum: Double = 0, _ maximum: Double = 1, initial: Double? = nil, step: Double = 0,
    curve: Curve = .linear, skew: Double = 1
  ) {
    (self.minimum, self.maximum, self.initial, self.step) = (minimum, maximum, initial, step)
    (self.curve, self.skew) = (curve, skew)
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    (minimum, maximum) = try (values[.minimum] ?? 0, values[.maximum] ?? 1)
    (initial, step) = try (values[.initial], values[.step] ?? 0)
    (curve, skew) = try (values[.curve] ?? .linear, values[.skew] ?? 1)
  }

  /// Replaces numbers that are infinite or NaN: the minimum becomes 0, the maximum 1, `initial` nil.
  mutating func keepFinite() {
    minimum = minimum.inJSON ?? 0
    maximum = maximum.inJSON ?? 1
    initial = initial?.inJSON
    step = step.inJSON ?? 0
    skew = skew.inJSON ?? 1
    if skew <= 0 { skew = 1 }
  }

  /// The value at a position from 0 to 1.
  public func value(at position: Double) -> Double {
    let part = min(1, max(0, position))
    let raw =
      switch curve {
      case .linear: minimum + (maximum - minimum) * part
      case .exponential: minimum * pow(maximum / minimum, part)
      case .skew: minimum + (maximum - minimum) * pow(part, 1 / skew)
      }
    return admitted(raw)
  }

  /// The position of a value, 0 to 1.
  public func position(of value: Double) -> Double {
    guard minimum != maximum else { return 0 }
    let value = admitted(value)
    let part =
      switch curve {
      case .linear: (value - minimum) / (maximum - minimum)
      case .exponential: log(value / minimum) / log(maximum / minimum)
      case .skew: pow((value - minimum) / (maximum - minimum), skew)
      }
    return min(1, max(0, part))
  }

  /// The nearest value that the widget can have: in the range, and a whole number of steps from the minimum.
  public func admitted(_ value: Double) -> Double {
    let (low, high) = (min(minimum, maximum), max(minimum, maximum))
    let stepped = step > 0 ? minimum + ((value - minimum) / step).rounded() * step : value
    return min(high, max(low, stepped))
  }
}
