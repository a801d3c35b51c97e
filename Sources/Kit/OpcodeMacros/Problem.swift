import SwiftDiagnostics
import SwiftSyntax

/// What is wrong with a declaration, at its place in the author's file.
struct Problem: DiagnosticMessage {
  let message: String
  let diagnosticID = MessageID(domain: "OpcodeKit", id: "declaration")
  let severity = DiagnosticSeverity.error
}

extension SyntaxProtocol {
  /// An error at this place.
  func problem(_ message: String) -> DiagnosticsError {
    DiagnosticsError(diagnostics: [Diagnostic(node: self, message: Problem(message: message))])
  }
}

extension AttributeSyntax {
  /// The texts of the literals the attribute is given.
  func literals() throws -> [(text: String, place: ExprSyntax)] {
    try arguments?.as(LabeledExprListSyntax.self)?.map { argument in
      guard
        let text = argument.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue
      else {
        throw argument.problem("'\(argument.trimmed)' is computed; write the text out.")
      }
      return (text, argument.expression)
    } ?? []
  }
}
