import CommandKit
import Comparing
import Foundation
import HarnessBase
import Rendering

extension PluginBuild {
  /// How the plugin that a command plays is compiled and linked: that of a product of the kit's, that of the current
  /// package or of the kit, or a file that the user has named.
  @Sendable package static func code(
    _ arguments: Arguments, of product: String?
  ) throws(Failure) -> CodeBuild {
    if let product { return try PluginBuild(ofKit: product).code(for: arguments.target) }
    if !arguments.takesBuiltPlugin, let file = Project.plugin(arguments) {
      return try CodeBuild(of: file)
    }
    guard let package = AuthorPackage.current else { return try pack.code(for: arguments.target) }
    return try PluginBuild(package).code(for: arguments.target)
  }

  /// How the plugin for a target is compiled and linked; compiles what has changed.
  private func code(for target: BuildTarget) throws(Failure) -> CodeBuild {
    let target = BuildTarget(target.csound, .own, level: Processor.playedLevel)
    let listed = try text(of: compiled(for: target).objects)
    let planned = planned(for: target)
    guard
      let link = planned.first(where: {
        $0.contains("-emit-library")
          && $0.contains { $0.hasSuffix("/\(product).product/Objects.LinkFileList") }
      })
    else {
      throw .badInput(
        "'\(plan(for: target))' does not link '\(product)'; remove .build and build again.")
    }
    let objects = Self.lines(of: listed)
    let modules = planned.compactMap { words -> CodeBuild.Module? in
      guard let list = Self.list(in: words) else { return nil }
      let own = objects.filter { $0.hasPrefix(list.parentPath + "/") }
      return own.isEmpty
        ? nil
        : CodeBuild.Module(
          words[0], Self.plain(words).filter { $0 != "@" + list },
          sources: Self.sources(in: words), objects: own, isSwift: true)
    }
    let words = Self.plain(link, dropping: ["-o"]).filter { !$0.hasSuffix("Objects.LinkFileList") }
    let symbols = words.firstIndex(of: "--strip-all")
    let kept = symbols.map { place in Array(words[..<(place - 1)] + words[(place + 1)...]) }
    return CodeBuild(modules: modules, linker: link[0], words: kept ?? words, objects: objects)
  }

  private func text(of path: String) throws(Failure) -> String {
    try requireReadableFile(path)
    return (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }

  // MARK: The package manager's plan

  /// The file in which the package manager plans the build of a target.
  func plan(for target: BuildTarget) -> String { "\(directory)/\(target.scratch)/release.yaml" }

  /// The compiler's and linker's words for each module and library of a target, as the package manager has planned
  /// them.
  func planned(for target: BuildTarget) -> [[String]] {
    let plan = (try? String(contentsOfFile: plan(for: target), encoding: .utf8)) ?? ""
    return plan.split(separator: "\n").compactMap { line in
      guard line.hasPrefix("    args: ["), line.contains("\"-module-name\"") else { return nil }
      return try? JSONDecoder().decode([String].self, from: Data(line.dropFirst(10).utf8))
    }
  }

  /// The sources of a module by the words that compile it; empty for others.
  static func sources(in words: [String]) -> [String] {
    list(in: words).flatMap { try? String(contentsOfFile: $0, encoding: .utf8) }.map(lines) ?? []
  }

  /// The file that lists a module's sources.
  private static func list(in words: [String]) -> String? {
    words.first { $0.hasPrefix("@") && $0.hasSuffix("/sources") }.map { String($0.dropFirst()) }
  }

  private static func lines(of text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: ["'", "\""]) }
  }

  /// The words of a plan but for the program and what says where is written and how that is told, and but for `others`
  /// and their values.
  static func plain(_ planned: [String], dropping others: [String] = []) -> [String] {
    let dropped: Set = [
      "-emit-module", "-emit-dependencies", "-serialize-diagnostics", "-parseable-output",
      "-emit-objc-header", "-c",
    ]
    let droppedWithValue = Set(
      ["-output-file-map", "-emit-module-path", "-emit-objc-header-path"] + others)
    var words: [String] = []
    var rest = planned[1...]
    while let word = rest.popFirst() {
      if droppedWithValue.contains(word) {
        rest = rest.dropFirst()
      } else if !dropped.contains(word), word.wholeMatch(of: /-j\d+/) == nil {
        words.append(word)
      }
    }
    return words
  }
}
