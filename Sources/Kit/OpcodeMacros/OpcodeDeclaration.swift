import SwiftSyntax
import TypeLetters

/// The declaration of an opcode's struct, as `@Opcode` reads it.
struct OpcodeDeclaration {
  enum Rate { case initTime, control, audio }

  let type: StructDeclSyntax
  let rate: Rate
  let hasDeinit: Bool
  /// Which of the struct's attributes `@Opcode` it is, from 1. The first makes what all share.
  let place: Int
  /// The type that the attribute gives the first generic parameter, if any.
  let kind: String?
  /// The other generic parameters, each a `Signal`.
  let signals: [String]
  let fields: [ArgumentField]

  var name: String { type.name.text }

  /// Whether `Arguments(…)` can be written with a value for each field: it has no initializer of its own, and no field is
  /// private.
  var hasMemberwiseArguments: Bool {
    let arguments = type.memberBlock.members.lazy
      .compactMap { $0.decl.as(StructDeclSyntax.self) }.first { $0.name.text == "Arguments" }
    return arguments?.memberBlock.members.allSatisfy { member in
      let field = member.decl.as(VariableDeclSyntax.self)
      return !member.decl.is(InitializerDeclSyntax.self)
        && field?.modifiers.contains { ["private", "fileprivate"].contains($0.name.text) } != true
    } ?? false
  }

  init(_ declaration: some DeclSyntaxProtocol, _ attribute: AttributeSyntax) throws {
    guard let type = declaration.as(StructDeclSyntax.self) else {
      throw attribute.problem("@Opcode stands before the struct of an opcode.")
    }
    self.type = type
    let protocols = Set(
      type.inheritanceClause?.inheritedTypes.map {
        String($0.type.trimmedDescription.split(separator: ".").last!)
      } ?? [])
    hasDeinit = protocols.contains("DeinitOpcode")
    if protocols.contains("AudioOpcode") {
      rate = .audio
    } else if protocols.contains("ControlOpcode") {
      rate = .control
    } else if protocols.contains("InitOpcode") {
      rate = .initTime
    } else {
      throw type.name.problem(
        "\(type.name.text) says what it is where it is declared: AudioOpcode, ControlOpcode or InitOpcode."
      )
    }
    place = Self.place(of: attribute, in: type)
    kind = Self.kind(of: attribute)
    let parameters = type.genericParameterClause.map { Array($0.parameters) } ?? []
    guard kind == nil || !parameters.isEmpty else {
      throw attribute.problem("\(type.name.text) has no generic parameter that could be \(kind!).")
    }
    signals =
      try parameters.dropFirst(kind == nil ? 0 : 1).map { parameter in
        guard parameter.inheritedType?.trimmedDescription.split(separator: ".").last == "Signal"
        else {
          throw parameter.problem(
            "@Opcode makes an overload for k-rate and one for a-rate of each generic parameter: write"
              + " '\(parameter.name.text): Signal'.")
        }
        return parameter.name.text
      }
    let arguments = type.memberBlock.members.lazy
      .compactMap { $0.decl.as(StructDeclSyntax.self) }.first { $0.name.text == "Arguments" }
    guard let arguments else {
      throw type.name.problem(
        "\(type.name.text) has no 'struct Arguments' with a field for each output and input.")
    }
    fields = try ArgumentField.all(of: arguments)
    try check(arguments)
    try checkState()
    let body = OpcodeBody(of: type)
    try body.checkBuffers()
    try body.checkFrames()
    let types = SignalRates.all(of: signals)[0].types
    try body.checkOutputs(
      fields.filter { try $0.item(where: types).type.isOutput }, among: fields,
      pass: rate == .initTime ? "init" : "perform")
  }

  /// The type that an attribute gives the first generic parameter, if any.
  static func kind(of attribute: AttributeSyntax) -> String? {
    attribute.expressions.dropFirst(2).first.map {
      let type = $0.expression.trimmedDescription
      return type.hasSuffix(".self") ? String(type.dropLast(5)) : type
    }
  }

  static func place(
    of attribute: AttributeSyntax, in declaration: some DeclGroupSyntax
  ) -> Int {
    let name = attribute.attributeName.trimmedDescription
    let all = declaration.attributes.compactMap { $0.as(AttributeSyntax.self) }
      .filter { $0.attributeName.trimmedDescription == name }.map(\.trimmedDescription)
    return (all.firstIndex(of: attribute.trimmedDescription) ?? 0) + 1
  }

