import OpcodeKit

/// `aout ECHOES ain, kgain`: 500 samples of delay with feedback; with a buffer.
@Opcode("ECHOES", "Delays with feedback.", FirstVersion.self)
@Opcode("ECHOES", "Delays with feedback.", SameVersion.self)
@Opcode("ECHOES", "Delays with feedback.", SofterVersion.self)
@Opcode("ECHOES", "Delays with feedback.", WiderVersion.self)
@Opcode("ECHOES", "Delays with feedback.", FailingVersion.self)
struct Echoes<Saved: Version>: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let input: AudioInput
    let gain: ControlInput
  }

  static var bufferCount: Int { 1 }
  private let line: Buffer<Double>
  private var place = 0
  private var more = Saved.More()

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    if Saved.fails, arguments.gain.value >= 0 { throw OpcodeError("will not begin.") }
    line = try context.buffer(count: 500)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    for frame in context.frames {
      let sample = line[place]
      line[place] = arguments.input[frame] + 0.7 * sample
      place = place == 499 ? 0 : place + 1
      arguments.output[frame] = Saved.gain * arguments.gain.value * sample
    }
  }
}

protocol DriftState: BitwiseCopyable {
  var smooth: Double { get set }
  var turn: Double { get set }
  init()
}

enum Drifted {
  struct State: DriftState {
    var smooth = 0.0
    var turn = 0.25
  }
}

/// The same bytes, which mean something else.
enum Turned {
  struct State: DriftState {
    var turn = 0.25
    var smooth = 0.0
  }
}

/// `aout DRIFT ain`: the input smoothed, louder and softer with time; with numbers only.
@Opcode("DRIFT", "Smooths and turns.", FirstVersion.self)
@Opcode("DRIFT", "Smooths and turns.", SameVersion.self)
@Opcode("DRIFT", "Smooths and turns.", SofterVersion.self)
@Opcode("DRIFT", "Smooths and turns.", WiderVersion.self)
struct Drift<Saved: Version>: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let input: AudioInput
  }

  private var state = Saved.Drifting()

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    for frame in context.frames {
      state.smooth += 0.1 * (arguments.input[frame] - state.smooth)
      state.turn += 0.00001
      if state.turn >= 1 { state.turn -= 1 }
      arguments.output[frame] = Saved.gain * state.smooth * (1 - state.turn)
    }
  }
}
