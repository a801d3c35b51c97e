// aout BUTTERBP ain, xcentre, xbandwidth [, iskip]
//
// A second-order Butterworth bandpass filter: 0 dB at the centre, -3.01 dB at the edges of the band.
//
//     t[n] = x[n] - a t[n-1] - b t[n-2]         y[n] = g (t[n] - t[n-2])
//
// a, b and g follow from the bilinear transform (`BandCoefficients`). Four frames are computed at once when both
// controls are k-rate; otherwise the coefficients of eight frames are (`SecondOrder`).
//
// The same as Csound's `butterbp`, except that
// - the bandwidth is clamped to 0.49999 sr; `butterbp` is unstable from sr/2 on;
// - at frames where an a-rate bandwidth is 0 or less, the output is 0 and the filter keeps its state; `butterbp` does
//   so for a whole k-cycle when its first frame has such a bandwidth, and otherwise filters with negative bandwidths;
// - a control that swings by hundreds of Hz hundreds of times per second can drive `butterbp` to infinity and NaN. Here
//   the state is limited to what constant controls could produce from the same input, which can still be loud
//   (`SecondOrderReach`);
// - signals below -600 dB become 0, and NaN in the input does not stay in the filter.
//
// Category: Signal Modifiers:Standard Filters

// aout BUTTERBR ain, xcentre, xbandwidth [, iskip]
//
// A second-order Butterworth band reject filter: silent at the centre, -3.01 dB at the edges of the band.
//
//     t[n] = x[n] - a t[n-1] - b t[n-2]         y[n] = g (t[n] + t[n-2]) + a t[n-1]
//
// a, b and g follow from the bilinear transform (`BandCoefficients`). Four frames are computed at once when both
// controls are k-rate; otherwise the coefficients of eight frames are (`SecondOrder`).
//
// The same as Csound's `butterbr`, except that
// - the bandwidth is clamped to 0.49999 sr; `butterbr` is unstable from sr/2 on;
// - at frames where an a-rate bandwidth is 0 or less, the signal passes unchanged and the filter keeps its state;
//   `butterbr` does so for a whole k-cycle when its first frame has such a bandwidth, and otherwise filters with
//   negative bandwidths;
// - a control that swings by hundreds of Hz hundreds of times per second can drive `butterbr` to infinity and NaN. Here
//   the state is limited to what constant controls could produce from the same input, which can still be loud
//   (`SecondOrderReach`);
// - signals below -600 dB become 0, and NaN in the input does not stay in the filter.
//
// Category: Signal Modifiers:Standard Filters

import OpcodeKit

@Opcode("BUTTERBP", "Butterworth bandpass filter", BandpassDesign.self)
@Opcode("BUTTERBR", "Butterworth band reject filter", BandRejectDesign.self)
struct ButterworthBandFilter<Design: BandDesign, Centre: Signal, Bandwidth: Signal>: AudioOpcode,
  LateInitOpcode
{
  struct Arguments: BitwiseCopyable {
    /// The filtered signal.
    let output: AudioOutput
    /// The input signal.
    let input: AudioInput
    /// Centre frequency in Hz; k-rate or a-rate. Frequencies below 0 or above sr/2 are mirrored into that range.
    let centre: Centre
    /// Bandwidth in Hz between the -3.01 dB points; k-rate or a-rate. Clamped to 0.49999 sr. At 0, below 0 and for NaN,
    /// the filter keeps its state; the output of a bandpass is 0, a band reject filter passes the signal unchanged.
    let bandwidth: Bandwidth
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
      Design())
  }
}

/// The bandpass filter.
struct BandpassDesign: BandDesign {
  @inline(__always) @_semantics("no_performance_analysis")
  func choose<Numbers: Vector>(_ band: BandCoefficients<Numbers>) -> SecondOrderVector<Numbers> {
    band.pass
  }

  @inline(__always)
  func output(_ c: SecondOrderCoefficients, _ now: Pair, _ before: Pair, _ earlier: Pair) -> Pair {
    Pair(c.gain) * (now - earlier)
  }

  @inline(__always)
  func held(_ input: Double) -> Double { 0 }
}

/// The band reject filter.
struct BandRejectDesign: BandDesign {
  @inline(__always) @_semantics("no_performance_analysis")
  func choose<Numbers: Vector>(_ band: BandCoefficients<Numbers>) -> SecondOrderVector<Numbers> {
    band.reject
  }

  @inline(__always)
  func output(_ c: SecondOrderCoefficients, _ now: Pair, _ before: Pair, _ earlier: Pair) -> Pair {
    Pair(c.gain) * (now + earlier) + Pair(c.feedback1) * before
  }

  @inline(__always)
  func held(_ input: Double) -> Double { input }
}
