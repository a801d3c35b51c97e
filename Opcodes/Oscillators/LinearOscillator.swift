// aout OSCILI xamp, xcps [, ifn, iphs]
// kout OSCILI kamp, kcps [, ifn, iphs]
//
// A table oscillator with linear interpolation, tuned as Csound's `oscili` is.
//
//     out[n] = xamp y(p[n] L)        p[n+1] = p[n] + [2^28 xcps / sr] / 2^28, modulo 1
//
// y is the line between the two table elements round the place, L the table's length. A step is a whole
// number of 2^-28 cycles, so that the tune is as far off as `oscili` is: up to 0.00009 Hz at 48 kHz.
// `POSCILI` is exact. At k-rate a step is rounded towards zero, as there, and a frequency of 8 kr or more
// stands still.
//
// The same sound as Csound's `oscili`, with these differences:
//  - the table can have any number of elements, where `oscili` wants a power of two;
//  - a table that is replaced during the note is played; `oscili` goes on with the memory of the old one;
//  - there is no overload for an array in the table's place.
//
// Four frames at a time: integer phases are known in advance, so that their curves are side by side.

import OpcodeKit

@Opcode("OSCILI", "Table oscillator, linear interpolation")
struct LinearOscillator<Amplitude: Signal, Frequency: Signal>: AudioOpcode {
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
  /// How many 2^-28 cycles 1 Hz goes in a sample.
  private let unitsPerHertz: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    _ = try context.table(arguments.table.value, argument: "ifn")
    table = TableNumber(arguments.table.value, context)
    phase = .coarse(at: arguments.phase.value)
    unitsPerHertz = 0x1p28 / context.sampleRate
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.phase.value < 0 }

  mutating func resume(_ arguments: Arguments, _ context: Context) {
    table = TableNumber(arguments.table.value, context)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    guard let table = context.elements(of: table) else { throw .deletedTable }
    let unitsPerHertz = unitsPerHertz
    phase.play(
      LinearCurve.self, of: table, arguments.amplitude, arguments.frequency, to: arguments.output,
      context.frames
    ) { frequency in
      CyclePhase.coarseStep(units: frequency * unitsPerHertz)
    }
  }
}

/// At k-rate, one value in a k-cycle.
@Opcode("OSCILI.k", "Table oscillator, linear interpolation")
struct ControlLinearOscillator: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let output: ControlOutput
    let amplitude, frequency: ControlInput
    @Default(-1) let table: InitInput
    @Default(0) let phase: InitInput
  }

  private var phase: CyclePhase
  private var table: TableNumber
  /// How many 2^-28 cycles 1 Hz goes in a k-cycle.
  private let unitsPerHertz: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    _ = try context.table(arguments.table.value, argument: "ifn")
    table = TableNumber(arguments.table.value, context)
    phase = .coarse(at: arguments.phase.value)
    unitsPerHertz = 0x1p28 / context.controlRate
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
      LinearCurve.value(of: table, at: phase) * arguments.amplitude.value
    phase.advance(CyclePhase.coarseControlStep(units: frequency * unitsPerHertz))
  }
}

extension CyclePhase {
  /// Where `oscili` begins: a whole number of 2^-28 cycles.
  fileprivate static func coarse(at phase: Double) -> CyclePhase {
    CyclePhase(bits: CyclePhase(cycles: max(phase, 0)).bits & ~((1 << 36) - 1))
  }

  /// The nearest whole number of 2^-28 cycles; infinity and NaN stand still.
  @inline(__always)
  fileprivate static func coarseStep(units: Double) -> UInt64 {
    // What is out of range is -2^63, of which nothing is left.
    UInt64(bitPattern: Math.nearest(units)) << 36
  }

  /// The whole number of 2^-28 cycles towards zero; what `oscili`'s 32 bits cannot hold stands still.
  @inline(__always)
  fileprivate static func coarseControlStep(units: Double) -> UInt64 {
    guard units.magnitude < 0x1p31 else { return 0 }
    return UInt64(bitPattern: Int64(Math.truncated(units))) << 36
  }
}
