// aout SPRING ain [, kdecay [, idelay1 [, idelay2]]]
//
// A reverberation tank of two springs, as in the EMS VCS3: what goes in comes back as chirps, low
// frequencies first, round after round.
//
// Each spring is a loop of a delay and 48 allpasses, in which high frequencies take longer,
//
//     w = A(z)^48 (H(z) in - g d)      d[n] = w[n - L]      out = (d1 + d2) / 2
//     A(z) = (0.75 + z^-1) / (1 + 0.75 z^-1)
//     g = 10^(-3 round / decay)
//
// where H is a highpass at 40 Hz and `round` the seconds that 0 Hz takes round the loop as it is computed. A
// round has the gain g at every frequency, below 1, so the loop is stable. A frequency loses 60 dB in `kdecay`
// seconds times its own round trip over that of 0 Hz: 1 % longer at 1.6 kHz with a delay of 25 ms, 21 % at
// 3.8 kHz. All of it runs at sr / D, D being sr over 9600 Hz, rounded, behind and in front of a lowpass at 0.4
// of that: 3.8 kHz. A spring passes little more.
//
// The loop is the low-frequency part of V. Välimäki, J. Parker and J. S. Abel, "Parametric spring
// reverberation effect", J. Audio Eng. Soc. 58(7/8), 2010, without what they add of modulation and echoes;
// computing it at a lower rate is J. Parker's, "Efficient dispersion generation structures for spring reverb
// emulation", EURASIP J. Adv. Signal Process. 2011, doi 10.1155/2011/646134. The instrument's two springs
// are said to delay by 25 and 30 ms and to sound for 2 s at most, which are the defaults.
//
// Both springs' chains lie side by side in registers in four parts each, which adds three samples at sr / D
// to what is a delay anyway.

import OpcodeKit

@Opcode("SPRING", "Spring reverberation, two springs")
struct Spring: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The springs, without the signal itself. The two lowpasses delay it by another
    /// 0.6 ms at 48 kHz.
    let output: AudioOutput
    /// The signal; beyond a million times full scale it is clamped, NaN is 0.
    let input: AudioInput
    /// Seconds until low frequencies have lost 60 dB, at most 10; within 5 % up to 700 Hz, to 2.8 kHz
    /// with a delay of 25 ms, and longer above by what they take longer round the spring. 0, negative but -1 and NaN: a single pass.
    /// Default (or -1) 2.
    @Default(-1) let decay: ControlInput
    /// How long a low frequency takes round the first spring, 0.002 to 0.2 s. Default (or -1) 0.025.
    @Default(-1) let firstDelay: InitInput
    /// The same of the second spring. Default (or -1) 0.030.
    @Default(-1) let secondDelay: InitInput
  }

  static let bufferCount = 5

  private let before, after: ChebyshevLowpass
  private let springs: Springs
  private let factor: Int
  /// Samples until the springs' next.
  private var wait = 0
  private let limit: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let first = try Self.delay(arguments.firstDelay.value, "idelay1", 0.025)
    let second = try Self.delay(arguments.secondDelay.value, "idelay2", 0.03)
    factor = max(1, Math.whole(context.sampleRate / 9600 + 0.5, in: 1...1_000_000))
    let rate = context.sampleRate / Double(factor)
    before = try ChebyshevLowpass(edge: 0.4 * rate, buffer: 0, context)
    after = try ChebyshevLowpass(edge: 0.4 * rate, buffer: 1, context)
    springs = try Springs(first, second, rate: rate, buffers: 2, context)
    limit = 1e6 * context.fullScale
  }

  private static func delay(
    _ asked: Double, _ name: StaticString, _ usual: Double
  ) throws(OpcodeError) -> Double {
    if asked == -1 { return usual }
    guard asked >= 0.002, asked <= 0.2 else {
      throw OpcodeError(argument: name, is: asked, mustBe: "from 0.002 to 0.2 s")
    }
    return asked
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let asked = arguments.decay.value
    let decay = asked == -1 ? 2 : asked > 0 ? min(asked, 10) : 0
    springs.setDecay(decay)
    for frame in context.frames {
      let input = arguments.input[frame]
      let bounded = input.magnitude < limit ? input : input > 0 ? limit : input < 0 ? -limit : 0
      let heard = before.next(bounded)
      var sample = 0.0
      if wait == 0 {
        sample = springs.next(heard) * Double(factor)
        wait = factor
      }
      wait -= 1
      arguments.output[frame] = after.next(sample)
    }
    before.settle()
    after.settle()
    springs.settle()
  }
}

