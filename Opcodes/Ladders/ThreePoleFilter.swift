// aout LPF18 ain, xcutoff, xresonance, xdistortion [, iskip [, iquality]]
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
// Differs from `lpf18`: the cutoff is clamped to 0 … 0.44 sr, because there p reaches 1 and `lpf18` grows without
// bound, which its output hides as a square wave of half the sample rate; signals below -600 dB become 0; NaN in the input does not stay in the filter.
//
// With an iquality of 1 the recurrence is the same, but p and r are those at which the filter oscillates at the cutoff
// from a resonance of 1 on. The loop of d3, with its delay of one sample, is -1 at the angle θ = 2π cutoff / sr for
//
//     p = sin(5θ/6 - π/3) / sin(θ/6 + π/3)        r = resonance / cos³((π - θ)/3)
//
// and tanh in one place of the loop moves the oscillation little: by 1.3 cents at a resonance of 1.3, by 7.5 at 2. With 2,
// moreover, recurrence and tanh run at four times the sample rate, between half-band filters (`Oversampler`), which delay
// low frequencies by 4.3 samples. f in v remains 2 cutoff / sr. What that does to aliases and tuning is on the page
// HowItSounds.
//
// Category: Signal Modifiers:Standard Filters:Resonant

import OpcodeKit

