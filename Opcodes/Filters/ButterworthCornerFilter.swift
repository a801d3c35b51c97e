// aout BUTTERLP ain, xcutoff [, iskip]
//
// A second-order Butterworth lowpass filter: 12 dB per octave, -3.01 dB at the cutoff.
//
//     t[n] = x[n] - a t[n-1] - b t[n-2]         y[n] = g (t[n] + 2 t[n-1] + t[n-2])
//
// a, b and g follow from the bilinear transform (`CornerCoefficients`).
//
// At k-rate four frames are computed at once. With h the first samples of the impulse response of t, t[n+i] = Σ h[i-j]
// x[n+j] + h[i+1] t[n-1] - b h[i] t[n-2], so that only one product and two additions lie between the states of every
// fourth frame. At a-rate the coefficients of eight frames are computed at once (`SecondOrder`).
//
// The same as Csound's `butterlp`, except that
// - the cutoff is clamped to 0.49999 sr; `butterlp` is unstable from sr/2 on;
// - at frames where an a-rate cutoff is 0 or less, the output is 0 and the filter keeps its state; `butterlp` does so
//   for a whole k-cycle when its first frame has such a cutoff, and otherwise filters with negative cutoffs;
// - signals below -600 dB become 0, and NaN in the input does not stay in the filter.
//
// As with every recurrence of this form, a cutoff that jumps from sample to sample makes the filter gain: with noise for
// the signal and for a cutoff from 0 to sr/2 the output exceeds 1000 times full scale, also in Csound's; where most
// cutoffs are beyond that range and clamped, 1e8 times. STATEVAR with an iquality of 1 and LADDER stay bounded.
//
// Category: Signal Modifiers:Standard Filters

// aout BUTTERHP ain, xcutoff [, iskip]
//
// A second-order Butterworth highpass filter: 12 dB per octave, -3.01 dB at the cutoff.
//
//     t[n] = x[n] - a t[n-1] - b t[n-2]         y[n] = g (t[n] - 2 t[n-1] + t[n-2])
//
// a, b and g follow from the bilinear transform (`CornerCoefficients`). At k-rate four frames are computed at once, at
// a-rate the coefficients of eight frames (`SecondOrder`).
//
// The same as Csound's `butterhp`, except that
// - the cutoff is clamped to 0.49999 sr; `butterhp` is unstable from sr/2 on;
// - at frames where an a-rate cutoff is 0 or less, the signal passes unchanged and the filter keeps its state;
//   `butterhp` does so for a whole k-cycle when its first frame has such a cutoff, and otherwise filters with negative
//   cutoffs;
// - signals below -600 dB become 0, and NaN in the input does not stay in the filter.
//
// As with every recurrence of this form, a cutoff that jumps from sample to sample makes the filter gain: with noise for
// the signal and for a cutoff from 0 to sr/2 the output exceeds 1000 times full scale, also in Csound's; where most
// cutoffs are beyond that range and clamped, 1e8 times. STATEVAR with an iquality of 1 and LADDER stay bounded.
//
// Category: Signal Modifiers:Standard Filters

import OpcodeKit

@Opcode("BUTTERLP", "Butterworth lowpass filter, 12 dB per octave", LowpassDesign.self)
@Opcode("BUTTERHP", "Butterworth highpass filter, 12 dB per octave", HighpassDesign.self)
struct ButterworthCornerFilter<Design: CornerDesign, Cutoff: Signal>: AudioOpcode, LateInitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The filtered signal.
    let output: AudioOutput
    /// The input signal.
    let input: AudioInput
    /// Cutoff frequency in Hz; k-rate or a-rate. Clamped to 0.49999 sr. At 0, below 0 and for NaN, the filter keeps its
    /// state; the output of a lowpass is 0, a highpass passes the signal unchanged.
    let cutoff: Cutoff
    /// Nonzero keeps the state of the previous note in the same memory. Default 0.
    @Default(0) let skip: InitInput
  }

  private var filter: TunedSecondOrder<Cutoff, Cutoff>

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    filter = TunedSecondOrder(sampleRate: context.sampleRate)
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    filter.perform(
      arguments.input, arguments.output, arguments.cutoff, arguments.cutoff, context.frames,
      Design())
  }
}

/// The lowpass filter.
struct LowpassDesign: CornerDesign {
  @inline(__always) @_semantics("no_performance_analysis")
  func choose<Numbers: Vector>(
    _ corner: CornerCoefficients<Numbers>
  ) -> SecondOrderVector<Numbers> {
    corner.low
  }

  @inline(__always)
  func output(_ c: SecondOrderCoefficients, _ now: Pair, _ before: Pair, _ earlier: Pair) -> Pair {
    Pair(c.gain) * ((now + before) + (before + earlier))
  }

  @inline(__always)
  func held(_ input: Double) -> Double { 0 }
}

/// The highpass filter.
struct HighpassDesign: CornerDesign {
  @inline(__always) @_semantics("no_performance_analysis")
  func choose<Numbers: Vector>(
    _ corner: CornerCoefficients<Numbers>
  ) -> SecondOrderVector<Numbers> {
    corner.high
  }

  @inline(__always)
  func output(_ c: SecondOrderCoefficients, _ now: Pair, _ before: Pair, _ earlier: Pair) -> Pair {
    Pair(c.gain) * ((now - before) - (before - earlier))
  }

  @inline(__always)
  func held(_ input: Double) -> Double { input }
}
