import CommandKit
import Foundation
import Rendering
import HarnessBase

/// A piece whose opcodes can be given other names: its CSD and the files its orchestra includes.
package struct SwappedPiece {
  struct File {
    var path: String
    var bytes: [UInt8]
    var tokens: [OrchestraTokens.Token]
    /// The number of each included file, and its path from the piece's directory, by the index of the token that
    /// names it.
    var includes: [Int: (file: Int, place: String)] = [:]
  }

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
  private(set) var files: [File] = []
  private let directory: String

  package init(readingFrom path: String) throws(Failure) {
    try requireReadableFile(path)
    directory = path.parentPath
    _ = read(path, folder: "")
    guard files.first?.bytes.firstRange(of: Array("<CsInstruments>".utf8)) != nil else {
      throw .badInput("'\(path)' is no CSD: it has no <CsInstruments>.")
    }
  }

  /// Reads a file and those that it includes. As in Csound, a name is looked for in the folder of the last name with a
  /// folder among the includes that lead to it, then as it is; both from the piece's directory and those of `INCDIR`.
  ///
  /// - Parameter folder: that folder, with a `/` at its end; empty for the piece's directory.
  private mutating func read(_ path: String, folder: String) -> Int? {
    if let known = files.firstIndex(where: { $0.path == path }) { return known }
    // Only regular files, as reading a pipe would wait, and some devices have no end.
    guard (try? requireReadableFile(path)) != nil,
      let data = FileManager.default.contents(atPath: path)
    else { return nil }
    let bytes = [UInt8](data)
    let code = files.isEmpty ? Self.orchestra(of: bytes) : bytes.indices
    let index = files.count
    files.append(
      File(path: path, bytes: bytes, tokens: OrchestraTokens(bytes, in: code).tokens))
    for (number, token) in files[index].tokens.enumerated() where token.kind == .include {
      let name = String(decoding: bytes[token.range], as: UTF8.self)
      for place in name.hasPrefix("/") ? [name] : [folder + name, name] {
        guard let found = found(place) else { continue }
        let slash = name.lastIndex(of: "/")
        let inner = slash == nil ? folder : String(place[...place.lastIndex(of: "/")!])
        if let file = read(found, folder: inner) { files[index].includes[number] = (file, place) }
        break
      }
    }
    return index
  }

  /// The path of an included file; nil if there is none.
  private func found(_ place: String) -> String? {
    let list = ProcessInfo.processInfo.environment["INCDIR"] ?? ""
    let named = list.split { $0 == ":" || $0 == ";" }.map(String.init)
    let places = place.hasPrefix("/") ? [place] : ([directory] + named).map { $0 + "/" + place }
    return places.first(where: FileManager.default.fileExists)
  }

  /// The range of the orchestra in a CSD.
  private static func orchestra(of bytes: [UInt8]) -> Range<Int> {
    guard let begin = bytes.firstRange(of: Array("<CsInstruments>".utf8)) else { return 0..<0 }
    let rest = bytes[begin.upperBound...]
    let end = rest.firstRange(of: Array("</CsInstruments>".utf8))?.lowerBound ?? rest.endIndex
    return begin.upperBound..<end
  }

  /// The number of the CSD's first line, where those of an orchestra file count from 1.
  private var firstLine: Int {
    let bytes = files[0].bytes
    guard let counting = bytes.firstRange(of: Array(OrchestraAndScore.counting.utf8)) else {
      return 1
    }
    return 1 - bytes[..<counting.upperBound].count { $0 == UInt8(ascii: "\n") }
  }

  private func text(_ file: File, _ token: OrchestraTokens.Token) -> String {
    String(decoding: file.bytes[token.range], as: UTF8.self)
  }

  // MARK: Calls

  /// The calls of these opcodes, except for opcodes that a user-defined opcode hides; `declared` are the calls of
  /// user-defined opcodes themselves.
  package func calls(among names: Set<String>, declared: Bool = false) -> [Call] {
    let names = declared ? names : names.subtracting(declaredOpcodes)
    var calls: [Call] = []
    for (number, file) in files.enumerated() {
      var (line, counted, block) = (number == 0 ? firstLine : 1, 0, 0)
      for (index, token) in file.tokens.enumerated() where token.kind == .word {
        let name = text(file, token)
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
        guard text(file, file.tokens[index]) == "opcode",
          let name = file.tokens[(index + 1)...].first(where: { $0.kind != .space })
        else { continue }
        declared.insert(text(file, name))
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
  private func mayCall(_ file: File, _ index: Int) -> Bool {
    let tokens = file.tokens
    guard tokens[index].kind == .word else { return false }
    var before = tokens[..<index].reversed().prefix { $0.kind != .lineEnd }
      .filter { $0.kind != .space }.makeIterator()
    var words: [String] = []
    while let token = before.next() { words.append(text(file, token)) }
    if let first = words.last, ["instr", "opcode"].contains(first) { return false }
    if let last = words.first,
      ["goto", "igoto", "kgoto", "tigoto", "rigoto", "reinit"].contains(last)
    {
      return false
    }
    let behind = tokens[(index + 1)...].prefix { $0.kind != .lineEnd }
      .filter { $0.kind != .space }.prefix(3).map { text(file, $0) }
    if behind.isEmpty, words.first == ",", words.contains(where: Self.jumps.contains) {
      return false
    }
    guard words.isEmpty else { return true }
    // A word before `:` is a label, except in `tone:a(…)`.
    return behind.first != ":" || (behind.count == 3 && ["(", "["].contains(behind[2]))
  }

  /// The position of the parenthesis after a function in an expression; nil if the token is not such a
  /// function.
  func parenthesis(_ file: File, _ index: Int) -> Int? {
    let tokens = file.tokens
    guard let before = tokens[..<index].last(where: { $0.kind != .space }), before.kind == .other,
      let behind = tokens[(index + 1)...].first(where: { $0.kind != .space }),
      text(file, behind) == "("
    else { return nil }
    return behind.range.lowerBound
  }
}
