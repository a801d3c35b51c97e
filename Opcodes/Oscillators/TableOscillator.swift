// aout POSCIL xamp, xcps [, ifn, iphs]
// kout POSCIL kamp, kcps [, ifn, iphs]
//
// A table oscillator with cubic interpolation and a phase that never drifts.
//
//     out[n] = xamp y(p[n] L)        p[n+1] = p[n] + xcps / sr, modulo 1
//
// y is the cubic through the four table elements round the place, L the table's length, any number
// of elements (Lagrange's polynomial; `CubicCurve` has it).
//
// The same sound as Csound's `poscil3`, with these differences:
//  - the phase is a 64-bit integer (`CyclePhase`), so a step is never rounded. Its own rounding, to
//    2^-51 cycles, is less than a millionth of a cycle in 28 hours;
//  - a table that is replaced during the note is played, whatever its length; `poscil3` goes on with
//    the memory of the old one;
//  - infinite and undefined frequencies stand still, and those from 4096 sr on, where `poscil3` hangs
//    or reads outside the table.
//
// Four frames at a time: integer phases are known in advance, so that their curves are side by side.

import OpcodeKit

@Opcode("POSCIL", "Table oscillator, cubic interpolation")
struct TableOscillator<Amplitude: Signal, Frequency: Signal>: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The sound.
    let output: AudioOutput
    /// Amplitude, in units of the table, k-rate or a-rate.
    let amplitude: Amplitude
    /// Frequency, Hz, k-rate or a-rate; negative reads the table backwards.
    let frequency: Frequency
    /// The table, one cycle; default -1, Csound's own sine. One that does not exist is an init error,
    /// one deleted during the note ends it.
    @Default(-1) let table: InitInput
    /// Phase to begin with, cycles; negative goes on from the note before in the same memory.
    @Default(0) let phase: InitInput
  }

  private var phase: CyclePhase
  private var table: TableNumber
  /// How far 1 Hz goes in a sample.
  private let unitsPerHertz: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    _ = try context.table(arguments.table.value, argument: "ifn")
    table = TableNumber(arguments.table.value, context)
    phase = .starting(at: arguments.phase)
    unitsPerHertz = CyclePhase.unitsPerCycle / context.sampleRate
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.phase.value < 0 }

  mutating func resume(_ arguments: Arguments, _ context: Context) {
    table = TableNumber(arguments.table.value, context)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    guard let table = context.elements(of: table) else { throw .deletedTable }
    let unitsPerHertz = unitsPerHertz
    phase.play(
      CubicCurve.self, of: table, arguments.amplitude, arguments.frequency, to: arguments.output,
      context.frames
    ) { frequency in
      CyclePhase.step(units: frequency * unitsPerHertz)
    }
  }
}

/// At k-rate, one value in a k-cycle.
@Opcode("POSCIL.k", "Table oscillator, cubic interpolation")
struct ControlTableOscillator: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let output: ControlOutput
    let amplitude, frequency: ControlInput
    @Default(-1) let table: InitInput
    @Default(0) let phase: InitInput
  }

  private var phase: CyclePhase
  private var table: TableNumber

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    _ = try context.table(arguments.table.value, argument: "ifn")
    table = TableNumber(arguments.table.value, context)
    phase = .starting(at: arguments.phase)
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.phase.value < 0 }

  mutating func resume(_ arguments: Arguments, _ context: Context) {
    table = TableNumber(arguments.table.value, context)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    guard let table = context.elements(of: table) else { throw .deletedTable }
    // Read before the output is written, which may be the same variable.
    let frequency = arguments.frequency.value
    arguments.output.value =
      arguments.amplitude.value * CubicCurve.value(of: table, at: phase)
    phase.advance(CyclePhase.step(cycles: frequency / context.controlRate))
  }
}

extension CyclePhase {
  /// Where an oscillator begins: in memory no note has used, at 0 for a negative `iphs`.
  fileprivate static func starting(at phase: InitInput) -> CyclePhase {
    CyclePhase(cycles: phase.value > 0 ? phase.value : 0)
  }
}
