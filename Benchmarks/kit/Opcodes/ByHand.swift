// The opcodes of Authors.swift and Plate.swift without the toolbox, as an author would write them who has not seen it:
// rings of samples with an index, and the arithmetic of each part in its place.

import OpcodeKit

@Opcode("HANDCHORUS", "Chorus of two voices, by hand")
struct HandChorus: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let input: AudioInput
    let rate, depth: ControlInput
  }

  static var bufferCount: Int { 1 }

  private let ring: Buffer<Double>
  private var place = 0
  private var phase = 0.0
  private var depth = 0.0

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    ring = try context.buffer(count: Int(0.03 * context.sampleRate) + 4)
  }

  /// The ring so many samples ago, on a cubic with a continuous slope.
  private func sample(at delay: Double) -> Double {
    let whole = Int(delay)
    let fraction = delay - Double(whole)
    var index = place - whole
    if index < 0 { index += ring.count }
    let newer = ring[index + 1 == ring.count ? 0 : index + 1]
    let this = ring[index]
    index -= 1
    if index < 0 { index += ring.count }
    let older = ring[index]
    index -= 1
    if index < 0 { index += ring.count }
    let oldest = ring[index]
    let slope = 0.5 * (older - newer)
    let step = older - this
    let square = (3 * step - (slope + slope)) - 0.5 * (oldest - this)
    let cube = (slope + 0.5 * (oldest - this)) - (step + step)
    return this + fraction * (slope + fraction * (square + fraction * cube))
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let perMillisecond = context.sampleRate / 1000
    let step = arguments.rate.value / context.sampleRate
    let target = max(0, min(arguments.depth.value, 10)) * perMillisecond
    let depthStep = (target - depth) / Double(context.frames.count)
    for frame in context.frames {
      place += 1
      if place == ring.count { place = 0 }
      ring[place] = arguments.input[frame]
      depth = frame == context.frames.upperBound - 1 ? target : depth + depthStep
      let angle = 2 * Double.pi * phase
      let first = sample(at: 15 * perMillisecond + depth * Math.sin(angle))
      let second = sample(at: 15 * perMillisecond + depth * Math.cos(angle))
      phase = Math.fraction(phase + step)
      arguments.output[frame] = arguments.input[frame] + 0.5 * (first + second)
    }
  }
}

@Opcode("HANDFOLLOW", "Level of a signal, by hand")
struct HandFollower: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let input: AudioInput
    let attack, release: InitInput
  }

  private var level = 0.0
  private let up, down: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    func share(_ seconds: Double) -> Double {
      seconds > 0 ? 1 - Math.exp(-1 / (seconds * context.sampleRate)) : 1
    }
    up = share(arguments.attack.value)
    down = share(arguments.release.value)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    for frame in context.frames {
      let sample = arguments.input[frame]
      let size = sample.isFinite ? abs(sample) : 0
      level += (size > level ? up : down) * (size - level)
      if level < 1e-30 { level = 0 }
      arguments.output[frame] = level
    }
  }
}

@Opcode("HANDREAD", "Reads a table by phase on a cubic, by hand")
struct HandReader: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
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
    let count = table.count
    for frame in context.frames {
      let position = Math.fraction(arguments.phase[frame]) * Double(count)
      let index = min(Int(position), count - 1)
      let f = position - Double(index)
      let a = table[(index + count - 1) % count]
      let b = table[index]
      let c = table[(index + 1) % count]
      let d = table[(index + 2) % count]
      let first = f * (f - 1) * (2 - f) / 6 * a + (f + 1) * (1 - f) * (2 - f) / 2 * b
      arguments.output[frame] =
        first + f * (f + 1) * (2 - f) / 2 * c + f * (f + 1) * (f - 1) / 6 * d
    }
  }
}

@Opcode("HANDMIX", "Mixer with a smoothed gain, by hand")
struct HandMixer: AudioOpcode {
  struct Arguments: VariadicArguments {
    let output: AudioOutput
    let input: AudioInput
    let gain: ControlInput
    let others: Variadic<AudioInput>
  }

  private var gain = 0.0
  private let share: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    share = 1 - Math.exp(-1 / (0.01 * context.sampleRate))
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let others = arguments.others
    for frame in context.frames {
      var sum = 0.0
      for index in 0..<others.count { sum += others[index][frame] }
      if arguments.gain.value.isFinite { gain += share * (arguments.gain.value - gain) }
      arguments.output[frame] = arguments.input[frame] + gain * sum
    }
  }
}

