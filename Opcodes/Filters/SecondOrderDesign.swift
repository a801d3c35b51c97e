import OpcodeKit

/// What makes a filter of the recurrence of `SecondOrder`.
protocol SecondOrderDesign: BitwiseCopyable {
  /// The coefficients that two controls make, in units of the sample rate; a filter with one control gets
  /// it twice.
  func coefficients<Numbers: Vector>(
    _ first: Numbers, _ second: Numbers
  ) -> SecondOrderVector<Numbers>

  /// What the input is multiplied by before the recurrence.
  func level(_ c: SecondOrderCoefficients) -> Double

  /// The output of two frames' t[n], t[n-1] and t[n-2].
  func output(_ c: SecondOrderCoefficients, _ now: Pair, _ before: Pair, _ earlier: Pair) -> Pair

  /// Whether these controls filter; the others hold the state.
  func isOpen(_ first: Double, _ second: Double) -> Bool

  /// The output where the state is held.
  func held(_ input: Double) -> Double
}

extension SecondOrderDesign {
  @inline(__always)
  func level(_ c: SecondOrderCoefficients) -> Double { 1 }
}
