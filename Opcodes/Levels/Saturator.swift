// aout SATURATE ain [, iquality]
// aout[] SATURATE ain[] [, iquality]
// iout SATURATE iin
// kout SATURATE kin
// iout[] SATURATE iin[]
// kout[] SATURATE kin[]
// aout SATURATE ain, kpregain, kpostgain, kshape1, kshape2 [, imode [, iquality]]
// aout[] SATURATE ain[], kpregain, kpostgain, kshape1, kshape2 [, imode [, iquality]]
//
// Soft saturation. The short forms compute the hyperbolic tangent, like Csound's `tanh`:
//
//     out = tanh(in)
//
// The long forms use the curve of Csound's `distort1`, a hyperbolic tangent with a separate slope for each half,
//
//     out = postgain/2 (e^(in (pregain + s1)) - e^(in (s2 - pregain))) / cosh(in pregain)
//
// where s1 and s2 follow from kshape1 and kshape2, and imode scales all four arguments.
//
// Differs from `distort1` only where that opcode overflows and gives NaN: here exponents are limited to ±700. tanh and
// the exponentials are those of `Vector`, eight frames at a time; the exponentials have a relative error of 3e-10. tanh
// of a single value is `Fraction.tanh`.
//
// With an iquality of 1 or 2 the curves are computed at twice or four times the sample rate (`Oversampler`), so that fewer
// of their harmonics fold back to audible frequencies. That delays low frequencies by 3.2 or 4.3 samples,
// 20 kHz at a sample rate of 48 kHz by 11.2 or 12.5 samples.
//
// Category: Signal Modifiers:Waveshaping

import OpcodeKit

/// The hyperbolic tangent.
package struct TanhCurve: Curve {
  @inline(__always) package init() {}
  @inline(__always) @_semantics("no_performance_analysis")
  package func callAsFunction<V: Vector>(_ input: V) -> V { input.tanh }
  @inline(__always)
  package func callAsFunction(_ input: Double) -> Double { Fraction.tanh(input) }
  /// With a relative error of 3.1e-9, in half the time.
  @inline(__always) @_semantics("no_performance_analysis")
  package func oversampled(_ input: Lanes) -> Lanes { input.clamped(to: 10).shortTanh }
}

/// The scaling of the arguments of `distort1` that imode selects.
package struct DistortionUnits: BitwiseCopyable {
  private let pregain, postgain, shape: Double
  private let isRelative: Bool

  /// - `mode` below 0.5: for audio with a full scale of 32768, as in old Csound.
  /// - `mode` below 1.5: the same for any full scale.
  /// - `mode` from 1.5 on: no scaling, and shapes relative to pregain.
  package init(mode: Double, fullScale: Double) {
    isRelative = !(mode < 1.5)
    if mode < 0.5 {
      (pregain, postgain, shape) = (0.0002, 20_000, 0.000125)
    } else if mode < 1.5 {
      (pregain, postgain, shape) = (6.5536 / fullScale, 0.61035156 * fullScale, 4.096 / fullScale)
    } else {
      (pregain, postgain, shape) = (1, 1, 1)
    }
  }

  /// The curve for the arguments of one k-cycle.
  @inline(__always)
  package func curve(
    pregain: Double, postgain: Double, shape1: Double, shape2: Double
  ) -> DistortionCurve {
    let gain = pregain * self.pregain
    let perShape = isRelative ? gain : shape
    return DistortionCurve(
      pregain: gain, postgain: postgain * self.postgain, above: gain + shape1 * perShape,
      below: (isRelative ? -shape2 : shape2) * perShape - gain)
  }
}

/// The curve of `distort1`. `above` and `below` are the two exponents in the numerator, for a signal of 1.
package struct DistortionCurve: Curve {
  fileprivate let pregain, postgain, above, below: Double

  /// Numerator and denominator are divided by e^|in pregain| / 2, so that both stay finite.
  @inline(__always) @_semantics("no_performance_analysis")
  package func callAsFunction<V: Vector>(_ input: V) -> V {
    let size = (input * V(pregain)).magnitude
    let difference = (input * V(above) - size).shortExp - (input * V(below) - size).shortExp
    return difference * V(postgain) / (V(1) + (V(0) - (size + size)).shortExp)
  }
}

