import Foundation
import HarnessBase
import TypeLetters

/// What a Swift source file says of opcodes: its comments, the arguments of its structs, and the
/// overloads it registers.
///
/// It reads the text, not the program: structs and comments that begin a line, `@Opcode` before a
/// struct, and overloads whose names and type strings are written out in `Overload(…)`.
struct OpcodeSource {
  /// One `let` of a struct's `Arguments`.
  struct Field {
    var names: [String]
    var declaration: ArgumentDeclaration
    var text: String?
  }

  /// One overload.
  struct Registration {
    /// The struct's name.
    var type: String
    /// The kind that `@Opcode` names.
    var kind: String?
    /// The name with its suffix.
    var name: String
    var outputs: String
    var inputs: String
    var summary: String

    var opcode: String { String(name.prefix { $0 != "." }) }
  }

  let path: String
  /// Comments that begin a line, without slashes.
  private(set) var comments: [[String]] = []
  /// The fields of `Arguments`, by the name of the struct it stands in.
  private(set) var arguments: [String: [Field]] = [:]
  private(set) var registrations: [Registration] = []
  /// Those of them that `@Opcode` makes.
  private(set) var declared: [Registration] = []
  /// How many overloads it registers in a way that is not understood.
  private(set) var unreadRegistrations: Int

  private nonisolated(unsafe) static let registration =
    #/
    Overload\(\s*(\w+)(?:<[^>]*>)?\.self,\s*"([^"]+)",\s*outputs:\s*"([^"]*)",
    \s*inputs:\s*"([^"]*)",\s*summary:\s*(?:"([^"]*)"|(\w+))
    /#

  private init(_ path: String, _ text: String) {
    self.path = path
    let code = text.matches(of: Self.registration)
    registrations = code.map { match in
      let constant = match.6.flatMap { name in
        text.firstMatch(of: try! Regex("let \(name)(?:: StaticString)? =\\s*\"([^\"]*)\""))
      }
      let summary = match.5.map(String.init) ?? constant?.output[1].substring.map(String.init)
      return Registration(
        type: String(match.1), name: String(match.2), outputs: String(match.3),
        inputs: String(match.4), summary: summary ?? "")
    }
    unreadRegistrations = text.matches(of: /\bOverload\(\s*\w+(<[^>]*>)?\.self/).count - code.count
    read(text.textLines.map(String.init))
    for match in text.matches(of: Self.declaration) {
      // The first parameter is the kind where the attribute names one.
      let parameters = match.5?.split(separator: ",").dropFirst(match.3 == nil ? 0 : 1) ?? []
      let overloads = overloads(
        of: String(match.4), named: String(match.1), summary: String(match.2),
        kind: match.3.map(String.init),
        // `Cutoff` of `Cutoff: Signal`.
        parameters: parameters.map {
          $0.prefix { $0 != ":" }.trimmingCharacters(in: .whitespaces)
        })
      declared += overloads
      if overloads.isEmpty { unreadRegistrations += 1 }
    }
    registrations += declared
  }

  private nonisolated(unsafe) static let declaration =
    #/
    @Opcode\(\s*"([^"]+)",\s*"([^"]*)"(?:,\s*([^)]*?)\.self)?\s*\)
    (?=(?:\s*@Opcode\(\s*"[^"]+",\s*"[^"]*"[^)]*\))*
    \s*(?:public\s+|package\s+)?struct\s+(\w+)(?:<([^>]*)>)?)
    /#

  /// The overloads `@Opcode` makes of a struct; none where the compiler would refuse it.
  private func overloads(
    of type: String, named name: String, summary: String, kind: String?, parameters: [String]
  ) -> [Registration] {
    SignalRates.all(of: parameters).compactMap { rates in
      let declarations = (arguments[type] ?? []).flatMap { field in
        field.names.map { _ in field.declaration }
      }
      guard let items = try? declarations.map({ try $0.item(where: rates.types) }) else {
        return nil
      }
      func types(areOutputs: Bool) -> String {
        items.filter { $0.type.isOutput == areOutputs }.map(\.text).joined()
      }
      return Registration(
        type: type, kind: kind, name: rates.overload(of: name), outputs: types(areOutputs: true),
        inputs: types(areOutputs: false), summary: summary)
    }
  }

  private mutating func read(_ lines: [String]) {
    var isInComment = false
    var type = ""
    var comment: [String] = []
    var marks = ""
    var fields: [Field]?
    for line in lines {
      if line.hasPrefix("//") {
        if !isInComment { comments.append([]) }
        let text = line.drop { $0 == "/" }
        comments[comments.count - 1].append(String(text.first == " " ? text.dropFirst() : text))
        isInComment = true
        continue
      }
      isInComment = false
      // A regex is made anew for each line that meets it: only where it may match.
      if line.contains("struct ") {
        if let match = line.prefixMatch(of: /(?:\w+ )*struct (\w+)/) { type = String(match.1) }
        if line.contains(/^  +struct Arguments\b/) { fields = [] }
      }
      guard let open = fields else { continue }
      if let match = line.firstMatch(of: /^ +\/\/\/? ?(.*)$/) {
        comment.append(String(match.1))
      } else if let match = line.firstMatch(
        of: /^ +(?:@.* )?let ([\w, `]+): *([^\/]*)(?:\/\/+ *(.*))?$/)
      {
        let words = match.3.map { [String($0)] } ?? comment
        let names = match.1.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        let said = marks + line
        let declaration = ArgumentDeclaration(
          type: match.2.trimmingCharacters(in: .whitespaces),
          fallback: said.firstMatch(of: /@Default\(([^)]*)\)/).flatMap { Double($0.1) },
          letter: said.firstMatch(of: /@Letter\("(.)"\)/).map { String($0.1) })
        fields =
          open + [
            Field(
              names: names, declaration: declaration,
              text: words.isEmpty ? nil : words.joined(separator: " "))
          ]
        (comment, marks) = ([], "")
      } else if line.contains(/^ +@/) {
        marks += line
      } else if line.contains(/^ +}/) {
        arguments[type] = open
        (fields, comment) = (nil, [])
      }
    }
  }

  /// The comment with an opcode's syntax in its first paragraph.
  func comment(on opcode: String) -> [String]? {
    comments.first { lines in
      lines.prefix { !$0.trimmingCharacters(in: .whitespaces).isEmpty }
        .contains { Syntax($0.prefix { $0 != ":" }.description, opcode: opcode) != nil }
    }
  }

  static func all(in directory: String) throws(Failure) -> [OpcodeSource] {
    try texts(in: directory).map(OpcodeSource.init)
  }

  /// Every Swift file in a directory and below, in alphabetical order.
  static func texts(in directory: String) throws(Failure) -> [(path: String, text: String)] {
    guard FileManager.default.fileExists(atPath: directory),
      let names = FileManager.default.enumerator(atPath: directory)
    else { throw .missingInput("The directory '\(directory)' with the opcodes is missing.") }
    let files = names.compactMap { $0 as? String }
      .filter { $0.hasSuffix(".swift") && !$0.hasPrefix(".") }.sorted()
    return try files.map { name throws(Failure) in
      let path = directory + "/" + name
      try requireReadableFile(path)
      guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
        throw .badInput("'\(path)' is not text in UTF-8; a Swift source file must be.")
      }
      return (path, text)
    }
  }
}
