import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Plugin`: generates the functions that Csound looks for in a plugin, and `opcodekit_overloads`,
/// which this kit looks for.
struct PluginMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let library = declaration.as(EnumDeclSyntax.self),
      library.inheritanceClause?.inheritedTypes.contains(where: {
        $0.type.trimmedDescription.split(separator: ".").last == "OpcodeLibrary"
      }) ?? false
    else {
      throw node.problem("@Plugin stands before 'enum …: OpcodeLibrary', which lists the opcodes.")
    }
    let name = library.name.text
    return [
      """
      @c public func csound_opcode_init(_ csound: CsoundPointer, _ table: OpcodeTablePointer?) -> Int64 {
        \(raw: name).beginOpcodes(csound)
      }
      """,
      """
      @c public func csound_fgen_init(_ csound: CsoundPointer) -> GeneratorListPointer {
        \(raw: name).beginGenerators(csound)
      }
      """,
      """
      @c public func csoundModuleInfo() -> CInt { csoundModuleVersion }
      """,
      """
      @c public func opcodekit_overloads(_ receiver: @escaping OverloadReceiver, _ context: UnsafeMutableRawPointer?) {
        \(raw: name).describe(to: receiver, context)
      }
      """,
    ]
  }
}
