/// An opcode that works at i-time only.
///
/// The struct is the opcode's state. Csound allocates, recycles and frees its memory without
/// telling anyone, so state is plain bits: no classes, arrays or strings.
public protocol InitOpcode: BitwiseCopyable {
  /// The arguments in Csound's order, outputs first: a struct of `Argument` types.
  associatedtype Arguments: BitwiseCopyable

  /// The init pass: at the start of a note, at `reinit`, and when a tied note takes over. After one
  /// that throws there is no state: a note that goes on regardless, after a failed reinit, ends with an
  /// error in its next performance pass.
  ///
  /// Checks i-time arguments and sets up all state; a recycled note finds nothing cleared.
  /// An i-time opcode also writes its outputs here.
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError)

  /// Whether this init pass goes on with the state of the note before in the same memory, the
  /// `iskip` of many opcodes; then `resume` is called instead of `init`. Memory no note has used is
  /// always initialized.
  static func resumes(_ arguments: Arguments) -> Bool

  /// The init pass of a note that goes on with the state as it is: sets up what depends on the
  /// arguments.
  mutating func resume(_ arguments: Arguments, _ context: Context)

  /// The state of a note whose init pass was skipped, by an `igoto` over it: asked for by its first
  /// performance pass [performance pass: no allocation, no locks, which the compiler proves].
  ///
  /// Nil, the default, ends the note with `NAME: not initialised; its init pass was skipped.`, as
  /// Csound's opcodes with a delay line or table do; a `LateInitOpcode` plays.
  static func stateWithoutInit(
    _ arguments: Arguments, _ context: Context
  ) throws(OpcodeError) -> Self?

  /// How many buffers the opcode asks for with `Context.buffer`; none unless it says so.
  static var bufferCount: Int { get }

  /// Whether the arguments are variadic; their conformance to `VariadicArguments` says so.
  static var isVariadic: Bool { get }

  /// How many pointers to variadic arguments Csound may store in a block; `@Opcode` says it.
  static var variadicRowCount: Int { get }

  /// Whether there is a deinit pass; conformance to `DeinitOpcode` says so.
  static var hasDeinit: Bool { get }

  /// How often the opcode runs; the protocol it conforms to says so.
  static var rate: OpcodeRate { get }
}

extension InitOpcode {
  @inlinable public static func resumes(_ arguments: Arguments) -> Bool { false }
  @inlinable public mutating func resume(_ arguments: Arguments, _ context: Context) {}
  @inlinable public static func stateWithoutInit(
    _ arguments: Arguments, _ context: Context
  ) throws(OpcodeError) -> Self? { nil }
  @inlinable public static var bufferCount: Int { 0 }
  @inlinable public static var isVariadic: Bool { false }
  @inlinable public static var variadicRowCount: Int { 2 * CsoundBlock.largestArgumentCount }
  @inlinable public static var hasDeinit: Bool { false }
}

extension InitOpcode where Arguments: VariadicArguments {
  @inlinable public static var isVariadic: Bool { true }
}

/// An opcode with a performance pass and no audio outputs.
public protocol ControlOpcode: InitOpcode {
  /// The performance pass, once in every k-cycle: reads inputs, writes outputs.
  ///
  /// An error ends the note with a message; other notes go on. Must not allocate, lock or count references; put `@_noLocks @_noAllocation` on the C entry
  /// point and the compiler proves it. Audio inputs are valid at `context.frames`.
  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError)
}

/// An opcode with a performance pass and audio outputs.
public protocol AudioOpcode: InitOpcode {
  /// The performance pass, once in every k-cycle: computes exactly `context.frames`; the kit
  /// zeroes the rest of every audio output.
  ///
  /// An error ends the note with a message; other notes go on. Must not allocate, lock or count references; put `@_noLocks @_noAllocation` on the C entry
  /// point and the compiler proves it.
  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError)
}

/// An opcode that plays when its init pass was skipped, as Csound's filters do: its first performance
/// pass then sets up the state with `init`.
///
/// An opcode conforms to this beside `ControlOpcode` or `AudioOpcode`. Its `init` only reads arguments
/// and context and computes: it must not allocate, so it cannot ask for buffers, tables or longer
/// arrays; the compiler proves that with the performance pass. i-time arguments whose own line was
/// skipped are 0. What `init` throws ends the note. A `DeinitOpcode` gains nothing: it needs its init
/// pass.
public protocol LateInitOpcode: InitOpcode {}

extension LateInitOpcode {
  @inlinable public static func stateWithoutInit(
    _ arguments: Arguments, _ context: Context
  ) throws(OpcodeError) -> Self? { try Self(arguments, context) }
}

/// How often an opcode runs.
public enum OpcodeRate: Sendable {
  case initTime, control, audio
}

extension InitOpcode {
  @inlinable public static var rate: OpcodeRate { .initTime }
}

extension ControlOpcode {
  @inlinable public static var rate: OpcodeRate { .control }
}

extension AudioOpcode {
  @inlinable public static var rate: OpcodeRate { .audio }
}
