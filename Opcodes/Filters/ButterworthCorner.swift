import OpcodeKit

/// The coefficients of second-order Butterworth lowpass and highpass filters.
///
/// With S : C = sin(π cutoff / sr) : cos(π cutoff / sr), d = S² + √2 S C + C² and e = 2 √2 S C / d, both filters have a
/// = 4 S² / d + e - 2 and b = 1 - e. The gain is S² / d for the lowpass and C² / d for the highpass. This is the
/// bilinear transform of 1 and p² over p² + √2 p + 1 (C. Dodge and T. A. Jerse, "Computer Music", 2nd ed., 1997),
/// multiplied by C². In this form only the ratio of S to C matters, a single division remains, and rounding errors are
/// small at low cutoffs, where 1 + a + b is small.
package struct CornerCoefficients<Numbers: Vector>: BitwiseCopyable {
  private let over, square, other, bend: Numbers

  /// `cutoffs` are in units of the sample rate and are clamped to 0 … 0.49999; NaN counts as 0.
  @inline(__always) @_semantics("no_performance_analysis")
  package init(cutoffs: Numbers) {
    let (sine, cosine) = HalfTurn.ratio(
      Numbers.minimum(Numbers.maximum(cutoffs, Numbers(0)), Numbers(0.49999)))
    (square, other) = (sine * sine, cosine * cosine)
    bend = (Numbers(1.4142135623730951) * sine) * cosine
    over = Numbers(1) / ((square + other) + bend)
  }

  /// The coefficients of the lowpass filter.
  @inline(__always)
  package var low: SecondOrderVector<Numbers> {
    filter(square)
  }

  /// The coefficients of the highpass filter.
  @inline(__always)
  package var high: SecondOrderVector<Numbers> {
    filter(other)
  }

  @inline(__always) @_semantics("no_performance_analysis")
  private func filter(_ gain: Numbers) -> SecondOrderVector<Numbers> {
    let rest = bend + bend
    return SecondOrderVector(
      gain: gain * over, over: over, feedback1: Numbers(4) * square + rest,
      feedback2: Numbers(0) - rest,
      near1: -2, near2: 1)
  }
}

/// A lowpass or highpass filter. It has one control, which is passed twice.
protocol CornerDesign: SecondOrderDesign {
  init()
  func choose<Numbers: Vector>(_ corner: CornerCoefficients<Numbers>) -> SecondOrderVector<Numbers>
}

extension CornerDesign {
  @inline(__always) @_semantics("no_performance_analysis")
  func coefficients<Numbers: Vector>(
    _ cutoffs: Numbers, _: Numbers
  ) -> SecondOrderVector<Numbers> {
    choose(CornerCoefficients(cutoffs: cutoffs))
  }

  @inline(__always)
  func isOpen(_ cutoff: Double, _: Double) -> Bool { cutoff > 0 }
}
