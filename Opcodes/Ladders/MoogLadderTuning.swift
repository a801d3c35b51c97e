// How the Moog ladder's coefficients follow from cutoff and resonance.

import OpcodeKit

/// A law for the coefficients g and r of the Moog ladder.
package protocol LadderLaw: BitwiseCopyable {
  /// g and r. `cutoffs` are in units of the sample rate. Negative values and NaN count as 0.
  func gainsAndFeedbacks<V: Vector>(cutoffs: V, resonances: V) -> (V, V)
}

/// The law of Csound's `moogladder`, for two half steps in a sample:
///
///     g = 1 - exp(-π f (1.8730 f³ + 0.4955 f² - 0.6490 f + 0.9988))
///     r = 4 resonance (-3.9364 f² + 1.8409 f + 0.9968)
///
/// Cutoffs are clamped to 0 … 3/4 sr; a little above, r changes its sign and the feedback would latch.
package struct OriginalLadderLaw: LadderLaw {
  package init() {}

  @inline(__always) @_semantics("no_performance_analysis")
  package func gainsAndFeedbacks<V: Vector>(cutoffs: V, resonances: V) -> (V, V) {
    let f = V.minimum(.maximum(cutoffs, V(0)), V(0.75))
    let square = f * f
    let tuned = (V(0.9988) - V(0.6490) * f) + square * (V(0.4955) + V(1.8730) * f)
    let full = (V(0.9968) + V(1.8409) * f) - V(3.9364) * square
    return (
      V(0) - ((f * V(-Double.pi)) * tuned).expMinusOne,
      (V(4) * .maximum(resonances, V(0))) * full
    )
  }
}

/// The law with which the ladder oscillates at the cutoff from a resonance of 1 on.
///
/// For small signals the loop of one half step is r z^-1 (1 + z^-1)/2 (g / (1 - (1 - g) z^-1))⁴. It is -1 at z = e^iθ,
/// θ = 2π f, with f in cycles per half step, for
///
///     g = 2 cos(π/4 + θ/8) sin(θ/2) / sin(π/4 + 5θ/8)        r = cos³(θ/2) / cos⁴(π/4 + θ/8)
///
/// r is multiplied by the resonance. From 1 on the oscillation saturates the integrators, which makes them slower: by
/// 20 cents at 1.05, 126 at 2 (without a limit from above: 144). f is raised by as much, by the factor
///
///     1 + (1 + 1.82 f) e (0.24822 + 0.21238 e) / (1 + e (2.62325 + 2.48261 e)),   e = resonance - 1
///
/// a fit to the frequency of the simulated oscillation. Up to a resonance of 2 the result is within 2.5 cents for f up
/// to 0.12.
package struct ExactLadderLaw: LadderLaw {
  /// 1 / number of half steps per sample.
  private let stepPeriod: Double

  package init(stepsPerSample: Double) { stepPeriod = 1 / stepsPerSample }

  /// Cutoffs are clamped to 0 … sr/2.
  @inline(__always) @_semantics("no_performance_analysis")
  package func gainsAndFeedbacks<V: Vector>(cutoffs: V, resonances: V) -> (V, V) {
    let cutoff = V.minimum(.maximum(cutoffs, V(0)), V(0.5)) * V(stepPeriod)
    let resonance = V.maximum(resonances, V(0))
    let e = V.minimum(V.maximum(resonance - V(1), V(0)), V(1000))
    let rise = e * (V(0.24822098) + V(0.21237931) * e)
    let fall = V(1) + e * (V(2.62325235) + V(2.48260668) * e)
    let f = cutoff + cutoff * ((V(1) + V(1.82) * cutoff) * (rise / fall))
    let slant = HalfTurn.cosine(V(0.25) + V(0.25) * f)
    // sin(π/4 + 5θ/8) as a cosine.
    let steep = HalfTurn.cosine((V(0.25) - V(1.25) * f).magnitude)
    let gain = (slant + slant) * HalfTurn.sine(f) / steep
    let (half, square) = (HalfTurn.cosine(f), slant * slant)
    return (gain, resonance * ((half * half) * half) / (square * square))
  }
}

extension Quality {
  /// g and r of eight frames. Not inlined, so that the code is there once for all rates.
  @inline(never)
  fileprivate func gainsAndFeedbacks(of cutoffs: Lanes, _ resonances: Lanes) -> (Lanes, Lanes) {
    guard self != .original else {
      return OriginalLadderLaw().gainsAndFeedbacks(cutoffs: cutoffs, resonances: resonances)
    }
    return ExactLadderLaw(stepsPerSample: self == .best ? 4 : 2)
      .gainsAndFeedbacks(cutoffs: cutoffs, resonances: resonances)
  }

  /// The coefficients for one cutoff, in units of the sample rate, and one resonance.
  @inline(never)
  func ladderTuning(cutoff: Double, resonance: Double) -> LadderTuning {
    guard self != .original else { return LadderTuning(cutoff: cutoff, resonance: resonance) }
    return LadderTuning(
      cutoff: cutoff, resonance: resonance, ExactLadderLaw(stepsPerSample: self == .best ? 4 : 2))
  }

  /// Calls `body` with the frames of a k-cycle and their g and r of the Moog ladder: eight frames at a time, or all at
  /// once if neither argument changes. The coefficients of frame i are at index i % 8, counted from the first frame.
  @inline(__always)
  func forEachLadderTuning<Cutoff: Signal, Resonance: Signal>(
    cutoff: Cutoff, resonance: Resonance, _ samplePeriod: Double, in frames: Range<Int>,
    _ body: (Range<Int>, Lanes, Lanes) -> Void
  ) {
    let isSteady = !Cutoff.isAudioRate && !Resonance.isAudioRate
    var frame = frames.lowerBound
    while frame < frames.upperBound {
      let end = isSteady ? frames.upperBound : min(frame &+ 8, frames.upperBound)
      let (gains, feedbacks) = gainsAndFeedbacks(
        of: cutoff.lanes(from: frame, before: end) * Lanes(samplePeriod),
        resonance.lanes(from: frame, before: end))
      body(frame..<end, gains, feedbacks)
      frame = end
    }
  }
}
