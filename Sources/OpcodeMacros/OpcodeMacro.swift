import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros
import TypeLetters

/// `@Opcode`: a function beside the struct that registers its overloads.
struct OpcodeMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let opcode = try OpcodeDeclaration(declaration, node)
    let words = try node.literals()
    try check(name: words[0].text, at: words[0].place)
    guard !words[1].text.isEmpty else {
      throw words[1].place.problem(
        "Say in a line what \(words[0].text) does; `man` and `list` show it.")
    }
    let parts = try SignalRates.all(of: opcode.signals).map {
      try overload(opcode, named: words[0].text, does: words[1].text, $0)
    }
    let access = opcode.type.modifiers.first {
      ["public", "package", "private", "fileprivate"].contains($0.name.text)
    }
    return [
      """
      \(raw: access.map { "\($0.name.text) " } ?? "")func register\(raw: opcode.name)(in registry: inout some OpcodeRegistry) {
      \(raw: parts.joined(separator: "\n"))
      }
      """
    ]
  }

  /// Adds the overload of one choice of rates.
  private static func overload(
    _ opcode: OpcodeDeclaration, named name: String, does summary: String, _ rates: SignalRates
  ) throws -> String {
    let (outputs, inputs) = try opcode.types(where: rates.types)
    let concrete =
      opcode.name + (rates.list.isEmpty ? "" : "<\(rates.list.joined(separator: ", "))>")
    let initialize =
      opcode.hasDeinit
      ? "{ \(concrete).initialize($0, $1, deinit: { \(concrete).deinitialize($0, $1) }) }"
      : "{ \(concrete).initialize($0, $1) }"
    let function = "perform" + rates.letters.uppercased()
    // A C function cannot be generic, and a closure would not be proved.
    let pass =
      """
        @_noLocks @_noAllocation @inline(__always)
        func \(function)(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
          \(concrete).perform(csound, block)
        }

      """
    let isPerformed = opcode.rate != .initTime
    return (isPerformed ? pass : "") + """
        registry.add(
          Overload(
            \(concrete).self, "\(rates.overload(of: name))",
            outputs: "\(outputs.map(\.text).joined())", inputs: "\(inputs.map(\.text).joined())",
            summary: \(StringLiteralExprSyntax(content: summary)),
            initialize: \(initialize)\(isPerformed ? ", perform: \(function)" : "")))
      """
  }

  /// An opcode's name, with a suffix where several structs share it.
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
