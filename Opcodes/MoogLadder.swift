// aout MOOGLADDER ain, xcutoff, xresonance [, iskip]
//
// The Moog ladder, a lowpass filter of 24 dB per octave with resonance and the transistors'
// saturation. See Ladder.swift for the difference equation and its source.
//
// The same recurrence as Csound's `moogladder`. Differs from it:
//  - the cutoff is clamped to 0 … 3/4 sr, where the built-in grows without bound below 0 and latches
//    near sr; negative resonance is 0 at every rate;
//  - an a-rate resonance is followed at every sample, where the built-in's aa overload keeps an old
//    one whenever the resonance returns to the first value of its k-cycle;
//  - below -600 dB is silence, and NaN in the input does not stay in the filter.

import OpcodeKit

struct MoogLadder<Cutoff: Signal, Resonance: Signal>: Opcode {
  struct Arguments: BitwiseCopyable {
    /// The filtered signal.
    let output: AudioOutput
    /// The signal to filter, in units of 0dbfs; saturation begins about there.
    let input: AudioInput
    /// Cutoff frequency, Hz, 0 to sr/2, k-rate or a-rate; clamped to 0 … 3/4 sr.
    let cutoff: Cutoff
    /// Resonance, 0 for none, oscillation from about 1, k-rate or a-rate; negative is 0.
    let resonance: Resonance
    /// Nonzero goes on from the note before in the same memory. Default 0.
    let skip: InitInput
  }

  private var ladder: Ladder
  private let sampleRate: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    ladder = Ladder(fullScale: context.fullScale)
    sampleRate = context.sampleRate
  }

  static func skipsInit(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let frames = context.frames
    guard let last = frames.last else { return }
    var next = tuning(arguments, frames.lowerBound)
    for frame in frames {
      let current = next
      // One frame early, so that its cost hides behind the ladder's.
      if (Cutoff.isAudioRate || Resonance.isAudioRate) && frame < last {
        next = tuning(arguments, frame + 1)
      }
      arguments.output[frame] = ladder.next(arguments.input[frame], current)
    }
    ladder.settle()
  }

  @inline(__always)
  private func tuning(_ arguments: Arguments, _ frame: Int) -> LadderTuning {
    LadderTuning(
      cutoffHz: arguments.cutoff[frame], resonance: arguments.resonance[frame],
      sampleRate: sampleRate)
  }
}

@c func moogladder_kk_init(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  MoogLadder<ControlInput, ControlInput>.initialize(csound, block)
}
@c @_noLocks @_noAllocation
func moogladder_kk(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  MoogLadder<ControlInput, ControlInput>.perform(csound, block)
}
@c func moogladder_ak_init(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  MoogLadder<AudioInput, ControlInput>.initialize(csound, block)
}
@c @_noLocks @_noAllocation
func moogladder_ak(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  MoogLadder<AudioInput, ControlInput>.perform(csound, block)
}
@c func moogladder_ka_init(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  MoogLadder<ControlInput, AudioInput>.initialize(csound, block)
}
@c @_noLocks @_noAllocation
func moogladder_ka(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  MoogLadder<ControlInput, AudioInput>.perform(csound, block)
}
@c func moogladder_aa_init(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  MoogLadder<AudioInput, AudioInput>.initialize(csound, block)
}
@c @_noLocks @_noAllocation
func moogladder_aa(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  MoogLadder<AudioInput, AudioInput>.perform(csound, block)
}

func registerMoogLadder(in registry: inout some OpcodeRegistry) {
  let summary: StaticString = "Moog ladder lowpass filter, 24 dB per octave, with saturation"
  registry.add(
    Overload(
      MoogLadder<ControlInput, ControlInput>.self, "MOOGLADDER.kk", outputs: "a", inputs: "akko",
      summary: summary, initialize: moogladder_kk_init, perform: moogladder_kk))
  registry.add(
    Overload(
      MoogLadder<AudioInput, ControlInput>.self, "MOOGLADDER.ak", outputs: "a", inputs: "aako",
      summary: summary, initialize: moogladder_ak_init, perform: moogladder_ak))
  registry.add(
    Overload(
      MoogLadder<ControlInput, AudioInput>.self, "MOOGLADDER.ka", outputs: "a", inputs: "akao",
      summary: summary, initialize: moogladder_ka_init, perform: moogladder_ka))
  registry.add(
    Overload(
      MoogLadder<AudioInput, AudioInput>.self, "MOOGLADDER.aa", outputs: "a", inputs: "aaao",
      summary: summary, initialize: moogladder_aa_init, perform: moogladder_aa))
}
