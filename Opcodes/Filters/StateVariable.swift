// ahigh, alow, aband, areject STATEVAR ain, xcutoff, xq [, ioversampling [, iskip]]
//
// The state variable filter of H. Chamberlin, "Musical applications of microprocessors", 2nd ed., 1985: four
// second-order filters at once. With f = 2 sin(π cutoff / (n sr)) and q = 1 / xq, each of the n steps per sample
// computes
//
//     high = in - q band - low        band' = band + f high
//     low' = low + f band             reject = low' + high
//
// A step is linear: with v = in - low it is band' = (1 - f q) band + f v, v' = v - f band. The n steps of a sample are
// therefore a single matrix, which costs the same for any n. When f and q change, the matrices of eight frames are
// computed at once (`StateVariableSamples`) while the previous eight frames are filtered.
//
// The same as Csound's `statevar` where that opcode is stable. `statevar` updates low with the old band, which adds
// energy: it grows without bound where q < f, with xq = 10 from 0.048 sr on. Here
// - q is at least f (1.01 - f/200), or (2 - f) / (20 n) as in `statevar`, and at most the limit of stability, about
//   2/f;
// - the cutoff is clamped to 0 … 0.49 sr, and xq to 1e-6 or more; NaN counts as the lowest value;
// - a cutoff that swings over its whole range thousands of times per second can still make the filter grow to infinity,
//   as in `statevar`;
// - signals below -600 dB become 0, and NaN in the input does not stay in the filter.
//
// Category: Signal Modifiers:Standard Filters:Resonant

import OpcodeKit

