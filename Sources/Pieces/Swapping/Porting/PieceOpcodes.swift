import CsoundHost
import Foundation
import HarnessBase
import Rendering

/// Reads the user-defined opcodes of a piece with Csound's own parser, in a worker process.
package struct OpcodesJob: Job {
  /// The path of the CSD or orchestra file.
  var path: String
  /// Whether the worker changes to the folder of the file, so that it finds what that includes.
  var entersFolder = false

  package func perform(in worker: WorkerContext) throws(Failure) -> [UserOpcode] {
    let piece = try PieceText(path)
    if entersFolder { chdir(path.parentPath) }
    // Csound 6.18's parser crashes where it finds no such file. Where there are conditions, it may not look for it.
    let bytes = Array((piece.orchestra.contains("#if") ? "" : piece.orchestra).utf8)
    for token in OrchestraTokens(bytes, in: bytes.indices).tokens where token.kind == .include {
      let name = String(decoding: bytes[token.range], as: UTF8.self)
      guard IncludedFile(named: name, from: "", of: path) != nil else {
        throw MissingFile.failure(name, of: path)
      }
    }
    let nodes: [OrchestraNode]?
    do throws(CsoundError) {
      let csound = try Csound(registering: worker.register)
      defer { csound.close() }
      // The parser refuses an orchestra without a statement.
      nodes = try csound.parse(piece.orchestra + "\ninstr 1\nendin\n")
    } catch {
      throw switch error {
      case .orchestra(_, let message):
        Failure(.badInput, "Csound cannot read the orchestra of '\(path)': \(message)")
      case .unavailable(let message): Failure(.unavailable, message)
      }
    }
    guard let nodes else {
      throw .unavailable("port reads opcodes with the parser of Csound 6.18; leave out --csound 7.")
    }
    return nodes.filter(\.isUserOpcode).compactMap { UserOpcode($0, in: piece) }
  }
}

/// The text of a CSD.
struct PieceText {
  /// The orchestra without instruments and comments, in the lines of the file: Csound's parser counts a line too many after
  /// a comment of several lines.
  let orchestra: String
  private let lines: [Substring]
  /// The lines without comments, and with empty strings.
  private let bare: [Substring]

  init(_ path: String) throws(Failure) {
    try requireReadableFile(path)
    guard let data = FileManager.default.contents(atPath: path) else {
      throw .missingInput("'\(path)' cannot be read.")
    }
    let text = String(decoding: data, as: UTF8.self).replacing("\r\n", with: "\n")
    // A file of opcodes alone is an orchestra as a whole.
    let isAlone = [".udo", ".orc"].contains { path.hasSuffix($0) }
    guard let start = isAlone ? text.startIndex : text.range(of: "<CsInstruments>")?.upperBound,
      let end = isAlone ? text.endIndex : text.range(of: "</CsInstruments>")?.lowerBound,
      start <= end
    else { throw .badInput("'\(path)' has no <CsInstruments>; port reads a CSD.") }
    let whole = String(text[..<start].filter { $0 == "\n" }) + String(text[start..<end])
    func split(_ text: String) -> [Substring] {
      text.split(separator: "\n", omittingEmptySubsequences: false)
    }
    let code = split(OrchestraTokens.code(of: whole))
    let bare = split(OrchestraTokens.code(of: whole, emptyingStrings: true))
    // Without the instruments, which may need opcodes of plugins; their lines stay, for the numbers of the others.
    var (kept, isInstrument) = ([Substring](), false)
    for (line, bare) in zip(code, bare) {
      if bare.prefixMatch(of: /\s*instr\b/) != nil { isInstrument = true }
      guard isInstrument else {
        kept.append(line)
        continue
      }
      let end = bare.prefixMatch(of: /\s*endin\b/)?.range.upperBound
      if end != nil { isInstrument = false }
      // A macro may end behind it.
      kept.append(end.map { bare[$0...] } ?? "")
    }
    orchestra = kept.joined(separator: "\n")
    (lines, self.bare) = (split(whole), bare)
  }

