extension FixedWidthInteger {
  /// The whole number for a number from a piece: the fraction is dropped, a number outside of this type or of 32 bits
  /// becomes the nearest limit, and NaN becomes 0.
  ///
  /// Pieces can contain any number, such as `1e20` or `nan`. 32 bits are enough for every meaningful one, and sums and
  /// products of two of them fit into an `Int`.
  public init(whole number: Double) {
    let low = Swift.max(Double(Self.min), Double(Int32.min))
    let high = Swift.min(Double(Self.max), Double(Int32.max))
    self = number.isNaN ? 0 : Self(Swift.min(high, Swift.max(low, number)))
  }
}

extension Double {
  /// The number in a text; nil if the text is not a number, or if that is infinite or NaN.
  init?(finite text: some StringProtocol) {
    guard let number = Double(text)?.inJSON else { return nil }
    self = number
  }

  /// The number as a panel's file can hold it: nil if it is infinite or NaN, and 0 if it is subnormal, as `JSONDecoder`
  /// refuses to read subnormal numbers.
  var inJSON: Double? { isFinite ? (isSubnormal ? 0 : self) : nil }
}
