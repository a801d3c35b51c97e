// aout PHASER2 ain, kfreq, kq, kord, kmode, ksep, kfeedback [, iskip]
//
// A phaser: second-order allpasses in series, with feedback around all of them. Mixed with the input signal it has a
// notch for each allpass, at f_j = kfreq (1 + j ksep) with kmode 1, at f_j = kfreq ksep^j with kmode 2 or 0, j from 0.
//
//     x_0 = in + kfeedback out[n-1]
//     t[n] = x[n] - b t[n-1] - a t[n-2]        y[n] = a t[n] + b t[n-1] + t[n-2]
//     r = exp(-π f / (kq sr))        a = r²        b = -2 r cos(2 π f / sr)
//
// Source: J. O. Smith, "An allpass approach to digital phasing and flanging", Proceedings of the ICMC, 1984. The same
// recurrence as Csound's `phaser2`, with these differences:
// - kfeedback is clamped to -1 … 1; `phaser2` grows without bound;
// - the sign of kq is ignored; `phaser2` grows without bound. So does r at kfreq 0: here it ends at 0.999999;
// - an order below 0 is an init error; `phaser2` ends the whole performance;
// - a note starts with no feedback. `phaser2` starts with the last output sample from the same memory;
// - signals below -600 dB become 0, and NaN in the input does not stay in the filter.
//
// When kfreq, kq or ksep jump, the sound bursts as that of `phaser2` does: t is much louder than the output where f is
// low, and a jump lets it through. Jumps without end drive `phaser2` to infinity; here t is at most 1e8 times as loud as
// the input after each.
//
// The coefficients are computed once in a k-cycle, and not in each frame. Four allpasses take a frame at once: see
// `PhaserQuartet`.
//
// Category: Signal Modifiers:Special Effects

import OpcodeKit

@Opcode("PHASER2", "Phaser, a chain of second-order allpasses with feedback")
struct SecondOrderPhaser: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The output of the last allpass.
    let output: AudioOutput
    /// The input signal.
    let input: AudioInput
    /// Frequency of the first notch in Hz. The sign is ignored; NaN counts as 0.
    let frequency: ControlInput
    /// Q of each notch. The sign is ignored. At 0 and for NaN each allpass is a delay of two frames.
    let q: ControlInput
    /// Number of allpasses, 0 to 2499, read at init and rounded. With 0 the output is silent.
    let order: ControlInput
    /// How the notches lie, read at init: 1 evenly, 0 or 2 in powers of ksep.
    let mode: ControlInput
    /// Distance of the notches. The sign is ignored; NaN counts as 0.
    let separation: ControlInput
    /// Feedback, clamped to -1 … 1, where the sound never decays; NaN counts as 0.
    let feedback: ControlInput
    /// Nonzero keeps the state of the previous note in the same memory. Default 0.
    @Default(0) let skip: InitInput
  }

  static var bufferCount: Int { 2 }

  /// t[n-1] and t[n-2] of four allpasses each.
  private let states: Buffer<Quad>
  private let quartets: Buffer<PhaserQuartet>
  private let order: Int
  private let isEven: Bool
  private let cyclesPerHertz: Double
  /// The arguments that the quartets were computed from.
  private var tuned = (frequency: -1.0, q: 0.0, separation: 0.0)
  /// The last output sample, and the largest magnitude of the input.
  private var last = 0.0
  private var peak = 0.0

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let asked = Math.nearestWhole(arguments.order.value)
    guard asked >= 0, asked < 2500 else {
      throw OpcodeError(argument: "kord", is: arguments.order.value, mustBe: "from 0 to 2499")
    }
    let mode = arguments.mode.value
    guard mode > -1, mode < 3 else {
      throw OpcodeError(argument: "kmode", is: mode, mustBe: "0, 1 or 2")
    }
    order = Int(asked)
    isEven = mode >= 1 && mode < 2
    states = try context.buffer(of: Quad.self, count: 2 * ((order + 3) / 4))
    quartets = try context.buffer(of: PhaserQuartet.self, count: (order + 3) / 4)
    cyclesPerHertz = 1 / context.sampleRate
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  /// A changed order or mode needs new allpasses; an invalid one leaves them as they are.
  mutating func resume(_ arguments: Arguments, _ context: Context) {
    let (order, mode) = (arguments.order.value, arguments.mode.value)
    guard Math.nearestWhole(order) != Double(self.order) || (mode >= 1 && mode < 2) != isEven,
      let anew = try? Self(arguments, context)
    else { return }
    self = anew
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let frames = context.frames
    guard order > 0 else {
      for frame in frames { arguments.output[frame] = 0 }
      return
    }
    if !(last.magnitude >= 1e-30 && last.magnitude < .infinity) { settle() }
    tune(arguments.frequency.value, arguments.q.value, arguments.separation.value)
    let asked = arguments.feedback.value
    let feedback = asked > -1 ? min(asked, 1) : (asked <= -1 ? -1 : 0)
    var (last, peak) = (last, peak)
    if quartets.count == 2 {
      let (first, second) = (quartets[0], quartets[1])
      var (s0, s1, s2, s3) = (states[0], states[1], states[2], states[3])
      for frame in frames {
        let input = arguments.input[frame]
        peak = max(peak, input.magnitude)
        last = second.next(first.next(input + feedback * last, &s0, &s1), &s2, &s3)
        arguments.output[frame] = last
      }
      (states[0], states[1], states[2], states[3]) = (s0, s1, s2, s3)
    } else {
      for frame in frames {
        let input = arguments.input[frame]
        peak = max(peak, input.magnitude)
        last = input + feedback * last
        for number in 0..<quartets.count {
          var (one, two) = (states[2 &* number], states[2 &* number &+ 1])
          last = quartets[number].next(last, &one, &two)
          (states[2 &* number], states[2 &* number &+ 1]) = (one, two)
        }
        arguments.output[frame] = last
      }
    }
    (self.last, self.peak) = (last, peak)
  }

  /// Computes the coefficients when an argument has changed.
  @inline(__always) @_semantics("no_performance_analysis")
  private mutating func tune(_ frequency: Double, _ q: Double, _ separation: Double) {
    func bounded(_ value: Double) -> Double {
      value.magnitude >= 0 ? min(value.magnitude, 1e15) : 0
    }
    let asked = (frequency: bounded(frequency), q: bounded(q), separation: bounded(separation))
    guard asked != tuned else { return }
    tuned = asked
    let base = asked.frequency * cyclesPerHertz
    let damping = Quad(-Double.pi) / Quad(asked.q)
    let step = isEven ? base * asked.separation : asked.separation
    let square = step * step
    var now =
      isEven ? Quad(values: SIMD4(0, 1, 2, 3)) : Quad(values: SIMD4(1, step, square, square * step))
    for number in 0..<quartets.count {
      // The largest number instead of infinity, and for NaN.
      let frequencies = Quad.minimum(
        isEven ? Quad(base) + Quad(step) * now : Quad(base) * now, Quad(1e15))
      quartets[number] = PhaserQuartet(
        frequencies, damping: damping, count: order &- 4 &* number)
      now = isEven ? now + Quad(4) : .minimum(now * Quad(square * square), Quad(1e15))
    }
    let limit = Quad(1e8 * peak)
    for index in 0..<states.count {
      states[index] = .maximum(.minimum(states[index], limit), Quad(0) - limit)
    }
  }

  /// Resets the state to 0 when it is below -600 dB or not finite. Called at the beginning of a k-cycle.
  private mutating func settle() {
    var level = Quad(0)
    for index in 0..<states.count { level = level + states[index].magnitude }
    let sum = (level[0] + level[1]) + (level[2] + level[3])
    guard !(sum >= 1e-30 && sum < .infinity) else { return }
    for index in 0..<states.count { states[index] = Quad(0) }
    (last, peak) = (0, 0)
  }
}

