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
// controls are k-rate (`SecondOrder`), otherwise two frames' coefficients.
//
// The same as Csound's `reson` except that a bandwidth below 0, where the built-in grows without bound,
// counts as 0, that below -600 dB is silence, and that NaN in the input does not stay in the filter.

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

  private var filter = SecondOrder()
  private var scaling = Scaling.none
  private var coefficients = ButterworthCoefficients.Single(gain: 1, feedback1: 0, feedback2: 0)
  private var lastCentre = Double.nan, lastBandwidth = Double.nan
  private let samplePeriod: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    samplePeriod = 1 / context.sampleRate
    scaling = try Scaling(arguments.scale.value)
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  mutating func resume(_ arguments: Arguments, _ context: Context) {
    if let scaling = try? Scaling(arguments.scale.value) { self.scaling = scaling }
    lastCentre = .nan
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let frames = context.frames
    let (input, output) = (arguments.input, arguments.output)
    if Centre.isAudioRate || Bandwidth.isAudioRate {
      follow(arguments, frames)
    } else {
      let (centre, bandwidth) = (arguments.centre[0], arguments.bandwidth[0])
      if centre != lastCentre || bandwidth != lastBandwidth {
        (lastCentre, lastBandwidth) = (centre, bandwidth)
        coefficients = tuning(Pair(centre), Pair(bandwidth))[0]
      }
      filter.hold(input, output, frames, coefficients, level: coefficients.gain) { now, _, _ in
        now
      }
    }
    filter.settle()
  }

  /// A k-cycle with a control that moves.
  @inline(__always)
  private mutating func follow(_ arguments: Arguments, _ frames: Range<Int>) {
    var frame = frames.lowerBound
    guard frame < frames.upperBound else { return }
    let (centre, bandwidth) = (arguments.centre, arguments.bandwidth)
    // Loaded once, so that what they alone make is computed once.
    let (constantCentre, constantBandwidth) = (Pair(centre[frame]), Pair(bandwidth[frame]))
    while frame < frames.upperBound {
      let other = frame &+ 1 < frames.upperBound ? frame &+ 1 : frame
      let (x, y) = (arguments.input[frame], arguments.input[other])
      let both = tuning(
        Centre.isAudioRate ? Pair(centre[frame], centre[other]) : constantCentre,
        Bandwidth.isAudioRate ? Pair(bandwidth[frame], bandwidth[other]) : constantBandwidth)
      arguments.output[frame] = next(x, both[0])
      if other != frame { arguments.output[other] = next(y, both[1]) }
      frame &+= 2
    }
  }

  @inline(__always)
  private mutating func next(_ x: Double, _ c: ButterworthCoefficients.Single) -> Double {
    filter.next(x * c.gain, c) { now, _, _ in now }
  }

  @inline(__always)
  private func tuning(_ centres: Pair, _ bandwidths: Pair) -> ResonatorCoefficients {
    ResonatorCoefficients(
      centres: centres * Pair(samplePeriod), bandwidths: bandwidths * Pair(samplePeriod), scaling)
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

/// The coefficients of two frames.
package struct ResonatorCoefficients: BitwiseCopyable {
  private let gain, feedback1, feedback2: Pair

  /// Both in units of the sample rate: `bandwidths` from 0 on, NaN counts as 0; `centres` of any size, by
  /// their cosine.
  @inline(__always)
  package init(centres: Pair, bandwidths: Pair, _ scaling: Scaling) {
    let turn = HalfTurn.sine(folded(centres))
    let turn2 = turn * turn
    let cosine = Pair(1) - Pair(2) * turn2
    let r = (Pair.maximum(bandwidths, Pair(0)) * Pair(-2 * Double.pi)).exp
    let sum = Pair(1) + r
    let over = Pair(1) / sum
    let c = ((Pair(4) * r) * cosine) * over
    feedback1 = Pair(0) - c
    feedback2 = r
    switch scaling {
    case .none: gain = Pair(1)
    case .peak:
      // (1 + r)² - 4 r cos², which is (1 + r)² times what stands under the root, as two terms that are not
      // below 0; none waits for the division.
      let rest = Pair(1) - r
      let part = rest * rest + (Pair(16) * r) * (turn2 * (Pair(1) - turn2))
      gain = (rest * over) * Self.root(part)
    case .noise:
      gain = Self.root((sum * sum - c * c) * ((Pair(1) - r) * over))
    }
  }

  @inline(__always)
  private static func root(_ x: Pair) -> Pair {
    let x = Pair.maximum(x, Pair(0))
    return Pair(Math.sqrt(x[0]), Math.sqrt(x[1]))
  }

  @inline(__always)
  package subscript(place: Int) -> ButterworthCoefficients.Single {
    .init(gain: gain[place], feedback1: feedback1[place], feedback2: feedback2[place])
  }
}
