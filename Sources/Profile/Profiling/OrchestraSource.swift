import Foundation
import HarnessBase
import Rendering

/// The text of an orchestra: the CSD and the files it includes.
struct OrchestraSource {
  /// A line of one of the files, counted from 1.
  struct Place: Hashable {
    var file: Int
    var line: Int
  }

  struct File {
    var path: String
    var lines: [String]
    /// The lines without comments and with empty strings.
    var code: [String]
  }

  /// The file number for code that is in no file.
  static let noFile = -1

  /// The CSD first, then the included files in the order in which Csound reads them.
  let files: [File]

  init(readingFrom path: String) {
    files = OrchestraFile.all(from: path).map { file in
      func lines(_ range: Range<Int>) -> [String] {
        String(decoding: file.bytes[range], as: UTF8.self).textLines.map(String.init)
      }
      // What stands around a CSD's orchestra can hold any text.
      let before = lines(0..<file.code.lowerBound).dropLast().map { _ in "" }
      let orchestra = lines(file.code).joined(separator: "\n")
      // Without strings, so that words in them are not taken for code.
      let code = OrchestraTokens.code(of: orchestra, emptyingStrings: true).textLines
      return File(
        path: file.path, lines: lines(file.bytes.indices), code: before + code.map(String.init))
    }
  }

  /// The text of a line without leading and trailing spaces; empty if there is no such line.
  func text(_ place: Place) -> String {
    guard files.indices.contains(place.file),
      files[place.file].lines.indices.contains(place.line - 1)
    else { return "" }
    return files[place.file].lines[place.line - 1].trimmingCharacters(in: .whitespaces)
  }

  /// A line without comments and string contents; nil if there is no such line.
  func code(_ place: Place) -> String? {
    guard files.indices.contains(place.file),
      files[place.file].code.indices.contains(place.line - 1)
    else { return nil }
    return files[place.file].code[place.line - 1]
  }

  // MARK: Statements

  /// The line of each statement of one instrument or user-defined opcode.
  ///
  /// The line that Csound reports for an expression is the one after its last, and the statements it makes of `if` and
  /// loops have none. So the line is searched upwards from there, by the names of the outputs and the opcode. A step of
  /// an expression gets the line where its result is used.
  func places(of body: [ProfileTake.Statement]) -> [ProfileTake.Statement: Place] {
    // Code that was compiled during the performance is in a string, not in a file.
    if body.contains(where: \.isLate) {
      return Dictionary(
        uniqueKeysWithValues: body.map { ($0, Place(file: Self.noFile, line: $0.line)) })
    }
    let statements = body.sorted { $0.index < $1.index }
    var places: [ProfileTake.Statement: Place] = [:]
    let (file, header) = home(of: statements)
    for (offset, statement) in statements.enumerated() {
      let before = statements[..<offset].last { places[$0] != nil }
      let above = before.flatMap { places[$0] }
      if statement.isCondition, statement.line > 0 {
        // Of `c ? x : y`, and in the line of the assignment before it there is no other.
        let lines = [statement.line - 1, statement.line].filter { line in
          code(Place(file: file, line: line))?.contains("?") == true
            && (above?.line != line || before?.assigned.isEmpty == true)
        }
        places[statement] = lines.first.map { Place(file: file, line: $0) }
      }
      guard !statement.isStep, !statement.isCondition else { continue }
      // What `c ? x : y` gives has no line, but its condition or a part of it has.
      let reported = statements[...offset].last { $0.line > 0 }?.line ?? 0
      guard statement.line > 0 || reported > 0 && !statement.assigned.isEmpty else { continue }
      var first = above.flatMap { $0.file == file ? $0.line - 1 : nil } ?? 0
      // One line does not assign a variable twice.
      if let before, !before.assigned.isEmpty, before.assigned == statement.assigned { first += 2 }
      places[statement] =
        line(of: statement, in: file, from: max(header, first), to: reported).map {
          Place(file: file, line: $0)
        } ?? (statement.line > 0 ? elsewhere(statement, after: above) : nil)
        ?? Place(file: file, line: reported)
    }
    // Steps of expressions, whose result is used further down, and statements made of a condition.
    for (offset, statement) in statements.enumerated().reversed() where places[statement] == nil {
      let later = statements[(offset + 1)...]
      if let result = statement.outputs.first,
        let user = later.first(where: { $0.inputs.contains(result) }), let place = places[user]
      {
        places[statement] = place
      }
    }
    var last = Place(file: file, line: max(header, 1))
    for (offset, statement) in statements.enumerated() {
      if let place = places[statement] {
        last = place
        continue
      }
      let next = statements[(offset + 1)...].first { places[$0] != nil }.flatMap { places[$0] }
      if statement.isCondition {
        let end = next.map { $0.line } ?? files[file].code.count
        last.line = condition(in: file, from: last.line, to: max(last.line, end)) ?? last.line
      } else if statement.line > 0 {
        last.line = max(last.line, min(statement.line, next?.line ?? statement.line))
      }
      places[statement] = last
    }
    return places
  }

