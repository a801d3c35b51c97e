import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros
import TypeLetters

/// `@CsoundStruct`: reads the members of a struct.
struct StructMacro {
  /// One member.
  private struct Member {
    /// The field's name.
    let field: String
    let type: ArgumentType

    /// The name and the type in an orchestra.
    var text: String {
      "\(field.filter { $0 != "`" }):" + (type.structure ?? String(type.letters.first!))
        + (type.shape == .array ? "[]" : "")
    }

    /// The same type as an output.
    var output: String {
      let element = String(type.element.rawValue.dropLast("Input".count)) + "Output"
      let one = element + (type.structurePath.map { "<\($0)>" } ?? "")
      return type.shape == .array ? "ArrayOutput<\(one)>" : one
    }
  }

  private let structure: StructDeclSyntax
  private let members: [Member]

  private var name: String { structure.name.text }
  private var access: String {
    structure.modifiers.first {
      ["public", "package", "private", "fileprivate"].contains($0.name.text)
    }
    .map { $0.name.text + " " } ?? ""
  }
  /// The declaration in an orchestra, without the word `struct`.
  private var text: String { name + " " + members.map(\.text).joined(separator: ", ") }

  private init(_ declaration: some DeclSyntaxProtocol, _ attribute: AttributeSyntax) throws {
    guard let structure = declaration.as(StructDeclSyntax.self) else {
      throw attribute.problem("@CsoundStruct stands before a struct, whose fields are the members.")
    }
    self.structure = structure
    guard structure.genericParameterClause == nil else {
      throw structure.name.problem("A struct of Csound has no type parameters.")
    }
    let fields = try ArgumentField.all(of: structure)
    guard !fields.isEmpty else {
      throw structure.name.problem(
        "\(structure.name.text) has no fields; write one for each member.")
    }
    members = try fields.map { field in
      guard let type = ArgumentType(field.declaration.type), !type.element.isOutput,
        type.shape != .list,
        ![.anyRateInput, .anyInput].contains(type.element)
      else {
        throw field.type.problem(
          "'\(field.type.trimmed)' is no type of a member; use AudioInput, ControlInput, InitInput, StringInput,"
            + " SpectrumInput, StructInput<…> or ArrayInput<…>. Opcodes that write the struct get outputs of it."
        )
      }
      guard field.declaration.fallback == nil, field.declaration.letter == nil else {
        throw field.type.problem(
          "'\(field.name)' is a member of a struct, which has no @Default or @Letter.")
      }
      return Member(field: field.name, type: type)
    }
  }
}

extension StructMacro: MemberMacro {
  /// What `CsoundStructure` requires. These are members of the struct and not of an extension, where the names of types
  /// beside a struct inside another type are not found.
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    // Problems of the declaration are reported by the peer expansion.
    guard let made = try? StructMacro(declaration, node) else { return [] }
    let (access, members) = (made.access, made.members)
    // So that a pass in another module is proved, too.
    let shown = (access == "public " ? "@inlinable " : "") + access
    let inlined = "@inline(__always) " + shown
    // A struct can hold an array of itself.
    let inner = members.enumerated().filter {
      $1.type.structure.map { $0 != made.name } ?? false
    }
    let hasAudio =
      inner.map { "\($1.type.structurePath!).hasAudio" }
      + [members.contains { $0.type.element == .audioInput } ? "true" : "false"]
    let fits =
      ["type.isDeclared(declaration)"]
      + inner.map { "\($1.type.structurePath!).fits(type.member(\($0)))" }
    let inputs = members.enumerated().map { "\($1.field) = members.argument(\($0))" }
    let fields = members.map { "\(access)let \($0.field): \($0.output)" }
    return [
      """
      \(raw: access)struct Output: StructOutputMembers {
        \(raw: fields.joined(separator: "\n"))
        \(raw: inlined)init(_ members: StructMembers) {
          \(raw: inputs.joined(separator: "\n"))
        }
      }
      """,
      """
      \(raw: shown)static var declaration: StaticString { "\(raw: made.text)" }
      """,
      """
      \(raw: shown)static var refusal: StaticString {
        "the orchestra's struct has other members; this opcode takes 'struct \(raw: made.text)'."
      }
      """,
      """
      \(raw: shown)static var hasAudio: Bool { \(raw: hasAudio.joined(separator: " || ")) }
      """,
      """
      \(raw: inlined)init(_ members: StructMembers) {
        \(raw: inputs.joined(separator: "\n"))
      }
      """,
      """
      \(raw: shown)static func fits(_ type: StructType) -> Bool {
        \(raw: fits.joined(separator: " && "))
      }
      """,
    ]
  }
}

extension StructMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard (try? StructMacro(declaration, node)) != nil else { return [] }
    return [try ExtensionDeclSyntax("extension \(type.trimmed): CsoundStructure {}")]
  }
}

extension StructMacro: PeerMacro {
  /// The function that registers the struct.
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let made = try StructMacro(declaration, node)
    let place = context.lexicalContext.isEmpty ? "" : "static "
    return [
      """
      \(raw: made.access)\(raw: place)func register\(raw: made.name)(in registry: inout some OpcodeRegistry) {
        registry.add(structure: \(raw: made.name).declaration)
      }
      """
    ]
  }
}
