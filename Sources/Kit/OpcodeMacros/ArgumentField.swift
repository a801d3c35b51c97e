import SwiftSyntax
import TypeLetters

/// One field of an opcode's `Arguments`, with the source locations for errors.
struct ArgumentField {
  let name: String
  let declaration: ArgumentDeclaration
  private let places: [ArgumentDeclaration.Problem.Place: Syntax]

  var type: Syntax { places[.type]! }

  /// The stored fields of a struct, in order.
  static func all(of arguments: StructDeclSyntax) throws -> [ArgumentField] {
    try arguments.memberBlock.members.flatMap { member -> [ArgumentField] in
      guard let variable = member.decl.as(VariableDeclSyntax.self),
        !variable.modifiers.contains(where: { $0.name.tokenKind == .keyword(.static) })
      else { return [] }
      return try fields(of: variable)
    }
  }

  private static func fields(of variable: VariableDeclSyntax) throws -> [ArgumentField] {
    let (fallback, letter) = (variable.argument(of: "Default"), variable.argument(of: "Letter"))
    let value = try fallback.map { expression in
      guard let value = Double(expression.trimmedDescription) else {
        throw expression.problem("'\(expression.trimmed)' is computed; write the number out.")
      }
      return value
    }
    let text = letter?.as(StringLiteralExprSyntax.self)?.representedLiteralValue
    // A declaration `let left, right: AudioOutput` gives the type only after the last name, so the
    // bindings are read backwards. (They are copied to an array first, because `filter` of the
    // syntax collection returns nodes without a source location.)
    var type: TypeSyntax?
    let fields = try Array(variable.bindings).filter { $0.accessorBlock == nil }.reversed().map {
      binding in
      type = binding.typeAnnotation?.type ?? type
      guard let type else {
        throw binding.problem(
          "'\(binding.trimmed)' has no type; write one of the kit's argument types.")
      }
      if let value = binding.initializer {
        throw value.problem(
          "Csound gives every argument its value; where one may be left out, write @Default(…) before"
            + " 'let'.")
      }
      return ArgumentField(
        name: binding.pattern.trimmedDescription,
        declaration: ArgumentDeclaration(
          type: type.trimmedDescription, fallback: value, letter: letter.map { _ in text ?? "" }),
        places: [
          .type: Syntax(type), .fallback: Syntax(fallback ?? ExprSyntax("")),
          .letter: Syntax(letter ?? ExprSyntax("")),
        ])
    }
    return fields.reversed()
  }

  /// The field's entry in a type string, with generic parameters replaced by these types.
  func item(where parameters: [String: String]) throws -> ArgumentDeclaration.Item {
    do {
      return try declaration.item(where: parameters)
    } catch {
      throw places[error.place]!.problem(error.sentence)
    }
  }
}

extension VariableDeclSyntax {
  /// The first argument of an attribute.
  fileprivate func argument(of name: String) -> ExprSyntax? {
    attributes.lazy.compactMap { $0.as(AttributeSyntax.self) }
      .first { $0.attributeName.trimmedDescription.split(separator: ".").last == name[...] }?
      .arguments?.as(LabeledExprListSyntax.self)?.first?.expression
  }
}
