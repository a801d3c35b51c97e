import OpcodeKit

// MARK: ECHOES, with a buffer

/// `aout ECHOES ain, kgain`: 500 samples of delay with feedback.
@Opcode("ECHOES", "Delays with feedback.")
struct Echoes: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let input: AudioInput
    let gain: ControlInput
  }

  static var bufferCount: Int { 1 }
  private let line: Buffer<Double>
  private var place = 0

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    line = try context.buffer(count: 500)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    for frame in context.frames {
      let sample = line[place]
      line[place] = arguments.input[frame] + 0.7 * sample
      place = place == 499 ? 0 : place + 1
      arguments.output[frame] = arguments.gain.value * sample
    }
  }
}

@Opcode("ECHOES", "Delays with feedback.")
struct EchoesAgain: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let input: AudioInput
    let gain: ControlInput
  }

  static var bufferCount: Int { 1 }
  private let line: Buffer<Double>
  private var place = 0

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    line = try context.buffer(count: 500)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    for frame in context.frames {
      let sample = line[place]
      line[place] = arguments.input[frame] + 0.7 * sample
      place = place == 499 ? 0 : place + 1
      arguments.output[frame] = arguments.gain.value * sample
    }
  }
}

@Opcode("ECHOES", "Delays with feedback.")
struct EchoesSofter: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let input: AudioInput
    let gain: ControlInput
  }

  static var bufferCount: Int { 1 }
  private let line: Buffer<Double>
  private var place = 0

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    line = try context.buffer(count: 500)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    for frame in context.frames {
      let sample = line[place]
      line[place] = arguments.input[frame] + 0.7 * sample
      place = place == 499 ? 0 : place + 1
      arguments.output[frame] = 0.5 * arguments.gain.value * sample
    }
  }
}

@Opcode("ECHOES", "Delays with feedback.")
struct EchoesWider: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let input: AudioInput
    let gain: ControlInput
  }

  static var bufferCount: Int { 1 }
  private let line: Buffer<Double>
  private var place = 0
  private var more = (0.0, 0.0, 0.0)

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    line = try context.buffer(count: 500)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    for frame in context.frames {
      let sample = line[place]
      line[place] = arguments.input[frame] + 0.7 * sample
      place = place == 499 ? 0 : place + 1
      arguments.output[frame] = arguments.gain.value * sample
    }
  }
}

@Opcode("ECHOES", "Delays with feedback.")
struct EchoesFailing: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let input: AudioInput
    let gain: ControlInput
  }

  static var bufferCount: Int { 1 }
  private let line: Buffer<Double>
  private var place = 0
  private var more = 0.0

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    guard arguments.gain.value < 0 else { throw OpcodeError("will not begin.") }
    line = try context.buffer(count: 500)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    for frame in context.frames {
      let sample = line[place]
      line[place] = arguments.input[frame] + 0.7 * sample
      place = place == 499 ? 0 : place + 1
      arguments.output[frame] = arguments.gain.value * sample
    }
  }
}

// MARK: DRIFT, with numbers only

/// `aout DRIFT ain`: the input smoothed, louder and softer with time.
@Opcode("DRIFT", "Smooths and turns.")
struct Drift: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let input: AudioInput
  }

  private var smooth: Double
  private var turn: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    (smooth, turn) = (0, 0.25)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    for frame in context.frames {
      smooth += 0.1 * (arguments.input[frame] - smooth)
      turn += 0.00001
      if turn >= 1 { turn -= 1 }
      arguments.output[frame] = smooth * (1 - turn)
    }
  }
}

@Opcode("DRIFT", "Smooths and turns.")
struct DriftAgain: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let input: AudioInput
  }

  private var smooth: Double
  private var turn: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    (smooth, turn) = (0, 0.25)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    for frame in context.frames {
      smooth += 0.1 * (arguments.input[frame] - smooth)
      turn += 0.00001
      if turn >= 1 { turn -= 1 }
      arguments.output[frame] = smooth * (1 - turn)
    }
  }
}

@Opcode("DRIFT", "Smooths and turns.")
struct DriftSofter: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let input: AudioInput
  }

  private var smooth: Double
  private var turn: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    (smooth, turn) = (0, 0.25)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    for frame in context.frames {
      smooth += 0.1 * (arguments.input[frame] - smooth)
      turn += 0.00001
      if turn >= 1 { turn -= 1 }
      arguments.output[frame] = 0.5 * smooth * (1 - turn)
    }
  }
}

/// The same bytes, which mean something else.
@Opcode("DRIFT", "Smooths and turns.")
struct DriftTurned: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let input: AudioInput
  }

  private var turn: Double
  private var smooth: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    (smooth, turn) = (0, 0.25)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    for frame in context.frames {
      smooth += 0.1 * (arguments.input[frame] - smooth)
      turn += 0.00001
      if turn >= 1 { turn -= 1 }
      arguments.output[frame] = smooth * (1 - turn)
    }
  }
}
