import OpcodeKit
import TestOpcodes

// Structs of Csound 7. For Csound 6 the kit refuses each of these opcodes.

/// `kout TEST_POINT point:KitPoint`: x + 10 y.
@Opcode("TEST_POINT", "Reads a struct")
struct ReadPoint: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let output: ControlOutput
    let point: StructInput<KitPoint>
  }
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let point = arguments.point.members
    arguments.output.value = point.x.value + 10 * point.y.value
  }
}

/// `point:KitPoint TEST_MAKEPOINT kx, ky`
@Opcode("TEST_MAKEPOINT", "Writes a struct")
struct MakePoint: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let point: StructOutput<KitPoint>
    let x, y: ControlInput
  }
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let point = arguments.point.members
    point.x.value = arguments.x.value
    point.y.value = arguments.y.value
  }
}

/// `aout, kout, Sout TEST_VOICE voice:KitVoice`: the signal times gain, plus all other signals; the sum of the number, the
/// place, the levels and the points' y; the name.
@Opcode("TEST_VOICE", "Reads members of every kind")
struct ReadVoice: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let sum: ControlOutput
    let name: StringOutput
    let voice: StructInput<KitVoice>
  }
  private let number: Double
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    number = arguments.voice.members.number.value
    let text = arguments.voice.members.name.bytes
    arguments.name.reserve(text.count, context)
    arguments.name.replace(count: text.count) { text[$0] }
  }
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let voice = arguments.voice.members
    let (signal, gain, channels) = (voice.signal, voice.gain.value, voice.channels.elements)
    let (inner, signals) = (voice.inner.members.signal, voice.signals.elements)
    for frame in context.frames {
      var sample = signal[frame] * gain + inner[frame]
      for channel in 0..<channels.count { sample += channels[channel][frame] }
      for index in 0..<signals.count { sample += signals[index].members.signal[frame] }
      arguments.output[frame] = sample
    }
    let place = voice.place.members
    var sum = number + place.x.value + place.y.value
    for index in 0..<voice.levels.count { sum += voice.levels[index].value }
    for index in 0..<voice.points.count { sum += voice.points[index].members.y.value }
    arguments.sum.value = sum
  }
}

/// `voice:KitVoice TEST_MAKEVOICE ain, kgain, Sname, inumber`: the signals are ain, the channels ain and twice ain, the
/// levels kgain and 2, and the points have kgain and 3 as y.
@Opcode("TEST_MAKEVOICE", "Writes members of every kind")
struct MakeVoice: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let voice: StructOutput<KitVoice>
    let input: AudioInput
    let gain: ControlInput
    let name: StringInput
    let number: InitInput
  }
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let (voice, text) = (arguments.voice.members, arguments.name.bytes)
    voice.name.reserve(text.count, context)
    voice.name.replace(count: text.count) { text[$0] }
    voice.number.value = arguments.number.value
    try voice.levels.resize(to: 2, context)
    try voice.points.resize(to: 2, context)
    try voice.channels.resize(to: 2, context)
    try voice.signals.resize(to: 1, context)
  }
  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let voice = arguments.voice.members
    // Copies from structs of other sizes are the orchestra's doing.
    guard voice.levels.count >= 2, voice.points.count >= 2, voice.channels.count >= 2,
      voice.signals.count >= 1
    else { throw OpcodeError("its struct was replaced.") }
    voice.gain.value = arguments.gain.value
    voice.place.members.x.value = arguments.gain.value
    voice.place.members.y.value = 1
    voice.levels[0].value = arguments.gain.value
    voice.levels[1].value = 2
    voice.points[0].members.y.value = arguments.gain.value
    voice.points[1].members.y.value = 3
    let (signal, first, second) = (voice.signal, voice.channels[0], voice.channels[1])
    let (inner, other) = (voice.inner.members.signal, voice.signals[0].members.signal)
    for frame in context.frames {
      let sample = arguments.input[frame]
      signal[frame] = sample
      inner[frame] = sample
      other[frame] = sample
      first[frame] = sample
      second[frame] = 2 * sample
    }
    guard arguments.gain.value < 1000 else { throw OpcodeError("its gain is too large.") }
  }
}

