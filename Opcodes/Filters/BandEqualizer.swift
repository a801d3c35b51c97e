// aout EQFIL ain, xcentre, xbandwidth, kgain [, iskip]
//
// One band of an equalizer: the gain at the centre frequency, 1 far from it (P. A. Regalia and S. K. Mitra, "Tunable
// digital frequency response equalization filters", IEEE Transactions on Acoustics, Speech and Signal Processing 35(1),
// 1987).
//
//     out = (in + A(in) + kgain (in - A(in))) / 2
//
// where A is the allpass whose phase turns by half a cycle at the centre.
//
// The same as Csound's `eqfil`, with these differences:
// - centre and bandwidth can be a-rate;
// - `eqfil` of Csound 6.18 ignores the offset of a note within a k-cycle;
// - a bandwidth is limited to 0 … 0.49999 sr; beyond, `eqfil` grows without bound.
//
// Four frames are computed at once when both are k-rate; otherwise the coefficients of eight frames are (`SecondOrder`).
//
// Category: Signal Modifiers:Standard Filters:Resonant

import OpcodeKit

@Opcode("EQFIL", "Equalizer band")
struct BandEqualizer<Centre: Signal, Bandwidth: Signal>: AudioOpcode, LateInitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The filtered signal.
    let output: AudioOutput
    /// The input signal.
    let input: AudioInput
    /// Centre frequency in Hz; k-rate or a-rate. Frequencies below 0 or above sr/2 are mirrored into that range.
    let centre: Centre
    /// Bandwidth in Hz; k-rate or a-rate. Limited to 0 … 0.49999 sr; NaN counts as 0.
    let bandwidth: Bandwidth
    /// Gain at the centre, as an amplitude; 1 changes nothing, 0 takes the centre away.
    let gain: ControlInput
    /// Nonzero keeps the state of the previous note in the same memory. Default 0.
    @Default(0) let skip: InitInput
  }

  private var filter: TunedSecondOrder<Centre, Bandwidth>

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    filter = TunedSecondOrder(sampleRate: context.sampleRate)
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    filter.perform(
      arguments.input, arguments.output, arguments.centre, arguments.bandwidth, context.frames,
      BandEqualizerDesign(gain: arguments.gain.value))
  }
}

/// With t the state of the bandpass filter that has the same poles, a and b their coefficients, and g the gain, the
/// output is (1 + g + (1 - g) b) / 2 t[n] + a t[n-1] + (1 - g + (1 + g) b) / 2 t[n-2].
private struct BandEqualizerDesign: SecondOrderDesign {
  private let more, less: Double

  @inline(__always)
  init(gain: Double) { (more, less) = (0.5 * (1 + gain), 0.5 * (1 - gain)) }

  @inline(__always) @_semantics("no_performance_analysis")
  func coefficients<Numbers: Vector>(
    _ centres: Numbers, _ bandwidths: Numbers
  ) -> SecondOrderVector<Numbers> {
    BandCoefficients(centres: centres, bandwidths: bandwidths).pass
  }

  @inline(__always)
  func output(_ c: SecondOrderCoefficients, _ now: Pair, _ before: Pair, _ earlier: Pair) -> Pair {
    let b = c.feedback2
    return Pair(more + less * b) * now
      + (Pair(c.feedback1) * before + Pair(less + more * b) * earlier)
  }

  @inline(__always)
  func isOpen(_ centre: Double, _ bandwidth: Double) -> Bool { true }

  @inline(__always)
  func held(_ input: Double) -> Double { input }
}
