import SwiftDiagnostics
import SwiftSyntax

/// An error in a declaration, reported at its location in the author's file.
struct Problem: DiagnosticMessage {
  let message: String
  let diagnosticID = MessageID(domain: "OpcodeKit", id: "declaration")
  let severity = DiagnosticSeverity.error
}

extension SyntaxProtocol {
  /// An error at the location of this syntax node.
  func problem(_ message: String) -> DiagnosticsError {
    DiagnosticsError(diagnostics: [Diagnostic(node: self, message: Problem(message: message))])
  }
}

extension AttributeSyntax {
  /// The attribute's arguments in parentheses.
  var expressions: [LabeledExprSyntax] {
    arguments?.as(LabeledExprListSyntax.self).map(Array.init) ?? []
  }

  /// The values of the attribute's first two arguments, which are string literals.
  func literals() throws -> [(text: String, place: ExprSyntax)] {
    try expressions.prefix(2).map { argument in
      guard
        let text = argument.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue
      else { throw argument.problem("'\(argument.trimmed)' is computed; write the text out.") }
      return (text, argument.expression)
    }
  }
}