/// A spring's loop: how long its delay is, and what a round leaves.
package struct SpringLoop: BitwiseCopyable {
  /// Samples of the delay, without the allpasses.
  package let length: Int
  /// What 0 Hz takes for a round, as computed, in seconds.
  package let round: Double

  package static var coefficient: Double { 0.75 }
  /// Allpasses in each of the chain's four parts.
  package static var stages: Int { 12 }

  /// `delay` in seconds, at a sample rate of `rate`.
  package init(delay: Double, rate: Double) {
    // What the chain takes at 0 Hz, and its division into parts.
    let stages = Double(4 * Self.stages)
    let chained = stages * (1 - Self.coefficient) / (1 + Self.coefficient) + 3
    length = max(1, Math.whole(delay * rate - chained + 0.5, in: 0...1_000_000))
    round = (Double(length) + chained) / rate
  }

  /// The gain of a round, for a decay in seconds.
  package func gain(decay: Double) -> Double {
    decay > 0 ? Math.exp(-6.907_755_278_982_137 * round / decay) : 0
  }
}

/// Two loops of delay and allpasses behind a highpass, in places 0 to 3 and 4 to 7.
struct Springs: BitwiseCopyable {
  /// Samples of both delays, first and second of each moment beside each other.
  private let lines: Buffer<Pair>
  /// What went in and came out of the allpasses last, twelve for each place.
  private let chain: Buffer<Lanes>
  /// The rest of the state, as one element.
  private let state: Buffer<State>
  private let first, second: SpringLoop
  private let pole: Double

  private struct State: BitwiseCopyable {
    var decay = -1.0
    var firstGain = 0.0, secondGain = 0.0
    var place = 0
    /// The highpass's input and output.
    var input = 0.0, passed = 0.0
  }

  init(
    _ first: Double, _ second: Double, rate: Double, buffers: Int, _ context: Context
  ) throws(OpcodeError) {
    self.first = SpringLoop(delay: first, rate: rate)
    self.second = SpringLoop(delay: second, rate: rate)
    pole = Math.exp(-2 * Double.pi * 40 / rate)
    lines = try context.buffer(
      buffers, of: Pair.self, count: max(self.first.length, self.second.length) + 1)
    chain = try context.buffer(buffers + 1, of: Lanes.self, count: SpringLoop.stages + 1)
    state = try context.buffer(buffers + 2, of: State.self, count: 1)
    state[0] = State()
  }

  /// Sets what comes back, for a decay in seconds.
  func setDecay(_ decay: Double) {
    guard decay != state[0].decay else { return }
    state[0].decay = decay
    state[0].firstGain = first.gain(decay: decay)
    state[0].secondGain = second.gain(decay: decay)
  }

  @inline(__always) @_semantics("no_performance_analysis")
  func next(_ input: Double) -> Double {
    var now = state[0]
    let delayed = Pair(
      lines[place(now.place, before: first.length)][0],
      lines[place(now.place, before: second.length)][1])
    let passed = input - now.input + pole * now.passed
    (now.input, now.passed) = (input, passed.magnitude < 1e-30 ? 0 : passed)
    let into = Self.heard(Pair(now.passed) - Pair(now.firstGain, now.secondGain) * delayed)
    // Each place takes over what the one before had at its end.
    let ends = chain[SpringLoop.stages]
    var signal = Lanes(
      values: SIMD8(into[0], ends[0], ends[1], ends[2], into[1], ends[4], ends[5], ends[6]))
    let a = Lanes(SpringLoop.coefficient)
    var last = chain[0]
    chain[0] = signal
    for stage in 1...SpringLoop.stages {
      let output = chain[stage]
      signal = last + a * (signal - output)
      last = output
      chain[stage] = signal
    }
    lines[now.place] = Self.heard(Pair(signal[3], signal[7]))
    now.place = now.place + 1 == lines.count ? 0 : now.place + 1
    state[0] = now
    return 0.5 * (delayed[0] + delayed[1])
  }

  /// Without what is below -600 dB: a chirp begins with less in every round, down to subnormal numbers, which
  /// are slow.
  @inline(__always)
  private static func heard(_ pair: Pair) -> Pair {
    Pair(pair[0].magnitude < 1e-30 ? 0 : pair[0], pair[1].magnitude < 1e-30 ? 0 : pair[1])
  }

  /// The place in the lines some samples before another.
  @inline(__always)
  private func place(_ place: Int, before length: Int) -> Int {
    let index = place - length
    return index < 0 ? index + lines.count : index
  }

  /// Silences the allpasses below -600 dB.
  @inline(__always) @_semantics("no_performance_analysis")
  func settle() {
    var sum = Lanes(0)
    for stage in 0...SpringLoop.stages { sum = sum + chain[stage].magnitude }
    var level = 0.0
    for index in 0..<8 { level += sum[index] }
    guard level > 0, level < 1e-30 else { return }
    for stage in 0...SpringLoop.stages { chain[stage] = Lanes(0) }
  }
}
