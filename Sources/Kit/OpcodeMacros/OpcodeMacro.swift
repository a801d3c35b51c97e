import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros
import TypeLetters

/// `@Opcode`: generates C functions for the opcode's passes, and a function that registers its overloads.
struct OpcodeMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard context.lexicalContext.isEmpty else {
      throw node.problem("An opcode's struct stands at the top of a file and not in another type.")
    }
    do {
      return try functions(of: declaration, node)
    } catch let error as DiagnosticsError {
      // The library's call of the function must not be an error that follows from this one.
      for diagnostic in error.diagnostics { context.diagnose(diagnostic) }
      guard let type = declaration.asProtocol((any NamedDeclSyntax).self)?.name.text else {
        return []
      }
      return [registration(of: type, "", kind: OpcodeDeclaration.kind(of: node), [])]
    }
  }

  /// The function that registers an opcode's overloads.
  private static func registration(
    of type: String, _ access: String, kind: String?, _ additions: [String]
  ) -> DeclSyntax {
    """
    \(raw: access)func register\(raw: type)(\(raw: kind.map { "_ kind: \($0).Type, " } ?? "")in registry: inout some OpcodeRegistry) {
    \(raw: additions.joined(separator: "\n"))
    }
    """
  }

  private static func functions(
    of declaration: some DeclSyntaxProtocol, _ node: AttributeSyntax
  ) throws -> [DeclSyntax] {
    let opcode = try OpcodeDeclaration(declaration, node)
    let words = try node.literals()
    try check(name: words[0].text, at: words[0].place)
    guard !words[1].text.isEmpty else {
      throw words[1].place.problem(
        "Write what \(words[0].text) does in one line of text; `opcodekit man` and `list` show it.")
    }
    let rates = SignalRates.all(of: opcode.signals)
    guard opcode.signals.count <= 4 else {
      throw opcode.type.name.problem(
        "\(opcode.name) has \(opcode.signals.count) Signal parameters; with more than 4 there would be too"
          + " many overloads: make some of them AnyRateInput.")
    }
    guard opcode.kind == nil || opcode.place <= 10 && opcode.signals.count <= 2 else {
      throw node.problem(
        "A struct can be up to 10 opcodes, with up to 2 Signal parameters beside the kind.")
    }
    let access =
      opcode.type.modifiers.first {
        ["public", "package", "private", "fileprivate"].contains($0.name.text)
      }.map { "\($0.name.text) " } ?? ""
    let additions = try rates.map {
      try overload(opcode, named: words[0].text, does: words[1].text, $0)
    }
    let register = registration(of: opcode.name, access, kind: opcode.kind, additions)
    let hasPass = opcode.rate != .initTime || !opcode.hasDeinit
    return (hasPass ? rates.map { pass(opcode, $0) } : []) + [register]
  }

  /// The performance pass for one combination of rates; for an opcode that works at i-time only, its init pass. It is a
  /// global function because a C function cannot be generic, a closure would not be proved free of locks and
  /// allocation, and C helpers are inlined into global functions only.
  private static func pass(_ opcode: OpcodeDeclaration, _ rates: SignalRates) -> DeclSyntax {
    let isInit = opcode.rate == .initTime
    return """
      @c\(raw: isInit ? "" : " @_noLocks @_noAllocation")
      \(raw: isPrivate(opcode) ? "private " : "")func \(raw: name(of: opcode, rates))(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
        \(raw: concrete(opcode, rates)).\(raw: isInit ? "initialize" : "perform")(csound, block)
      }
      """
  }

  private static func isPrivate(_ opcode: OpcodeDeclaration) -> Bool {
    opcode.type.modifiers.contains { ["private", "fileprivate"].contains($0.name.text) }
  }

  private static func name(of opcode: OpcodeDeclaration, _ rates: SignalRates) -> String {
    opcode.name + (opcode.kind == nil ? "" : "_\(opcode.place)")
      + "_\(rates.letters.isEmpty ? "pass" : rates.letters)"
  }

  private static func concrete(_ opcode: OpcodeDeclaration, _ rates: SignalRates) -> String {
    let types = (opcode.kind.map { [$0] } ?? []) + rates.list
    return opcode.name + (types.isEmpty ? "" : "<\(types.joined(separator: ", "))>")
  }

  /// The code that adds the overload for one combination of rates.
  private static func overload(
    _ opcode: OpcodeDeclaration, named name: String, does summary: String, _ rates: SignalRates
  ) throws -> String {
    let (outputs, inputs) = try opcode.types(where: rates.types)
    let concrete = concrete(opcode, rates)
    let isInit = opcode.rate == .initTime
    let pass = self.name(of: opcode, rates)
    let initialize =
      opcode.hasDeinit
      ? "{ \(concrete).initialize($0, $1, deinit: { \(concrete).deinitialize($0, $1) }) }"
      : isInit ? pass : "{ \(concrete).initialize($0, $1) }"
    let perform = isInit ? "" : ", perform: \(pass)"
    return """
        registry.add(
          Overload(
            \(concrete).self, "\(rates.overload(of: name))",
            outputs: "\(outputs.map(\.text).joined())", inputs: "\(inputs.map(\.text).joined())",
            summary: \(StringLiteralExprSyntax(content: summary)),
            initialize: \(initialize)\(perform)))
      """
  }

  /// Checks an opcode's name, which has a suffix where several structs share it.
  private static func check(name: String, at place: ExprSyntax) throws {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    let isWord = parts.allSatisfy { part in
      part.unicodeScalars.allSatisfy {
        ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0)
          || $0 == "_"
      }
    }
    let begins = parts[0].first.map { $0.isLetter } ?? false
    guard isWord, begins, parts.count <= 2, parts.last != "" else {
      throw place.problem(
        "'\(name)' is no name Csound can call: a letter, then letters, digits or '_'; where several"
          + " structs share the name, each has a suffix after one dot, as in \"CLIP.array\".")
    }
  }
}

