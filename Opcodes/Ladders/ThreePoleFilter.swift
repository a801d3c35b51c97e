// aout LPF18 ain, xcutoff, xresonance, xdistortion [, iskip]
// aout[] LPF18 ain[], xcutoff, xresonance, xdistortion [, iskip]
//
// A resonant lowpass filter with 18 dB per octave and distortion: Josep Comajuncosas' model of the
// TB-303's filter, with the recurrence of Csound's `lpf18`. With T = tanh, f = 2 cutoff / sr and
// all signals in units of 0dbfs,
//
//     x   = in - T(r d3)
//     d1' = h (x' + x)   - p d1
//     d2' = h (d1' + d1) - p d2
//     d3' = h (d2' + d2) - p d3        out = T(d3' v)
//     p = ((-2.7528 f + 3.0429) f + 1.718) f - 0.9984        h = (p + 1) / 2
//     r = resonance (((-2.7079 (p + 1) + 10.963) (p + 1) - 14.934) (p + 1) + 8.4974)
//     v = 1 + distortion (1.5 + 2 r (1 - f))
//
// The feedback from d3 through tanh takes most of the time. d3 is therefore split into the share of
// x and a part e3 that is known one sample earlier,
//
//     d3' = h³ x' + e3                    e1' = h (1 - p) x' - p e1
//     e2' = 2 h² (1 - p) x' + h (1 - p) e1 - p e2
//     e3' = 3 h³ (1 - p) x' + h (1 - p) (h e1 + e2) - p e3
//
// and d3 is fed back as a fraction, so the feedback loop has no division. tanh of the output is
// computed for eight frames at once. For an array, eight channels are computed at once with
// `Lanes.shortTanh`.
//
// Differs from `lpf18`: the cutoff is clamped to 0 … 0.49 sr, because `lpf18` becomes unstable near
// there; signals below -600 dB become 0; NaN in the input does not stay in the filter.
//
// Category: Signal Modifiers:Standard Filters:Resonant

import OpcodeKit

/// The filter's coefficients for one cutoff, resonance and distortion.
package struct ThreePoleTuning: BitwiseCopyable {
  fileprivate let pole, half, feedback, drive: Double

  /// `cutoff` is in units of the sample rate.
  @inline(__always)
  package init(cutoff: Double, resonance: Double, distortion: Double) {
    let positive = cutoff > 0 ? 2 * cutoff : 0
    let f = positive < 0.98 ? positive : 0.98
    let sum = (1.718 * f + 0.0016) + (f * f) * (3.0429 - 2.7528 * f)
    pole = sum - 1
    half = 0.5 * sum
    feedback = resonance * ((8.4974 - 14.934 * sum) + (sum * sum) * (10.963 - 2.7079 * sum))
    drive = 1 + distortion * (1.5 + 2 * feedback * (1 - f))
  }
}

/// The state of one channel.
package struct ThreePoleFilter: BitwiseCopyable {
  private var x = 0.0, d1 = 0.0, d2 = 0.0, d3 = 0.0
  /// d3 as a fraction.
  private var end = Fraction(0, 1)

  package init() {}

  /// Filters frames with constant coefficients; writes d3 v, of which the output is the tanh.
  @inline(__always)
  fileprivate mutating func run(
    _ frames: Range<Int>, _ input: AudioInput, to output: AudioOutput, _ tuning: ThreePoleTuning,
    scale: Double
  ) {
    let (p, h) = (tuning.pole, tuning.half)
    let (h3, passed) = (h * h * h, h * (1 - p))
    let (share2, share3) = (2 * h * passed, 3 * h * h * passed)
    var e1 = h * x - p * d1
    var e2 = h * (e1 + d1) - p * d2
    var e3 = h * (e2 + d2) - p * d3
    var (last1, last2, last3) = (e1, e2, e3)
    let round = Pair(tuning.feedback * h3, 0)
    var looped = end.parts * Pair(tuning.feedback, 1)
    for frame in frames {
      var sample = input[frame] * scale
      if sample.magnitude < 1e-30 { sample = 0 }
      let early = Pair(tuning.feedback * (h3 * sample + e3), 1)
      var (tops, bottoms) = (Pair.firsts(looped, looped), Pair.seconds(looped, looped))
      // tanh is held for arguments beyond ±10.
      if _slowPath(tops[0].magnitude > 10 * bottoms[0]) {
        (tops, bottoms) = (Pair(tops[0] > 0 ? 10 : -10), Pair(1))
      }
      let drive = Fraction.tanh(tops, bottoms)
      looped = (early * drive.bottoms - round * drive.tops) * drive.bottoms.unscale
      x = sample - drive.value
      (last1, last2, last3) = (e1, e2, e3)
      e1 = passed * x - p * last1
      e2 = share2 * x + (passed * last1 - p * last2)
      e3 = share3 * x + (passed * (h * last1 + last2) - p * last3)
      d3 = h3 * x + last3
      output[frame] = d3 * tuning.drive
    }
    d1 = h * x + last1
    d2 = h * h * x + last2
    end = Fraction(d3, 1)
  }

  /// Resets the state to 0 when it is below -600 dB or not finite.
  @inline(__always)
  package mutating func settle() {
    let level = (x.magnitude + d1.magnitude) + (d2.magnitude + d3.magnitude)
    if !(level >= 1e-30 && level < .infinity) { self = ThreePoleFilter() }
  }

  /// Whether silent input gives silent output.
  fileprivate var isSilent: Bool { x == 0 && d1 == 0 && d2 == 0 && d3 == 0 }
}

