// aout OSCILI xamp, xcps [, ifn, iphs]
// kout OSCILI kamp, kcps [, ifn, iphs]
//
// A table oscillator with linear interpolation and the phase resolution of Csound's `oscili`.
//
//     out[n] = xamp y(p[n] L)        p[n+1] = p[n] + [2^28 xcps / sr] / 2^28, modulo 1
//
// y is the linear interpolation between the two nearest table elements, and L is the table's length. A phase step is a
// whole number of 2^-28 cycles, so the frequency has the same error as in `oscili`: up to 0.00009 Hz at 48 kHz.
// `POSCILI` is exact. In the k-rate form, as in `oscili`, a step is rounded towards zero, and a frequency of 8 kr or
// more gives a step of 0.
//
// Sounds the same as Csound's `oscili`, with these differences:
// - the table can have any number of elements; `oscili` requires a power of two;
// - when a table is replaced during the note, the new one is played; `oscili` keeps reading the old memory;
// - an array cannot take the place of the table.
//
// Four frames are computed at once: with integer phases the next phases are known in advance.
//
// Category: Signal Generators:Basic Oscillators

import OpcodeKit

@Opcode("OSCILI", "Table oscillator, linear interpolation")
struct LinearOscillator<Amplitude: Signal, Frequency: Signal>: AudioOpcode {
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
  /// 2^-28 cycles per sample for a frequency of 1 Hz.
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

/// The k-rate form: one value in each k-cycle.
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
  /// 2^-28 cycles per k-cycle for a frequency of 1 Hz.
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
    // Read first, because the output may be the same variable.
    let frequency = arguments.frequency.value
    arguments.output.value =
      LinearCurve.value(of: table, at: phase) * arguments.amplitude.value
    phase.advance(CyclePhase.coarseControlStep(units: frequency * unitsPerHertz))
  }
}

extension CyclePhase {
  /// The initial phase as in `oscili`: a whole number of 2^-28 cycles.
  fileprivate static func coarse(at phase: Double) -> CyclePhase {
    CyclePhase(bits: CyclePhase(cycles: max(phase, 0)).bits & ~((1 << 36) - 1))
  }

  /// Rounds to a whole number of 2^-28 cycles; 0 for infinity and NaN.
  @inline(__always)
  fileprivate static func coarseStep(units: Double) -> UInt64 {
    // Out-of-range values are converted to -2^63, which the shift turns into 0.
    UInt64(bitPattern: Math.nearest(units)) << 36
  }

  /// Truncates to a whole number of 2^-28 cycles; 0 when it does not fit into the 32 bits that `oscili` uses.
  @inline(__always)
  fileprivate static func coarseControlStep(units: Double) -> UInt64 {
    guard units.magnitude < 0x1p31 else { return 0 }
    return UInt64(bitPattern: Int64(Math.truncated(units))) << 36
  }
}
