// aout[] MOOGLADDER ain[], xcutoff, xresonance [, iskip [, iquality]]
//
// The ladder of `MOOGLADDER` for each channel of an array; eight channels are computed at once.
//
// The recurrence is the one in MoogLadder.swift. Here throughput matters and not latency, so every value is a plain
// number and a whole integrator step uses one addition theorem,
//
//     t' = T(d + g (u - t)) = (t + T(y)) / (1 + t T(y)),   y = g (u - t)
//
// where T(y) is a quotient of short polynomials and T itself is accurate to 3e-9 (`Lanes.shortTanh`). The null depths
// against `moogladder` are in the benchmark's table. NaN in the input counts as silence.

import OpcodeKit

/// The ladders of eight channels.
package struct LadderLanes: BitwiseCopyable {
  /// tanh of the first three integrators; the last integrator, and the mean of its last two values.
  private var t0 = Lanes(0), t1 = Lanes(0), t2 = Lanes(0)
  private var d3 = Lanes(0), mean = Lanes(0)

  package init() {}

  /// Processes one frame, in units of the transistors' saturation voltage.
  @inline(__always)
  package mutating func next(_ input: Lanes, _ tuning: LadderTuning) -> Lanes {
    let input = input.kept(where: input.magnitude, isFrom: 1e-30)
    if tuning.hasSmallGain {
      halfSteps(input, tuning, GentleLanes.self)
    } else {
      halfSteps(input, tuning, SteepLanes.self)
    }
    return mean
  }

  /// Processes one half sample, in the same units.
  @inline(__always)
  package mutating func halfStep(_ input: Lanes, _ tuning: LadderTuning) -> Lanes {
    let input = input.kept(where: input.magnitude, isFrom: 1e-30)
    if tuning.hasSmallGain {
      halfStep(input, tuning, GentleLanes.self)
    } else {
      halfStep(input, tuning, SteepLanes.self)
    }
    return mean
  }

  @inline(__always)
  private mutating func halfSteps<Step: LaneStep>(
    _ input: Lanes, _ tuning: LadderTuning, _ step: Step.Type
  ) {
    var half = 0
    while half < 2 {
      halfStep(input, tuning, step)
      half &+= 1
    }
  }

  @inline(__always)
  private mutating func halfStep<Step: LaneStep>(
    _ input: Lanes, _ tuning: LadderTuning, _ step: Step.Type
  ) {
    let gain = Lanes(tuning.gain)
    let drive = (input - Lanes(tuning.feedback) * mean).clamped(to: 10)
    t0 = Step.advance(t0, by: gain * (drive.shortTanh - t0))
    t1 = Step.advance(t1, by: gain * (t0 - t1))
    t2 = Step.advance(t2, by: gain * (t1 - t2))
    let last = d3
    d3 = last + gain * (t2 - last.shortTanh)
    mean = Lanes(0.5) * (last + d3)
  }

  /// The same as `Ladder.settle`, for each channel.
  @inline(never)
  package mutating func settle() {
    let level = (t0.magnitude + t1.magnitude) + (t2.magnitude + d3.magnitude)
    t0 = t0.kept(where: level, isFrom: 1e-30)
    t1 = t1.kept(where: level, isFrom: 1e-30)
    t2 = t2.kept(where: level, isFrom: 1e-30)
    d3 = d3.kept(where: level, isFrom: 1e-30)
    mean = mean.kept(where: level, isFrom: 1e-30)
  }
}

/// tanh(d + y) for t = tanh d: (t even + odd) / (even + t odd), where tanh y = odd / even.
private protocol LaneStep {
  static func advance(_ t: Lanes, by y: Lanes) -> Lanes
}

/// For gains below 0.32 and |y| up to 0.6: a minimax fit whose relative error is at most 1.1e-6 at the ends and
/// decreases with the fourth power of y.
private enum GentleLanes: LaneStep {
  @inline(__always)
  static func advance(_ t: Lanes, by y: Lanes) -> Lanes {
    let z = y * y
    let even = Lanes(1) + z * Lanes(1 / 2.506054495514017)
    let odd = y * (Lanes(1) + z * Lanes(1 / 15.21288493523201))
    return (t * even + odd) / (even + t * odd)
  }
}

/// For every gain up to 0.98 and |y| up to 2: a minimax fit with a relative error of at most 2e-7.
private enum SteepLanes: LaneStep {
  @inline(__always)
  static func advance(_ t: Lanes, by y: Lanes) -> Lanes {
    let z = y * y
    let one = Lanes(1)
    let even = (one + z * Lanes(1 / 2.467759291497266)) * (one + z * Lanes(1 / 26.509936358761344))
    let odd =
      (y * (one + z * Lanes(1 / 10.00579687881236))) * (one + z * Lanes(1 / 103.3790043148328))
    return (t * even + odd) / (even + t * odd)
  }
}

