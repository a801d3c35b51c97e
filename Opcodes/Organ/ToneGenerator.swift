// The tone generator of a Hammond organ, as TONEWHEELS uses it.

import OpcodeKit

/// The wheels of a generator for 60 Hz mains, numbered from 1.
package enum ToneWheel {
  package static let count = 91

  /// Frequency of a wheel in Hz: the number of teeth that pass the magnet per second.
  ///
  /// The main shaft makes 20 turns per second. Each of the twelve notes has a pair of gears, and the wheels of each
  /// octave have twice as many teeth as those of the octave below. The seven highest wheels have 192 teeth and use the
  /// gears of F to B. Source: "Just Hammond", Xenharmonic Wiki.
  package static func frequency(of number: Int) -> Double {
    let (octave, note) = (number - 1).quotientAndRemainder(dividingBy: 12)
    let teeth = octave < 7 ? 2 << octave : 192
    let gear = gear(ofNote: octave < 7 ? note : note + 5)
    return 20 * Double(teeth) * gear.driving / gear.driven
  }

  /// The gear ratio of a note, 0 for C to 11 for B.
  private static func gear(ofNote note: Int) -> (driving: Double, driven: Double) {
    switch note {
    case 0: (85, 104)
    case 1: (71, 82)
    case 2: (67, 73)
    case 3: (105, 108)
    case 4: (103, 100)
    case 5: (84, 77)
    case 6: (74, 64)
    case 7: (98, 80)
    case 8: (96, 74)
    case 9: (88, 64)
    case 10: (67, 46)
    default: (108, 70)
    }
  }

  /// The wheel in the same compartment of the generator, 0 for none. It is 48 wheels away; for the seven highest and
  /// their companions, 43.
  package static func companion(of number: Int) -> Int {
    switch number {
    case 1...36: number + 48
    case 42...48: number + 43
    case 49...84: number - 48
    case 85...91: number - 43
    default: 0
    }
  }

  /// The wheels whose terminals are next to a wheel's terminal, 0 for none.
  ///
  /// On the terminal strip the twelve notes are in fifths and fourths, from F sharp to C; the octaves of a note are in
  /// the order of the shafts.
  package static func neighbours(of number: Int) -> (left: Int, right: Int) {
    var (left, before) = (0, 0)
    for place in 0..<96 {
      let wheel = terminal(place)
      guard wheel > 0 else { continue }
      if before == number { return (left, wheel) }
      (left, before) = (before, wheel)
    }
    return (left, 0)
  }

  /// The wheel at a position on the strip, 0 for none; each of the twelve notes has eight positions.
  private static func terminal(_ place: Int) -> Int {
    let note = note(place / 8)
    let hasTop = note > 5
    switch place % 8 {
    case 0: return hasTop ? note + 79 : 0
    case 1: return note < 8 ? note + 36 : note + 24
    case 2: return note < 8 ? note + 24 : note + 72
    case 3: return note < 8 ? note + 72 : note + 60
    case 4: return note < 8 ? note + 60 : note + 12
    case 5: return note < 8 ? note + 12 : note
    case 6: return note < 8 ? note : note + 48
    default: return note < 8 ? note + 48 : note + 36
    }
  }

  /// The lowest wheel of each note in the order of the strip: 6, 11, 4, 9, 2, 7, 12, 5, 10, 3, 8, 1.
  private static func note(_ place: Int) -> Int { (place * 5 + 5) % 12 + 1 }
}

/// The state of a wheel, computed eight frames at a time.
struct TurningWheel: BitwiseCopyable {
  /// Its phase at the generator's first frame, and the phase step per frame.
  var start = CyclePhase(bits: 0)
  var step: UInt64 = 0
  /// Sines and cosines of 0 to 7 phase steps.
  var sines = SIMD8<Double>.zero
  var cosines = SIMD8<Double>.zero
  /// Sine and cosine of eight phase steps, and of the phase at the beginning of the last computed block.
  var turnSine = 0.0, turnCosine = 0.0
  var sine = 0.0, cosine = 0.0
  /// The number of the last computed block.
  var block = -2
  /// Whether its frequency is below half the sample rate.
  var isHeard = false
  /// Indices, from 0, of the wheels that leak into its terminal; its own index where there is none.
  var companion = 0, left = 0, right = 0
}

/// All wheels. Their phases depend only on the number of frames since the generator's start.
struct ToneGenerator: BitwiseCopyable {
  static let bufferCount = 4

