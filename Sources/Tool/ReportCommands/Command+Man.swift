import CommandKit
import Comparing
import Foundation
import HarnessBase
import Manuals
import Scenes
import Validating

extension Project {
  /// What is known of the opcodes' arguments: the file that an option names, or that lies beside the
  /// opcodes.
  static func argumentFile(_ arguments: Arguments) throws(Failure) -> ArgumentFile {
    guard let path = dataFile(arguments, .arguments, "arguments") else { return ArgumentFile() }
    return try ArgumentFile(readingFrom: path)
  }
}

/// The manual page of an opcode, as a package has it.
package struct ManualPage {
  package let name: String
  /// What the opcode does, in a line.
  package let summary: String
  package let markdown: String

  /// The pages of all opcodes of the package the tool is used in, or of the kit's, by name.
  package static func all() throws(Failure) -> [ManualPage] {
    var pages: [ManualPage] = []
    for manual in try Manual.all(in: Project.opcodeSources) { pages.append(try ManualPage(manual)) }
    return pages
  }

  init(_ manual: Manual) throws(Failure) {
    (name, summary) = (manual.name, manual.summary)
    markdown =
      ManualMarkdown(
        manual, examples: try Project.examples(of: manual),
        builtins: try Project.builtinRivals(of: manual)
      ).text
  }
}

extension Command {
  private static let markdown = Option(
    name: "markdown", help: "Print it in Markdown, with the headings risset looks for.")

  static let man = Command(
    name: "man", operands: "[NAME …]",
    summary: "Show the manual page of an opcode, from its own source; without NAME, list them.",
    options: [.sources, markdown]
  ) { arguments throws(Failure) in
    let manuals = try Project.manuals(arguments)
    guard !arguments.operands.isEmpty else {
      print(Table(rows: manuals.map { [$0.name, $0.summary] }).text)
      return .success
    }
    // Longer lines are hard to read, shorter ones break syntax and equations.
    let width = min(max(Terminal.columns ?? 80, 40), 100)
    var pages: [String] = []
    for manual in manuals {
      guard !arguments[markdown] else {
        pages.append(try ManualPage(manual).markdown)
        continue
      }
      pages.append(
        ManualText(
          manual, examples: try Project.examples(of: manual),
          builtins: try Project.builtinRivals(of: manual), width: width, isBold: Terminal.isBold
        ).text)
    }
    print(pages.joined(separator: "\n"), terminator: "")
    let problems = manuals.uniqueProblems
    for problem in problems { printError("opcodekit: \(problem)") }
    return problems.isEmpty ? .success : .checkFailed
  }
}

extension [Manual] {
  /// What their sources leave out or contradict, each once.
  var uniqueProblems: [String] {
    flatMap(\.problems).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}

extension Project {
  /// Where the Swift files of the opcodes are.
  static var opcodeSources: String { AuthorPackage.current?.sources ?? root + "/Opcodes" }

  /// The manual pages of the opcodes that are named, or of all when none are.
  static func manuals(_ arguments: Arguments) throws(Failure) -> [Manual] {
    let directory = arguments[.sources] ?? opcodeSources
    let all = try Manual.all(in: directory)
    guard !all.isEmpty else {
      throw Failure(
        .missingInput,
        "No Swift file in '\(directory)' declares an opcode with `@Opcode`; name the directory of"
          + " one with --sources.")
    }
    let names = arguments.operands
    guard !names.isEmpty else { return all }
    var chosen: [Manual] = []
    for name in names {
      guard let manual = all.first(where: { $0.name == name }) else {
        throw Failure(.usage, NearNames.unknown("No opcode", name, Set(all.map(\.name))))
      }
      if !chosen.contains(where: { $0.name == name }) { chosen.append(manual) }
    }
    return chosen
  }

  /// The orchestras that play an opcode: `csd/NAME.csd`, then `csd/NAME-….csd`.
  static func examples(of manual: Manual) throws(Failure) -> [Example] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root + "/csd")) ?? []
    let own = names.filter { name in
      name == manual.name + ".csd" || name.hasPrefix(manual.name + "-") && name.hasSuffix(".csd")
    }
    var examples: [Example] = []
    for name in own.sorted(by: { ($0.count, $0) < ($1.count, $1) }) {
      let path = "csd/" + name
      try requireReadableFile(root + "/" + path)
      let text = try? String(contentsOfFile: root + "/" + path, encoding: .utf8)
      guard let text else { throw Failure(.badInput, "'\(path)' is not text in UTF-8.") }
      examples.append(Example(path: path, text: text))
    }
    return examples
  }

  /// Csound's own opcodes that an opcode is held against, in alphabetical order.
  package static func builtinRivals(of manual: Manual) throws(Failure) -> [String] {
    let rivals = try Pairing.all(in: root + "/Benchmarks").pairings.filter {
      $0.subject == manual.name && $0.rivalSource == nil
    }
    guard !rivals.isEmpty else { return [] }
    let own = try csoundsOwn.get()
    // What an orchestra defines itself is not Csound's.
    return Set(
      rivals.filter { $0.usesInstalledPlugins == true || own.contains($0.rival) }.map(\.rival)
    ).sorted()
  }

  /// The names of the opcodes that every Csound has.
  private static let csoundsOwn = Result { () throws(Failure) -> Set<String> in
    let validator = Validator(worker: [executable, "worker"], directory: "")
    return Set(try validator.builtins().map(\.opcode))
  }
}

/// An orchestra that plays an opcode.
struct Example {
  /// From the project's root.
  var path: String
  var text: String

  /// The instrument with the opcode in it, from `instr` to `endin`; nil where there is none.
  var instrument: String? {
    text.matches(of: /(?m)^ *instr\b(?s:.*?)^ *endin\b/).map { String($0.output) }
      .first { $0.contains("$OPCODE") }
  }
}
