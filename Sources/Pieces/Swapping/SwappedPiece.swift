import CommandKit
import Foundation
import Rendering
import HarnessBase

/// A piece whose opcodes can be given other names: its CSD and the files its orchestra includes.
package struct SwappedPiece {
  /// A place in the code where an opcode is called by its name.
  package struct Call: Hashable, Sendable {
    /// The file's number; 0 is the CSD.
    let file: Int
    /// The index of the token in the file.
    let token: Int
    package let opcode: String
    /// The file's path.
    package let path: String
    /// The line in the file, counted from 1.
    package let line: Int
    /// The index of the token that begins the instrument or user-defined opcode with the call; 0 for none.
    let block: Int
  }

  /// The CSD first.
  let files: [OrchestraFile]

  package init(readingFrom path: String) throws(Failure) {
    try requireReadableFile(path)
    files = OrchestraFile.all(from: path)
    guard files.first.flatMap({ OrchestraTokens.orchestra(in: $0.bytes) }) != nil else {
      throw .badInput("'\(path)' is no CSD: it has no <CsInstruments>.")
    }
  }

  // MARK: Calls

  /// The calls of these opcodes, except for opcodes that a user-defined opcode hides; `declared` are the calls of
  /// user-defined opcodes themselves.
  package func calls(among names: Set<String>, declared: Bool = false) -> [Call] {
    let names = declared ? names : names.subtracting(declaredOpcodes)
    var calls: [Call] = []
    for (number, file) in files.enumerated() {
      let firstLine = OrchestraAndScore.source(of: file.path)?.firstLine ?? 1
      var (line, counted, block) = (firstLine, 0, 0)
      for (index, token) in file.tokens.enumerated() where token.kind == .word {
        let name = file.text(token)
        if name == "instr" || name == "opcode" { block = index }
        guard names.contains(name), mayCall(file, index) else { continue }
        line += file.bytes[counted..<token.range.lowerBound].count { $0 == UInt8(ascii: "\n") }
        counted = token.range.lowerBound
        calls.append(
          Call(
            file: number, token: index, opcode: name, path: file.path, line: line,
            block: block))
      }
    }
    return calls
  }

  /// The names of user-defined opcodes, which hide others.
  package var declaredOpcodes: Set<String> {
    var declared: Set<String> = []
    for file in files {
      for index in file.tokens.indices where file.tokens[index].kind == .word {
        guard file.text(file.tokens[index]) == "opcode",
          let name = file.tokens[(index + 1)...].first(where: { $0.kind != .space })
        else { continue }
        declared.insert(file.text(name))
      }
    }
    return declared
  }

  /// The opcodes whose last argument is a label.
  private static let jumps: Set<String> = [
    "cggoto", "cigoto", "ckgoto", "cngoto", "cnkgoto", "loop_ge", "loop_gt", "loop_le", "loop_lt",
    "timout",
  ]

  /// Whether a token can be the name of an opcode that is called there: not the name of an
  /// instrument, of a label or of a user-defined opcode that is declared.
  private func mayCall(_ file: OrchestraFile, _ index: Int) -> Bool {
    let tokens = file.tokens
    guard tokens[index].kind == .word else { return false }
    var before = tokens[..<index].reversed().prefix { $0.kind != .lineEnd }
      .filter { $0.kind != .space }.makeIterator()
    var words: [String] = []
    while let token = before.next() { words.append(file.text(token)) }
    if let first = words.last, ["instr", "opcode"].contains(first) { return false }
    if let last = words.first,
      ["goto", "igoto", "kgoto", "tigoto", "rigoto", "reinit"].contains(last)
    {
      return false
    }
    let behind = tokens[(index + 1)...].prefix { $0.kind != .lineEnd }
      .filter { $0.kind != .space }.prefix(3).map { file.text($0) }
    if behind.isEmpty, words.first == ",", words.contains(where: Self.jumps.contains) {
      return false
    }
    guard words.isEmpty else { return true }
    // A word before `:` is a label, except in `tone:a(…)`.
    return behind.first != ":" || (behind.count == 3 && ["(", "["].contains(behind[2]))
  }

  /// The position of the parenthesis after a function in an expression; nil if the token is not such a
  /// function.
  func parenthesis(_ file: OrchestraFile, _ index: Int) -> Int? {
    let tokens = file.tokens
    guard let before = tokens[..<index].last(where: { $0.kind != .space }), before.kind == .other,
      let behind = tokens[(index + 1)...].first(where: { $0.kind != .space }),
      file.text(behind) == "("
    else { return nil }
    return behind.range.lowerBound
  }
}
