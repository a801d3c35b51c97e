import Foundation

/// A CSD without its macros: what is played unless a macro is set from outside, to be read, and pasted elsewhere.
///
/// User-defined opcodes that are not called are left out, and so are comments about macros.
struct PlainOrchestra {
  private(set) var text: String

  private struct Macro {
    var parameters: [String]
    var body: String
  }

  private var macros: [String: Macro] = [:]

  init(_ csd: String) {
    text = ""
    let lines = csd.textLines.map(String.init)
    var used = expanded(lines)
    while let unused = Self.unusedOpcode(in: used) { used.removeSubrange(unused) }
    text = Self.tidied(used).joined(separator: "\n") + "\n"
  }

  /// The lines that are compiled, with their macros expanded. An empty string stands for a directive.
  private mutating func expanded(_ lines: [String]) -> [String] {
    var result: [String] = []
    var comments: [String] = []
    // Whether each conditional that is open lets lines through.
    var open: [Bool] = []
    var definition: [String]?
    for line in lines {
      let words = line.trimmingCharacters(in: .whitespaces)
      if let begun = definition {
        definition = begun + [line]
        guard words.hasSuffix("#") else { continue }
        define((begun + [line]).joined(separator: "\n"))
        definition = nil
      } else if let match = words.wholeMatch(of: /#if(n?)def\s+(\w+).*/) {
        open.append((macros[String(match.2)] != nil) == match.1.isEmpty)
        comments = []
      } else if words.hasPrefix("#else") {
        if let last = open.popLast() { open.append(!last) }
      } else if words.hasPrefix("#end") {
        _ = open.popLast()
      } else if !open.allSatisfy(\.self) {
        continue
      } else if words.hasPrefix("#define") {
        // Comments before it describe the macro.
        comments = []
        if words.count(where: { $0 == "#" }) >= 3 { define(line) } else { definition = [line] }
      } else if words.hasPrefix(";") {
        if !words.contains(/macro|--opcode-lib/) { comments.append(line) }
      } else {
        result += comments
        comments = []
        result += expanded(line, depth: 0).split(
          separator: "\n", omittingEmptySubsequences: false
        ).map(String.init)
      }
    }
    return result
  }

  private mutating func define(_ text: String) {
    guard let match = text.firstMatch(of: /#define\s+(\w+)(?:\(([^)]*)\))?\s*#(?s:(.*))#/) else {
      return
    }
    let parameters = (match.2 ?? "").split { $0 == "'" || $0 == "," }.map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    macros[String(match.1)] = Macro(
      parameters: parameters,
      body: match.3.trimmingCharacters(in: CharacterSet(charactersIn: "\n")))
  }

  /// A line with its macros expanded; those that Csound has itself, such as `$M_PI`, stay.
  private func expanded(_ line: String, depth: Int) -> String {
    guard depth < 10, line.contains("$") else { return line }
    var isChanged = false
    let result = line.replacing(/\$(\w+)(?:\(([^()]*)\))?(\.?)/) { match in
      let name = String(match.1)
      guard let macro = macros[name] else { return String(match.0) }
      isChanged = true
      var body = macro.body
      let rest = macro.parameters.isEmpty ? match.2.map { "(\($0))" } ?? "" : ""
      let values = (match.2 ?? "").split { $0 == "'" || $0 == "," }
      for (parameter, value) in zip(macro.parameters, values) {
        // Csound takes any characters as a name.
        guard let mention = try? Regex("\\$\(parameter)\\b\\.?") else { continue }
        body = body.replacing(mention, with: String(value))
      }
      return body + rest + (rest.isEmpty ? "" : match.3)
    }
    return isChanged ? expanded(result, depth: depth + 1) : result
  }

  /// The lines of the first user-defined opcode that is called nowhere, with the comment before it; nil if there is none.
  private static func unusedOpcode(in lines: [String]) -> Range<Int>? {
    for (index, line) in lines.enumerated() {
      guard let match = line.firstMatch(of: /^\s*opcode\s+(\w+)/),
        let end = lines[index...].firstIndex(where: { $0.contains(/^\s*endop\b/) })
      else { continue }
      let call = try! Regex("\\b\(match.1)\\b")
      let others = lines[..<index] + lines[(end + 1)...]
      if others.contains(where: { $0.prefix { $0 != ";" }.contains(call) }) { continue }
      var start = index
      while start > 0, lines[start - 1].hasPrefix(";") { start -= 1 }
      return start..<end + 1
    }
    return nil
  }

  /// The lines without empty ones that follow another, and without those at the beginning and the end.
  private static func tidied(_ lines: [String]) -> [String] {
    var result: [String] = []
    for line in lines where !(line.isEmpty && result.last?.isEmpty != false) { result.append(line) }
    while result.last?.isEmpty == true { result.removeLast() }
    return result
  }
}
