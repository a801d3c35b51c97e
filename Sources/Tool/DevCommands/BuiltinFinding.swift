import Foundation
import HarnessBase

/// A fault of one of Csound's own opcodes, and the orchestra that shows it.
///
/// The orchestra's first comments describe the fault, in prose, then in lines `; Key: text`. A text may go on in the
/// next line. The numbers that the orchestra prints after the word `seen` are v1, v2 and so on in `Expected`.
package struct BuiltinFinding: Sendable {
  /// The orchestra's file name without `.csd`.
  package let name: String
  package let path: String
  /// The opcodes it concerns, in words.
  let opcodes: String
  /// What a user meets, in one sentence.
  let problem: String
  /// How it shows, in a Csound that has it.
  package let symptom: Symptom
  package let expected: Expectation

  /// How a fault shows.
  package enum Symptom: String, Codable, CaseIterable, Sendable {
    case crash
    case noEnd = "no end"
    case wrongValues = "wrong values"
  }

  private static let keys = [
    "Opcode", "Problem", "Seen", "Expected", "Check", "Source", "Patch",
  ]

  /// Reads all orchestras of a directory, sorted by name.
  package static func all(in directory: String) throws(Failure) -> [BuiltinFinding] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    let names = files.filter { $0.hasSuffix(".csd") }.sorted()
    guard !names.isEmpty else {
      throw Failure(.missingInput, "There are no orchestras in '\(directory)'.")
    }
    return try names.map { (name) throws(Failure) in
      let path = "\(directory)/\(name)"
      try requireReadableFile(path)
      guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
        throw Failure(.badInput, "'\(path)' is not text.")
      }
      return try BuiltinFinding(path: path, text: text)
    }
  }

  package init(path: String, text: String) throws(Failure) {
    self.path = path
    name = ((path as NSString).lastPathComponent as NSString).deletingPathExtension
    func failure(_ problem: String) -> Failure { Failure(.badInput, "'\(path)': \(problem)") }
    var saysRight = false
    var values: [String: String] = [:]
    var key: String?
    var isHead = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line == "<CsInstruments>" {
        isHead = true
      } else if isHead, line.hasPrefix("; ") {
        let words = line.dropFirst(2)
        if let match = words.prefixMatch(of: /([A-Z][a-z]+): (.+)/),
          Self.keys.contains("\(match.1)")
        {
          key = String(match.1)
          values["\(match.1)"] = String(match.2)
        } else if let key {
          values[key]? += " " + words.trimmingCharacters(in: .whitespaces)
        } else if words.contains("Right: ") {
          saysRight = true
        }
      } else if isHead {
        isHead = false
      }
    }
    guard saysRight else { throw failure("no comment says what is 'Right: '.") }
    func value(_ key: String) throws(Failure) -> String {
      guard let value = values[key] else { throw failure("a comment '; \(key): …' is missing.") }
      return value
    }
    (opcodes, problem) = (try value("Opcode"), try value("Problem"))
    let seen = try value("Seen")
    guard let symptom = Symptom(rawValue: seen) else {
      throw failure(
        "'Seen' is '\(seen)'; it takes "
          + Symptom.allCases.map(\.rawValue).joined(separator: ", ") + ".")
    }
    self.symptom = symptom
    let words = try value("Expected")
    guard let expected = Expectation(words) else {
      throw failure("'Expected' is '\(words)', which is not understood.")
    }
    self.expected = expected
  }
}

/// What an orchestra should do: `no crash`; or conditions such as `v1 = v2, v3 < 2`, with `within 0.01` behind them if
/// equal numbers may differ by so much, and `or an error` if Csound may refuse instead.
package struct Expectation: Sendable {
  let text: String
  private let conditions: [Condition]
  /// The greatest difference of equal numbers.
  private let tolerance: Double
  private let allowsError: Bool

  private struct Condition {
    var left, right: Term
    var isLess: Bool
  }

  private enum Term {
    case seen(Int)
    case number(Double)

    init?(_ text: Substring) {
      if text.hasPrefix("v"), let index = Int(text.dropFirst()), index > 0 {
        self = .seen(index - 1)
      } else if let number = Double(text) {
        self = .number(number)
      } else {
        return nil
      }
    }

    func value(_ seen: [Double]) -> Double? {
      switch self {
      case .seen(let index): index < seen.count ? seen[index] : nil
      case .number(let number): number
      }
    }
  }

  /// Nil if the text is none.
  package init?(_ text: String) {
    self.text = text
    var rest = text[...]
    allowsError = rest == "no crash" || rest.hasSuffix(" or an error")
    if rest == "no crash" { rest = "" }
    if rest.hasSuffix(" or an error") { rest = rest.dropLast(12) }
    var tolerance = 1e-6
    if let match = rest.firstMatch(of: /\ within ([0-9.e-]+)$/) {
      guard let number = Double(match.1) else { return nil }
      tolerance = number
      rest = rest[..<match.range.lowerBound]
    }
    self.tolerance = tolerance
    var conditions: [Condition] = []
    for part in rest.split(separator: ", ") {
      let words = part.split(separator: " ")
      guard words.count == 3, words[1] == "=" || words[1] == "<", let left = Term(words[0]),
        let right = Term(words[2])
      else { return nil }
      conditions.append(Condition(left: left, right: right, isLess: words[1] == "<"))
    }
    guard !conditions.isEmpty || text == "no crash" else { return nil }
    self.conditions = conditions
  }

  /// The numbers, from 1, of the conditions that are not fulfilled. One with a number that was not printed is not.
  func broken(_ seen: [Double]) -> [Int] {
    conditions.indices.filter { index in
      let condition = conditions[index]
      guard let left = condition.left.value(seen), let right = condition.right.value(seen) else {
        return true
      }
      // NaN fulfills neither.
      return condition.isLess ? !(left < right) : !(abs(left - right) <= tolerance)
    }.map { $0 + 1 }
  }

  /// Whether what was seen is right.
  package func holds(_ sight: Sight) -> Bool {
    switch sight.ending {
    case .crash, .noEnd, .noOpcode: false
    case .refused: allowsError
    case .error: allowsError || broken(sight.numbers).isEmpty
    case .played: broken(sight.numbers).isEmpty
    }
  }
}