/// The states of eight channels.
private struct ThreePoleLanes: BitwiseCopyable {
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

/// The controls of a k-cycle.
private struct ThreePoleControls: BitwiseCopyable {
  let cutoff, resonance, distortion: AnyRateSignal
  let samplePeriod: Double

  @inline(__always)
  var areConstant: Bool {
    !(cutoff.isAudioRate || resonance.isAudioRate || distortion.isAudioRate)
  }

  @inline(__always)
  subscript(frame: Int) -> ThreePoleTuning {
    ThreePoleTuning(
      cutoff: cutoff[frame] * samplePeriod, resonance: resonance[frame],
      distortion: distortion[frame])
  }
}

@Opcode("LPF18.a", "Resonant lowpass filter, 18 dB per octave, with distortion")
struct ThreePole: AudioOpcode, LateInitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The filtered signal, within full scale.
    let output: AudioOutput
    /// The input signal, in units of 0dbfs.
    let input: AudioInput
    /// Cutoff frequency in Hz; k-rate or a-rate. Clamped to 0 … 0.49 sr.
    let cutoff: AnyRateInput
    /// Resonance; k-rate or a-rate. 0 for none; the filter oscillates from about 1 on.
    let resonance: AnyRateInput
    /// Amount of distortion, from 0 (little) upwards; k-rate or a-rate.
    let distortion: AnyRateInput
    /// Nonzero keeps the state of the previous note in the same memory. Default 0.
    @Default(0) let skip: InitInput
  }

  private var filter = ThreePoleFilter()
  private let samplePeriod, fullScale: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    samplePeriod = 1 / context.sampleRate
    fullScale = context.fullScale
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let frames = context.frames
    let (input, output) = (arguments.input, arguments.output)
    filter.settle()
    if filter.isSilent, input.isSilent(in: frames) {
      output.silence(frames)
      return
    }
    let controls = ThreePoleControls(
      cutoff: arguments.cutoff.signal(context), resonance: arguments.resonance.signal(context),
      distortion: arguments.distortion.signal(context), samplePeriod: samplePeriod)
    let scale = 1 / fullScale
    if controls.areConstant {
      filter.run(frames, input, to: output, controls[0], scale: scale)
    } else {
      for frame in frames {
        filter.run(frame..<frame &+ 1, input, to: output, controls[frame], scale: scale)
      }
    }
    saturate(output, frames)
  }

  /// tanh of every frame, times full scale.
  @inline(__always)
  private func saturate(_ output: AudioOutput, _ frames: Range<Int>) {
    var frame = frames.lowerBound
    while frame &+ 8 <= frames.upperBound {
      output.setLanes(output.lanes(at: frame).tanh * Lanes(fullScale), at: frame)
      frame &+= 8
    }
    while frame < frames.upperBound {
      output[frame] = Fraction.tanh(output[frame]) * fullScale
      frame &+= 1
    }
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
    let cutoff, resonance, distortion: AnyRateInput
    @Default(0) let skip: InitInput
  }

  static var bufferCount: Int { 1 }

  private let filters: ChannelStates<ThreePoleLanes>
  private let samplePeriod, fullScale: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    filters = try ChannelStates(
      for: arguments.input, to: arguments.output, keepingStates: arguments.skip.value != 0, context)
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
      distortion: arguments.distortion.signal(context), samplePeriod: samplePeriod)
    let areConstant = controls.areConstant
    let (scale, fullScale) = (Lanes(1 / fullScale), Lanes(fullScale))
    var group = 0
    while group < filters.groupCount {
      let input = arguments.input.lanes(from: 8 &* group)
      let output = arguments.output.lanes(from: 8 &* group)
      var filter = filters[group]
      var tuning = controls[frames.lowerBound]
      for frame in frames {
        if !areConstant { tuning = controls[frame] }
        output[frame] = filter.next(input[frame] * scale, tuning) * fullScale
      }
      filter.settle()
      filters[group] = filter
      group &+= 1
    }
  }
}
