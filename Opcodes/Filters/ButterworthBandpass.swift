// aout BUTTERBP ain, xcentre, xbandwidth [, iskip]
//
// A Butterworth bandpass filter of second order: 0 dB in the middle, -3.01 dB at the ends of the band.
//
//     t[n] = x[n] - a t[n-1] - b t[n-2]         y[n] = g (t[n] - t[n-2])
//
// a, b and g are those of the bilinear transform (`BandCoefficients`). Four frames are computed at once
// where both controls are k-rate, otherwise eight frames' coefficients (`SecondOrder`).
//
// The same as Csound's `butterbp` except that
//  - the bandwidth is clamped to 0.49999 sr, where the built-in is unstable from sr/2 on;
//  - an a-rate bandwidth of 0 or less gives 0 and holds the filter at that frame; the built-in silences
//    k-cycles that begin with one and filters with negative bandwidths elsewhere;
//  - a control that swings by hundreds of Hz hundreds of times a second can make the built-in grow to infinity
//    and NaN; here the state is kept within what standing controls could make of the same input, which is still
//    loud (`SecondOrderReach`);
//  - below -600 dB is silence, and NaN in the input does not stay in the filter.

import OpcodeKit

@Opcode("BUTTERBP", "Butterworth bandpass filter")
struct ButterworthBandpass<Centre: Signal, Bandwidth: Signal>: AudioOpcode, LateInitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The filtered signal.
    let output: AudioOutput
    /// The signal to filter.
    let input: AudioInput
    /// Frequency in the middle of the band, Hz, k-rate or a-rate; beyond sr/2 and below 0 it is mirrored.
    let centre: Centre
    /// Width of the band between its -3.01 dB points, Hz, k-rate or a-rate, up to 0.49999 sr and clamped
    /// there; at 0, below and NaN the output is 0
    /// and the filter holds its state.
    let bandwidth: Bandwidth
    /// Nonzero goes on from the note before in the same memory. Default 0.
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
      BandpassDesign())
  }
}

/// What lets the band through.
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
