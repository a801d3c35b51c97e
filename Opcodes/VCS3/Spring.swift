// aout SPRING ain [, kdecay [, idelay1 [, idelay2]]]
//
// A reverberation tank with two springs, as in the EMS VCS3: the input returns as a series of chirps, low frequencies
// first.
//
// Each spring is a loop of a delay and 48 allpasses, which delay high frequencies more,
//
//     w = A(z)^48 (H(z) in - g d)      d[n] = w[n - L]      out = (d1 + d2) / 2
//     A(z) = (0.75 + z^-1) / (1 + 0.75 z^-1)
//     g = 10^(-3 round / decay)
//
// where H is a highpass at 40 Hz and `round` is the time in seconds that 0 Hz takes for one round of the computed loop.
// The gain of a round is g at every frequency and below 1, so the loop is stable. A frequency decays by 60 dB in kdecay
// times the ratio of its round trip to that of 0 Hz: with a delay of 25 ms, 1 % longer at 1.6 kHz and 21 % at 3.8 kHz.
// The springs run at the lower rate sr / D, where D is sr / 9600 Hz, rounded. A lowpass at 0.4 of that rate (3.8 kHz)
// before and after them prevents aliasing. A real spring passes little more.
//
// The loop is the low-frequency part of V. Välimäki, J. Parker and J. S. Abel, "Parametric spring reverberation
// effect", J. Audio Eng. Soc. 58(7/8), 2010, without their modulation and echoes. Computing it at a lower rate follows
// J. Parker, "Efficient dispersion generation structures for spring reverb emulation", EURASIP J. Adv. Signal Process.
// 2011, doi 10.1155/2011/646134. The defaults are what is reported of the instrument: delays of 25 and 30 ms, and a
// decay of at most 2 s.
//
// The chains of both springs are divided into four parts each, which are computed at once in registers. That adds three
// samples at sr / D to the delay.
//
// Category: Signal Modifiers:Reverberation

import OpcodeKit

@Opcode("SPRING", "Spring reverberation, two springs")
struct Spring: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The sound of the springs, without the direct sound. The two lowpasses delay it by another 0.6 ms at 48 kHz.
    let output: AudioOutput
    /// The input signal. Clamped to a million times full scale; NaN counts as 0.
    let input: AudioInput
    /// Decay time of low frequencies in seconds (by 60 dB), at most 10. With a delay of 25 ms it holds within 5 % up to
    /// 2.8 kHz, with other delays at least up to 700 Hz; higher frequencies decay more slowly. 0, NaN and negative
    /// values other than -1 give a single pass. Default 2, also for -1.
    @Default(-1) let decay: ControlInput
    /// Delay of low frequencies in the first spring in seconds, 0.002 to 0.2. Default 0.025, also for -1.
    @Default(-1) let firstDelay: InitInput
    /// Delay of low frequencies in the second spring in seconds, 0.002 to 0.2. Default 0.030, also for -1.
    @Default(-1) let secondDelay: InitInput
  }

  static let bufferCount = 5

  private let before, after: ChebyshevLowpass
  private let springs: Springs
  private let factor: Int
  /// Samples until the springs compute their next one.
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

  // Not inlined, so that passes of one frame have no second copy of the code.
  @inline(never)
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

/// The length of a spring's delay, and the gain of a round.
package struct SpringLoop: BitwiseCopyable {
  /// Samples of the delay, without those of the allpasses.
  package let length: Int
  /// Time in seconds that 0 Hz takes for a round of the computed loop.
  package let round: Double

  package static var coefficient: Double { 0.75 }
  /// Number of allpasses in each of the chain's four parts.
  package static var stages: Int { 12 }

  /// `delay` is in seconds, `rate` in Hz.
  package init(delay: Double, rate: Double) {
    // The delay of the chain at 0 Hz, including the three samples for its division into parts.
    let stages = Double(4 * Self.stages)
    let chained = stages * (1 - Self.coefficient) / (1 + Self.coefficient) + 3
    length = max(1, Math.whole(delay * rate - chained + 0.5, in: 0...1_000_000))
    round = (Double(length) + chained) / rate
  }

  /// The gain of a round for a decay time in seconds.
  package func gain(decay: Double) -> Double {
    decay > 0 ? Math.exp(-6.907_755_278_982_137 * round / decay) : 0
  }
}

/// Two loops of a delay and allpasses, after a highpass: the first in places 0 to 3, the second in places 4 to 7.
struct Springs: BitwiseCopyable {
  /// Samples of both delays; each pair holds a sample of the first and one of the second.
  private let lines: Buffer<Pair>
  /// The allpasses' last inputs and outputs, twelve allpasses for each place.
  private let chain: Buffer<Lanes>
  /// The rest of the state, in a buffer of one element.
  private let state: Buffer<State>
  private let first, second: SpringLoop
  private let pole: Double

  private struct State: BitwiseCopyable {
    var decay = -1.0
    var firstGain = 0.0, secondGain = 0.0
    var place = 0
    /// The highpass's last input and output.
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

  /// Sets the gains of a round for a decay time in seconds.
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
    // Each place takes the output of the previous place's last allpass.
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

  /// Sets values below -600 dB to 0: the beginning of a chirp becomes smaller in every round, down to subnormal
  /// numbers, which are slow.
  @inline(__always)
  private static func heard(_ pair: Pair) -> Pair {
    Pair(pair[0].magnitude < 1e-30 ? 0 : pair[0], pair[1].magnitude < 1e-30 ? 0 : pair[1])
  }

  /// The index in the lines `length` samples before another.
  @inline(__always)
  private func place(_ place: Int, before length: Int) -> Int {
    let index = place - length
    return index < 0 ? index + lines.count : index
  }

  /// Sets the allpasses' states to 0 when they are below -600 dB.
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