@Opcode("SATURATE.a", "Soft saturation, hyperbolic tangent")
struct Saturator: AudioOpcode, LateInitOpcode {
  struct Arguments: BitwiseCopyable {
    /// tanh of the signal, from -1 to 1; with an iquality of 1 or 2 it rings beyond, with noise up to 2.9.
    let output: AudioOutput
    /// The input signal. Saturation begins at about 1, whatever 0dbfs is.
    let input: AudioInput
    /// Antialiasing: 0 for none, as Csound's opcodes; 1 at twice the sample rate; 2 at four times. Default 0.
    @Default(0) let quality: InitInput
  }

  static var hasPassOfOneFrame: Bool { true }

  private let quality: Quality
  private var oversampler: Oversampler

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    quality = try Quality(arguments.quality.value)
    oversampler = Oversampler(quality)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let (input, output, frames) = (arguments.input, arguments.output, context.frames)
    if _slowPath(quality != .original) {
      return TanhCurve().shape(input, to: output, in: frames, by: &oversampler)
    }
    TanhCurve().shape(input, to: output, in: frames)
  }
}

@Opcode("SATURATE.array", "Soft saturation, hyperbolic tangent")
struct SaturatorArray: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// tanh of each signal. The array gets the length of ain[].
    let output: ArrayOutput<AudioOutput>
    /// The input signals. If the array's length changes during a note, the note ends with an error.
    let input: ArrayInput<AudioInput>
    @Default(0) let quality: InitInput
  }

  static var bufferCount: Int { 1 }

  private let oversamplers: Buffer<Oversampler>

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    try arguments.output.resize(to: arguments.input.count, context)
    oversamplers = try context.oversamplers(
      Quality(arguments.quality.value), count: arguments.input.count)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    if _slowPath(oversamplers.count > 0) { return try performBetter(arguments, context) }
    try TanhCurve().shape(arguments.input, to: arguments.output, context)
  }

  @inline(never)
  private mutating func performBetter(
    _ arguments: Arguments, _ context: Context
  ) throws(OpcodeError) {
    try TanhCurve().shape(arguments.input, to: arguments.output, context, by: oversamplers)
  }
}

@Opcode("SATURATE.k", "Soft saturation, hyperbolic tangent")
struct SaturatorControl: ControlOpcode, LateInitOpcode {
  struct Arguments: BitwiseCopyable {
    /// tanh of the value.
    let output: ControlOutput
    /// The value.
    let input: ControlInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    arguments.output.value = TanhCurve()(arguments.input.value)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    arguments.output.value = TanhCurve()(arguments.input.value)
  }
}

@Opcode("SATURATE.i", "Soft saturation, hyperbolic tangent")
struct SaturatorInit: InitOpcode {
  struct Arguments: BitwiseCopyable {
    /// tanh of the value.
    let output: InitOutput
    /// The value.
    let input: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    arguments.output.value = TanhCurve()(arguments.input.value)
  }
}

@Opcode("SATURATE.i_array", "Soft saturation, hyperbolic tangent")
struct SaturatorInitArray: InitOpcode {
  struct Arguments: BitwiseCopyable {
    /// tanh of each value. The array gets the length of iin[].
    let output: ArrayOutput<InitOutput>
    /// The values.
    let input: ArrayInput<InitInput>
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let count = arguments.input.count
    try arguments.output.resize(to: count, context)
    for index in 0..<count {
      arguments.output[index].value = TanhCurve()(arguments.input[index].value)
    }
  }
}

