import OpcodeKit

/// A kind of second-order filter, built on the recurrence of `SecondOrder`.
protocol SecondOrderDesign: BitwiseCopyable {
  /// The coefficients for two controls in units of the sample rate. A filter with one control gets the same value
  /// twice.
  func coefficients<Numbers: Vector>(
    _ first: Numbers, _ second: Numbers
  ) -> SecondOrderVector<Numbers>

  /// Whether the input is multiplied by the gain before the recurrence.
  static var scalesInput: Bool { get }

  /// The outputs of two frames, given t[n], t[n-1] and t[n-2] of each.
  func output(_ c: SecondOrderCoefficients, _ now: Pair, _ before: Pair, _ earlier: Pair) -> Pair

  /// Whether the filter runs with these controls; if not, it keeps its state.
  func isOpen(_ first: Double, _ second: Double) -> Bool

  /// The output while the filter keeps its state.
  func held(_ input: Double) -> Double
}

extension SecondOrderDesign {
  static var scalesInput: Bool { @inline(__always) get { false } }

  /// The factor that the input is multiplied by before the recurrence.
  @inline(__always)
  func level(_ c: SecondOrderCoefficients) -> Double { Self.scalesInput ? c.gain : 1 }
}