  /// The file of the statements, and the line where their instrument or opcode begins.
  private func home(of statements: [ProfileTake.Statement]) -> (file: Int, header: Int) {
    let number = statements.first { $0.line > 0 }.map { max(0, $0.file - 1) } ?? 0
    let file = files.indices.contains(number) ? number : 0
    guard files.indices.contains(file),
      let first = statements.filter({ $0.line > 0 }).map(\.line).min()
    else { return (0, 1) }
    let code = files[file].code
    let header = stride(from: min(first, code.count), to: 0, by: -1).first {
      code[$0 - 1].contains(/^\s*(instr|opcode)\b/)
    }
    return (file, header ?? 1)
  }

  private func line(
    of statement: ProfileTake.Statement, in file: Int, from first: Int, to reported: Int
  ) -> Int? {
    guard files.indices.contains(file) else { return nil }
    let code = files[file].code
    let last = min(reported, code.count)
    guard first <= last else { return nil }
    // Of an expression Csound reports the line after it, but for one that ends with a parenthesis.
    var lines = Array(stride(from: last, through: max(first, 1), by: -1))
    if statement.isOperator, !lines.isEmpty {
      let reported = lines.removeFirst()
      lines.insert(reported, at: statement.line > 0 ? lines.count : min(1, lines.count))
    }
    return lines.first { statement.isWritten(in: code[$0 - 1]) }
  }

  /// The place of a statement in a macro of several lines, for which Csound reports neither file nor
  /// line: the only line in all files that fits, or the first that fits after the previous statement.
  private func elsewhere(_ statement: ProfileTake.Statement, after above: Place?) -> Place? {
    let fitting = files.indices.flatMap { file in
      files[file].code.indices.filter { statement.isWritten(in: files[file].code[$0]) }
        .map { Place(file: file, line: $0 + 1) }
    }
    if fitting.count == 1 { return fitting[0] }
    guard let above else { return nil }
    return fitting.first { $0.file == above.file && $0.line >= above.line }
  }

  /// The first line with a condition or a loop in a range of lines.
  private func condition(in file: Int, from first: Int, to last: Int) -> Int? {
    guard files.indices.contains(file), first <= last else { return nil }
    let code = files[file].code
    return (first...last).first { line in
      line <= code.count && code[line - 1].contains(/\b(if|elseif|while|until|for|od|else)\b|\?/)
    }
  }
}

extension ProfileTake.Statement {
  /// Whether the statement is a step of an expression, whose result has no name in the orchestra.
  fileprivate var isStep: Bool {
    guard let result = outputs.first else { return false }
    return result.hasPrefix("#")
  }

  /// Whether Csound made the statement of `if`, `while`, `until` or `c ? x : y`; of the last it says a line.
  fileprivate var isCondition: Bool {
    line == 0 && isStep || (line == 0 || file == 0) && opcode.contains("goto")
  }

  /// Whether it is an assignment or the last operation of an expression.
  fileprivate var isOperator: Bool { !(word.first?.isLetter ?? false) || indexed != nil }

  /// The array or audio signal of an assignment to one of its elements.
  private var indexed: String? {
    switch word {
    case "##array_set", "##array_init": inputs.first
    case "vaset": inputs.last
    default: nil
    }
  }

  fileprivate var assigned: [String] { indexed.map { [$0] } ?? outputs }

  /// The opcode's name as an orchestra writes it.
  fileprivate var word: String { String(opcode.prefix { $0 != "." }) }

  /// Whether a line of code may be this statement: it assigns the statement's outputs or, if there are
  /// none, contains its opcode.
  fileprivate func isWritten(in code: String) -> Bool {
    let words = Set(code.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
    if let variable = indexed {
      return words.contains(variable) && code.contains("[") && code.contains("=")
    }
    guard !outputs.isEmpty else { return words.contains(word) }
    guard outputs.allSatisfy({ words.contains($0) }) else { return false }
    if !isOperator && words.contains(word) { return true }
    // As an assignment, or through a macro.
    guard let name = code.firstRange(of: outputs[0]) else { return false }
    let behind = code[name.upperBound...]
    return behind.contains(/^\s*(\[[^\]]*\])?\s*(,\s*\w+\s*(\[[^\]]*\])?\s*)*([-+*\/|&]?=[^=]|=$)/)
      || !isOperator && behind.contains("$")
  }
}
