import OpcodeKit

/// The coefficients of second-order Butterworth bandpass and band reject filters.
///
/// With S : C = sin(π bandwidth / sr) : cos(π bandwidth / sr) and f = centre / sr, both filters have a = -2 cos(2 π f)
/// C / (C + S) and b = 1 - 2 S / (C + S). The gain is S / (C + S) for the bandpass and C / (C + S) for the band reject
/// filter. This is the bilinear transform (C. Dodge and T. A. Jerse, "Computer Music", 2nd ed., 1997), multiplied by S
/// or C.
package struct BandCoefficients<Numbers: Vector>: BitwiseCopyable {
  private let over, sine, cosine, turn: Numbers

  /// Both arguments are in units of the sample rate. `bandwidths` are clamped to 0 … 0.49999; NaN counts as 0.
  /// `centres` may have any value, because only their cosine is used.
  @inline(__always) @_semantics("no_performance_analysis")
  package init(centres: Numbers, bandwidths: Numbers) {
    (sine, cosine) = HalfTurn.ratio(
      Numbers.minimum(Numbers.maximum(bandwidths, Numbers(0)), Numbers(0.49999)))
    over = Numbers(1) / (cosine + sine)
    turn = HalfTurn.sine(folded(centres), times: Numbers(2))
  }

  /// The coefficients of the bandpass filter.
  @inline(__always)
  package var pass: SecondOrderVector<Numbers> {
    filter(sine)
  }

  /// The coefficients of the band reject filter.
  @inline(__always)
  package var reject: SecondOrderVector<Numbers> {
    filter(cosine)
  }

  @inline(__always) @_semantics("no_performance_analysis")
  private func filter(_ gain: Numbers) -> SecondOrderVector<Numbers> {
    SecondOrderVector(
      gain: gain * over, over: over, feedback1: cosine, feedback2: Numbers(0) - (sine + sine),
      turn: turn * turn - Numbers(2), near2: 1)
  }
}

/// A bandpass or band reject filter.
protocol BandDesign: SecondOrderDesign {
  init()
  func choose<Numbers: Vector>(_ band: BandCoefficients<Numbers>) -> SecondOrderVector<Numbers>
}

extension BandDesign {
  @inline(__always) @_semantics("no_performance_analysis")
  func coefficients<Numbers: Vector>(
    _ centres: Numbers, _ bandwidths: Numbers
  ) -> SecondOrderVector<Numbers> {
    choose(BandCoefficients(centres: centres, bandwidths: bandwidths))
  }

  @inline(__always)
  func isOpen(_ centre: Double, _ bandwidth: Double) -> Bool { bandwidth > 0 }
}
