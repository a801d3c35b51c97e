import CommandKit
import Foundation
import HarnessBase

/// The kit's public names, each with its declaration, its comment and an example, for the terminal.
struct KitReference {
  private typealias Symbol = SymbolGraph.Symbol

  private let symbols: [Symbol]
  /// The kit's protocols that each type conforms to, by the compiler's name of the type.
  private let protocols: [String: [String]]
  /// Swift code of the pages for authors, the shortest first.
  private let examples: [(page: String, lines: [String])]

  init() throws(Failure) {
    let graph = try SymbolGraph.current()
    // What has no comment of its own, and fulfils a protocol, is described with the protocol.
    let required = Set(
      graph.relationships.filter { $0.kind == "requirementOf" }.map(\.source))
    let fulfilled = Set(
      graph.symbols.filter { required.contains($0.identifier.precise) }
        .map { $0.pathComponents.last! })
    symbols = graph.symbols
      .filter { $0.docComment != nil || !fulfilled.contains($0.pathComponents.last!) }
      .sorted { ($0.pathComponents.count, $0.name) < ($1.pathComponents.count, $1.name) }
    let names = Dictionary(
      graph.symbols.map { ($0.identifier.precise, $0.name) }, uniquingKeysWith: { one, _ in one })
    protocols = Dictionary(
      grouping: graph.relationships.filter { $0.kind == "conformsTo" }, by: \.source
    ).mapValues { $0.compactMap { names[$0.target] }.sorted() }
    examples = Self.code(in: Project.kit + "/Sources/Kit/OpcodeKit/OpcodeKit.docc")
  }

  /// The page of a name such as `DelayLine`, `DelayLine.smooth` or `context.table`; for another word, a line for each
  /// name that contains it or whose comment does. `OpcodeKit` lists all types, functions and macros.
  func text(of word: String, opcodes: [Manual]) throws(Failure) -> String {
    guard word != "OpcodeKit" else { return lines(symbols.filter { $0.pathComponents.count == 1 }) }
    let parts = word.trimmingPrefix("@").split(separator: ".").map(String.init)
    let candidates = symbols.filter { $0.pathComponents.count == parts.count }
    for matches in [{ $0 == $1 }, { $0.lowercased() == $1.lowercased() }]
      as [(String, String) -> Bool]
    {
      let found = candidates.filter { symbol in
        zip(symbol.pathComponents, parts).allSatisfy { matches($0, $1) || matches($0.baseName, $1) }
      }
      if !found.isEmpty { return page(found) }
    }
    let known = Set(opcodes.map(\.name))
    if !known.contains(where: { $0.lowercased() == word.lowercased() }) {
      let found = opcodes.filter {
        "\($0.name) \($0.summary)".localizedCaseInsensitiveContains(word)
      }
      .map { [$0.name, $0.summary] }
      let lines = lines(symbols.filter { $0.mentions(word) }, after: found)
      if !lines.isEmpty { return lines }
    }
    let names = symbols.flatMap { [$0.baseName, $0.pathComponents.last!.baseName] }
    throw .usage(NearNames.unknown("No opcode or name of OpcodeKit", word, known.union(names)))
  }

  /// A line for each name.
  private func lines(_ symbols: [Symbol], after rows: [[String]] = []) -> String {
    let all = rows + symbols.map { [$0.name, $0.summary] }
    return all.isEmpty ? "" : Table(rows: all).text + "\n"
  }

