import Foundation
import HarnessBase

/// A piece whose opcodes can be given other names: its CSD and the files its orchestra includes.
package struct SwappedPiece {
  private struct File {
    var path: String
    var bytes: [UInt8]
    var tokens: [OrchestraTokens.Token]
    /// The included file by the token that names it.
    var includes: [Int: Int] = [:]
  }

  /// The CSD first.
  private var files: [File] = []
  private let directory: String

  package init(readingFrom path: String) throws(Failure) {
    try requireReadableFile(path)
    directory = (path as NSString).deletingLastPathComponent
    _ = read(path)
  }

  private mutating func read(_ path: String) -> Int? {
    if let known = files.firstIndex(where: { $0.path == path }) { return known }
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    let bytes = [UInt8](data)
    let code = files.isEmpty ? Self.orchestra(of: bytes) : bytes.indices
    let index = files.count
    files.append(
      File(path: path, bytes: bytes, tokens: OrchestraTokens(bytes, in: code).tokens))
    for (number, token) in files[index].tokens.enumerated() where token.kind == .include {
      let name = String(decoding: bytes[token.range], as: UTF8.self)
      let places = name.hasPrefix("/") ? [name] : [directory + "/" + name]
      guard let found = places.first(where: FileManager.default.fileExists) else { continue }
      files[index].includes[number] = read(found)
    }
    return index
  }

  /// Where a CSD's orchestra is.
  private static func orchestra(of bytes: [UInt8]) -> Range<Int> {
    guard let begin = bytes.firstRange(of: Array("<CsInstruments>".utf8)) else { return 0..<0 }
    let rest = bytes[begin.upperBound...]
    let end = rest.firstRange(of: Array("</CsInstruments>".utf8))?.lowerBound ?? rest.endIndex
    return begin.upperBound..<end
  }

  private func text(_ file: File, _ token: OrchestraTokens.Token) -> String {
    String(decoding: file.bytes[token.range], as: UTF8.self)
  }

  // MARK: Opcodes

  /// Which of the opcodes the piece calls.
  package func opcodes(among names: Set<String>) -> Set<String> {
    let declared = declaredOpcodes
    var called: Set<String> = []
    for file in files {
      for (index, token) in file.tokens.enumerated() where token.kind == .word {
        let name = text(file, token)
        if names.contains(name), mayCall(file, index) { called.insert(name) }
      }
    }
    return called.subtracting(declared)
  }

  /// The names of user-defined opcodes, which hide others.
  private var declaredOpcodes: Set<String> {
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
    guard words.isEmpty else { return true }
    // A label, but for `tone:a(…)`.
    let behind = tokens[(index + 1)...].prefix { $0.kind != .lineEnd }
      .filter { $0.kind != .space }.prefix(3).map { text(file, $0) }
    return behind.first != ":" || (behind.count == 3 && ["(", "["].contains(behind[2]))
  }

  /// Where the parenthesis stands that a function in an expression is called with; nil where there is
  /// none.
  private func call(_ file: File, _ index: Int) -> Int? {
    let tokens = file.tokens
    guard let before = tokens[..<index].last(where: { $0.kind != .space }), before.kind == .other,
      let behind = tokens[(index + 1)...].first(where: { $0.kind != .space }),
      text(file, behind) == "("
    else { return nil }
    return behind.range.lowerBound
  }

  // MARK: Writing

  /// Writes the piece with opcodes called by other names into a directory; returns the CSD's path.
  ///
  /// Files that are included and have none of the opcodes stay where they are.
  package func write(swapping names: [String: String], to directory: String) throws(Failure)
    -> String
  {
    let declared = declaredOpcodes
    let names = names.filter { !declared.contains($0.key) }
    var changed = Set(
      files.indices.filter { number in
        let file = files[number]
        return file.tokens.indices.contains { index in
          names[text(file, file.tokens[index])] != nil && mayCall(file, index)
        }
      })
    changed.insert(0)
    // What includes a changed file changes too.
    var isComplete = false
    while !isComplete {
      let more = files.indices.filter { number in
        !changed.contains(number) && files[number].includes.values.contains(where: changed.contains)
      }
      changed.formUnion(more)
      isComplete = more.isEmpty
    }
    func place(_ number: Int) -> String {
      let name = (files[number].path as NSString).lastPathComponent
      return number == 0 ? "\(directory)/swapped.csd" : "\(directory)/\(number)-\(name)"
    }
    for number in changed {
      let file = files[number]
      var bytes: [UInt8] = []
      var copied = 0
      for (index, token) in file.tokens.enumerated() {
        var text: String?
        if let included = file.includes[index], changed.contains(included) {
          text = place(included)
        } else if token.kind == .word, let other = names[self.text(file, token)],
          mayCall(file, index)
        {
          text = other
        }
        guard let text else { continue }
        bytes += file.bytes[copied..<token.range.lowerBound]
        bytes += text.utf8
        copied = token.range.upperBound
        // Csound knows its own functions when a blank stands before the parenthesis, others not.
        if token.kind == .word, let parenthesis = call(file, index) { copied = parenthesis }
      }
      bytes += file.bytes[copied...]
      guard FileManager.default.createFile(atPath: place(number), contents: Data(bytes)) else {
        throw Failure(.unwritableOutput, "'\(place(number))' cannot be written.")
      }
    }
    return place(0)
  }
}
