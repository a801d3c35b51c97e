// aout MORPH kamp, kfreq, kx, ky, if1, if2, if3, if4
//
// An oscillator over four tables under an XY pad: each corner of the pad is a table.
//
//     out = kamp [ (1-y) ((1-x) t1(p) + x t2(p)) + y ((1-x) t3(p) + x t4(p)) ]
//     p[n+1] = p[n] + kfreq / sr, modulo 1
//
// Tables are read with linear interpolation and may differ in length. With ky 0 it morphs between
// two tables as `ftmorf` does into a table of its own, but without a table in between.

import OpcodeKit

struct Morph: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The sound.
    let output: AudioOutput
    /// Amplitude, in units of the tables.
    let amplitude: ControlInput
    /// Frequency, Hz; negative reads the tables backwards. Infinity and NaN stand still.
    let frequency: ControlInput
    /// From the left (0: if1, if3) to the right (1: if2, if4); beyond is the edge.
    let x: ControlInput
    /// From if1 and if2 (0) to if3 and if4 (1); beyond is the edge.
    let y: ControlInput
    /// The tables, any length: (0,0), (1,0), (0,1), (1,1). A table that does not exist is an init
    /// error; one deleted during the note ends it.
    let table1, table2, table3, table4: InitInput
  }

  /// 0 up to 1.
  private var phase = 0.0

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    _ = try context.table(arguments.table1.value, argument: "if1")
    _ = try context.table(arguments.table2.value, argument: "if2")
    _ = try context.table(arguments.table3.value, argument: "if3")
    _ = try context.table(arguments.table4.value, argument: "if4")
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    guard let table1 = context.table(arguments.table1.value),
      let table2 = context.table(arguments.table2.value),
      let table3 = context.table(arguments.table3.value),
      let table4 = context.table(arguments.table4.value)
    else { throw OpcodeError("one of its tables was deleted.") }

    let amplitude = arguments.amplitude.value
    let x = min(max(arguments.x.value, 0), 1)
    let y = min(max(arguments.y.value, 0), 1)
    let weight1 = amplitude * (1 - x) * (1 - y)
    let weight2 = amplitude * x * (1 - y)
    let weight3 = amplitude * (1 - x) * y
    let weight4 = amplitude * x * y
    let step = Math.fraction(arguments.frequency.value / context.sampleRate)

    for frame in context.frames {
      arguments.output[frame] =
        weight1 * table1.linear(atPhase: phase) + weight2 * table2.linear(atPhase: phase)
        + weight3 * table3.linear(atPhase: phase) + weight4 * table4.linear(atPhase: phase)
      phase += step
      if phase >= 1 { phase -= 1 }
    }
  }
}

@c @_noLocks @_noAllocation
func morph(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  Morph.perform(csound, block)
}

func registerMorph(in registry: inout some OpcodeRegistry) {
  registry.add(
    Overload(
      Morph.self, "MORPH", outputs: "a", inputs: "kkkkiiii",
      summary: "Oscillator over four tables under an XY pad",
      initialize: { Morph.initialize($0, $1) }, perform: morph))
}