  /// The page of symbols that share a name.
  private func page(_ found: [Symbol]) -> String {
    var page = TerminalPage()
    page.head("NAME")
    let what = found[0].summary.isEmpty ? found[0].kind.displayName : found[0].summary
    page.prose("\(found[0].baseName) - \(what)", indent: 4)
    page.head("DECLARATION")
    for (index, symbol) in found.enumerated() {
      if index > 0 { page.verbatim([""], indent: 0) }
      page.prose(symbol.declaration, indent: 4, hanging: 8)
      page.add(symbol.comment.blocks, indent: 8)
      let protocols = protocols[symbol.identifier.precise] ?? []
      if !protocols.isEmpty {
        page.prose("Conforms to \(protocols.joined(separator: ", ")).", indent: 8)
      }
    }
    let path = found[0].pathComponents
    let members = symbols.filter {
      $0.pathComponents.count > path.count && $0.pathComponents.starts(with: path)
    }
    if !members.isEmpty { page.head("MEMBERS") }
    for member in members {
      page.prose(page.bold(member.declaration), indent: 4, hanging: 8)
      if !member.summary.isEmpty { page.prose(member.summary, indent: 8) }
    }
    if let example = example(of: found) {
      page.head("EXAMPLE")
      page.prose("From \(example.page):", indent: 4)
      page.verbatim([""] + example.lines, indent: 8)
    }
    page.head("SOURCE")
    for file in Set(found.compactMap(\.file)).sorted() { page.verbatim([file], indent: 4) }
    return page.text
  }

  /// The shortest code of the pages that names the symbols, unless their comments have some.
  private func example(of symbols: [Symbol]) -> (page: String, lines: [String])? {
    let hasOwn = symbols.contains { symbol in
      symbol.comment.blocks.contains { if case .verbatim = $0 { true } else { false } }
    }
    let path = symbols[0].pathComponents.map(\.baseName)
    return hasOwn
      ? nil
      : examples.first { example in
        let words = Set(
          example.lines.joined(separator: "\n").split { !$0.isLetter && !$0.isNumber && $0 != "_" })
        func names(_ word: String) -> Bool { words.contains(word[...]) }
        let isOfType = names(path[0]) || names(path[0].lowercased())
        return isOfType && path.dropFirst().allSatisfy { $0 == "init" || names($0) }
      }
  }

  private static func code(in directory: String) -> [(page: String, lines: [String])] {
    var found: [(page: String, lines: [String])] = []
    let files = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    for file in files.sorted() where file.hasSuffix(".md") {
      let text = (try? String(contentsOfFile: "\(directory)/\(file)", encoding: .utf8)) ?? ""
      for match in text.matches(of: /(?s)```swift\n(.*?)\n```/) {
        let lines = match.1.split(separator: "\n", omittingEmptySubsequences: false)
        found.append((file, lines.map(String.init)))
      }
    }
    return found.sorted { $0.lines.count < $1.lines.count }
  }
}

extension SymbolGraph.Symbol {
  /// Such as `DelayLine.smooth(at:)`; macros begin with `@`.
  fileprivate var name: String {
    (kind.identifier == "swift.macro" ? "@" : "") + pathComponents.joined(separator: ".")
  }

  fileprivate var baseName: String { name.baseName }

  fileprivate var declaration: String {
    var words = declarationFragments.map(\.spelling).joined().split(separator: " ")
    if let place = words.firstIndex(of: "macro") { words[...place] = ["macro"] }
    return words.filter { $0 != "@frozen" && $0 != "@discardableResult" }.joined(separator: " ")
  }

  /// Without the marks of links.
  fileprivate var comment: Comment {
    Comment(
      (docComment?.lines ?? []).map {
        $0.text.hasPrefix("```")
          ? $0.text
          : $0.text.replacing("``", with: "`").replacing(/\[([^\]]+)\]\([^)]+\)/) { String($0.1) }
      })
  }

  /// The first sentence of the comment; nothing if there is none.
  fileprivate var summary: String {
    guard case .prose(let words) = comment.blocks.first else { return "" }
    // An initial such as "M." ends no sentence.
    guard let end = words.firstRange(of: /[^\p{Lu}][.;:] (?=[\p{Lu}`])/) else { return words }
    return words[...end.lowerBound] + "."
  }

  /// The file of its declaration, from the kit's root.
  fileprivate var file: String? {
    guard let uri = location?.uri, let place = uri.firstRange(of: "Sources/") else { return nil }
    return String(uri[place.lowerBound...])
  }

  fileprivate func mentions(_ word: String) -> Bool {
    pathComponents.last!.localizedCaseInsensitiveContains(word)
      || docComment?.lines.contains { $0.text.localizedCaseInsensitiveContains(word) } == true
  }
}

extension String {
  /// The name of a function without its parameters.
  fileprivate var baseName: String { String(prefix { $0 != "(" }) }
}
