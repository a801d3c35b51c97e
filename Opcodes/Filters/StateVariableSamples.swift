import OpcodeKit

/// The filter's coefficients f (`gain`) and q (`damping`).
package struct StateVariableTuning: BitwiseCopyable {
  package let gain, damping: Double

  @inline(__always)
  package init(gain: Double, damping: Double) { (self.gain, self.damping) = (gain, damping) }

  /// The same as `StateVariableTunings` for one frame.
  @inline(__always)
  package init(cutoff: Double, quality: Double, stepShare: Double) {
    let cutoffs = Pair(cutoff)
    let f = StateVariableTunings.gains(cutoffs, stepShare: stepShare)[0]
    let q = 1 / (quality > 1e-6 ? quality : 1e-6)
    // q is compared with its limits instead of being clamped: the processor then continues with q before f is known,
    // and the division by f is left out.
    let lowest = max((2 - f) * (0.05 * stepShare), f * (1.01 - 0.005 * f))
    let highest = 1.97 + f * (0.01 + 0.5 * f)
    gain = f
    if _fastPath(q > lowest && q * f < highest) {
      damping = q
    } else {
      damping =
        StateVariableTunings(
          cutoffs: cutoffs, qualities: Pair(quality), stepShare: stepShare)[0].damping
    }
  }
}

/// f and q of several frames.
package struct StateVariableTunings<V: Vector>: BitwiseCopyable {
  let gain, damping: V

  /// `cutoffs` are in units of the sample rate and are clamped to 0 … 0.49, `qualities` to 1e-6 or more. NaN counts as
  /// the lowest value.
  @inline(__always) @_semantics("no_performance_analysis")
  package init(cutoffs: V, qualities: V, stepShare: Double) {
    let f = Self.gains(cutoffs, stepShare: stepShare)
    let rest = V(2) - f
    let q = V(1) / .maximum(qualities, V(1e-6))
    let lowest = V.maximum(rest * V(0.05 * stepShare), f * (V(1.01) - V(0.005) * f))
    // Slightly below the limit of stability q f = 2 + f²/2, where a pole reaches -1.
    let highest = (V(1.98) + f * (V(0.01) + V(0.5) * f)) / f
    damping = .minimum(.maximum(q, lowest), highest)
    gain = f
  }

  @inline(__always) @_semantics("no_performance_analysis")
  static func gains(_ cutoffs: V, stepShare: Double) -> V {
    let x = V.minimum(.maximum(cutoffs, V(0)), V(0.49))
    return HalfTurn.sine(x * V(stepShare), times: V(2))
  }
}

extension StateVariableTunings<Pair> {
  @inline(__always)
  init(_ tuning: StateVariableTuning) {
    (gain, damping) = (Pair(tuning.gain), Pair(tuning.damping))
  }

  @inline(__always)
  package subscript(place: Int) -> StateVariableTuning {
    StateVariableTuning(gain: gain[place], damping: damping[place])
  }
}

/// The matrix that one sample applies to the state, for several frames. With u = in - low,
///
///     band' = stay band + cross u                 u' = pass u - cross band = in - low'
///     high = highFromAbove u - highFromBand band
///
/// A single step is a matrix of this form, and so is a product of steps.
package struct StateVariableSamples<V: Vector>: BitwiseCopyable {
  let stay, cross, pass, highFromAbove, highFromBand: V

  @inline(__always) @_semantics("no_performance_analysis")
  package init(_ tunings: StateVariableTunings<V>, steps: Int) {
    let (f, q) = (tunings.gain, tunings.damping)
    let share = V(1) - f * q
    // The values before and after the last step.
    var (before, crossBefore) = (V(1), V(0))
    var (stay, cross) = (share, f)
    var step = 1
    while step < steps {
      (before, crossBefore) = (stay, cross)
      (stay, cross) = (share * before - f * crossBefore, crossBefore + f * before)
      step &+= 1
    }
    (self.stay, self.cross) = (stay, cross)
    // This uses that the matrix commutes with a single step.
    pass = stay + q * cross
    highFromAbove = before
    highFromBand = crossBefore + q * before
  }
}

/// The matrix for one frame.
package struct StateVariableSample: BitwiseCopyable {
  let stay, cross, pass, highFromAbove, highFromBand: Double

  @inline(__always)
  package init(_ tuning: StateVariableTuning, steps: Int) {
    let samples = StateVariableSamples<Pair>(StateVariableTunings(tuning), steps: steps)
    (stay, cross, pass) = (samples.stay[0], samples.cross[0], samples.pass[0])
    (highFromAbove, highFromBand) = (samples.highFromAbove[0], samples.highFromBand[0])
  }
}

extension StateVariableSamples {
  /// The same matrix for every frame.
  @inline(__always) @_semantics("no_performance_analysis")
  init(_ sample: StateVariableSample) {
    (stay, cross, pass) = (V(sample.stay), V(sample.cross), V(sample.pass))
    (highFromAbove, highFromBand) = (V(sample.highFromAbove), V(sample.highFromBand))
  }
}

/// The outputs of eight frames.
struct StateVariableOutputs: BitwiseCopyable {
  let high, low, band: Lanes
}

/// The filter's state: the bandpass and the lowpass output.
package struct StateVariableState: BitwiseCopyable {
  package private(set) var band = 0.0, low = 0.0

  package init() {}

  /// Processes one sample; returns the highpass output.
  @inline(__always)
  package mutating func take(_ x: Double, _ sample: StateVariableSample) -> Double {
    let above = x - low
    let high = sample.highFromAbove * above - sample.highFromBand * band
    low = x - (sample.pass * above - sample.cross * band)
    band = sample.stay * band + sample.cross * above
    return high
  }

  /// Processes eight samples. Each frame depends on the previous one through band (one product and one addition) and
  /// through u (one addition more); the next input is added to u early.
  @inline(__always)
  mutating func take(
    _ x: Lanes, _ samples: StateVariableSamples<Lanes>
  ) -> StateVariableOutputs {
    var (band, low, above) = (band, low, x[0] - low)
    var (bands, bandsBefore, aboves, rests) = (Lanes(0), Lanes(0), Lanes(0), Lanes(0))
    Lanes.forEachPlace { place in
      bandsBefore[place] = band
      aboves[place] = above
      let (fall, passed) = (samples.cross[place] * band, samples.pass[place] * above)
      band = samples.stay[place] * band + samples.cross[place] * above
      bands[place] = band
      rests[place] = passed - fall
      if place < 7 {
        above = ((x[place &+ 1] - x[place]) - fall) + passed
      } else {
        low = x[place] - (passed - fall)
      }
    }
    (self.band, self.low) = (band, low)
    return StateVariableOutputs(
      high: samples.highFromAbove * aboves - samples.highFromBand * bandsBefore,
      low: x - rests, band: bands)
  }

  /// The same, one step at a time.
  @inline(__always)
  package mutating func take(_ x: Double, _ tuning: StateVariableTuning, steps: Int) -> Double {
    let (f, q) = (tuning.gain, tuning.damping)
    let stay = 1 - f * q
    var (band, above) = (band, x - low)
    var step = 1
    while step < steps {
      (band, above) = (stay * band + f * above, above - f * band)
      step &+= 1
    }
    let high = above - q * band
    (self.band, low) = (stay * band + f * above, x - (above - f * band))
    return high
  }

  /// Resets the state to 0 when it is below -600 dB or not finite. Called at the beginning of a k-cycle.
  @inline(__always)
  package mutating func settle() {
    let level = band.magnitude + low.magnitude
    if !(level >= 1e-30 && level < .infinity) { (band, low) = (0, 0) }
  }
}
