import Foundation
import HarnessBase

/// An `Overload(…)` written out in a source file, without `@Opcode`, as far as its text tells.
///
/// A C function says nothing of the type it is for, so the compiler takes any two for the passes of any
/// struct; and the proof of a performance pass is the function's own to ask for.
public struct HandwrittenOverload: Sendable {
  /// The file, and the line it begins in.
  public let path: String
  public let line: Int
  /// With its suffix; empty where it is not written out.
  public let name: String
  /// What does not fit together, a sentence each.
  public private(set) var problems: [String] = []

  /// What the Swift files in a directory and below have of them.
  public static func all(in directory: String) throws(Failure) -> [HandwrittenOverload] {
    let texts = try OpcodeSource.texts(in: directory)
    let code = texts.map(\.text).joined(separator: "\n")
    return texts.flatMap { file in
      file.text.ranges(of: /\bOverload\(\s*(?=[\w.]+(?:<[^()]*>)?\.self\b)/).map { range in
        HandwrittenOverload(
          path: file.path, line: file.text[..<range.lowerBound].count(where: \.isNewline) + 1,
          words: String(Self.operands(of: file.text[range.upperBound...])), code: code)
      }
    }
  }

  /// Whether the Swift files in a directory and below may have any: whether they have the word at all, or add
  /// something whose type is not written out.
  public static func mayBe(in directory: String) throws(Failure) -> Bool {
    try OpcodeSource.texts(in: directory).contains {
      $0.text.contains(/\bOverload\b|\.add\(\s*\.init\b/)
    }
  }

  /// The text up to the bracket that closes what was opened before it.
  private static func operands(of text: Substring) -> Substring {
    var depth = 1
    return text.prefix { letter in
      if letter == "(" { depth += 1 }
      if letter == ")" { depth -= 1 }
      return depth > 0
    }
  }

  private init(path: String, line: Int, words: String, code: String) {
    (self.path, self.line) = (path, line)
    name = words.firstMatch(of: /"([^"]*)"/).map { String($0.1) } ?? ""
    guard let type = words.prefixMatch(of: /([\w.]+(?:<[^()]*>)?)\.self/).map({ Self.plain($0.1) })
    else { return }
    if let match = words.firstMatch(of: /initialize:\s*\{\s*([\w.]+(?:<[^()]*>)?)\.initialize\(/),
      Self.plain(match.1) != type
    {
      problems.append(
        "the init pass is that of \(Self.plain(match.1)), and the overload is of \(type);"
          + " write 'initialize: { \(type).initialize($0, $1) }'.")
    }
    checkPerformance(words, type, code)
  }

  private mutating func checkPerformance(_ words: String, _ type: String, _ code: String) {
    guard let match = words.firstMatch(of: /\bperform:\s*(?:(\w+)|\{)/) else { return }
    guard let function = match.1 else {
      problems.append(
        "the performance pass is a closure, of which the compiler proves nothing; write a function with"
          + " '@c @_noLocks @_noAllocation' before it.")
      return
    }
    let head = try! Regex<(Substring, Substring, Substring)>(
      #"((?:@\w+(?:\([^)]*\))?\s+|\w+\s+)*)func \#(function)\(([^}]*)"#)
    guard let found = code.firstMatch(of: head)?.output else { return }
    let missing = ["@_noLocks", "@_noAllocation"].filter { !found.1.contains($0) }
    if !missing.isEmpty {
      problems.append(
        "the compiler proves nothing of '\(function)', the performance pass: write"
          + " '\(missing.joined(separator: " "))' before it.")
    }
    if let performed = found.2.firstMatch(of: /([\w.]+(?:<[^()]*>)?)\.perform\(/),
      Self.plain(performed.1) != type
    {
      problems.append(
        "the performance pass, '\(function)', is that of \(Self.plain(performed.1)), and the overload is"
          + " of \(type); call \(type).perform in it.")
    }
  }

  private static func plain(_ type: Substring) -> String {
    type.filter { !$0.isWhitespace }.replacing(",", with: ", ")
  }
}