/// `kouts TEST_REST voice:KitVoice`: the sums of the signal, the channels, the inner signal and the others, of the
/// samples outside the note.
@Opcode("TEST_REST", "Reads what the kit zeroes")
struct ReadRest: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let signal, channels, inner, others: ControlOutput
    let voice: StructInput<KitVoice>
  }
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let voice = arguments.voice.members
    arguments.signal.value = rest(voice.signal, context)
    arguments.channels.value = rest(voice.channels[0], context) + rest(voice.channels[1], context)
    arguments.inner.value = rest(voice.inner.members.signal, context)
    arguments.others.value = rest(voice.signals[0].members.signal, context)
  }
  private func rest(_ signal: AudioInput, _ context: Context) -> Double {
    var sum = 0.0
    for frame in 0..<context.ksmps where !context.frames.contains(frame) {
      sum += abs(signal[frame])
    }
    return sum
  }
}

/// `points:KitPoint[] TEST_MAKEPOINTS icount`: x and y are the index and the count of k-cycles.
@Opcode("TEST_MAKEPOINTS", "Writes an array of structs")
struct MakePoints: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let points: ArrayOutput<StructOutput<KitPoint>>
    let count: InitInput
  }
  private var cycle = 0.0
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    try arguments.points.resize(to: Math.whole(arguments.count.value, in: 0...1000), context)
  }
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    cycle += 1
    for index in 0..<arguments.points.count {
      let point = arguments.points[index].members
      point.x.value = Double(index)
      point.y.value = cycle
    }
  }
}

/// `kx, ky TEST_SUMPOINTS points:KitPoint[]`: the sums of all x and of all y.
@Opcode("TEST_SUMPOINTS", "Reads an array of structs")
struct SumPoints: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let x, y: ControlOutput
    let points: ArrayInput<StructInput<KitPoint>>
  }
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    var (x, y) = (0.0, 0.0)
    for index in 0..<arguments.points.count {
      let point = arguments.points[index].members
      x += point.x.value
      y += point.y.value
    }
    arguments.x.value = x
    arguments.y.value = y
  }
}

/// `kout TEST_OWN own:KitOwn`: the level, y of the place, and the size of the inner struct. It plays without an init pass.
@Opcode("TEST_OWN", "Reads a struct that the orchestra declares")
struct ReadOwn: ControlOpcode, LateInitOpcode {
  struct Arguments: BitwiseCopyable {
    let output: ControlOutput
    let own: StructInput<KitOwn>
  }
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let own = arguments.own.members
    arguments.output.value =
      own.level.value + own.place.members.y.value + own.inner.members.size.value
  }
}

/// `ibins TEST_BINS spectrum:KitSpectrum`: the bins of the f-signal.
@Opcode("TEST_BINS", "Reads an f-signal in a struct")
struct ReadBins: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let bins: InitOutput
    let spectrum: StructInput<KitSpectrum>
  }
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    arguments.bins.value = Double(arguments.spectrum.members.spectrum.binCount)
  }
}

func registerStructOpcodes(in registry: inout some OpcodeRegistry) {
  registerKitPoint(in: &registry)
  registerKitSignal(in: &registry)
  registerKitVoice(in: &registry)
  registerKitSpectrum(in: &registry)
  registerReadBins(in: &registry)
  registerReadPoint(in: &registry)
  registerMakePoint(in: &registry)
  registerReadVoice(in: &registry)
  registerMakeVoice(in: &registry)
  registerReadRest(in: &registry)
  registerMakePoints(in: &registry)
  registerSumPoints(in: &registry)
  registerReadOwn(in: &registry)
}
