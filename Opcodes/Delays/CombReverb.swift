// aout NREVERB ain, ktime, kdiffusion [, iskip [, icombs, icombtable [, iallpasses, iallpasstable]]]
//
// A reverberator of combs in parallel, each with a lowpass in its loop, and allpasses in series behind them.
//
//     comb     y = x + d y,  line = c (1 - d) y + in        allpass  line = in + c x,  out = x - c line
//
// where x is what comes out of a line, d is kdiffusion and c = 0.001^(length / (weight ktime)). Without tables there are
// six combs of 55.9 to 93.6 ms and five allpasses of 1.4 to 13.5 ms (M. R. Schroeder, "Natural sounding artificial
// reverberation", Journal of the Audio Engineering Society 10(3), 1962; the lengths are those of CCRMA's Samson box). A
// table has the lengths in seconds, then as many weights. Lengths are prime numbers of frames; a negative one is a number
// of frames itself.
//
// The same as Csound's `nreverb`, except that
// - a change of ktime or kdiffusion keeps the state of the lowpasses. `nreverb` empties them, so that where an argument
//   moves, treble does not decay faster, and the shorter k-cycles are, the less;
// - a change counts from the end of a batch of 64 frames on, or of as many as the shortest comb has;
// - kdiffusion is limited to 0 … 1 at init, too, where `nreverb` refuses it;
// - the weights of tables are read at init; one of 0 or less gives a c of 0, `nreverb` grows without bound;
// - NaN in the signal clears the lines, and a tail that has been below -600 dB for the longest line ends.
//
// What comes out in a batch is known before it begins, so short k-cycles cost little. Two combs are in one register, three
// registers at a time; allpasses take four frames at once.
//
// Category: Signal Modifiers:Reverberation

// aout REVERB2 ain, ktime, kdiffusion [, iskip [, icombs, icombtable [, iallpasses, iallpasstable]]]
//
// The older name of `NREVERB`, which it is in Csound as well: a reverberator of damped combs in parallel and allpasses in
// series. Its page says how both differ from Csound's `nreverb` and `reverb2`.
//
// Category: Signal Modifiers:Reverberation

import OpcodeKit

@Opcode("NREVERB", "Reverberator of damped combs and allpasses", NewerName.self)
@Opcode("REVERB2", "Reverberator of damped combs and allpasses, as NREVERB", OlderName.self)
struct CombReverb<Name>: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The reverberated signal, without the direct sound.
    let output: AudioOutput
    /// The input signal.
    let input: AudioInput
    /// Time in seconds in which the reverberation of a comb with a weight of 1 decays by 60 dB. At 0, below and for NaN it
    /// is 0.001.
    let time: ControlInput
    /// How much faster treble decays, limited to 0 … 1; NaN counts as 0.
    let diffusion: ControlInput
    /// Nonzero keeps the lines of the previous note in the same memory. Default 0.
    @Default(0) let skip: InitInput
    /// Number of combs in the table; below 1, as by default, the usual six.
    @Default(0) let combCount: InitInput
    /// Table with as many lengths, then weights.
    @Default(-1) let combTable: InitInput
    /// Number of allpasses in the table; below 1, as by default, the usual five.
    @Default(0) let allpassCount: InitInput
    /// Table with as many lengths, then weights.
    @Default(-1) let allpassTable: InitInput
  }

  static var bufferCount: Int { ReverbLines.bufferCount }

  private var lines: ReverbLines

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    lines = try ReverbLines(
      Self.lengths(
        arguments.combCount, arguments.combTable, "icombtable", usual: .usualCombs, context),
      Self.lengths(
        arguments.allpassCount, arguments.allpassTable, "iallpasstable", usual: .usualAllpasses,
        context), context)
  }

  private static func lengths(
    _ count: InitInput, _ table: InitInput, _ name: StaticString, usual: ReverbLines.Lengths,
    _ context: Context
  ) throws(OpcodeError) -> ReverbLines.Lengths {
    if count.value < 1 { return usual }
    return try .table(context.table(table.value, argument: name), count: count.value)
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    lines.perform(
      arguments.input, arguments.output, context.frames, time: arguments.time.value,
      damping: arguments.diffusion.value)
  }
}

package enum NewerName {}
package enum OlderName {}
