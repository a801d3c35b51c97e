extension FixedWidthInteger {
  /// The whole number that a piece writes as `number`: what is after the point is dropped, a number beyond this
  /// type or beyond 32 bits becomes the nearest that is not, and what is no number 0.
  ///
  /// Pieces can write anything, such as `1e20` or `nan`. 32 bits are enough for all that they mean, and leave an
  /// `Int` room for sums and products of two.
  public init(whole number: Double) {
    let low = Swift.max(Double(Self.min), Double(Int32.min))
    let high = Swift.min(Double(Self.max), Double(Int32.max))
    self = number.isNaN ? 0 : Self(Swift.min(high, Swift.max(low, number)))
  }
}

extension Double {
  /// The number that a text writes; nil where it is none, infinite or `nan`.
  init?(finite text: some StringProtocol) {
    guard let number = Double(text)?.inJSON else { return nil }
    self = number
  }

  /// The number as a panel's file can hold it: nil where it is infinite or `nan`, and 0 in place of a subnormal one,
  /// which `JSONDecoder` refuses to read.
  var inJSON: Double? { isFinite ? (isSubnormal ? 0 : self) : nil }
}
