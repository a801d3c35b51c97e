// aout RESON ain, xcentre, xbandwidth [, iscale [, iskip]]
//
// A resonator: a two-pole filter with a peak near the centre frequency.
//
//     y[n] = g x[n] + c y[n-1] - r y[n-2]
//     r = exp(-2 π bandwidth / sr)        c = 4 r cos(2 π centre / sr) / (1 + r)
//
// The gain g depends on iscale: 1 gives a gain of 1 at the centre, g = (1 - r) sqrt(1 - c² / 4 r); 2 keeps the power of
// white noise, g = sqrt(((1 + r)² - c²) (1 - r) / (1 + r)); 0 gives g = 1 (J. Smith and J. Angell, "A constant-gain
// digital resonator tuned by a single coefficient", Computer Music Journal 6(4), 1982; C. Dodge and T. A. Jerse,
// "Computer Music", 2nd ed., 1997). Four frames are computed at once when both controls are k-rate; otherwise the
// coefficients of eight frames are (`SecondOrder`).
//
// The same as Csound's `reson`, except that
// - a bandwidth below 0 counts as 0; `reson` grows without bound;
// - a control that swings by hundreds of Hz hundreds of times per second can drive `reson` to infinity and NaN. Here
//   the state is limited to what constant controls could produce from the same input, which can still be loud
//   (`SecondOrderReach`);
// - signals below -600 dB become 0, and NaN in the input does not stay in the filter.
//
// Category: Signal Modifiers:Standard Filters:Resonant

import OpcodeKit

@Opcode("RESON", "Resonator, a pair of poles")
struct Resonator<Centre: Signal, Bandwidth: Signal>: AudioOpcode, LateInitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The filtered signal.
    let output: AudioOutput
    /// The input signal.
    let input: AudioInput
    /// Centre frequency in Hz; k-rate or a-rate. Frequencies below 0 or above sr/2 are mirrored into that range.
    let centre: Centre
    /// Bandwidth in Hz between the -3 dB points; k-rate or a-rate. Values below 0 and NaN count as 0.
    let bandwidth: Bandwidth
    /// Scaling: 0 for none, 1 for a gain of 1 at the centre, 2 for the same power as white noise at the input. Anything
    /// else is an init error. Default 0.
    @Default(0) let scale: InitInput
    /// Nonzero keeps the state of the previous note in the same memory. Default 0.
    @Default(0) let skip: InitInput
  }

  private var filter: TunedSecondOrder<Centre, Bandwidth>
  private var scaling: Scaling

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    filter = TunedSecondOrder(sampleRate: context.sampleRate)
    scaling = try Scaling(arguments.scale.value)
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  mutating func resume(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    scaling = try Scaling(arguments.scale.value)
    filter.retune()
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    filter.perform(
      arguments.input, arguments.output, arguments.centre, arguments.bandwidth, context.frames,
      ResonatorDesign(scaling))
  }
}

/// How the gain of a resonator is scaled.
package enum Scaling: BitwiseCopyable {
  case none, peak, noise

  /// The fractional part of `number` is dropped.
  package init(_ number: Double) throws(OpcodeError) {
    switch number {
    case let number where number > -1 && number < 1: self = .none
    case let number where number >= 1 && number < 2: self = .peak
    case let number where number >= 2 && number < 3: self = .noise
    default: throw OpcodeError(argument: "iscale", is: number, mustBe: "0, 1 or 2")
    }
  }
}

/// The two-pole resonator.
package struct ResonatorDesign: SecondOrderDesign {
  private let scaling: Scaling

  @inline(__always)
  package init(_ scaling: Scaling) { self.scaling = scaling }

  /// Both arguments are in units of the sample rate. `bandwidths` below 0 and NaN count as 0. `centres` may have any
  /// value, because only their cosine is used.
  @inline(__always) @_semantics("no_performance_analysis")
  package func coefficients<Numbers: Vector>(
    _ centres: Numbers, _ bandwidths: Numbers
  ) -> SecondOrderVector<Numbers> {
    let turn = HalfTurn.sine(folded(centres))
    let turn2 = turn * turn
    let cosine = Numbers(1) - (turn2 + turn2)
    let r = (Numbers.maximum(bandwidths, Numbers(0)) * Numbers(-2 * Double.pi)).exp
    let (sum, rest) = (Numbers(1) + r, Numbers(1) - r)
    let over = Numbers(1) / sum
    let gain: Numbers
    switch scaling {
    case .none: gain = Numbers(1)
    case .peak:
      // (1 + r)² - 4 r cos², which is (1 + r)² times the expression under the root, as two terms that are never
      // negative; neither waits for the division.
      let part = rest * rest + (Numbers(16) * r) * (turn2 * (Numbers(1) - turn2))
      gain = (rest * over) * Numbers.maximum(part, Numbers(0)).squareRoot
    case .noise:
      let share = (cosine * (Numbers(4) * r)) * over
      gain = Numbers.maximum((sum * sum - share * share) * (rest * over), Numbers(0)).squareRoot
    }
    return SecondOrderVector(
      gain: gain, over: over, feedback1: Numbers(-4) * r, feedback2: r * sum, turn: cosine)
  }

  static var scalesInput: Bool { @inline(__always) get { true } }

  @inline(__always)
  func output(_ c: SecondOrderCoefficients, _ now: Pair, _ before: Pair, _ earlier: Pair) -> Pair {
    now
  }

  @inline(__always)
  func isOpen(_ centre: Double, _ bandwidth: Double) -> Bool { true }

  @inline(__always)
  func held(_ input: Double) -> Double { input }
}
