import SwiftSyntax
import SwiftSyntaxMacros

/// `@Default` and `@Letter`: read by `@Opcode`, and expanded to nothing themselves.
struct ArgumentMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard declaration.is(VariableDeclSyntax.self) else {
      throw node.problem("'\(node.trimmed)' stands before a field of an opcode's Arguments.")
    }
    return []
  }
}
