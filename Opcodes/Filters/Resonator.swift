// aout RESON ain, xcentre, xbandwidth [, iscale [, iskip]]
//
// A resonator: a pair of poles, loudest near the centre.
//
//     y[n] = g x[n] + c y[n-1] - r y[n-2]
//     r = exp(-2 π bandwidth / sr)        c = 4 r cos(2 π centre / sr) / (1 + r)
//
// g makes the gain at the centre 1 with iscale 1, (1 - r) sqrt(1 - c² / 4 r), keeps the power of noise
// with iscale 2, sqrt(((1 + r)² - c²) (1 - r) / (1 + r)), and is 1 with 0 (J. Smith and J. Angell, "A
// constant-gain digital resonator tuned by a single coefficient", Computer Music Journal 6(4), 1982;
// C. Dodge and T. A. Jerse, "Computer Music", 2nd ed., 1997). Four frames are computed at once where both
// controls are k-rate, otherwise eight frames' coefficients (`SecondOrder`).
//
// The same as Csound's `reson` except that
//  - a bandwidth below 0, where the built-in grows without bound, counts as 0;
//  - a control that swings by hundreds of Hz hundreds of times a second can make the built-in grow to infinity
//    and NaN; here the state is kept within what standing controls could make of the same input, which is still
//    loud (`SecondOrderReach`);
//  - below -600 dB is silence, and NaN in the input does not stay in the filter.

import OpcodeKit

@Opcode("RESON", "Resonator, a pair of poles")
struct Resonator<Centre: Signal, Bandwidth: Signal>: AudioOpcode, LateInitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The filtered signal.
    let output: AudioOutput
    /// The signal to filter.
    let input: AudioInput
    /// Frequency of the resonance, Hz, k-rate or a-rate; beyond sr/2 and below 0 it is mirrored.
    let centre: Centre
    /// Distance between the -3 dB points, Hz, k-rate or a-rate; below 0 and NaN count as 0.
    let bandwidth: Bandwidth
    /// 0 for no scaling, 1 for a gain of 1 at the centre, 2 for the power of noise. Default 0; anything
    /// else is an init error.
    @Default(0) let scale: InitInput
    /// Nonzero goes on from the note before in the same memory. Default 0.
    @Default(0) let skip: InitInput
  }

  private var filter: TunedSecondOrder<Centre, Bandwidth>
  private var scaling: Scaling

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    filter = TunedSecondOrder(sampleRate: context.sampleRate)
    scaling = try Scaling(arguments.scale.value)
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  mutating func resume(_ arguments: Arguments, _ context: Context) {
    if let scaling = try? Scaling(arguments.scale.value) { self.scaling = scaling }
    filter.retune()
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    filter.perform(
      arguments.input, arguments.output, arguments.centre, arguments.bandwidth, context.frames,
      ResonatorDesign(scaling))
  }
}

/// What the gain of a resonator keeps.
package enum Scaling: BitwiseCopyable {
  case none, peak, noise

  /// A fraction is dropped.
  package init(_ number: Double) throws(OpcodeError) {
    switch number {
    case let number where number > -1 && number < 1: self = .none
    case let number where number >= 1 && number < 2: self = .peak
    case let number where number >= 2 && number < 3: self = .noise
    default: throw OpcodeError(argument: "iscale", is: number, mustBe: "0, 1 or 2")
    }
  }
}

/// A pair of poles.
package struct ResonatorDesign: SecondOrderDesign {
  private let scaling: Scaling

  @inline(__always)
  package init(_ scaling: Scaling) { self.scaling = scaling }

  /// Both in units of the sample rate: `bandwidths` from 0 on, NaN counts as 0; `centres` of any size, by
  /// their cosine.
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
      // (1 + r)² - 4 r cos², which is (1 + r)² times what stands under the root, as two terms that are not
      // below 0; none waits for the division.
      let part = rest * rest + (Numbers(16) * r) * (turn2 * (Numbers(1) - turn2))
      gain = (rest * over) * Numbers.maximum(part, Numbers(0)).squareRoot
    case .noise:
      let share = (cosine * (Numbers(4) * r)) * over
      gain = Numbers.maximum((sum * sum - share * share) * (rest * over), Numbers(0)).squareRoot
    }
    return SecondOrderVector(
      gain: gain, over: over, feedback1: Numbers(-4) * r, feedback2: r * sum, turn: cosine)
  }

  @inline(__always)
  func level(_ c: SecondOrderCoefficients) -> Double { c.gain }

  @inline(__always)
  func output(_ c: SecondOrderCoefficients, _ now: Pair, _ before: Pair, _ earlier: Pair) -> Pair {
    now
  }

  @inline(__always)
  func isOpen(_ centre: Double, _ bandwidth: Double) -> Bool { true }

  @inline(__always)
  func held(_ input: Double) -> Double { input }
}
