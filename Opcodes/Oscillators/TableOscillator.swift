// aout POSCIL xamp, xcps [, ifn, iphs]
// kout POSCIL kamp, kcps [, ifn, iphs]
//
// A table oscillator with cubic interpolation and a phase that never drifts.
//
//     out[n] = xamp y(p[n] L)        p[n+1] = p[n] + xcps / sr, modulo 1
//
// y is the cubic through the four nearest table elements (Lagrange's polynomial, see `CubicCurve`), and L is the
// table's length, any number of elements.
//
// Sounds the same as Csound's `poscil3`, with these differences:
// - the phase is a 64-bit integer (`CyclePhase`), so additions do not round. The step is rounded to 2^-51 cycles, an
//   error of less than a millionth of a cycle in 28 hours;
// - when a table is replaced during the note, the new one is played, whatever its length; `poscil3` keeps reading the
//   old memory;
// - infinite and NaN frequencies, and those from 4096 sr on, give a step of 0; `poscil3` hangs or reads outside the
//   table.
//
// Four frames are computed at once: with integer phases the next phases are known in advance.
//
// Category: Signal Generators:Basic Oscillators

import OpcodeKit

@Opcode("POSCIL", "Table oscillator, cubic interpolation")
struct TableOscillator<Amplitude: Signal, Frequency: Signal>: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The output signal.
    let output: AudioOutput
    /// Amplitude, in units of the table; k-rate or a-rate.
    let amplitude: Amplitude
    /// Frequency in Hz; k-rate or a-rate. A negative frequency reads the table backwards.
    let frequency: Frequency
    /// Number of the table, which holds one cycle. A missing table is an init error; a table deleted during the note
    /// ends the note with an error. Default -1, Csound's built-in sine.
    @Default(-1) let table: InitInput
    /// Initial phase in cycles. A negative value keeps the phase of the previous note in the same memory. Default 0.
    @Default(0) let phase: InitInput
  }

  private var phase: CyclePhase
  private var table: TableNumber
  /// 2^-51 cycles per sample for a frequency of 1 Hz.
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

/// The k-rate form: one value in each k-cycle.
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
  /// 2^-51 cycles per k-cycle for a frequency of 1 Hz.
  private let unitsPerHertz: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    _ = try context.table(arguments.table.value, argument: "ifn")
    table = TableNumber(arguments.table.value, context)
    phase = .starting(at: arguments.phase)
    unitsPerHertz = CyclePhase.unitsPerCycle / context.controlRate
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.phase.value < 0 }

  mutating func resume(_ arguments: Arguments, _ context: Context) {
    table = TableNumber(arguments.table.value, context)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    guard let table = context.elements(of: table) else { throw .deletedTable }
    // Read first, because the output may be the same variable.
    let frequency = arguments.frequency.value
    arguments.output.value =
      arguments.amplitude.value * CubicCurve.value(of: table, at: phase)
    phase.advance(CyclePhase.step(units: frequency * unitsPerHertz))
  }
}

extension CyclePhase {
  /// The initial phase; 0 for a negative `iphs` in memory that no note has used yet.
  fileprivate static func starting(at phase: InitInput) -> CyclePhase {
    CyclePhase(cycles: phase.value > 0 ? phase.value : 0)
  }
}