  /// The lines of an opcode's definition, from the comment before it to its `endop`; empty if it is not in the CSD
  /// itself. An overload is found by its types; of several with the same ones, as `#if` allows, it is the last before a line
  /// of its body.
  func definition(
    of name: String, types: String, line: Int
  ) -> (comment: [String], lines: [String], start: Int) {
    let heads = lines.indices.filter {
      bare[$0].prefixMatch(of: /\s*opcode\s+(\w+)/).map { $0.1 == name } == true
    }
    let same = heads.filter { types == Self.types(lines[$0]) }
    let start = same.last { $0 < line } ?? same.first ?? (heads.count == 1 ? heads[0] : nil)
    guard let start,
      let end = bare[start...].firstIndex(where: {
        $0.prefixMatch(of: /\s*endop\b/) != nil
      })
    else { return ([], [], 0) }
    var first = start
    while first > 0, lines[first - 1].prefixMatch(of: /\s*(;|\/\/)/) != nil { first -= 1 }
    return (
      lines[first..<start].map { String($0.trimmingPrefix(/\s*(;|\/\/)+ ?/)) },
      lines[start...end].map(String.init), start + 1
    )
  }

  /// The definitions of the macros that these lines use, with those that they use themselves.
  func macros(in text: [String]) -> [String] {
    let definition = /^[ \t]*#define\s+(\w+)(\([^)]*\))?\s*#[^#]*#/.anchorsMatchLineEndings()
    let all = orchestra.matches(of: definition).map { ($0.1, String($0.0)) }
    var used = text
    while true {
      let more = all.filter { name, line in
        !used.contains(line) && used.contains { $0.contains("$\(name)") }
      }
      if more.isEmpty { return all.map(\.1).filter { used.dropFirst(text.count).contains($0) } }
      used += more.map(\.1)
    }
  }

  private static func types(_ line: Substring) -> String {
    line.prefix { $0 != ";" }.split(separator: ",").dropFirst()
      .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: ",")
  }
}

/// A user-defined opcode as Csound's parser gives it.
package struct UserOpcode: Codable, Sendable {
  let name: String
  /// Csound's type letters, each argument one: `κ` is `k[]`, `ι` is `i[]`.
  let outputs, inputs: String
  /// The comment lines before it, and the lines of its definition, without indentation marks taken away.
  let comment, definition: [String]
  /// The line of the file in which the definition begins.
  let definitionLine: Int
  let statements: [OrchestraNode]
  /// The definitions of macros that its own uses.
  let macros: [String]

  /// The comments in the lines of the file after one, through another.
  func comments(after first: Int, through last: Int) -> [String] {
    definition.enumerated().dropFirst().compactMap { index, line in
      guard first + 1...max(first + 1, last) ~= index + definitionLine,
        let match = line.firstMatch(of: /(;|\/\/)+\s*(\w.*)/)
      else { return nil }
      return String(match.2)
    }
  }

  /// The last line of the definition, up to one, whose words are right; that one if there is none. Csound tells a later
  /// line for parts of expressions, and after lines that go on in the next.
  func line(upTo line: Int, where isRight: (Set<String>) -> Bool) -> Int {
    let last = min(line - definitionLine, definition.count - 1)
    let found = stride(from: last, through: 0, by: -1).first { index in
      let code = OrchestraTokens.code(of: definition[index], emptyingStrings: true)
      return isRight(
        Set(code.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)))
    }
    return found.map { $0 + definitionLine } ?? line
  }

  /// Whether it is the same overload of the same name.
  func isSame(as other: UserOpcode) -> Bool {
    (name, outputs, inputs) == (other.name, other.outputs, other.inputs)
  }

  /// Csound's type string in letters of which each is an argument.
  static func letters(_ text: String) -> String {
    text == "0" ? "" : arrays.reduce(text) { $0.replacing($1.value, with: String($1.key)) }
  }
  /// The types as Csound writes them.
  static func types(_ letters: String) -> String {
    letters.isEmpty ? "–" : letters.map { arrays[$0] ?? String($0) }.joined()
  }
  private static let arrays: [Character: String] = ["κ": "k[]", "ι": "i[]"]

  init?(_ node: OrchestraNode, in piece: PieceText) {
    guard let head = node.left.first, let outputs = head.left.first?.text,
      let inputs = head.right.first?.text
    else { return nil }
    name = head.text
    (self.outputs, self.inputs) = (Self.letters(outputs), Self.letters(inputs))
    statements = node.right
    (comment, definition, definitionLine) = piece.definition(
      of: head.text, types: "\(outputs),\(inputs)", line: node.right.first?.line ?? 0)
    macros = piece.macros(in: definition)
  }
}
