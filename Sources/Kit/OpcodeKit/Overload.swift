internal import CCsound

/// One registered signature of an opcode: its name, its type strings and its C functions.
public struct Overload {
  /// The opcode's name, or `NAME.suffix` when it has several overloads.
  public private(set) var name: StaticString
  /// Csound's type letters of the outputs, such as `"a"`; empty for none.
  public let outputs: StaticString
  /// Csound's type letters of the inputs, such as `"akko"`.
  public let inputs: StaticString
  /// What the opcode does, in one line.
  public let summary: StaticString
  /// Bytes of the opcode's block, Csound's own header included.
  public let blockSize: Int

  let rate: OpcodeRate
  /// Flags in one byte, because this struct's code is generated for every overload.
  private let traits: UInt8
  var isVariadic: Bool { traits & 1 != 0 }
  var hasDeinit: Bool { traits & 2 != 0 }
  var checksStructs: Bool { traits & 4 != 0 }
  var writesAudioMembers: Bool { traits & 8 != 0 }
  let argumentBytes: Int
  let argumentsOffset: Int
  let initialize: EntryPoint
  let perform: EntryPoint?
  #if !hasFeature(Embedded)
    let argumentsType: Any.Type
    /// The layout of the opcode's memory as text; nil when it cannot be determined.
    let layout: () -> String?
  #endif

  /// The same overload under another name.
  package func named(_ name: StaticString) -> Overload {
    var other = self
    other.name = name
    return other
  }

  /// Bytes of the block up to the end of the argument pointers.
  var headBytes: Int {
    argumentsOffset + argumentBytes
  }

  /// An overload of an audio opcode.
  ///
  /// `initialize` and `perform` call the opcode's functions of the same names. A C function cannot be generic, so each
  /// is written out for a concrete type: `initialize` as `{ MyOpcode.initialize($0, $1) }`, `perform` as a `@c
  /// @_noLocks @_noAllocation` function, because the compiler proves these properties for functions only, not for
  /// closures.
  public init<O: AudioOpcode>(
    _ opcode: O.Type, _ name: StaticString, outputs: StaticString, inputs: StaticString,
    summary: StaticString, initialize: @escaping EntryPoint, perform: @escaping EntryPoint
  ) {
    self.init(opcode, name, outputs, inputs, summary, initialize, performedBy: perform)
  }

  /// An overload of a control opcode; see the initializer for audio opcodes.
  public init<O: ControlOpcode>(
    _ opcode: O.Type, _ name: StaticString, outputs: StaticString, inputs: StaticString,
    summary: StaticString, initialize: @escaping EntryPoint, perform: @escaping EntryPoint
  ) {
    self.init(opcode, name, outputs, inputs, summary, initialize, performedBy: perform)
  }

  /// An overload that works at i-time only.
  public init<O: InitOpcode>(
    _ opcode: O.Type, _ name: StaticString, outputs: StaticString, inputs: StaticString,
    summary: StaticString, initialize: @escaping EntryPoint
  ) {
    self.init(opcode, name, outputs, inputs, summary, initialize, performedBy: nil)
  }

  private init<O: InitOpcode>(
    _ opcode: O.Type, _ name: StaticString, _ outputs: StaticString, _ inputs: StaticString,
    _ summary: StaticString, _ initialize: @escaping EntryPoint, performedBy perform: EntryPoint?
  ) {
    self.name = name
    self.outputs = outputs
    self.inputs = inputs
    self.summary = summary
    self.initialize = initialize
    self.perform = perform
    rate = O.rate
    traits =
      (O.isVariadic ? 1 : 0) | (O.hasDeinit ? 2 : 0) | (O.hasStructs ? 4 : 0)
      | (O.writesAudioMembers ? 8 : 0)
    blockSize = BlockLayout<O>.size
    argumentBytes = MemoryLayout<O.Arguments>.size
    argumentsOffset = BlockLayout<O>.argumentsOffset
    #if !hasFeature(Embedded)
      argumentsType = O.Arguments.self
      layout = {
        StateLayout.text(of: O.self).map { "\($0) \(O.bufferCount) \(O.hasDeinit)" }
      }
    #endif
  }
}

/// A registry that a library adds its overloads to: a Csound instance, or a tool that lists them.
public protocol OpcodeRegistry {
  mutating func add(_ overload: Overload)

  /// Adds a struct; the functions that `@CsoundStruct` generates call it.
  ///
  /// - Parameter declaration: what an orchestra has after the word `struct`, such as `Point x:k, y:k`.
  mutating func add(structure declaration: StaticString)
}

extension OpcodeRegistry {
  public mutating func add(structure declaration: StaticString) {}

  /// Adds the opcodes of another module of the same library.
  ///
  /// A large library builds faster as several modules. Each has one function that registers its opcodes, marked
  /// `@export(interface)`, so that the opcodes' code is compiled in that module alone.
  public mutating func add(_ registerOpcodes: (inout AnyOpcodeRegistry) -> Void) {
    withUnsafeMutablePointer(to: &self) { pointer in
      var registry = AnyOpcodeRegistry(of: pointer)
      registerOpcodes(&registry)
    }
  }
}

/// A type-erased registry, for the function with which one module of a larger library registers its opcodes.
@_documentation(visibility: internal) public struct AnyOpcodeRegistry: OpcodeRegistry {
  #if hasFeature(Embedded)
    // In a plugin every registry is a `CsoundRegistry`.
    private let registry: UnsafeMutablePointer<CsoundRegistry>

    /// The registry must stay at this address as long as this value is used.
    init<Registry: OpcodeRegistry>(of registry: UnsafeMutablePointer<Registry>) {
      self.registry = UnsafeMutableRawPointer(registry).assumingMemoryBound(to: CsoundRegistry.self)
    }

    public mutating func add(_ overload: Overload) { registry.pointee.add(overload) }
    public mutating func add(structure declaration: StaticString) {
      registry.pointee.add(structure: declaration)
    }
  #else
    private let add: (Overload) -> Void
    private let addStructure: (StaticString) -> Void

    /// The registry must stay at this address as long as this value is used.
    init<Registry: OpcodeRegistry>(of registry: UnsafeMutablePointer<Registry>) {
      add = { registry.pointee.add($0) }
      addStructure = { registry.pointee.add(structure: $0) }
    }

    public mutating func add(_ overload: Overload) { add(overload) }
    public mutating func add(structure declaration: StaticString) { addStructure(declaration) }
  #endif
}

/// Registers overloads with a Csound instance. An overload with a problem is rejected with a sentence in Csound's
/// message log; the others are registered.
@_documentation(visibility: internal) public struct CsoundRegistry: OpcodeRegistry {
  let csound: CsoundPointer

  public init(_ csound: CsoundPointer) {
    self.csound = csound
    #if !hasFeature(Embedded)
      ccs_stay_loaded()
    #endif
  }

  public mutating func add(_ overload: Overload) {
    if let problem = overload.problem {
      problem.warn(csound, about: overload)
    } else {
      overload.append(to: csound)
    }
  }

  /// Registers a struct with Csound 7. Does nothing in Csound 6, where the opcodes that use it are rejected.
  public mutating func add(structure declaration: StaticString) {
    guard ccs_has_structs() != 0 else { return }
    if ccs_register_struct(csound, declaration.cString) == 0 {
      ccs_warn_struct(csound, declaration.cString)
    }
  }
}
