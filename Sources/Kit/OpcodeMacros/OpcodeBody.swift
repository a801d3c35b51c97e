import SwiftSyntax

/// What the methods of an opcode's struct do, as far as their text tells.
struct OpcodeBody {
  private let type: StructDeclSyntax
  private let tokens: [TokenSyntax]

  init(of type: StructDeclSyntax) {
    self.type = type
    tokens = Array(type.memberBlock.tokens(viewMode: .sourceAccurate))
  }

  /// The protocols that give an opcode no member of another module's or file's.
  private static let ownProtocols: Set = [
    "AudioOpcode", "ControlOpcode", "InitOpcode", "DeinitOpcode", "LateInitOpcode",
    "BitwiseCopyable", "Sendable",
  ]

  /// Whether no protocol of others can have members for the struct.
  var hasOwnProtocolsOnly: Bool {
    type.inheritanceClause?.inheritedTypes.allSatisfy {
      Self.ownProtocols.contains(String($0.type.trimmedDescription.split(separator: ".").last!))
    } ?? true
  }

  /// The toolbox's types that take the opcode's next buffer when they are made.
  private static let bufferTypes: Set = [
    "DelayLine", "MinBLEP", "LinearPhaseOversampler", "ChannelStates",
  ]

  /// Rejects an opcode that asks for buffers and does not say how many: its init pass would fail in every note.
  func checkBuffers() throws {
    guard hasOwnProtocolsOnly, !tokens.contains(where: { $0.text == "bufferCount" })
    else { return }
    let contexts = parameters(of: "Context")
    let calls = tokens.indices.dropLast(2).filter { index in
      if tokens[index].text == "buffer" {
        return index >= 2 && tokens[index - 1].text == "."
          && contexts.contains(tokens[index - 2].text)
          && tokens[index + 1].text == "("
      }
      guard Self.bufferTypes.contains(tokens[index].text) else { return false }
      var start = index + 1
      if tokens[start].text == "<" {
        start = tokens[start...].firstIndex { $0.text == ">" }.map { $0 + 1 } ?? start
      }
      guard start < tokens.count, tokens[start].text == "(" else { return false }
      // A line over memory that is there already needs no buffer.
      let words = tokens[start...].prefix { $0.text != ")" }.map(\.text)
      return !words.contains("memory") && words.contains(where: contexts.contains)
    }
    guard let first = calls.first else { return }
    let count = calls.count == 1 ? "1 buffer" : "\(calls.count) buffers"
    throw tokens[first].problem(
      "The init pass asks for \(count), and \(type.name.text) does not say so: write 'static var bufferCount: Int { \(calls.count) }' in it."
    )
  }

  /// Rejects an output of which no pass writes a value. `fields` are all fields of Arguments.
  func checkOutputs(_ outputs: [ArgumentField], among fields: [ArgumentField], pass: String) throws
  {
    let names = Set(fields.map(\.name))
    let arguments = parameters(of: "Arguments")
    guard tokens.contains(where: { $0.text == pass }) else { return }
    for (index, token) in tokens.enumerated().dropLast(2) where arguments.contains(token.text) {
      let next = tokens[index + 1].text
      if next == ":" || index > 0 && tokens[index - 1].text == "." { continue }
      // What a function does with all of the arguments is not looked for.
      guard next == ".", names.contains(tokens[index + 2].text) else { return }
    }
    for output in outputs where tokens.count(where: { $0.text == output.name }) < 2 {
      throw output.type.problem(
        "'\(output.name)' is an output, and no pass gives it a value: write it in '\(pass)', or remove the field."
      )
    }
  }

  /// Rejects a loop over all frames of a k-cycle in a performance pass, as opcodes in C have it: the note may have fewer.
  func checkFrames() throws {
    let words = ["..<", "context", ".", "ksmps", "{"]
    // Members of an array keep their places in the source; those of a filtered list do not.
    let tokens = Array(type.memberBlock.members).filter {
      $0.decl.as(FunctionDeclSyntax.self)?.name.text == "perform"
    }.flatMap { $0.tokens(viewMode: .sourceAccurate) }
    for index in tokens.indices where tokens[index...].prefix(5).map(\.text) == words {
      throw tokens[index + 1].problem(
        "Some of these frames may lie before or after the note: write 'for frame in context.frames'."
      )
    }
  }

  /// The names of the parameters of a type.
  private func parameters(of type: String) -> Set<String> {
    Set(
      tokens.indices.dropLast(2).filter {
        tokens[$0 + 1].text == ":" && tokens[$0 + 2].text == type
      }.map { tokens[$0].text })
  }
}