@Opcode("STATEVAR", "State variable filter: highpass, lowpass, bandpass, band reject")
struct StateVariable<Cutoff: Signal, Quality: Signal>: AudioOpcode, LateInitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The outputs: highpass, lowpass, bandpass and band reject.
    let high, low, band, reject: AudioOutput
    /// The input signal.
    let input: AudioInput
    /// Cutoff frequency in Hz; k-rate or a-rate. Clamped to 0 … 0.49 sr. At 0 the filter keeps its state.
    let cutoff: Cutoff
    /// Resonance, the inverse of the damping; k-rate or a-rate. The bandpass gain at the cutoff is 1 / (1/xq - f) with
    /// f = 2 sin(π cutoff / (n sr)). It equals xq at low cutoffs only: with xq = 10 it is 12.8 at 500 Hz and 79 at 2
    /// kHz, as in `statevar`. Clamped to 1e-6 or more, and to values for which the filter is stable.
    let quality: Quality
    /// Steps n per sample: a whole number, clamped to 1024. The default, 0, and negative values mean 3.
    @Default(0) let oversampling: InitInput
    /// Nonzero keeps the state of the previous note in the same memory. Default 0.
    @Default(0) let skip: InitInput
  }

  private var state = StateVariableState()
  private var tuning = StateVariableTuning(gain: 0, damping: 1)
  private var sample = StateVariableSample(StateVariableTuning(gain: 0, damping: 1), steps: 1)
  /// The controls that `tuning` and `sample` were computed for.
  private var lastCutoff = 0.0, lastQuality = 1.0
  private var steps = 1
  /// 1 / steps.
  private var stepShare = 1.0
  private var samplePeriod = 0.0

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    resume(arguments, context)
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  mutating func resume(_ arguments: Arguments, _ context: Context) {
    let oversampling = arguments.oversampling.value
    steps = oversampling > 0 ? Math.whole(oversampling, in: 1...1024) : 3
    stepShare = 1 / Double(steps)
    samplePeriod = 1 / context.sampleRate
    (lastCutoff, lastQuality) = (.nan, .nan)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let frames = context.frames
    state.settle()
    if !Cutoff.isAudioRate && !Quality.isAudioRate {
      let (cutoff, quality) = (arguments.cutoff[0], arguments.quality[0])
      let isWhole = context.ksmps >= 8
      // A new tuning is passed on in registers and not through the state's memory.
      var tuning = tuning
      if cutoff != lastCutoff || quality != lastQuality {
        (lastCutoff, lastQuality) = (cutoff, quality)
        tuning = self.tuning(arguments, 0)
        self.tuning = tuning
        if isWhole { sample = StateVariableSample(tuning, steps: steps) }
      }
      if isWhole {
        hold(arguments, frames)
      } else if steps == 3 {
        hold(arguments, frames, tuning, steps: 3)
      } else {
        hold(arguments, frames, tuning, steps: steps)
      }
    } else {
      let start = follow(arguments, frames)
      if steps == 3 {
        follow(arguments, start..<frames.upperBound, steps: 3)
      } else {
        follow(arguments, start..<frames.upperBound, steps: steps)
      }
    }
  }

  /// A k-cycle of eight frames or more with k-rate controls.
  @inline(__always)
  private mutating func hold(_ arguments: Arguments, _ frames: Range<Int>) {
    let samples = StateVariableSamples<Lanes>(sample)
    var frame = frames.lowerBound
    while frame &+ 8 <= frames.upperBound {
      write(state.take(arguments.input.lanes(at: frame), samples), frame, arguments)
      frame &+= 8
    }
    while frame < frames.upperBound {
      let high = state.take(arguments.input[frame], sample)
      write(high, state, frame, arguments)
      frame &+= 1
    }
  }

  /// A k-cycle of fewer than eight frames with k-rate controls.
  @inline(__always)
  private mutating func hold(
    _ arguments: Arguments, _ frames: Range<Int>, _ tuning: StateVariableTuning, steps: Int
  ) {
    for frame in frames {
      let high = state.take(arguments.input[frame], tuning, steps: steps)
      write(high, state, frame, arguments)
    }
  }

  /// A k-cycle with an a-rate control, in groups of eight frames; returns the first frame that is left.
  @inline(__always)
  private mutating func follow(_ arguments: Arguments, _ frames: Range<Int>) -> Int {
    var frame = frames.lowerBound
    if frame &+ 8 <= frames.upperBound {
      // Computed eight frames in advance, to fill the latency of the recursion.
      var next = samples(arguments, frame)
      while frame &+ 8 <= frames.upperBound {
        let current = next
        if frame &+ 16 <= frames.upperBound {
          next = samples(arguments, frame &+ 8)
        }
        write(state.take(arguments.input.lanes(at: frame), current), frame, arguments)
        frame &+= 8
      }
    }
    return frame
  }

  /// The frames that are left in a k-cycle with an a-rate control.
  @inline(__always)
  private mutating func follow(_ arguments: Arguments, _ frames: Range<Int>, steps: Int) {
    var frame = frames.lowerBound
    while frame &+ 2 <= frames.upperBound {
      let both = tunings(arguments, frame)
      let (x, y) = (arguments.input[frame], arguments.input[frame &+ 1])
      let one = state.take(x, both[0], steps: steps)
      write(one, state, frame, arguments)
      let other = state.take(y, both[1], steps: steps)
      write(other, state, frame &+ 1, arguments)
      frame &+= 2
    }
    if frame < frames.upperBound {
      let tuning = tuning(arguments, frame)
      let high = state.take(arguments.input[frame], tuning, steps: steps)
      write(high, state, frame, arguments)
    }
  }

  @inline(__always)
  private func write(
    _ high: Double, _ state: StateVariableState, _ frame: Int, _ arguments: Arguments
  ) {
    arguments.high[frame] = high
    arguments.low[frame] = state.low
    arguments.band[frame] = state.band
    arguments.reject[frame] = state.low + high
  }

  @inline(__always)
  private func write(_ outputs: StateVariableOutputs, _ frame: Int, _ arguments: Arguments) {
    arguments.high.setLanes(outputs.high, at: frame)
    arguments.low.setLanes(outputs.low, at: frame)
    arguments.band.setLanes(outputs.band, at: frame)
    arguments.reject.setLanes(outputs.low + outputs.high, at: frame)
  }

  @inline(__always)
  private func samples(_ arguments: Arguments, _ frame: Int) -> StateVariableSamples<Lanes> {
    StateVariableSamples(
      StateVariableTunings(
        cutoffs: arguments.cutoff.lanes(at: frame) * Lanes(samplePeriod),
        qualities: arguments.quality.lanes(at: frame), stepShare: stepShare),
      steps: steps)
  }

  @inline(__always)
  private func tunings(_ arguments: Arguments, _ frame: Int) -> StateVariableTunings<Pair> {
    let other = frame &+ 1
    return StateVariableTunings(
      cutoffs: Pair(arguments.cutoff[frame], arguments.cutoff[other]) * Pair(samplePeriod),
      qualities: Pair(arguments.quality[frame], arguments.quality[other]), stepShare: stepShare)
  }

  @inline(__always)
  private func tuning(_ arguments: Arguments, _ frame: Int) -> StateVariableTuning {
    StateVariableTuning(
      cutoff: arguments.cutoff[frame] * samplePeriod, quality: arguments.quality[frame],
      stepShare: stepShare)
  }
}

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
  fileprivate let gain, damping: V

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
  fileprivate static func gains(_ cutoffs: V, stepShare: Double) -> V {
    let x = V.minimum(.maximum(cutoffs, V(0)), V(0.49))
    return HalfTurn.sine(x * V(stepShare), times: V(2))
  }
}

extension StateVariableTunings<Pair> {
  @inline(__always)
  fileprivate init(_ tuning: StateVariableTuning) {
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
  fileprivate let stay, cross, pass, highFromAbove, highFromBand: V

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
  fileprivate let stay, cross, pass, highFromAbove, highFromBand: Double

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
private struct StateVariableOutputs: BitwiseCopyable {
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
  fileprivate mutating func take(
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
