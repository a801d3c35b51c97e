// What a wave with steps and bends must have beside them so that it does not alias.

import OpcodeKit

/// A step or a bend of a wave seen through a cubic B-spline, and what the samples beside it then have
/// besides the wave itself.
///
/// Of a step of 1, t samples away, in front of it (behind it with the other sign), and of a bend of 1 per
/// sample, on either side:
///
///     step(t) = ((2 - t)^4 - 4 (1 - t)^4) / 24        bend(t) = ((2 - t)^5 - 4 (1 - t)^5) / 120
///
/// each power 0 where its base is negative. V. Välimäki, J. Pekonen and J. Nam, "Perceptually informed
/// synthesis of bandlimited classical waveforms using integrated polynomial interpolation", J. Acoust.
/// Soc. Am. 131(1), 2012, doi 10.1121/1.3651227; F. Esqueda, V. Välimäki and S. Bilbao, "Rounding
/// corners with BLAMP", DAFx 2016.
struct SplineCorner {
  let step, bend: Lanes

  /// For distances of 0 samples or more.
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

/// Takes back what a cubic B-spline does to high frequencies, 6 / (4 + 2 cos ω), without a change at low
/// ones: two equal poles at sqrt(3) - 2.
struct SplineEqualizer: BitwiseCopyable {
  private var first = 0.0, second = 0.0

  private static var pole: Double { -0.267_949_192_431_122_7 }

  /// Goes on as if the input had always been this.
  mutating func settle(at input: Double) { (first, second) = (input, input) }

  @inline(__always)
  mutating func next(_ input: Double) -> Double {
    first = (1 - Self.pole) * input + Self.pole * first
    second = (1 - Self.pole) * first + Self.pole * second
    return second
  }
}

/// Eight samples of a phase that goes round, and how far it goes in each.
struct CycleLanes {
  /// 0 up to but not 1.
  let phase: Lanes
  /// Cycles from the sample before, and to the next.
  let behind, ahead: Lanes
  /// One over them.
  private let overBehind, overAhead: Lanes

  @inline(__always) @_semantics("no_performance_analysis")
  init(phase: Lanes, behind: Lanes, ahead: Lanes) {
    (self.phase, self.behind, self.ahead) = (phase, behind, ahead)
    overBehind = Lanes(1) / Lanes.maximum(Lanes(1e-12), behind)
    overAhead = Lanes(1) / Lanes.maximum(Lanes(1e-12), ahead)
  }

  /// 1 from a place in the cycle on, 0 before.
  @inline(__always) @_semantics("no_performance_analysis")
  func isPast(_ place: Double) -> Lanes { Lanes(1).kept(where: phase, isFrom: place) }

  /// A step of 1 and a bend of 1 per cycle, at a place in the cycle.
  @inline(__always) @_semantics("no_performance_analysis")
  func corner(at place: Double) -> (step: Lanes, bend: Lanes) {
    let since = (phase - Lanes(place)) + (Lanes(1) - isPast(place))
    let before = SplineCorner(samplesAway: (Lanes(1) - since) * overAhead)
    let after = SplineCorner(samplesAway: since * overBehind)
    return (before.step - after.step, ahead * before.bend + behind * after.bend)
  }

  /// sin 2πp, and |cos 2πp|, each with an error of at most 1e-11.
  @inline(__always) @_semantics("no_performance_analysis")
  var circle: (sine: Lanes, cosine: Lanes) {
    let centred = phase - Lanes(0.5)
    let fold = Lanes.minimum(centred.magnitude, Lanes(0.5) - centred.magnitude)
    let sine = Self.quarterSine(fold).withSigns(of: Lanes(0) - centred)
    return (sine, Self.quarterSine(Lanes(0.25) - fold))
  }

  /// sin 2πx for x from 0 to 1/4, by its series up to the fifteenth power.
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