  private let wheels: Buffer<TurningWheel>
  /// The last eight frames of each wheel and of each terminal, and the block number of each terminal's frames.
  private let signals: Buffer<SIMD8<Double>>
  private let terminals: Buffer<SIMD8<Double>>
  private let terminalBlocks: Buffer<Int>
  /// Number of the present block of eight frames.
  private(set) var block = 0
  /// Index of the next frame in the block.
  private(set) var place = 0
  /// Gain of each neighbour at a terminal, applied from the next block on.
  var leakage = 0.0
  private var blockLeakage = 0.0

  init(_ context: Context) throws(OpcodeError) {
    let count = ToneWheel.count
    wheels = try context.buffer(0, of: TurningWheel.self, count: count)
    signals = try context.buffer(1, of: SIMD8<Double>.self, count: count)
    terminals = try context.buffer(2, of: SIMD8<Double>.self, count: count)
    terminalBlocks = try context.buffer(3, of: Int.self, count: count)
    for index in 0..<count {
      wheels[index] = Self.wheel(index + 1, sampleRate: context.sampleRate)
      terminalBlocks[index] = -1
    }
  }

  private static func wheel(_ number: Int, sampleRate: Double) -> TurningWheel {
    let cycles = ToneWheel.frequency(of: number) / sampleRate
    let neighbours = ToneWheel.neighbours(of: number)
    let companion = ToneWheel.companion(of: number)
    var wheel = TurningWheel()
    // Any start phases will do, as long as they differ from wheel to wheel.
    wheel.start = CyclePhase(cycles: 0.618_033_988_749_894_9 * Double(number))
    wheel.step = CyclePhase.step(cycles: cycles)
    for lane in 0..<8 {
      wheel.sines[lane] = Math.sin(2 * Double.pi * cycles * Double(lane))
      wheel.cosines[lane] = Math.cos(2 * Double.pi * cycles * Double(lane))
    }
    wheel.turnSine = Math.sin(2 * Double.pi * cycles * 8)
    wheel.turnCosine = Math.cos(2 * Double.pi * cycles * 8)
    wheel.isHeard = cycles < 0.5
    wheel.companion = (companion > 0 ? companion : number) - 1
    wheel.left = (neighbours.left > 0 ? neighbours.left : number) - 1
    wheel.right = (neighbours.right > 0 ? neighbours.right : number) - 1
    return wheel
  }

  /// Advances by a number of frames, at most to the end of the block.
  @inline(__always)
  mutating func advance(by frames: Int) {
    place += frames
    guard place == 8 else { return }
    place = 0
    block += 1
    blockLeakage = leakage
  }

  /// Applies the leakage before the first frame.
  mutating func begin() { blockLeakage = leakage }

  /// The block's eight frames at a terminal, numbered from 0.
  @inline(__always) @_semantics("no_performance_analysis")
  func terminal(_ index: Int) -> Lanes {
    if _fastPath(terminalBlocks[index] == block) { return Lanes(values: terminals[index]) }
    return compute(index)
  }

  @inline(never) @_semantics("no_performance_analysis")
  private func compute(_ index: Int) -> Lanes {
    var signal = wheel(index)
    if blockLeakage != 0 {
      let near = wheels[index]
      var others = Lanes(0)
      if near.companion != index { others = others + wheel(near.companion) }
      if near.left != index { others = others + wheel(near.left) }
      if near.right != index { others = others + wheel(near.right) }
      signal = signal + Lanes(blockLeakage) * others
    }
    terminals[index] = signal.values
    terminalBlocks[index] = block
    return signal
  }

  /// The block's eight frames of a wheel, numbered from 0.
  ///
  /// From one block to the next the phase is advanced by a rotation. Every 256 blocks, and after a pause, it is
  /// computed exactly from the number of frames, so it never drifts.
  @inline(__always) @_semantics("no_performance_analysis")
  private func wheel(_ index: Int) -> Lanes {
    let last = wheels[index].block
    if last == block { return Lanes(values: signals[index]) }
    let wheel = wheels[index]
    var (sine, cosine) = (wheel.sine, wheel.cosine)
    if _fastPath(last == block &- 1 && (block &+ index) & 255 != 0) {
      let (s, c) = (wheel.turnSine, wheel.turnCosine)
      (sine, cosine) = (sine * c + cosine * s, cosine * c - sine * s)
    } else {
      let bits = wheel.start.bits &+ wheel.step &* UInt64(truncatingIfNeeded: block &* 8)
      let angle = Double(Int64(bitPattern: bits)) * (2 * Double.pi / 0x1p64)
      (sine, cosine) = wheel.isHeard ? (Math.sin(angle), Math.cos(angle)) : (0, 0)
    }
    let signal =
      Lanes(sine) * Lanes(values: wheel.cosines) + Lanes(cosine) * Lanes(values: wheel.sines)
    wheels[index].sine = sine
    wheels[index].cosine = cosine
    wheels[index].block = block
    signals[index] = signal.values
    return signal
  }
}