@Opcode("HANDPLATE", "Plate reverb after Dattorro, by hand")
struct HandPlate: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let left, right: AudioOutput
    let input: AudioInput
    let decay, damping: ControlInput
  }

  static var bufferCount: Int { 12 }

  /// Four allpasses at the input; then of each half the moving allpass, a line, an allpass and a line.
  private var ring0, ring1, ring2, ring3: Buffer<Double>
  private var ring4, ring5, ring6, ring7: Buffer<Double>
  private var ring8, ring9, ring10, ring11: Buffer<Double>
  private let length0, length1, length2, length3: Int
  private let length4, length5, length6, length7: Int
  private let length8, length9, length10, length11: Int
  private var place = 0
  private var low0 = 0.0
  private var low1 = 0.0
  private var cosine = 1.0
  private var sine = 0.0
  private let turnCosine, turnSine, excursion, scale: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let scale = context.sampleRate / 29_761
    func length(_ samples: Double) -> Int { Int(samples * scale + 0.5) }
    self.scale = scale
    excursion = 8 * scale
    length0 = length(142)
    length1 = length(107)
    length2 = length(379)
    length3 = length(277)
    length4 = length(672)
    length5 = length(4453)
    length6 = length(1800)
    length7 = length(3720)
    length8 = length(908)
    length9 = length(4217)
    length10 = length(2656)
    length11 = length(3163)
    // All rings have the length of a power of two, so that a mask wraps their index.
    let count = 8192 << max(0, Int(Math.log2(max(1, scale))))
    ring0 = try context.buffer(0, count: count)
    ring1 = try context.buffer(1, count: count)
    ring2 = try context.buffer(2, count: count)
    ring3 = try context.buffer(3, count: count)
    ring4 = try context.buffer(4, count: count)
    ring5 = try context.buffer(5, count: count)
    ring6 = try context.buffer(6, count: count)
    ring7 = try context.buffer(7, count: count)
    ring8 = try context.buffer(8, count: count)
    ring9 = try context.buffer(9, count: count)
    ring10 = try context.buffer(10, count: count)
    ring11 = try context.buffer(11, count: count)
    turnCosine = Math.cos(2 * Double.pi / context.sampleRate)
    turnSine = Math.sin(2 * Double.pi / context.sampleRate)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let (decay, damping) = (arguments.decay.value, arguments.damping.value)
    let gain = decay > 0 ? min(decay, 0.99) : 0
    let dull = damping > 0 ? min(damping, 1) : 0
    let mask = ring0.count - 1
    func tap(_ ring: Buffer<Double>, _ samples: Double) -> Double {
      ring[(place - Int(samples * scale + 0.5)) & mask]
    }
    for frame in context.frames {
      place = (place + 1) & mask
      let sample = arguments.input[frame]
      var x = sample.isFinite ? sample : 0
      var delayed = ring0[(place - length0) & mask]
      var inner = x - 0.75 * delayed
      ring0[place] = inner
      x = delayed + 0.75 * inner
      delayed = ring1[(place - length1) & mask]
      inner = x - 0.75 * delayed
      ring1[place] = inner
      x = delayed + 0.75 * inner
      delayed = ring2[(place - length2) & mask]
      inner = x - 0.625 * delayed
      ring2[place] = inner
      x = delayed + 0.625 * inner
      delayed = ring3[(place - length3) & mask]
      inner = x - 0.625 * delayed
      ring3[place] = inner
      x = delayed + 0.625 * inner
      let back = gain * ring11[(place - length11) & mask]
      let forth = gain * ring7[(place - length7) & mask]
      // One half.
      var delay = Double(length4 - 1) + excursion * cosine
      var whole = Int(delay)
      var newer = ring4[(place - 1 - whole) & mask]
      delayed = newer + (ring4[(place - 2 - whole) & mask] - newer) * (delay - Double(whole))
      inner = (x + back) + 0.7 * delayed
      ring4[place] = inner
      var spread = delayed - 0.7 * inner
      low0 += (1 - dull) * (ring5[(place - length5) & mask] - low0)
      ring5[place] = spread
      delayed = ring6[(place - length6) & mask]
      inner = low0 * gain - 0.5 * delayed
      ring6[place] = inner
      ring7[place] = delayed + 0.5 * inner
      // The other half.
      delay = Double(length8 - 1) + excursion * sine
      whole = Int(delay)
      newer = ring8[(place - 1 - whole) & mask]
      delayed = newer + (ring8[(place - 2 - whole) & mask] - newer) * (delay - Double(whole))
      inner = (x + forth) + 0.7 * delayed
      ring8[place] = inner
      spread = delayed - 0.7 * inner
      low1 += (1 - dull) * (ring9[(place - length9) & mask] - low1)
      ring9[place] = spread
      delayed = ring10[(place - length10) & mask]
      inner = low1 * gain - 0.5 * delayed
      ring10[place] = inner
      ring11[place] = delayed + 0.5 * inner
      (cosine, sine) = (
        cosine * turnCosine - sine * turnSine, sine * turnCosine + cosine * turnSine
      )
      let left = ((tap(ring9, 266) + tap(ring9, 2974)) - tap(ring10, 1913)) + tap(ring11, 1996)
      let right = ((tap(ring5, 353) + tap(ring5, 3627)) - tap(ring6, 1228)) + tap(ring7, 2673)
      arguments.left[frame] =
        0.6 * (left - ((tap(ring5, 1990) + tap(ring6, 187)) + tap(ring7, 1066)))
      arguments.right[frame] =
        0.6 * (right - ((tap(ring9, 2111) + tap(ring10, 335)) + tap(ring11, 121)))
    }
  }
}
