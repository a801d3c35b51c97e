// aout BUTTERHP ain, xcutoff [, iskip]
//
// A Butterworth highpass filter of second order, 12 dB per octave, -3.01 dB at the cutoff.
//
//     t[n] = x[n] - a t[n-1] - b t[n-2]         y[n] = g (t[n] - 2 t[n-1] + t[n-2])
//
// a, b and g are those of the bilinear transform (`CornerCoefficients`). Four frames are computed at once at
// k-rate, eight frames' coefficients at a-rate (`SecondOrder`).
//
// The same as Csound's `butterhp` except that
//  - the cutoff is clamped to 0.49999 sr, where the built-in is unstable from sr/2 on;
//  - an a-rate cutoff of 0 or less lets that frame through and holds the filter; the built-in lets
//    k-cycles through that begin with one, and filters with negative cutoffs elsewhere;
//  - below -600 dB is silence, and NaN in the input does not stay in the filter.

import OpcodeKit

@Opcode("BUTTERHP", "Butterworth highpass filter, 12 dB per octave")
struct ButterworthHighpass<Cutoff: Signal>: AudioOpcode, LateInitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The filtered signal.
    let output: AudioOutput
    /// The signal to filter.
    let input: AudioInput
    /// Cutoff frequency, Hz, k-rate or a-rate, up to 0.49999 sr and clamped there; at 0, below and NaN
    /// the signal goes through and the filter holds its state.
    let cutoff: Cutoff
    /// Nonzero goes on from the note before in the same memory. Default 0.
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
      HighpassDesign())
  }
}

/// What lets through what is above the cutoff.
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