@Opcode("SATURATE.k_array", "Soft saturation, hyperbolic tangent")
struct SaturatorControlArray: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    /// tanh of each value. The array gets the length that kin[] has at init.
    let output: ArrayOutput<ControlOutput>
    /// The values. If the array becomes shorter during a note, only the elements left are computed; if it becomes
    /// longer, the elements beyond its length at init are ignored.
    let input: ArrayInput<ControlInput>
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    guard arguments.input.count > 0 else {
      throw OpcodeError(
        "the array kin[] is empty at init; give it its length there, as in: kin[] init 8.")
    }
    try arguments.output.resize(to: arguments.input.count, context)
    shape(arguments)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) { shape(arguments) }

  /// Two values at a time.
  private func shape(_ arguments: Arguments) {
    let (input, output) = (arguments.input, arguments.output)
    let count = min(input.count, output.count)
    var index = 0
    while index < count {
      let other = min(index &+ 1, count &- 1)
      let shaped = Pair(input[index].value, input[other].value).tanh
      output[index].value = shaped[0]
      output[other].value = shaped[1]
      index &+= 2
    }
  }
}

/// The arguments of both forms of the distortion.
@Opcode("SATURATE.distortion", "Distortion by a hyperbolic tangent with a slope for each half")
struct Distortion: AudioOpcode, LateInitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The distorted signal.
    let output: AudioOutput
    /// The signal.
    let input: AudioInput
    /// Gain before the curve (kpregain) and after it (kpostgain), linear.
    let pregain, postgain: ControlInput
    /// Shape of the positive half of the curve (kshape1) and of the negative half (kshape2). 0 for both gives the plain
    /// tanh curve.
    let shape1, shape2: ControlInput
    /// Scaling of the four control arguments: 0 for audio with a full scale of 32768; 1 for audio with a full scale of
    /// 0dbfs; 2 for no scaling, with kshape1 and kshape2 relative to kpregain. Default 0.
    @Default(0) let mode: InitInput
    /// Antialiasing: 0 for none, as Csound's opcodes; 1 at twice the sample rate; 2 at four times. Default 0.
    @Default(0) let quality: InitInput
  }

  static var hasPassOfOneFrame: Bool { true }

  private let units: DistortionUnits
  private let quality: Quality
  private var oversampler: Oversampler

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    units = DistortionUnits(mode: arguments.mode.value, fullScale: context.fullScale)
    quality = try Quality(arguments.quality.value)
    oversampler = Oversampler(quality)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let (input, output, frames) = (arguments.input, arguments.output, context.frames)
    let curve = curve(arguments)
    if _slowPath(quality != .original) {
      return curve.shape(input, to: output, in: frames, by: &oversampler)
    }
    curve.shape(input, to: output, in: frames)
  }

  @inline(__always)
  private func curve(_ arguments: Arguments) -> DistortionCurve {
    units.curve(
      pregain: arguments.pregain.value, postgain: arguments.postgain.value,
      shape1: arguments.shape1.value, shape2: arguments.shape2.value)
  }
}

@Opcode(
  "SATURATE.distortion_array", "Distortion by a hyperbolic tangent with a slope for each half")
struct DistortionArray: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The distorted signals. The array gets the length of ain[].
    let output: ArrayOutput<AudioOutput>
    /// The input signals. If the array's length changes during a note, the note ends with an error.
    let input: ArrayInput<AudioInput>
    let pregain, postgain, shape1, shape2: ControlInput
    @Default(0) let mode, quality: InitInput
  }

  static var bufferCount: Int { 1 }

  private let units: DistortionUnits
  private let oversamplers: Buffer<Oversampler>

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    units = DistortionUnits(mode: arguments.mode.value, fullScale: context.fullScale)
    try arguments.output.resize(to: arguments.input.count, context)
    oversamplers = try context.oversamplers(
      Quality(arguments.quality.value), count: arguments.input.count)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    if _slowPath(oversamplers.count > 0) { return try performBetter(arguments, context) }
    try curve(arguments).shape(arguments.input, to: arguments.output, context)
  }

  @inline(never)
  private mutating func performBetter(
    _ arguments: Arguments, _ context: Context
  ) throws(OpcodeError) {
    try curve(arguments).shape(arguments.input, to: arguments.output, context, by: oversamplers)
  }

  @inline(__always)
  private func curve(_ arguments: Arguments) -> DistortionCurve {
    units.curve(
      pregain: arguments.pregain.value, postgain: arguments.postgain.value,
      shape1: arguments.shape1.value, shape2: arguments.shape2.value)
  }
}