/// The filter's coefficients for one cutoff, resonance and distortion.
package struct ThreePoleTuning: BitwiseCopyable {
  let pole, half, feedback, drive: Double

  /// `cutoff` is in units of the sample rate.
  @inline(__always)
  package init(cutoff: Double, resonance: Double, distortion: Double) {
    let positive = cutoff > 0 ? 2 * cutoff : 0
    let f = positive < 0.88 ? positive : 0.88
    let sum = (1.718 * f + 0.0016) + (f * f) * (3.0429 - 2.7528 * f)
    pole = sum - 1
    half = 0.5 * sum
    feedback = resonance * ((8.4974 - 14.934 * sum) + (sum * sum) * (10.963 - 2.7079 * sum))
    drive = 1 + distortion * (1.5 + 2 * feedback * (1 - f))
  }

  /// The coefficients with which the filter oscillates at the cutoff from a resonance of 1 on. `cutoff` is in units of
  /// the sample rate; the filter runs `steps` times in a sample.
  @inline(never)
  package init(exactly cutoff: Double, resonance: Double, distortion: Double, steps: Double) {
    let positive = cutoff > 0 ? cutoff : 0
    let limited = positive < 0.49 ? positive : 0.49
    // The angles as parts of half a turn: θ = 2π f.
    let f = limited / steps
    let sines = HalfTurn.sine(Pair(f, (1 + f) / 3))
    let cosine = HalfTurn.cosine(Pair((1 - 2 * f) / 3))[0]
    // (1 + p) / 2, by the sum of the two sines.
    half = sines[0] * cosine / sines[1]
    pole = half + half - 1
    feedback = resonance / (cosine * cosine * cosine)
    drive = 1 + distortion * (1.5 + 2 * feedback * (1 - 2 * limited))
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

  /// Filters one sample; returns d3, of which tanh(d3 v) is the output.
  @inline(__always)
  package mutating func next(_ input: Double, _ tuning: ThreePoleTuning) -> Double {
    let (p, h) = (tuning.pole, tuning.half)
    let h3 = h * h * h
    let sample = input.magnitude < 1e-30 ? 0 : input
    let e1 = h * x - p * d1
    let e2 = h * (e1 + d1) - p * d2
    let e3 = h * (e2 + d2) - p * d3
    let looped = end.parts * Pair(tuning.feedback, 1)
    var (tops, bottoms) = (Pair.firsts(looped, looped), Pair.seconds(looped, looped))
    // tanh is held for arguments beyond ±10.
    if _slowPath(tops[0].magnitude > 10 * bottoms[0]) {
      (tops, bottoms) = (Pair(tops[0] > 0 ? 10 : -10), Pair(1))
    }
    let back = Fraction.tanh(tops, bottoms)
    end = Fraction(
      parts: (Pair(h3 * sample + e3, 1) * back.bottoms - Pair(h3, 0) * back.tops)
        * back.bottoms.unscale)
    x = sample - back.value
    d1 = h * x + e1
    d2 = h * h * x + e2
    d3 = h3 * x + e3
    return d3
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

/// The controls of a k-cycle.
struct ThreePoleControls: BitwiseCopyable {
  let cutoff, resonance, distortion: AnyRateSignal
  let samplePeriod: Double
  let quality: Quality

  @inline(__always)
  var areConstant: Bool {
    !(cutoff.isAudioRate || resonance.isAudioRate || distortion.isAudioRate)
  }

  /// The tuning of `lpf18`.
  @inline(__always)
  subscript(original frame: Int) -> ThreePoleTuning {
    ThreePoleTuning(
      cutoff: cutoff[frame] * samplePeriod, resonance: resonance[frame],
      distortion: distortion[frame])
  }

  /// The tuning of the quality.
  @inline(__always)
  subscript(frame: Int) -> ThreePoleTuning {
    quality == .original
      ? self[original: frame]
      : ThreePoleTuning(
        exactly: cutoff[frame] * samplePeriod, resonance: resonance[frame],
        distortion: distortion[frame], steps: quality == .best ? 4 : 1)
  }
}

@Opcode("LPF18.a", "Resonant lowpass filter, 18 dB per octave, with distortion")
struct ThreePole: AudioOpcode, LateInitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The filtered signal, within full scale; with an iquality of 2 the filters of its sample rates ring beyond it, by up to
    /// 8.5 dB with clipped noise.
    let output: AudioOutput
    /// The input signal, in units of 0dbfs.
    let input: AudioInput
    /// Cutoff frequency in Hz; k-rate or a-rate. Clamped to 0 … 0.44 sr, with an iquality of 1 or 2 to 0 … 0.49 sr.
    let cutoff: AnyRateInput
    /// Resonance; k-rate or a-rate. 0 for none; the filter oscillates from about 1 on.
    let resonance: AnyRateInput
    /// Amount of distortion, from 0 (little) upwards; k-rate or a-rate.
    let distortion: AnyRateInput
    /// Nonzero keeps the state of the previous note in the same memory. Default 0.
    @Default(0) let skip: InitInput
    /// 0 for the sound of `lpf18`; 1 for exact tuning; 2 for exact tuning at four times the sample rate, almost without
    /// aliases. Default 0.
    @Default(0) let quality: InitInput
  }

  static let bufferCount = 1

  private var filter = ThreePoleFilter()
  private let samplePeriod, fullScale: Double
  private let quality: Quality
  /// One at the best quality, none otherwise.
  private let oversamplers: Buffer<Oversampler>

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    quality = try Quality(arguments.quality.value)
    oversamplers = try context.oversamplers(
      times: 4, count: quality == .best ? 1 : 0, keepingContents: Self.resumes(arguments))
    samplePeriod = 1 / context.sampleRate
    fullScale = context.fullScale
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  mutating func resume(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    var anew = try Self(arguments, context)
    anew.filter = filter
    self = anew
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let (input, output, frames) = (arguments.input, arguments.output, context.frames)
    filter.settle()
    let isIdle = quality != .best || oversamplers[0].isIdle
    if filter.isSilent, isIdle, input.isSilent(in: frames) {
      output.silence(frames)
      return
    }
    let controls = ThreePoleControls(
      cutoff: arguments.cutoff.signal(context), resonance: arguments.resonance.signal(context),
      distortion: arguments.distortion.signal(context), samplePeriod: samplePeriod, quality: quality
    )
    if _slowPath(quality != .original) { return performBetter(input, to: output, frames, controls) }
    let scale = 1 / fullScale
    if controls.areConstant {
      filter.run(frames, input, to: output, controls[original: 0], scale: scale)
    } else {
      for frame in frames {
        filter.run(
          frame..<frame &+ 1, input, to: output, controls[original: frame], scale: scale)
      }
    }
    saturate(output, frames)
  }

  @inline(never)
  private mutating func performBetter(
    _ input: AudioInput, to output: AudioOutput, _ frames: Range<Int>, _ controls: ThreePoleControls
  ) {
    var filter = filter
    let (scale, fullScale) = (1 / fullScale, fullScale)
    let areConstant = controls.areConstant
    var tuning = controls[frames.lowerBound]
    if quality == .best {
      oversamplers[0].process(input, to: output, in: frames) { samples, frame, count in
        var (current, result) = (filter, samples * Lanes(scale))
        result.replaceEach(first: count) { sample, index in
          if !areConstant && index & 3 == 0 { tuning = controls[frame &+ index &>> 2] }
          return current.next(sample, tuning) * tuning.drive
        }
        filter = current
        return result.clamped(to: 10).shortTanh * Lanes(fullScale)
      }
    } else {
      for frame in frames {
        if !areConstant { tuning = controls[frame] }
        output[frame] = filter.next(input[frame] * scale, tuning) * tuning.drive
      }
      saturate(output, frames)
    }
    self.filter = filter
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
