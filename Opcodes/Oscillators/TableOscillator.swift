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

// aout POSCILI xamp, xcps [, ifn, iphs]
// kout POSCILI kamp, kcps [, ifn, iphs]
//
// A table oscillator with linear interpolation and a phase that never drifts.
//
//     out[n] = xamp y(p[n] L)        p[n+1] = p[n] + xcps / sr, modulo 1
//
// y is the linear interpolation between the two nearest table elements, and L is the table's length, any number of
// elements.
//
// Sounds the same as Csound's `poscil`, with these differences:
// - the phase is a 64-bit integer (`CyclePhase`), so additions do not round. The step is rounded to 2^-51 cycles, an
//   error of less than a millionth of a cycle in 28 hours;
// - when a table is replaced during the note, the new one is played, whatever its length; `poscil` keeps reading the
//   old memory;
// - infinite and NaN frequencies, and those from 4096 sr on, give a step of 0; `poscil` hangs or reads outside the
//   table.
//
// Four frames are computed at once: with integer phases the next phases are known in advance.
//
// Category: Signal Generators:Basic Oscillators

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

@Opcode("POSCIL", "Table oscillator, cubic interpolation", CubicOscillator.self)
@Opcode("POSCILI", "Table oscillator, linear interpolation", LinearOscillator.self)
@Opcode("OSCILI", "Table oscillator, linear interpolation", CoarseOscillator.self)
struct TableOscillator<Kind: OscillatorKind, Amplitude: Signal, Frequency: Signal>: AudioOpcode {
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
  /// The kind's units per sample for a frequency of 1 Hz.
  private let unitsPerHertz: Double

  @inline(__always)
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    table = try TableNumber(arguments.table.value, context, argument: "ifn")
    phase = Kind.start(at: arguments.phase.value)
    unitsPerHertz = Kind.unitsPerCycle / context.sampleRate
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.phase.value < 0 }

  mutating func resume(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    table = try TableNumber(arguments.table.value, context, argument: "ifn")
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    guard let table = context.table(table)?.elements else { throw .deletedTable }
    let unitsPerHertz = unitsPerHertz
    phase.play(
      Kind.Curve.self, of: table, arguments.amplitude, arguments.frequency, to: arguments.output,
      context.frames
    ) { frequency in
      Kind.step(units: frequency * unitsPerHertz)
    }
  }
}

/// The k-rate form: one value in each k-cycle.
@Opcode("POSCIL.k", "Table oscillator, cubic interpolation", CubicOscillator.self)
@Opcode("POSCILI.k", "Table oscillator, linear interpolation", LinearOscillator.self)
@Opcode("OSCILI.k", "Table oscillator, linear interpolation", CoarseOscillator.self)
struct ControlTableOscillator<Kind: OscillatorKind>: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let output: ControlOutput
    let amplitude, frequency: ControlInput
    @Default(-1) let table: InitInput
    @Default(0) let phase: InitInput
  }

  private var phase: CyclePhase
  private var table: TableNumber
  /// The kind's units per k-cycle for a frequency of 1 Hz.
  private let unitsPerHertz: Double

  @inline(__always)
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    table = try TableNumber(arguments.table.value, context, argument: "ifn")
    phase = Kind.start(at: arguments.phase.value)
    unitsPerHertz = Kind.unitsPerCycle / context.controlRate
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.phase.value < 0 }

  mutating func resume(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    table = try TableNumber(arguments.table.value, context, argument: "ifn")
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    guard let table = context.table(table)?.elements else { throw .deletedTable }
    // Read first, because the output may be the same variable.
    let frequency = arguments.frequency.value
    arguments.output.value =
      Kind.Curve.value(of: table, at: phase) * arguments.amplitude.value
    phase.advance(Kind.controlStep(units: frequency * unitsPerHertz))
  }
}

/// How an oscillator interpolates and counts its phase. The defaults are those of an exact phase.
protocol OscillatorKind {
  associatedtype Curve: TableCurve
  /// What a frequency is counted in.
  static var unitsPerCycle: Double { get }
  /// The initial phase; 0 for a negative `iphs` in memory that no note has used yet.
  static func start(at phase: Double) -> CyclePhase
  /// The phase step of a sample; 0 for infinity and NaN.
  static func step(units: Double) -> UInt64
  /// The phase step of a k-cycle.
  static func controlStep(units: Double) -> UInt64
}

extension OscillatorKind {
  @inline(__always)
  static var unitsPerCycle: Double { CyclePhase.unitsPerCycle }
  @inline(__always)
  static func start(at phase: Double) -> CyclePhase { CyclePhase(cycles: phase > 0 ? phase : 0) }
  @inline(__always)
  static func step(units: Double) -> UInt64 { CyclePhase.step(units: units) }
  @inline(__always)
  static func controlStep(units: Double) -> UInt64 { step(units: units) }
}

enum CubicOscillator: OscillatorKind { typealias Curve = CubicCurve }

enum LinearOscillator: OscillatorKind { typealias Curve = LinearCurve }

/// Counts in 2^-28 cycles, as `oscili` does.
enum CoarseOscillator: OscillatorKind {
  typealias Curve = LinearCurve

  @inline(__always)
  static var unitsPerCycle: Double { 0x1p28 }

  @inline(__always)
  static func start(at phase: Double) -> CyclePhase {
    CyclePhase(bits: CyclePhase(cycles: max(phase, 0)).bits & ~((1 << 36) - 1))
  }

  @inline(__always)
  static func step(units: Double) -> UInt64 {
    // Out-of-range values are converted to -2^63, which the shift turns into 0.
    UInt64(bitPattern: Math.nearest(units)) << 36
  }

  /// Truncates; 0 when the step does not fit into the 32 bits that `oscili` uses.
  @inline(__always)
  static func controlStep(units: Double) -> UInt64 {
    guard units.magnitude < 0x1p31 else { return 0 }
    return UInt64(bitPattern: Int64(Math.truncated(units))) << 36
  }
}
