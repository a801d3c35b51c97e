// aout[] LPF18 ain[], xcutoff, xresonance, xdistortion [, iskip [, iquality]]
//
// LPF18 for each channel of an array, eight channels at a time; see ThreePoleFilter.swift.

import OpcodeKit

/// The states of eight channels.
struct ThreePoleLanes: BitwiseCopyable {
  private var x = Lanes(0), d1 = Lanes(0), d2 = Lanes(0), d3 = Lanes(0)

  @inline(__always)
  mutating func next(_ input: Lanes, _ tuning: ThreePoleTuning) -> Lanes {
    let (p, h) = (Lanes(tuning.pole), Lanes(tuning.half))
    let input = input.kept(where: input.magnitude, isFrom: 1e-30)
    let now = input - (Lanes(tuning.feedback) * d3).clamped(to: 10).shortTanh
    let next1 = h * (now + x) - p * d1
    let next2 = h * (next1 + d1) - p * d2
    let next3 = h * (next2 + d2) - p * d3
    (x, d1, d2, d3) = (now, next1, next2, next3)
    return (next3 * Lanes(tuning.drive)).clamped(to: 10).shortTanh
  }

  @inline(__always)
  mutating func settle() {
    let level = (x.magnitude + d1.magnitude) + (d2.magnitude + d3.magnitude)
    x = x.kept(where: level, isFrom: 1e-30)
    d1 = d1.kept(where: level, isFrom: 1e-30)
    d2 = d2.kept(where: level, isFrom: 1e-30)
    d3 = d3.kept(where: level, isFrom: 1e-30)
  }
}

extension ThreePoleLanes {
  @inline(never)
  mutating func oversample(
    _ input: AudioInputLanes, to output: AudioOutputLanes, _ frames: Range<Int>,
    _ controls: ThreePoleControls, _ fullScale: Double, by oversampler: inout LaneOversampler
  ) {
    var filter = self
    let areConstant = controls.areConstant
    var tuning = controls[frames.lowerBound]
    oversampler.process(input, to: output, in: frames, level: fullScale) { sample, step in
      if !areConstant && step & 3 == 0 { tuning = controls[frames.lowerBound &+ step &>> 2] }
      return filter.next(sample, tuning)
    }
    oversampler.settle()
    self = filter
  }
}

@Opcode("LPF18.array", "Resonant lowpass filter with distortion for each channel of an array")
struct ThreePoleArray: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The filtered signals. The array gets the length of ain[].
    let output: ArrayOutput<AudioOutput>
    /// The input signals. If the array's length changes during a note, the note ends with an error.
    /// NaN counts as silence.
    let input: ArrayInput<AudioInput>
    /// Cutoff frequency of all channels in Hz; k-rate or a-rate. Clamped to 0 … 0.44 sr, with an iquality of 1
    /// or 2 to 0 … 0.49 sr.
    let cutoff: AnyRateInput
    /// Resonance of all channels; k-rate or a-rate. 0 for none; the filter oscillates from about 1 on.
    let resonance: AnyRateInput
    /// Amount of distortion of all channels, from 0 (little) upwards; k-rate or a-rate.
    let distortion: AnyRateInput
    /// Nonzero keeps the states of the previous note in the same memory. Default 0.
    @Default(0) let skip: InitInput
    /// 0 for the sound of `lpf18`; 1 for exact tuning; 2 for exact tuning at four times the sample rate, almost without
    /// aliases. Default 0.
    @Default(0) let quality: InitInput
  }

  static var bufferCount: Int { 2 }

  private let filters: ChannelStates<ThreePoleLanes>
  /// One for every eight channels at the best quality, none otherwise.
  private let oversamplers: Buffer<LaneOversampler>
  private let quality: Quality
  private let samplePeriod, fullScale: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    filters = try ChannelStates(
      for: arguments.input, to: arguments.output, keepingStates: arguments.skip.value != 0, context)
    quality = try Quality(arguments.quality.value)
    oversamplers = try context.buffer(
      of: LaneOversampler.self, count: quality == .best ? filters.groupCount : 0,
      keepingContents: arguments.skip.value != 0)
    samplePeriod = 1 / context.sampleRate
    fullScale = context.fullScale
  }

  // Not inlined: the call costs little compared with the work for all channels, and avoids a second
  // copy of the code.
  @inline(never)
  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    try filters.check(arguments.input, arguments.output)
    let frames = context.frames
    let controls = ThreePoleControls(
      cutoff: arguments.cutoff.signal(context), resonance: arguments.resonance.signal(context),
      distortion: arguments.distortion.signal(context), samplePeriod: samplePeriod, quality: quality
    )
    if _slowPath(quality != .original) { return performBetter(arguments, frames, controls) }
    let areConstant = controls.areConstant
    let (scale, fullScale) = (Lanes(1 / fullScale), Lanes(fullScale))
    var group = 0
    while group < filters.groupCount {
      let input = arguments.input.lanes(from: 8 &* group)
      let output = arguments.output.lanes(from: 8 &* group)
      var filter = filters[group]
      var tuning = controls[original: frames.lowerBound]
      for frame in frames {
        if !areConstant { tuning = controls[original: frame] }
        output[frame] = filter.next(input[frame] * scale, tuning) * fullScale
      }
      filter.settle()
      filters[group] = filter
      group &+= 1
    }
  }

  @inline(never)
  private func performBetter(
    _ arguments: Arguments, _ frames: Range<Int>, _ controls: ThreePoleControls
  ) {
    var group = 0
    while group < filters.groupCount {
      let input = arguments.input.lanes(from: 8 &* group)
      let output = arguments.output.lanes(from: 8 &* group)
      var filter = filters[group]
      if quality == .best {
        filter.oversample(
          input, to: output, frames, controls, fullScale, by: &oversamplers[group])
      } else {
        for frame in frames {
          output[frame] =
            filter.next(input[frame] * Lanes(1 / fullScale), controls[frame]) * Lanes(fullScale)
        }
      }
      filter.settle()
      filters[group] = filter
      group &+= 1
    }
  }
}
