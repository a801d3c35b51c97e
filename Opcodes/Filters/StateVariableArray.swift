// ahigh[], alow[], aband[], areject[] STATEVAR ain[], xcutoff, xq [, ioversampling [, iskip [, iquality]]]
//
// The filter of `STATEVAR` for each channel of an array. Eight channels are computed at once, one step at a time as in
// StateVariable.swift.

import OpcodeKit

/// The states of eight channels.
private struct StateVariableLanes: BitwiseCopyable {
  private(set) var band = Lanes(0), low = Lanes(0)

  /// Processes one frame; returns the highpass outputs.
  @inline(__always)
  mutating func take(_ input: Lanes, _ tuning: StateVariableTuning, steps: Int) -> Lanes {
    let f = Lanes(tuning.gain)
    let stay = Lanes(1 - tuning.gain * tuning.damping)
    let input = input.kept(where: input.magnitude, isFrom: 1e-30)
    var above = input - low
    var step = 1
    while step < steps {
      (band, above) = (stay * band + f * above, above - f * band)
      step &+= 1
    }
    let high = above - Lanes(tuning.damping) * band
    (band, low) = (stay * band + f * above, input - (above - f * band))
    return high
  }

  /// The same by `StateVariableFilter`.
  @inline(__always)
  mutating func take(
    _ input: Lanes, _ tuning: StateVariableFilter.Tuning<Double>
  ) -> (low: Lanes, band: Lanes, high: Lanes) {
    let input = input.kept(where: input.magnitude, isFrom: 1e-30)
    let above = input - low
    let newBand = Lanes(tuning.keep) * band + Lanes(tuning.gain) * above
    let newLow = (low + Lanes(tuning.gain) * band) + Lanes(tuning.step) * above
    let (bandNow, lowNow) = (Lanes(0.5) * (band + newBand), Lanes(0.5) * (low + newLow))
    (band, low) = (newBand, newLow)
    return (lowNow, bandNow, (input - Lanes(tuning.damping) * bandNow) - lowNow)
  }

  @inline(__always)
  mutating func settle() {
    let level = band.magnitude + low.magnitude
    band = band.kept(where: level, isFrom: 1e-30)
    low = low.kept(where: level, isFrom: 1e-30)
  }
}

@Opcode("STATEVAR.array", "State variable filter for each channel of an array")
struct StateVariableArray: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The outputs: highpass, lowpass, bandpass and band reject. The arrays get the length of ain[].
    let high, low, band, reject: ArrayOutput<AudioOutput>
    /// The input signals. If the array's length changes during a note, the note ends with an error. NaN counts as
    /// silence.
    let input: ArrayInput<AudioInput>
    /// Cutoff frequency in Hz and resonance, for all channels, as in the one-channel form.
    let cutoff, quality: AnyRateInput
    @Default(0) let oversampling, skip, better: InitInput
  }

  static var bufferCount: Int { 1 }

  private let filters: ChannelStates<StateVariableLanes>
  private let steps: Int
  private let samplePeriod: Double
  private let isBetter: Bool

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    filters = try ChannelStates(
      for: arguments.input, to: arguments.high, keepingStates: arguments.skip.value != 0, context)
    try arguments.low.resize(to: filters.channelCount, context)
    try arguments.band.resize(to: filters.channelCount, context)
    try arguments.reject.resize(to: filters.channelCount, context)
    let oversampling = arguments.oversampling.value
    steps = oversampling > 0 ? Math.whole(oversampling, in: 1...1024) : 3
    samplePeriod = 1 / context.sampleRate
    isBetter = try Quality(arguments.better.value) != .original
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  mutating func resume(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let wasBetter = isBetter
    self = try Self(arguments, context)
    // The state of one filter means something else to the other.
    guard isBetter != wasBetter else { return }
    for group in 0..<filters.groupCount { filters[group] = StateVariableLanes() }
  }

  // Not inlined: the call costs little compared with the work for all channels, and avoids a second copy of the code.
  @inline(never)
  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    try filters.check(arguments.input, arguments.high)
    try filters.check(arguments.input, arguments.low)
    try filters.check(arguments.input, arguments.band)
    try filters.check(arguments.input, arguments.reject)
    let frames = context.frames
    let (cutoff, quality) = (arguments.cutoff.signal(context), arguments.quality.signal(context))
    let areConstant = !(cutoff.isAudioRate || quality.isAudioRate)
    var group = 0
    while group < filters.groupCount {
      let first = 8 &* group
      let input = arguments.input.lanes(from: first)
      let (high, low) = (arguments.high.lanes(from: first), arguments.low.lanes(from: first))
      let (band, reject) = (arguments.band.lanes(from: first), arguments.reject.lanes(from: first))
      var filter = filters[group]
      var tuning = tuning(cutoff, quality, frames.lowerBound)
      if isBetter {
        var tuning = betterTuning(cutoff, quality, frames.lowerBound)
        for frame in frames {
          if !areConstant { tuning = betterTuning(cutoff, quality, frame) }
          let outputs = filter.take(input[frame], tuning)
          high[frame] = outputs.high
          low[frame] = outputs.low
          band[frame] = outputs.band
          reject[frame] = outputs.low + outputs.high
        }
        filter.settle()
        filters[group] = filter
        group &+= 1
        continue
      }
      for frame in frames {
        if !areConstant { tuning = self.tuning(cutoff, quality, frame) }
        let above = filter.take(input[frame], tuning, steps: steps)
        high[frame] = above
        low[frame] = filter.low
        band[frame] = filter.band
        reject[frame] = filter.low + above
      }
      filter.settle()
      filters[group] = filter
      group &+= 1
    }
  }

  @inline(__always)
  private func tuning(
    _ cutoff: AnyRateSignal, _ quality: AnyRateSignal, _ frame: Int
  ) -> StateVariableTuning {
    StateVariableTunings(
      cutoffs: Pair(cutoff[frame] * samplePeriod), qualities: Pair(quality[frame]),
      stepShare: 1 / Double(steps))[0]
  }

  @inline(__always) @_semantics("no_performance_analysis")
  private func betterTuning(
    _ cutoff: AnyRateSignal, _ quality: AnyRateSignal, _ frame: Int
  ) -> StateVariableFilter.Tuning<Double> {
    StateVariableFilter.tunings(
      cutoffs: Pair(cutoff[frame] * samplePeriod), q: Pair(quality[frame]))[0]
  }
}
