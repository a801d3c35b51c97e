/// An opcode that works at i-time only.
///
/// The struct is the opcode's state. Csound allocates, reuses and frees its memory without notice, so the state must be
/// plain data: no classes, arrays or strings.
public protocol InitOpcode: BitwiseCopyable {
  /// The arguments in Csound's order, outputs first: a struct of `Argument` types.
  associatedtype Arguments: BitwiseCopyable

  /// The init pass: at the start of a note, at `reinit`, and when a tied note takes over.
  ///
  /// Checks i-time arguments and sets up all of the state: memory reused from an earlier note is not cleared. An opcode
  /// that works at i-time only also writes its outputs here.
  ///
  /// When it throws, there is no state. A note that continues after a failed reinit ends with an error in its next
  /// performance pass.
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError)

  /// Whether this init pass keeps the state of the previous note in the same memory, as with the `iskip` argument of
  /// many opcodes. If so, `resume` is called instead of `init`. Memory that no note has used yet is always initialized,
  /// and so is that of an opcode with buffers in a note with another ksmps (`setksmps`), for which they can be too short.
  static func resumes(_ arguments: Arguments) -> Bool

  /// The init pass of a note that keeps the previous state: updates whatever depends on the arguments. When it throws,
  /// there is no state, as with `init`.
  mutating func resume(_ arguments: Arguments, _ context: Context) throws(OpcodeError)

  /// The state of a note whose init pass was skipped, for example by `igoto`. Called by the note's first performance
  /// pass [performance pass: no allocation, no locks, which the compiler proves].
  ///
  /// Returning nil, the default, ends the note with `NAME: not initialised; its init pass was skipped.`, as Csound's
  /// opcodes with a delay line or table do. A `LateInitOpcode` plays instead.
  static func stateWithoutInit(
    _ arguments: Arguments, _ context: Context
  ) throws(OpcodeError) -> Self?

  /// How many buffers the opcode requests with `Context.buffer`; 0 by default.
  static var bufferCount: Int { get }

  /// Whether the arguments are variadic: true when they conform to `VariadicArguments`.
  static var isVariadic: Bool { get }

  /// How many pointers Csound may store in the block of a variadic opcode; `@Opcode` generates it.
  static var variadicRowCount: Int { get }

  /// Whether there is a deinit pass: true when the opcode conforms to `DeinitOpcode`.
  static var hasDeinit: Bool { get }

  /// Whether there are struct arguments; `@Opcode` says so where there are.
  static var hasStructs: Bool { get }

  /// Whether a struct that the opcode writes has an audio signal; `@Opcode` says so where one has.
  static var writesAudioMembers: Bool { get }

  /// Throws when a struct argument has other members than its Swift struct; `@Opcode` generates it. Called before `init`.
  static func checkStructs(_ arguments: Arguments) throws(OpcodeError)

  /// The opcode's rate, given by the protocol it conforms to.
  static var rate: OpcodeRate { get }

  /// What a performance pass holds of its arguments (`Argument.Held`), a member for each that it reads in a loop;
  /// `@Opcode` generates it.
  @_documentation(visibility: internal) associatedtype HeldArguments: BitwiseCopyable = HeldNothing

  /// What to hold of the arguments, read now; `@Opcode` generates it.
  @_documentation(visibility: internal) static func held(of arguments: Arguments) -> HeldArguments

  /// The same arguments, reading what is held; `@Opcode` generates it.
  @_documentation(visibility: internal) static func arguments(
    _ arguments: Arguments, reading held: UnsafeMutablePointer<HeldArguments>
  ) -> Arguments
}

extension InitOpcode where HeldArguments == HeldNothing {
  @_documentation(visibility: internal) @inlinable @inline(__always)
  public static func held(of arguments: Arguments) -> HeldNothing { HeldNothing() }
  @_documentation(visibility: internal) @inlinable @inline(__always)
  public static func arguments(
    _ arguments: Arguments, reading held: UnsafeMutablePointer<HeldNothing>
  ) -> Arguments { arguments }
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
  @inlinable public static var hasStructs: Bool { false }
  @inlinable public static var writesAudioMembers: Bool { false }
  @inlinable @inline(__always)
  public static func checkStructs(_ arguments: Arguments) throws(OpcodeError) {}
}

extension InitOpcode where Arguments: VariadicArguments {
  @inlinable public static var isVariadic: Bool { true }
}

/// An opcode with a performance pass and no audio outputs.
public protocol ControlOpcode: InitOpcode {
  /// The performance pass, once in every k-cycle: reads inputs, writes outputs. Audio inputs are valid in the range
  /// `context.frames`.
  ///
  /// Throwing an error ends the note with a message; other notes continue. The pass must not allocate, lock or count
  /// references. The compiler proves that when the C entry point has the attributes `@_noLocks @_noAllocation`.
  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError)
}

/// An opcode with a performance pass and audio outputs.
public protocol AudioOpcode: InitOpcode {
  /// The performance pass, once in every k-cycle: computes exactly the range `context.frames`; the kit zeroes the rest
  /// of every audio output.
  ///
  /// Throwing an error ends the note with a message; other notes continue. The pass must not allocate, lock or count
  /// references. The compiler proves that when the C entry point has the attributes `@_noLocks @_noAllocation`.
  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError)

  /// Whether the pass has code of its own for k-cycles of one frame, in which the range of frames is known. Without it,
  /// they take longer, and the plugin is smaller. Default: whether the state has at most 256 bytes.
  static var hasPassOfOneFrame: Bool { get }
}

/// An opcode that plays even when its init pass was skipped, as Csound's filters do: its first performance pass then
/// calls `init`.
///
/// An opcode conforms to this protocol in addition to `ControlOpcode` or `AudioOpcode`. Its `init` may only read
/// arguments and context and compute. It must not allocate, so it cannot request buffers, tables or longer arrays; the
/// compiler proves that together with the performance pass. i-time arguments that are computed in skipped lines are 0.
/// An error thrown by `init` ends the note.
///
/// Conforming has no effect for a `DeinitOpcode`, which needs its init pass.
public protocol LateInitOpcode: InitOpcode {}

extension LateInitOpcode {
  @inlinable public static func stateWithoutInit(
    _ arguments: Arguments, _ context: Context
  ) throws(OpcodeError) -> Self? { try Self(arguments, context) }
}

/// How often an opcode runs.
@_documentation(visibility: internal) public enum OpcodeRate: Sendable {
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
