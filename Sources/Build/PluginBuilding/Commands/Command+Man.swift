import CommandKit
import Comparing
import Foundation
import HarnessBase
import Linting
import Rendering

extension ArgumentFile {
  /// What is known of the opcodes' arguments: the file that an option names, or that lies beside the
  /// opcodes.
  package init(_ arguments: Arguments) throws(Failure) {
    self.init()
    if let path = Project.dataFile(arguments, .arguments, "arguments") {
      self = try ArgumentFile(readingFrom: path)
    }
  }
}

extension Command {
  private static let markdown = Option(
    name: "markdown", help: "Print it in Markdown, with the headings risset looks for.")
  private static let format = Option(
    name: "format", value: "FORMAT",
    takes: .one("risset or csound-manual") { ManualFormat(rawValue: $0) },
    help:
      "Print it in Markdown: risset as --markdown does, csound-manual in the format of Csound's own manual."
  )
  private static let pages = Option(
    name: "output", letter: "o", value: "DIR",
    help: "Write the pages as Markdown into this directory; without NAME, those of all opcodes.")

  /// The directory, made if it is not there.
  package static func outputDirectory(_ path: String) throws(Failure) -> String {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw .unwritableOutput(
        "The directory '\(path)' cannot be made; name one where you may write with --output.")
    }
    // Also tells whether files can be written there.
    _ = try FileExport(path + "/index.html")
    return path
  }

  package static let man = Command(
    name: "man", operands: "[NAME …]",
    summary:
      "Show the manual page of an opcode or of a name of OpcodeKit, or what mentions a word; without NAME, list the opcodes.",
    options: [.sources, markdown, format, pages, .toolCsound]
  ) { arguments throws(Failure) in
    let directory = arguments[pages]
    let isMarkdown = arguments[markdown] || directory != nil
    let format = arguments[format] ?? (isMarkdown ? .risset : nil)
    let manuals: [Manual]
    if format == nil, !arguments.operands.isEmpty, !arguments.has(.sources) {
      manuals = try show(arguments.operands)
    } else {
      manuals = try Manual.chosen(arguments)
      if let format {
        // The package of other sources is not known.
        let origin = arguments.has(.sources) ? nil : ManualOrigin(of: Project.root)
        let pages = try ManualPage.all(manuals, for: format, origin: origin)
        if let directory {
          try write(pages, to: URL(fileURLWithPath: directory).standardizedFileURL.path)
        } else {
          print(pages.map(\.markdown).joined(separator: "\n"), terminator: "")
        }
        if format == .csoundManual { tellMissingCategories(manuals) }
      } else if arguments.operands.isEmpty {
        print(Table(rows: manuals.map { [$0.name, $0.summary] }).text)
        return .success
      } else {
        print(
          try manuals.map { manual throws(Failure) in try text(manual) }.joined(separator: "\n"),
          terminator: "")
      }
    }
    let problems = manuals.uniqueProblems
    for problem in problems { printError("opcodekit: \(problem)") }
    return problems.isEmpty ? .success : .checkFailed
  }

  /// Shows a page for each word, of an opcode or else of the kit; returns the manuals of the opcodes.
  private static func show(_ words: [String]) throws(Failure) -> [Manual] {
    let opcodes = try Manual.all(in: Project.opcodeSources)
    var shown: [Manual] = []
    var pages: [String] = []
    var reference: KitReference?
    for word in words {
      if let manual = opcodes.first(where: { $0.name == word }) {
        shown.append(manual)
        pages.append(try text(manual))
      } else {
        if reference == nil { reference = try KitReference() }
        pages.append(try reference!.text(of: word, opcodes: opcodes))
      }
    }
    print(pages.joined(separator: "\n"), terminator: "")
    return shown
  }

  private static func text(_ manual: Manual) throws(Failure) -> String {
    TerminalPage(manual, examples: try manual.examples(), builtins: try manual.builtinRivals()).text
  }

  private static func write(_ pages: [ManualPage], to directory: String) throws(Failure) {
    let files = pages.flatMap(\.files)
    for file in files {
      let path = directory + "/" + file.path
      _ = try outputDirectory(path.parentPath)
      try FileExport(path).write(file.text, isTold: false)
    }
    print(
      "\(Project.short(directory)): \(pages.count.counted("page")), \((files.count - pages.count).counted("example"))"
    )
  }

  private static func tellMissingCategories(_ manuals: [Manual]) {
    for manual in manuals where manual.category == nil {
      printError(
        "opcodekit: '\(manual.name)' has no category, so its page says '\(CsoundManualPage.otherCategory)';"
          + " write 'Category: …' on a line of its comment, with a name from the manual's categories.py."
      )
    }
  }
}

extension [Manual] {
  /// What their sources leave out or contradict, each once.
  package var uniqueProblems: [String] {
    flatMap(\.problems).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}

extension Manual {
  /// The manual pages of the opcodes that are named, or of all when none are.
  package static func chosen(_ arguments: Arguments) throws(Failure) -> [Manual] {
    let directory = arguments[.sources] ?? Project.opcodeSources
    let all = try Manual.all(in: directory)
    guard !all.isEmpty else {
      throw .missingInput(
        "No Swift file in '\(directory)' declares an opcode with `@Opcode`; name the directory of"
          + " one with --sources.")
    }
    let names = arguments.operands
    guard !names.isEmpty else { return all }
    var chosen: [Manual] = []
    for name in names {
      guard let manual = all.first(where: { $0.name == name }) else {
        throw .usage(NearNames.unknown("No opcode", name, Set(all.map(\.name))))
      }
      if !chosen.contains(where: { $0.name == name }) { chosen.append(manual) }
    }
    return chosen
  }

  /// The orchestras that play the opcode: `csd/NAME.csd`, then `csd/NAME-….csd`; without one, those of others that have
  /// its name in them.
  package func examples() throws(Failure) -> [Example] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: Project.root + "/csd")) ?? []
    let names = all.filter { $0.hasSuffix(".csd") }
    let own = names.filter { $0 == name + ".csd" || $0.hasPrefix(name + "-") }
    var examples: [Example] = []
    for file in (own.isEmpty ? names : own).sorted(by: { ($0.count, $0) < ($1.count, $1) }) {
      let path = "csd/" + file
      try requireReadableFile(Project.root + "/" + path)
      let text = try? String(contentsOfFile: Project.root + "/" + path, encoding: .utf8)
      guard let text else { throw .badInput("'\(path)' is not text in UTF-8.") }
      let words = text.split { !($0.isLetter || $0.isNumber || $0 == "_") }
      guard !own.isEmpty || words.contains(where: { $0 == name }) else { continue }
      examples.append(Example(path: path, text: text))
    }
    return examples
  }

  /// Csound's own opcodes that the opcode is compared with, in alphabetical order.
  package func builtinRivals() throws(Failure) -> [String] {
    let rivals = try Pairing.all(in: Project.root + "/Benchmarks").pairings.filter {
      $0.subject == name && $0.rivalSource == nil
    }
    guard !rivals.isEmpty else { return [] }
    let own = try Self.csoundsOwn.get()
    // What an orchestra defines itself is not Csound's.
    return Set(
      rivals.filter { $0.usesInstalledPlugins == true || own.contains($0.rival) }.map(\.rival)
    ).sorted()
  }

  /// The names of the opcodes that every Csound has.
  private static let csoundsOwn = Result { () throws(Failure) -> Set<String> in
    let pool = WorkerPool(Project.worker, timeLimit: 60)
    return Set(try pool.builtins().map(\.opcode))
  }
}