/// The coefficients of four second-order allpasses in series, for which a frame passes all four with one multiplication
/// and one addition.
///
/// The output of an allpass is y_j = a_j x_j + s_j, where s_j = b_j (1 - a_j) t[n-1] + (1 - a_j²) t[n-2] is known one
/// frame before. So the four inputs are x = p x_1 + k with the products p of the a before them, and k = c1 s_1 + c2 s_2 +
/// c3 s_3.
struct PhaserQuartet: BitwiseCopyable {
  private let a, b, first, second, p, c1, c2: Quad
  private let last, product: Double

  /// For frequencies in units of the sample rate and -π / Q. From `count` on, allpasses pass what they get.
  @inline(__always) @_semantics("no_performance_analysis")
  init(_ frequencies: Quad, damping: Quad, count: Int) {
    // Never 1, where t would grow without bound; 0 for a Q of 0.
    let r = Quad.minimum(
      Quad.maximum(frequencies * damping, Quad(-700)), Quad(-1e-6)
    ).exp
    // From -0.5 to 0.5 cycles.
    let magic = Quad(0x1.8p52)
    let turn = HalfTurn.sine(
      Quad.minimum((frequencies - ((frequencies + magic) - magic)).magnitude, Quad(0.5)))
    let used = Quad(values: SIMD4(1, count > 1 ? 1 : 0, count > 2 ? 1 : 0, count > 3 ? 1 : 0))
    let unused = Quad(1) - used
    a = r * r * used
    b = Quad(-2) * r * (Quad(1) - Quad(2) * turn * turn) * used
    first = b * (Quad(1) - a)
    second = (Quad(1) - a * a) * used
    let through = a + unused
    let (a1, a2, a3, a4) = (through[0], through[1], through[2], through[3])
    p = Quad(values: SIMD4(1, a1, a1 * a2, a1 * a2 * a3))
    c1 = Quad(values: SIMD4(0, 1, a2, a2 * a3))
    c2 = Quad(values: SIMD4(0, 0, 1, a3))
    (last, product) = (a4, a1 * a2 * a3 * a4)
  }

  /// The output for a frame. `one` and `two` are t of the last frame and of the one before.
  @inline(__always) @_semantics("no_performance_analysis")
  func next(_ input: Double, _ one: inout Quad, _ two: inout Quad) -> Double {
    let s = first * one + second * two
    let known =
      (c1 * Quad(s[0]) + c2 * Quad(s[1])) + Quad(values: SIMD4(0, 0, 0, s[2]))
    let output = product * input + (last * known[3] + s[3])
    let t = p * Quad(input) + (known - (b * one + a * two))
    (one, two) = (t, one)
    return output
  }
}
