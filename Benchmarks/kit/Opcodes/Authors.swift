// Opcodes as an author writes them with parts of the toolbox. ByHand.swift has the same without.

import OpcodeKit

@Opcode("TOOLCHORUS", "Chorus of two voices, with parts of the toolbox")
struct Chorus: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let input: AudioInput
    /// Cycles per second, and swing of the delay in milliseconds, limited to 0 … 10.
    let rate, depth: ControlInput
  }

  static var bufferCount: Int { 1 }

  private var line: DelayLine
  private var phase = Phasor()
  private var depth = Ramp(0)

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    line = try DelayLine(longest: 0.03 * context.sampleRate, context)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let perMillisecond = context.sampleRate / 1000
    phase.tune(arguments.rate.value / context.sampleRate)
    depth.go(
      to: max(0, min(arguments.depth.value, 10)) * perMillisecond, in: context.frames.count)
    // In local variables, which no store to the line can change.
    var (line, phase, depth) = (line, phase, depth)
    for frame in context.frames {
      line.push(arguments.input[frame])
      let (turn, swing) = (phase.next(), depth.next())
      // Two voices, a quarter of a cycle apart.
      let sines = Pair(turn, turn + 0.25).sineOfCycles
      let first = line.smooth(at: 15 * perMillisecond + swing * sines[0])
      let second = line.smooth(at: 15 * perMillisecond + swing * sines[1])
      arguments.output[frame] = arguments.input[frame] + 0.5 * (first + second)
    }
    (self.line, self.phase, self.depth) = (line, phase, depth)
  }
}

@Opcode("TOOLFOLLOW", "Level of a signal, with parts of the toolbox")
struct Follower: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let input: AudioInput
    /// Seconds in which 63 % of a rise or a fall is covered.
    let attack, release: InitInput
  }

  private var follower: EnvelopeFollower

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    follower = EnvelopeFollower(
      attack: arguments.attack.value, release: arguments.release.value, rate: context.sampleRate)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    for frame in context.frames { arguments.output[frame] = follower.next(arguments.input[frame]) }
  }
}

@Opcode("TOOLREAD", "Reads a table by phase on a cubic, with parts of the toolbox")
struct Reader: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    /// In cycles.
    let phase: AudioInput
    let table: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    _ = try context.table(arguments.table.value, argument: "ifn")
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    guard let table = context.table(arguments.table.value) else {
      throw OpcodeError("its table was deleted.")
    }
    for frame in context.frames {
      arguments.output[frame] = table.cubic(atPhase: Math.fraction(arguments.phase[frame]))
    }
  }
}

@Opcode("TOOLMIX", "Mixer with a smoothed gain, with parts of the toolbox")
struct Mixer: AudioOpcode {
  struct Arguments: VariadicArguments {
    let output: AudioOutput
    let input: AudioInput
    /// Of all other signals.
    let gain: ControlInput
    let others: Variadic<AudioInput>
  }

  private var gain: Smoother

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    gain = Smoother(0, seconds: 0.01, rate: context.sampleRate)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let others = arguments.others
    for frame in context.frames {
      var sum = 0.0
      for index in 0..<others.count { sum += others[index][frame] }
      arguments.output[frame] = arguments.input[frame] + gain.next(arguments.gain.value) * sum
    }
  }
}
