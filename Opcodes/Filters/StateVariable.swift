// ahigh, alow, aband, areject STATEVAR ain, xcutoff, xq [, ioversampling [, iskip [, iquality]]]
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
// With an iquality of 1 or 2 the filter is another one, `StateVariableFilter` of the toolbox: its cutoff is exact, xq is
// the gain of lowpass, highpass and bandpass there, and it is bounded whatever the controls do. ioversampling then has no
// effect.
//
// Category: Signal Modifiers:Standard Filters:Resonant

import OpcodeKit

@Opcode("STATEVAR", "State variable filter: highpass, lowpass, bandpass, band reject")
struct StateVariable<Cutoff: Signal, Resonance: Signal>: AudioOpcode, LateInitOpcode {
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
    let quality: Resonance
    /// Steps n per sample: a whole number, clamped to 1024. The default, 0, and negative values mean 3.
    @Default(0) let oversampling: InitInput
    /// Nonzero keeps the state of the previous note in the same memory, if that had the same filter. Default 0.
    @Default(0) let skip: InitInput
    /// 0 for the filter of `statevar`; 1 or 2 for exact cutoff and Q. Default 0.
    @Default(0) let better: InitInput
  }

  private var better = StateVariableFilter()
  private var isBetter = false
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
    try resume(arguments, context)
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  mutating func resume(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    isBetter = try Quality(arguments.better.value) != .original
    let oversampling = arguments.oversampling.value
    steps = oversampling > 0 ? Math.whole(oversampling, in: 1...1024) : 3
    stepShare = 1 / Double(steps)
    samplePeriod = 1 / context.sampleRate
    (lastCutoff, lastQuality) = (.nan, .nan)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    if _slowPath(isBetter) { return performBetter(arguments, context) }
    let frames = context.frames
    state.settle()
    if !Cutoff.isAudioRate && !Resonance.isAudioRate {
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

  @inline(never) @_semantics("no_performance_analysis")
  private mutating func performBetter(_ arguments: Arguments, _ context: Context) {
    let frames = context.frames
    // In a local variable, which no store to an output can change.
    var filter = better
    filter.settle()
    if !Cutoff.isAudioRate && !Resonance.isAudioRate {
      let (cutoff, quality) = (arguments.cutoff[0], arguments.quality[0])
      if cutoff != lastCutoff || quality != lastQuality {
        (lastCutoff, lastQuality) = (cutoff, quality)
        filter.tune(cutoff * samplePeriod, q: quality)
      }
      for frame in frames { write(filter.next(arguments.input[frame]), frame, arguments) }
    } else {
      var frame = frames.lowerBound
      while frame &+ 8 <= frames.upperBound {
        let tunings = StateVariableFilter.tunings(
          cutoffs: arguments.cutoff.lanes(at: frame) * Lanes(samplePeriod),
          q: arguments.quality.lanes(at: frame))
        for place in 0..<8 {
          filter.tune(tunings[place])
          write(filter.next(arguments.input[frame &+ place]), frame &+ place, arguments)
        }
        frame &+= 8
      }
      while frame < frames.upperBound {
        filter.tune(arguments.cutoff[frame] * samplePeriod, q: arguments.quality[frame])
        write(filter.next(arguments.input[frame]), frame, arguments)
        frame &+= 1
      }
    }
    better = filter
  }

  @inline(__always)
  private func write(
    _ output: StateVariableFilter.Output, _ frame: Int, _ arguments: Arguments
  ) {
    arguments.high[frame] = output.high
    arguments.low[frame] = output.low
    arguments.band[frame] = output.band
    arguments.reject[frame] = output.notch
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
