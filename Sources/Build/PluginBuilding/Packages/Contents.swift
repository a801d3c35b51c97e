import CommandKit
import Foundation
import HarnessBase
import Linting
import Rendering

/// What a package to distribute contains: the plugins and what its users need to know about them.
struct Contents {
  /// The file of the page that plays the opcodes.
  static let page = "index.html"

  let build: PluginBuild
  /// The targets of its plugins; the first is the one that the tool plays.
  let targets: [BuildTarget]
  /// What the plugin registers.
  let signatures: [Signature]
  /// The names of the opcodes that it registers, sorted.
  let opcodes: [String]
  let pages: [ManualPage]
  /// The names of the orchestras in csd that play one of the opcodes, sorted.
  let examples: [String]
  let readme: String?
  let license: String?
  /// The oldest glibc that the plugins run with.
  let glibc: String

  init(of build: PluginBuild, for targets: [BuildTarget]) throws(Failure) {
    (self.build, self.targets) = (build, targets)
    let plugin = build.path(for: .tools)
    signatures = try PluginBuild.lint(plugin, name: plugin).signatures
    let opcodes = Set(signatures.map(\.opcode))
    self.opcodes = opcodes.sorted()
    pages = try ManualPage.all().filter { opcodes.contains($0.name) }
    examples = try Self.examples(of: opcodes, in: build)
    func first(_ names: [String]) -> String? {
      names.first { FileManager.default.fileExists(atPath: build.directory + "/" + $0) }
    }
    readme = first(["README.md", "README.txt", "README"])
    license = first(AuthorPackage.licenseFiles)
    var needs: [String] = []
    for target in targets where target.system == .linux {
      needs.append(try build.neededGlibc(for: target))
    }
    glibc = needs.max { $0.compare($1, options: .numeric) == .orderedAscending }!
  }

  /// The Csounds that the plugins are for, each once.
  var csounds: [CsoundVersion] {
    CsoundVersion.allCases.filter { csound in targets.contains { $0.csound == csound } }
  }

  /// The operating systems that the plugins are for beside Linux, each once.
  var systems: [OperatingSystem] {
    OperatingSystem.allCases.filter { system in
      system != .linux && targets.contains { $0.system == system }
    }
  }

  /// The kinds of processors that the plugins for Linux are for, each once.
  var processors: [Processor] {
    targets.filter { $0.system == .linux }.map(\.processor).reduce(into: []) {
      if !$0.contains($1) { $0.append($1) }
    }
  }

  /// The names of these Csounds, for messages.
  var releases: String { csounds.map(\.release).joined(separator: " or ") }

  private static func examples(
    of opcodes: Set<String>, in build: PluginBuild
  ) throws(Failure) -> [String] {
    var examples: [String] = []
    for name in build.pieces {
      let path = build.directory + "/csd/" + name
      try requireReadableFile(path)
      let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      let words = text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      if words.contains(where: { opcodes.contains(String($0)) }) { examples.append(name) }
    }
    return examples
  }

  /// A summary of the plugin in at most 70 characters, unless the first name is longer.
  var synopsis: String {
    var line = "Csound opcode\(opcodes.count == 1 ? "" : "s") \(opcodes.first ?? "")"
    for (index, name) in opcodes.enumerated().dropFirst() {
      let rest = opcodes.count - index
      guard line.count + name.count + 15 <= 70 else { return line + " and \(rest) more" }
      line += (rest == 1 ? " and " : ", ") + name
    }
    return line
  }

  /// For each opcode, its name and what it does.
  var descriptions: [String] {
    opcodes.map { name in
      let summary = pages.first { $0.name == name }?.summary ?? ""
      return summary.isEmpty ? name : "\(name): \(summary)"
    }
  }

  /// The name of the license: the first line of its text.
  var licenseName: String? {
    guard let license,
      let text = try? String(contentsOfFile: build.directory + "/" + license, encoding: .utf8)
    else { return nil }
    return text.split(separator: "\n").first { !$0.allSatisfy(\.isWhitespace) }
      .map { $0.trimmingCharacters(in: [" ", "#"]) }
  }

  /// Writes the files except those about the package as a whole. Of the plugins only those for `system`, if it is given.
  func write(to folder: PackageFolder, for system: OperatingSystem? = nil) throws(Failure) {
    for target in targets where system == nil || target.system == system {
      try folder.copy(build.path(for: target), to: target.plugin(givenAwayOf: build.product))
    }
    for page in pages { try folder.write(page.markdown, to: "doc/\(page.name).md") }
    for name in examples {
      try folder.copy(build.directory + "/csd/" + name, to: "examples/" + name)
    }
    for name in [readme, license].compactMap({ $0 }) {
      try folder.copy(build.directory + "/" + name, to: name)
    }
  }
}
