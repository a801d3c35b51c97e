public import CCsound

/// The members of a struct of Csound 7: `@CsoundStruct` makes a Swift struct conform.
public protocol CsoundStructure {
  /// The same members as outputs.
  associatedtype Output: StructOutputMembers

  /// What an orchestra would have after the word `struct`, such as `Point x:k, y:k`.
  static var declaration: StaticString { get }

  /// The error message for a variable with other members.
  static var refusal: StaticString { get }

  /// Whether there is an audio signal among the members, or among those of a member.
  static var hasAudio: Bool { get }

  /// The members as inputs.
  @_documentation(visibility: internal) init(_ members: StructMembers)

  /// Whether a type of Csound's has these members, in this order.
  @_documentation(visibility: internal) static func fits(_ type: StructType) -> Bool
}

/// The members of a struct as outputs; `@CsoundStruct` makes it.
@_documentation(visibility: internal) public protocol StructOutputMembers {
  init(_ members: StructMembers)
}

/// A type of Csound's.
@_documentation(visibility: internal) @frozen
public struct StructType: BitwiseCopyable {
  @usableFromInline let type: UnsafePointer<CS_TYPE>?

  @inlinable init(_ type: UnsafePointer<CS_TYPE>?) { self.type = type }

  /// The type of the variable at an address, which Csound has before the variable.
  @inlinable init(of variable: UnsafeRawPointer) {
    self.init((variable - 8).load(as: UnsafePointer<CS_TYPE>?.self))
  }

  /// Whether it is the struct with this declaration. Of members that are structs, only the names are compared.
  @inlinable @inline(never) @_semantics("no_performance_analysis")
  public func isDeclared(_ declaration: StaticString) -> Bool {
    ccs_is_struct(type, declaration.cString) != 0
  }

  /// The type of a member, or of its elements if it is an array. The struct must have the member.
  @inlinable @inline(never) @_semantics("no_performance_analysis")
  public func member(_ index: Int) -> StructType {
    StructType(ccs_struct_member_type(type, index))
  }
}

/// The members of a variable in an orchestra, by their place in the declaration.
@_documentation(visibility: internal) @frozen
public struct StructMembers: BitwiseCopyable {
  @usableFromInline let first: UnsafePointer<UnsafeMutablePointer<CS_VAR_MEM>?>

  @inlinable @inline(__always)
  init(_ structure: UnsafePointer<ccs_struct>) {
    first = UnsafePointer(structure.pointee.members.unsafelyUnwrapped)
  }

  /// A member, numbered from 0; it must exist and have this type.
  @inlinable @inline(__always)
  public func argument<Member: Argument>(_ index: Int) -> Member {
    // CS_VAR_TYPE_OFFSET, which CCsound.h checks: the type is before the value.
    .at(UnsafeMutableRawPointer(first[index].unsafelyUnwrapped) + 8)
  }
}

/// A struct that the opcode reads or writes.
@_documentation(visibility: internal) public protocol StructArgument: Argument {
  associatedtype Structure: CsoundStructure
}

extension StructArgument {
  public static var typeLetters: StaticString { ":" }
}

/// A struct of Csound 7 that the opcode reads.
///
/// The Swift struct has the members, and `@CsoundStruct` before it. In the init pass the kit compares them with those
/// of the variable that the orchestra passes.
@frozen
public struct StructInput<Structure: CsoundStructure>: StructArgument {
  @usableFromInline let structure: UnsafePointer<ccs_struct>

  /// The members, to be read in this pass. Look them up before a loop and not in it: each is behind two pointers.
  @inlinable @inline(__always) public var members: Structure {
    Structure(StructMembers(structure))
  }
}

/// A struct of Csound 7 that the opcode writes.
///
/// It can be the same variable as an input: read a member before writing it. An opcode that writes an audio signal in
/// a struct is an `AudioOpcode`; the kit zeroes the samples outside the note.
@frozen
public struct StructOutput<Structure: CsoundStructure>: StructArgument {
  @usableFromInline let structure: UnsafePointer<ccs_struct>

  public static var isOutput: Bool { true }

  /// The members, to be written in this pass. Look them up before a loop and not in it: each is behind two pointers.
  @inlinable @inline(__always) public var members: Structure.Output {
    Structure.Output(StructMembers(structure))
  }
}

extension StructArgument {
  /// Throws when the variable has other members than the Swift struct.
  @inlinable public func checkStruct() throws(OpcodeError) {
    try Structure.check(StructType(of: unsafeBitCast(self, to: UnsafeRawPointer.self)))
  }
}

extension ArrayInput where Element: StructArgument {
  /// Throws when the elements have other members than the Swift struct.
  @_documentation(visibility: internal) @inlinable public func checkStruct() throws(OpcodeError) {
    try Element.Structure.check(StructType(UnsafePointer(array.pointee.arrayType)))
  }
}

extension ArrayOutput where Element: StructArgument {
  /// Throws when the elements have other members than the Swift struct.
  @_documentation(visibility: internal) @inlinable public func checkStruct() throws(OpcodeError) {
    try Element.Structure.check(StructType(UnsafePointer(array.pointee.arrayType)))
  }
}

extension CsoundStructure {
  @inlinable static func check(_ type: StructType) throws(OpcodeError) {
    guard fits(type) else { throw OpcodeError(refusal) }
  }
}