@Opcode("MOOGLADDER.array", "Moog ladder lowpass filter for each channel of an array")
struct MoogLadderArray<Cutoff: Signal, Resonance: Signal>: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The filtered signals. The array gets the length of ain[].
    let output: ArrayOutput<AudioOutput>
    /// The input signals, in units of 0dbfs. If the array's length changes during a note, the note ends with an error.
    let input: ArrayInput<AudioInput>
    /// Cutoff frequency of all channels in Hz, 0 to sr/2; k-rate or a-rate. Clamped to 0 … 3/4 sr.
    let cutoff: Cutoff
    /// Resonance of all channels; k-rate or a-rate. 0 for none; the filter oscillates from about 1 on. Negative values
    /// count as 0.
    let resonance: Resonance
    /// Nonzero keeps the states of the previous note in the same memory. Default 0.
    @Default(0) let skip: InitInput
    /// 0 for the sound of `moogladder`; 1 for exact tuning; 2 for exact tuning at four times the sample rate, almost
    /// without aliases. From 1 on the cutoff is clamped to 0 … sr/2. Default 0.
    @Default(0) let quality: InitInput
  }

  static var bufferCount: Int { 2 }

  private let ladders: ChannelStates<LadderLanes>
  /// One for every eight channels at the best quality, none otherwise.
  private let oversamplers: Buffer<LaneOversampler>
  private let quality: Quality
  private let samplePeriod, fromVoltage: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    ladders = try ChannelStates(
      for: arguments.input, to: arguments.output, keepingStates: arguments.skip.value != 0, context)
    quality = try Quality(arguments.quality.value)
    oversamplers = try context.buffer(
      of: LaneOversampler.self, count: quality == .best ? ladders.groupCount : 0,
      keepingContents: arguments.skip.value != 0)
    samplePeriod = 1 / context.sampleRate
    fromVoltage = Ladder.voltage(fullScale: context.fullScale)
  }

  // Not inlined: the call costs little compared with the work, and avoids a second copy of the code.
  @inline(never)
  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    try ladders.check(arguments.input, arguments.output)
    let (ladders, oversamplers, fromVoltage) = (ladders, oversamplers, fromVoltage)
    let isBest = quality == .best
    quality.forEachLadderTuning(
      cutoff: arguments.cutoff, resonance: arguments.resonance, samplePeriod, in: context.frames
    ) { frames, gains, feedbacks in
      var group = 0
      while group < ladders.groupCount {
        let input = arguments.input.lanes(from: 8 &* group)
        let output = arguments.output.lanes(from: 8 &* group)
        if isBest {
          ladders[group].runOversampled(
            input, to: output, in: frames, gains, feedbacks, fromVoltage, by: &oversamplers[group])
        } else {
          ladders[group].run(input, to: output, in: frames, gains, feedbacks, fromVoltage)
        }
        group &+= 1
      }
    }
    var group = 0
    while group < ladders.groupCount {
      ladders[group].settle()
      if isBest { oversamplers[group].settle() }
      group &+= 1
    }
  }
}

// Not generic, so that the code is there once for all rates and laws.
extension LadderLanes {
  @inline(never)
  fileprivate mutating func run(
    _ input: AudioInputLanes, to output: AudioOutputLanes, in frames: Range<Int>, _ gains: Lanes,
    _ feedbacks: Lanes, _ fromVoltage: Double
  ) {
    let toVoltage = 1 / fromVoltage
    var ladder = self
    for frame in frames {
      let place = (frame &- frames.lowerBound) & 7
      let tuning = LadderTuning(gain: gains[place], feedback: feedbacks[place])
      let voltage = ladder.next(input[frame] * Lanes(toVoltage), tuning)
      output[frame] = voltage * Lanes(fromVoltage)
    }
    self = ladder
  }

  @inline(never)
  fileprivate mutating func runOversampled(
    _ input: AudioInputLanes, to output: AudioOutputLanes, in frames: Range<Int>, _ gains: Lanes,
    _ feedbacks: Lanes, _ fromVoltage: Double, by oversampler: inout LaneOversampler
  ) {
    var ladder = self
    oversampler.process(input, to: output, in: frames, level: fromVoltage) { sample, step in
      let place = step &>> 2 & 7
      return ladder.halfStep(sample, LadderTuning(gain: gains[place], feedback: feedbacks[place]))
    }
    self = ladder
  }
}