extension OpcodeMacro: MemberMacro {
  /// Generates `variadicRowCount`, the checks of struct arguments, and an init pass with nothing to do.
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    // Problems of the declaration are reported by the peer expansion.
    guard let opcode = try? OpcodeDeclaration(declaration, node), opcode.place == 1 else {
      return []
    }
    let isPublic = opcode.type.modifiers.contains { ["public", "package"].contains($0.name.text) }
    let access = isPublic ? "public " : ""
    let empty: DeclSyntax =
      "\(raw: access)init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}"
    return (opcode.hasEmptyInit ? [empty] : []) + rowCount(opcode, access)
      + structChecks(opcode, access) + heldArguments(opcode, access)
  }

  /// What a performance pass holds of the arguments, a member for each that it reads in a loop, and the arguments that
  /// read it.
  private static func heldArguments(_ opcode: OpcodeDeclaration, _ access: String) -> [DeclSyntax] {
    let names = LoopReader.names(in: opcode.type, of: opcode.fields.map(\.name))
    guard opcode.rate != .initTime, !names.isEmpty, opcode.hasMemberwiseArguments else { return [] }
    let held = opcode.fields.filter { names.contains($0.name) }
    let types = held.map { "var \($0.name): \($0.declaration.type).Held" }
    let values = held.map { "\($0.name): arguments.\($0.name).held" }
    let readers = opcode.fields.map { field in
      "\(field.name): arguments.\(field.name)\(names.contains(field.name) ? ".reading(&place)" : "")"
    }
    return [
      """
      \(raw: access)struct HeldArguments: BitwiseCopyable {
        \(raw: types.joined(separator: "\n"))
      }
      """,
      """
      @inline(__always)
      \(raw: access)static func held(of arguments: Arguments) -> HeldArguments {
        HeldArguments(\(raw: values.joined(separator: ", ")))
      }
      """,
      """
      @inline(__always)
      \(raw: access)static func arguments(
        _ arguments: Arguments, reading held: UnsafeMutablePointer<HeldArguments>
      ) -> Arguments {
        var place = UnsafeMutableRawPointer(held)
        return Arguments(\(raw: readers.joined(separator: ", ")))
      }
      """,
    ]
  }

  /// A side with a variadic list has room for 1999 pointers, the most that Csound passes; the other side has room for
  /// its own arguments.
  private static func rowCount(_ opcode: OpcodeDeclaration, _ access: String) -> [DeclSyntax] {
    guard let types = try? opcode.types(where: SignalRates.all(of: opcode.signals)[0].types),
      (types.outputs + types.inputs).contains(where: { $0.type.shape == .list })
    else { return [] }
    let sides = [types.outputs, types.inputs].map { side in
      side.contains { $0.type.shape == .list } ? 1999 : side.count
    }
    return [
      """
      \(raw: access)static var variadicRowCount: Int { \(raw: sides[0] + sides[1]) }
      """
    ]
  }

  private static func structChecks(_ opcode: OpcodeDeclaration, _ access: String) -> [DeclSyntax] {
    let structs = opcode.fields.compactMap { field -> (field: String, type: ArgumentType)? in
      let type = ArgumentType(field.declaration.type)
      return type?.structure == nil ? nil : (field.name, type!)
    }
    guard !structs.isEmpty else { return [] }
    let written = structs.filter(\.type.isOutput).map { "\($0.type.structurePath!).hasAudio" }
    return [
      "\(raw: access)static var hasStructs: Bool { true }",
      """
      \(raw: access)static var writesAudioMembers: Bool {
        \(raw: written.isEmpty ? "false" : written.joined(separator: " || "))
      }
      """,
      """
      \(raw: access)static func checkStructs(_ arguments: Arguments) throws(OpcodeError) {
        \(raw: structs.map { "try arguments.\($0.field).checkStruct()" }.joined(separator: "\n"))
      }
      """,
    ]
  }
}

extension OpcodeMacro: MemberAttributeMacro {
  /// Makes the performance pass `@inline(__always)`: a call would copy arguments and state, which for a k-cycle of one
  /// frame costs more than the pass itself. The same holds for the init pass of an opcode that works at i-time only.
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingAttributesFor member: some DeclSyntaxProtocol, in context: some MacroExpansionContext
  ) throws -> [AttributeSyntax] {
    let (attributes, parameters): (AttributeListSyntax, FunctionParameterClauseSyntax)
    if let function = member.as(FunctionDeclSyntax.self), function.name.text == "perform" {
      (attributes, parameters) = (function.attributes, function.signature.parameterClause)
    } else if let initializer = member.as(InitializerDeclSyntax.self),
      (try? OpcodeDeclaration(declaration, node))?.rate == .initTime
    {
      (attributes, parameters) = (initializer.attributes, initializer.signature.parameterClause)
    } else {
      return []
    }
    guard parameters.parameters.count == 2, OpcodeDeclaration.place(of: node, in: declaration) == 1,
      !attributes.contains(where: {
        $0.as(AttributeSyntax.self)?.attributeName.trimmedDescription == "inline"
      })
    else { return [] }
    return ["@inline(__always)"]
  }
}
