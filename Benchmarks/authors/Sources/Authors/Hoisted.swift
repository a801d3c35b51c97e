// The same opcodes with everything taken out of the loops by hand: what an author had to write before a pass held its
// arguments, and what the natural forms are measured against.

import OpcodeKit

@Opcode("RESFILTH", "Resonant lowpass")
struct ResfiltH<Cutoff: Signal>: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let input: AudioInput
    let cutoff: Cutoff
    let q: ControlInput
  }

  private var s1 = 0.0
  private var s2 = 0.0

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    if !(s1 + s2).isFinite { s1 = 0; s2 = 0 }
    let k = 1 / max(arguments.q.value, 0.1)
    var (s1, s2) = (s1, s2)
    let rate = context.sampleRate
    let (input, output, cutoff) = (arguments.input, arguments.output, arguments.cutoff)
    let held = cutoff[0]
    for frame in context.frames {
      let part = (Cutoff.isAudioRate ? cutoff[frame] : held) / rate
      let g = Math.tan(.pi * (part > 0 ? min(part, 0.49) : 0))
      let v3 = input[frame] - s2
      let v1 = (s1 + g * v3) / (1 + g * (g + k))
      let v2 = s2 + g * v1
      s1 = 2 * v1 - s1
      s2 = 2 * v2 - s2
      output[frame] = v2
    }
    (self.s1, self.s2) = (s1, s2)
  }
}

@Opcode("TABOSCH", "Table oscillator with cubic interpolation")
struct TaboscH<Frequency: Signal>: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let amplitude: ControlInput
    let frequency: Frequency
    let table: InitInput
  }

  private let table: TableNumber
  private var phase = 0.0

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    table = try TableNumber(arguments.table.value, context, argument: "ifn")
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    guard let table = context.table(table) else {
      throw OpcodeError("its table was deleted.")
    }
    let (period, amplitude) = (1 / context.sampleRate, arguments.amplitude.value)
    var phase = phase
    let (output, frequency) = (arguments.output, arguments.frequency)
    let held = frequency[0] * period
    for frame in context.frames {
      let step = Frequency.isAudioRate ? frequency[frame] * period : held
      output[frame] = amplitude * table.cubic(atPhase: phase)
      phase = Math.fraction(phase + step)
    }
    self.phase = phase
  }
}

@Opcode("CHGAINH", "A gain for each channel")
struct ChgainH: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let outputs: ArrayOutput<AudioOutput>
    let inputs: ArrayInput<AudioInput>
    let gains: ArrayInput<ControlInput>
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    try arguments.outputs.resize(to: arguments.inputs.count, context)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let gains = arguments.gains
    for channel in 0..<min(arguments.outputs.count, arguments.inputs.count) {
      let gain = gains.count == 0 ? 1 : gains[min(channel, gains.count - 1)].value
      let (output, input) = (arguments.outputs[channel], arguments.inputs[channel])
      for frame in context.frames {
        output[frame] = gain * input[frame]
      }
    }
  }
}

@Opcode("MIXALLH", "Sum of signals")
struct MixallH: AudioOpcode {
  struct Arguments: VariadicArguments {
    let output: AudioOutput
    let inputs: Variadic<AudioInput>
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let (inputs, output) = (arguments.inputs, arguments.output)
    for frame in context.frames {
      var sum = 0.0
      for index in 0..<inputs.count { sum += inputs[index][frame] }
      output[frame] = sum
    }
  }
}

@Opcode("SATDELAYH", "Feedback delay with saturation")
struct SatdelayH<Seconds: Signal>: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let input: AudioInput
    let seconds: Seconds
    let feedback: ControlInput
    let drive: ControlInput
  }

  static var bufferCount: Int { 1 }
  private var line: DelayLine

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    line = try DelayLine(longest: 2 * context.sampleRate, context)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    var line = line
    let (input, output, seconds, rate) = (
      arguments.input, arguments.output, arguments.seconds, context.sampleRate
    )
    let (drive, feedback, held) = (
      arguments.drive.value, arguments.feedback.value, arguments.seconds[0] * context.sampleRate - 1
    )
    for frame in context.frames {
      let delay = Seconds.isAudioRate ? seconds[frame] * rate - 1 : held
      let echo = line.smooth(at: line.limited(delay))
      line.push(Math.tanh(drive * (input[frame] + feedback * echo)))
      output[frame] = echo
    }
    self.line = line
  }
}

@Opcode("PANNERH", "Panner of equal power")
struct PannerH: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let left: AudioOutput
    let right: AudioOutput
    let input: AudioInput
    let pan: ControlInput
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let (l, r) = (Math.sqrt(1 - arguments.pan.value), Math.sqrt(arguments.pan.value))
    let (input, left, right) = (arguments.input, arguments.left, arguments.right)
    for frame in context.frames {
      let sound = input[frame]
      left[frame] = sound * l
      right[frame] = sound * r
    }
  }
}
