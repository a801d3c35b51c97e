// Opcodes of one part of the toolbox each, to be compared and timed with the same part of Faust's library.

import OpcodeKit

@Opcode("TOOLSVF", "The lowpass of a state variable filter")
struct LowpassPart: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let input: AudioInput
    let cutoff, q: ControlInput
  }

  private var filter = StateVariableFilter()

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    filter.settle()
    filter.tune(arguments.cutoff.value / context.sampleRate, q: arguments.q.value)
    for frame in context.frames {
      arguments.output[frame] = filter.next(arguments.input[frame]).low
    }
  }
}

@Opcode("TOOLDELAY", "A delay line read on a cubic")
struct DelayPart: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let input: AudioInput
    /// In samples.
    let delay: ControlInput
  }

  static var bufferCount: Int { 1 }

  private var line: DelayLine

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    line = try DelayLine(longest: 4000, context)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let tap = DelayTap(delay: line.limited(arguments.delay.value))
    line.process(arguments.input, to: arguments.output, at: tap, in: context.frames)
  }
}

@Opcode("TOOLTANH", "tanh with antiderivative antialiasing")
struct TanhPart: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let input: AudioInput
  }

  private var shaper = Antiderivative(TanhSaturation())

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    for frame in context.frames { arguments.output[frame] = shaper.next(arguments.input[frame]) }
  }
}

@Opcode("TOOLSMOOTH", "A gain that is smoothed")
struct SmoothPart: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let input: AudioInput
    let gain: ControlInput
  }

  private var gain: Smoother

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    gain = Smoother(0, seconds: 0.01, rate: context.sampleRate)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let target = arguments.gain.value
    for frame in context.frames {
      arguments.output[frame] = arguments.input[frame] * gain.next(target)
    }
  }
}

@Opcode("TOOLBIQUAD", "A lowpass of second order")
struct BiquadPart: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let input: AudioInput
    let cutoff: ControlInput
  }

  private var filter = Biquad()

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    filter.settle()
    filter.tune(.lowpass, arguments.cutoff.value / context.sampleRate, q: 2)
    for frame in context.frames { arguments.output[frame] = filter.next(arguments.input[frame]) }
  }
}

@Opcode("TOOLBLOCKER", "Takes the constant part off")
struct BlockerPart: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let input: AudioInput
  }

  private var blocker = DCBlocker(pole: 0.995)

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    blocker.settle()
    blocker.process(arguments.input, to: arguments.output, in: context.frames)
  }
}

@Opcode("TOOLALLPASS", "The allpass of reverberators")
struct AllpassPart: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let input: AudioInput
  }

  static var bufferCount: Int { 1 }

  private var allpass: DelayAllpass

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    allpass = DelayAllpass(try DelayLine(longest: 379, context))
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    for frame in context.frames {
      arguments.output[frame] = allpass.next(arguments.input[frame], delay: 379, gain: -0.625)
    }
  }
}
