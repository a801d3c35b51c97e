// Antialiasing of waves with steps and changes of slope (polyBLEP and polyBLAMP).

import OpcodeKit

/// The correction samples around a step or a bend (a change of slope) in a wave: the difference between the wave
/// smoothed by a cubic B-spline and the wave itself.
///
/// For a step of 1, the correction t samples before it (after it with the opposite sign), and for a bend of 1 per
/// sample, the correction t samples before or after it, are
///
///     step(t) = ((2 - t)^4 - 4 (1 - t)^4) / 24        bend(t) = ((2 - t)^5 - 4 (1 - t)^5) / 120
///
/// where a power with a negative base counts as 0. Sources: V. Välimäki, J. Pekonen and J. Nam, "Perceptually informed
/// synthesis of bandlimited classical waveforms using integrated polynomial interpolation", J. Acoust. Soc. Am. 131(1),
/// 2012, doi 10.1121/1.3651227; F. Esqueda, V. Välimäki and S. Bilbao, "Rounding corners with BLAMP", DAFx 2016.
struct SplineCorner {
  let step, bend: Lanes

  /// For distances t of 0 samples or more.
  @inline(__always) @_semantics("no_performance_analysis")
  init(samplesAway distance: Lanes) {
    let two = Lanes.maximum(Lanes(0), Lanes(2) - distance)
    let one = Lanes.maximum(Lanes(0), Lanes(1) - distance)
    let (two2, one2) = (two * two, one * one)
    let (two4, one4) = (two2 * two2, one2 * one2)
    step = (two4 - Lanes(4) * one4) * Lanes(1.0 / 24)
    bend = (two * two4 - Lanes(4) * (one * one4)) * Lanes(1.0 / 120)
  }
}

/// Compensates the treble loss of the cubic B-spline, with the response 6 / (4 + 2 cos ω), by two equal poles at
/// sqrt(3) - 2.
struct SplineEqualizer: BitwiseCopyable {
  private var first = 0.0, second = 0.0

  private static var pole: Double { -0.267_949_192_431_122_7 }

  /// Sets the state as if the input had always been `input`.
  mutating func settle(at input: Double) { (first, second) = (input, input) }

  @inline(__always)
  mutating func next(_ input: Double) -> Double {
    first = (1 - Self.pole) * input + Self.pole * first
    second = (1 - Self.pole) * first + Self.pole * second
    return second
  }
}

/// Eight samples of a cyclic phase, with the phase steps between them.
struct CycleLanes {
  /// The phase in cycles, from 0 up to but not including 1.
  let phase: Lanes
  /// Cycles since the previous sample, and until the next one.
  let behind, ahead: Lanes
  /// Their reciprocals.
  private let overBehind, overAhead: Lanes

  @inline(__always) @_semantics("no_performance_analysis")
  init(phase: Lanes, behind: Lanes, ahead: Lanes) {
    (self.phase, self.behind, self.ahead) = (phase, behind, ahead)
    overBehind = Lanes(1) / Lanes.maximum(Lanes(1e-12), behind)
    overAhead = Lanes(1) / Lanes.maximum(Lanes(1e-12), ahead)
  }

  /// 1 for phases from `place` on, 0 before.
  @inline(__always) @_semantics("no_performance_analysis")
  func isPast(_ place: Double) -> Lanes { Lanes(1).kept(where: phase, isFrom: place) }

  /// The corrections for a step of 1 and for a bend of 1 per cycle at a place in the cycle.
  @inline(__always) @_semantics("no_performance_analysis")
  func corner(at place: Double) -> (step: Lanes, bend: Lanes) {
    let since = (phase - Lanes(place)) + (Lanes(1) - isPast(place))
    let before = SplineCorner(samplesAway: (Lanes(1) - since) * overAhead)
    let after = SplineCorner(samplesAway: since * overBehind)
    return (before.step - after.step, ahead * before.bend + behind * after.bend)
  }

  /// sin 2πp and |cos 2πp|, each with an error of at most 1e-11.
  @inline(__always) @_semantics("no_performance_analysis")
  var circle: (sine: Lanes, cosine: Lanes) {
    let centred = phase - Lanes(0.5)
    let fold = Lanes.minimum(centred.magnitude, Lanes(0.5) - centred.magnitude)
    let sine = Self.quarterSine(fold).withSigns(of: Lanes(0) - centred)
    return (sine, Self.quarterSine(Lanes(0.25) - fold))
  }

  /// sin 2πx for x from 0 to 1/4, as a power series up to the fifteenth power.
  @inline(__always) @_semantics("no_performance_analysis")
  private static func quarterSine(_ x: Lanes) -> Lanes {
    let angle = x * Lanes(2 * Double.pi)
    let z = angle * angle
    let z2 = z * z
    let low = (Lanes(1) - z * Lanes(1.0 / 6)) + z2 * (Lanes(1.0 / 120) - z * Lanes(1.0 / 5040))
    let high =
      (Lanes(1.0 / 362_880) - z * Lanes(1.0 / 39_916_800))
      + z2 * (Lanes(1.0 / 6_227_020_800) - z * Lanes(1.0 / 1_307_674_368_000))
    return angle * (low + (z2 * z2) * high)
  }
}
