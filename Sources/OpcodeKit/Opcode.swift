/// An opcode that works at i-time only.
///
/// The struct is the opcode's state. Csound allocates, recycles and frees its memory without
/// telling anyone, so state is plain bits: no classes, arrays or strings.
public protocol InitOpcode: BitwiseCopyable {
  /// The arguments in Csound's order, outputs first: a struct of `Argument` types.
  associatedtype Arguments: BitwiseCopyable

  /// The init pass: at the start of a note, at `reinit`, and when a tied note takes over.
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

  /// How many buffers the opcode asks for with `Context.buffer`; none unless it says so.
  static var bufferCount: Int { get }

  /// Whether the arguments are variadic; their conformance to `VariadicArguments` says so.
  static var isVariadic: Bool { get }

  /// Whether there is a deinit pass; conformance to `DeinitOpcode` says so.
  static var hasDeinit: Bool { get }

  /// How often the opcode runs; the protocol it conforms to says so.
  static var rate: OpcodeRate { get }
}

extension InitOpcode {
  @inlinable public static func resumes(_ arguments: Arguments) -> Bool { false }
  @inlinable public mutating func resume(_ arguments: Arguments, _ context: Context) {}
  @inlinable public static var bufferCount: Int { 0 }
  @inlinable public static var isVariadic: Bool { false }
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
  /// The performance pass, once in every k-cycle: computes exactly `context.frames`; the kit has
  /// zeroed the rest of every audio output.
  ///
  /// An error ends the note with a message; other notes go on. Must not allocate, lock or count references; put `@_noLocks @_noAllocation` on the C entry
  /// point and the compiler proves it.
  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError)
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
