// aout SATURATE ain
// aout[] SATURATE ain[]
// iout SATURATE iin
// kout SATURATE kin
// iout[] SATURATE iin[]
// kout[] SATURATE kin[]
// aout SATURATE ain, kpregain, kpostgain, kshape1, kshape2 [, imode]
// aout[] SATURATE ain[], kpregain, kpostgain, kshape1, kshape2 [, imode]
//
// Soft saturation. The short forms are the hyperbolic tangent, as Csound's `tanh`:
//
//     out = tanh(in)
//
// The long forms are the curve of Csound's `distort1`, a hyperbolic tangent whose halves have slopes
// of their own,
//
//     out = postgain/2 (e^(in (pregain + s1)) - e^(in (s2 - pregain))) / cosh(in pregain)
//
// with s1 = shape1 and s2 = shape2, and the factors that imode puts before them.
//
// Differs from `distort1` only where that overflows: its quotient of infinities is NaN, here an
// exponent beyond ±700 counts as ±700 after pregain has been divided out. tanh and the exponentials (to
// 3e-10, the null depth in the benchmark's table) are those of `Vector`, eight frames at a time; tanh of a
// frame or a value by itself is `Fraction.tanh`.

import OpcodeKit

/// The hyperbolic tangent.
package struct TanhCurve: Curve {
  @inline(__always) package init() {}
  @inline(__always) @_semantics("no_performance_analysis")
  package func callAsFunction<V: Vector>(_ input: V) -> V { input.tanh }
  @inline(__always)
  package func callAsFunction(_ input: Double) -> Double { Fraction.tanh(input) }
}

/// What imode puts before the arguments of the curve of `distort1`.
package struct DistortionUnits: BitwiseCopyable {
  private let pregain, postgain, shape: Double
  private let isRelative: Bool

  /// `mode` below 0.5 has Csound's old units, in which full scale is 32768; below 1.5 the same for
  /// any full scale; from there on the arguments as they are, and shapes relative to pregain.
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

  /// The curve for the arguments of a k-cycle.
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

/// The curve of `distort1`: `above` and `below` are the exponents for a signal of 1.
package struct DistortionCurve: Curve {
  fileprivate let pregain, postgain, above, below: Double

  /// Numerator and denominator are divided by e^|in pregain| / 2, which keeps them finite.
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
    /// tanh of the signal, within -1 and 1.
    let output: AudioOutput
    /// The signal; saturation begins about 1, whatever full scale is.
    let input: AudioInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    TanhCurve().shape(arguments.input, to: arguments.output, context)
  }
}

@Opcode("SATURATE.array", "Soft saturation, hyperbolic tangent")
struct SaturatorArray: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// tanh of each signal; the array gets the length of ain[].
    let output: ArrayOutput<AudioOutput>
    /// The signals. If its length changes during a note, the note ends.
    let input: ArrayInput<AudioInput>
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    try arguments.output.resize(to: arguments.input.count, context)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    try TanhCurve().shape(arguments.input, to: arguments.output, context)
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
    /// tanh of each value; the array gets the length of iin[].
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
    /// tanh of each value; the array gets the length kin[] has at init.
    let output: ArrayOutput<ControlOutput>
    /// The values. An array that shrinks is followed; of one that grows, the first as many as at init
    /// are heard.
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
    /// Gain before and after the curve.
    let pregain, postgain: ControlInput
    /// How much the slope of the curve's positive and of its negative half differ from tanh's, which
    /// both 0 give.
    let shape1, shape2: ControlInput
    /// Units: 0 (default) for a full scale of 32768, 1 for any full scale, 2 for none.
    @Default(0) let mode: InitInput
  }

  private let units: DistortionUnits

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    units = DistortionUnits(mode: arguments.mode.value, fullScale: context.fullScale)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    units.curve(
      pregain: arguments.pregain.value, postgain: arguments.postgain.value,
      shape1: arguments.shape1.value, shape2: arguments.shape2.value
    ).shape(arguments.input, to: arguments.output, context)
  }
}

@Opcode(
  "SATURATE.distortion_array", "Distortion by a hyperbolic tangent with a slope for each half")
struct DistortionArray: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The distorted signals; the array gets the length of ain[].
    let output: ArrayOutput<AudioOutput>
    /// The signals. If its length changes during a note, the note ends.
    let input: ArrayInput<AudioInput>
    let pregain, postgain, shape1, shape2: ControlInput
    @Default(0) let mode: InitInput
  }

  private let units: DistortionUnits

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    units = DistortionUnits(mode: arguments.mode.value, fullScale: context.fullScale)
    try arguments.output.resize(to: arguments.input.count, context)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    try units.curve(
      pregain: arguments.pregain.value, postgain: arguments.postgain.value,
      shape1: arguments.shape1.value, shape2: arguments.shape2.value
    ).shape(arguments.input, to: arguments.output, context)
  }
}