  /// Whether the struct leaves its init pass to `@Opcode`, because nothing is to be done in it. Another protocol than the
  /// kit's may have one.
  var hasEmptyInit: Bool {
    rate != .initTime && OpcodeBody(of: type).hasOwnProtocolsOnly
      && !type.memberBlock.members.contains { $0.decl.is(InitializerDeclSyntax.self) }
  }

  /// Rejects stored properties that cannot be in Csound's memory, for which the compiler's own error would only mention
  /// a protocol (`BitwiseCopyable`), and those that nothing gives a value.
  private func checkState() throws {
    let hasEmptyInit = hasEmptyInit
    for variable in type.memberBlock.members.compactMap({ $0.decl.as(VariableDeclSyntax.self) })
    where !variable.modifiers.contains(where: { $0.name.tokenKind == .keyword(.static) }) {
      for binding in variable.bindings where binding.accessorBlock == nil {
        let text = binding.typeAnnotation?.type.trimmedDescription ?? ""
        let isArray =
          text.hasPrefix("[") && !text.contains(" of ") || text.hasPrefix("Array<")
          || text.isEmpty && (binding.initializer?.value.is(ArrayExprSyntax.self) ?? false)
        if isArray {
          throw binding.problem(
            "State lies in Csound's memory and cannot hold an Array: ask for a buffer in init:"
              + " context.buffer(count:), or write the few numbers as members.")
        }
        if hasEmptyInit, binding.initializer == nil, !text.hasSuffix("?") {
          throw binding.problem(
            "Nothing gives \(binding.pattern.trimmedDescription) a value: write one here, or an"
              + " 'init(_ arguments: Arguments, _ context: Context) throws(OpcodeError)'.")
        }
        let isText =
          text == "String"
          || text.isEmpty && (binding.initializer?.value.is(StringLiteralExprSyntax.self) ?? false)
        if isText {
          throw binding.problem(
            "State lies in Csound's memory and cannot hold a String: a StaticString can be kept, and an"
              + " argument's bytes are read in each pass.")
        }
      }
    }
  }

  private func check(_ arguments: StructDeclSyntax) throws {
    for signal in signals where !fields.contains(where: { $0.declaration.mentions(signal) }) {
      throw type.name.problem(
        "No field of Arguments is a \(signal); give one that type or drop the parameter.")
    }
    let (outputs, inputs) = try types(where: SignalRates.all(of: signals)[0].types)
    let isVariadic = (outputs + inputs).contains { $0.type.shape == .list }
    let saysSo =
      arguments.inheritanceClause?.inheritedTypes.contains {
        $0.type.trimmedDescription.split(separator: ".").last == "VariadicArguments"
      } ?? false
    guard isVariadic == saysSo else {
      throw arguments.name.problem(
        isVariadic
          ? "Arguments with a Variadic field are 'struct Arguments: VariadicArguments'."
          : "Arguments are VariadicArguments, but no field is Variadic; make them BitwiseCopyable.")
    }
    if rate != .audio, let place = outputs.firstIndex(where: { $0.type.element == .audioOutput }) {
      throw fields[place].type.problem(
        "An opcode with an audio output is an AudioOpcode: the kit then zeroes what lies outside the note."
      )
    }
  }

  /// The entries of the type strings, outputs and inputs, with generic parameters replaced by these
  /// types.
  func types(
    where parameters: [String: String]
  ) throws -> (outputs: [ArgumentDeclaration.Item], inputs: [ArgumentDeclaration.Item]) {
    var (outputs, inputs): ([ArgumentDeclaration.Item], [ArgumentDeclaration.Item]) = ([], [])
    for field in fields {
      let item = try field.item(where: parameters)
      if item.type.isOutput {
        guard inputs.isEmpty else {
          throw field.type.problem("\(field.name) is an output; outputs stand before all inputs.")
        }
        if let last = outputs.last, last.type.shape == .list {
          throw field.type.problem(
            "\(field.name) follows a list of outputs, which must be the last.")
        }
        outputs.append(item)
      } else {
        if let last = inputs.last, last.type.shape == .list {
          throw field.type.problem(
            "\(field.name) follows a list of inputs, which must be the last.")
        }
        if let last = inputs.last, last.isOptional, !item.isOptional, item.type.shape != .list {
          throw field.type.problem(
            "\(field.name) must be given but follows one that may be left out; put it before, or write"
              + " @Default(…).")
        }
        inputs.append(item)
      }
    }
    return (outputs, inputs)
  }
}
