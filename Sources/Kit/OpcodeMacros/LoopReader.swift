import SwiftSyntax

/// Finds the arguments that an opcode's performance pass reads in loops, as far as its text tells.
final class LoopReader: SyntaxVisitor {
  private let arguments: String
  private let fields: Set<String>
  private var names: Set<String> = []
  private var depth = 0

  /// The fields of the arguments that are read in a loop of `perform`, or have a name of their own there; all of them if
  /// a loop passes the arguments on.
  static func names(in type: StructDeclSyntax, of fields: [String]) -> Set<String> {
    let functions = type.memberBlock.members.compactMap { $0.decl.as(FunctionDeclSyntax.self) }
    guard let perform = functions.first(where: { $0.name.text == "perform" }),
      let parameter = perform.signature.parameterClause.parameters.first
    else { return [] }
    let reader = LoopReader((parameter.secondName ?? parameter.firstName).text, fields)
    reader.walk(perform)
    return reader.names
  }

  private init(_ arguments: String, _ fields: [String]) {
    (self.arguments, self.fields) = (arguments, Set(fields))
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ loop: ForStmtSyntax) -> SyntaxVisitorContinueKind { within(loop.body) }
  override func visit(_ loop: WhileStmtSyntax) -> SyntaxVisitorContinueKind { within(loop) }
  override func visit(_ loop: RepeatStmtSyntax) -> SyntaxVisitorContinueKind { within(loop) }

  private func within(_ loop: some SyntaxProtocol) -> SyntaxVisitorContinueKind {
    depth += 1
    for child in loop.children(viewMode: .sourceAccurate) { walk(child) }
    depth -= 1
    return .skipChildren
  }

  override func visit(_ value: InitializerClauseSyntax) -> SyntaxVisitorContinueKind {
    let values = value.value.as(TupleExprSyntax.self)?.elements.map(\.expression) ?? [value.value]
    for access in values.compactMap({ $0.as(MemberAccessExprSyntax.self) })
    where access.base?.trimmedDescription == arguments {
      names.formUnion(fields.intersection([access.declName.baseName.text]))
    }
    return .visitChildren
  }

  override func visit(_ reference: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    guard depth > 0, reference.baseName.text == arguments else { return .skipChildren }
    guard let access = reference.parent?.as(MemberAccessExprSyntax.self),
      access.base?.id == reference.id
    else {
      names = fields
      return .skipChildren
    }
    names.formUnion(fields.intersection([access.declName.baseName.text]))
    return .skipChildren
  }
}
