import DevCommands
import Foundation
import HarnessBase
import Testing

/// A package of an author's own, outside the kit, that depends on OpcodeKit by path. All tests
/// share one directory, so that OpcodeKit is built in it only once for each build mode.
struct AuthorPackage {
  let directory: String

  /// The manifest that `opcodekit new` has written.
  private let manifest: String

  /// The package as `opcodekit new` makes it.
  static let shared = Result { try AuthorPackage() }

  private init() throws {
    directory = try temporaryDirectory().replacingOccurrences(of: "//", with: "/") + "/Echoes"
    let made = try opcodekit("new", directory)
    try #require(made.exitCode == 0, "\(made.errors)")
    manifest = try String(contentsOfFile: directory + "/Package.swift", encoding: .utf8)
  }

  /// The package without opcodes.
  static func empty() throws -> AuthorPackage {
    let package = try shared.get()
    let path = package.directory + "/Package.swift"
    if try String(contentsOfFile: path, encoding: .utf8) != package.manifest {
      try package.write(package.manifest, to: "Package.swift")
    }
    for name in ["Sources", "Benchmarks", "csd", "Tests"] {
      try? FileManager.default.removeItem(atPath: "\(package.directory)/\(name)")
    }
    try package.write("// No tests.\n", to: "Tests/EchoesTests/None.swift")
    return package
  }

  /// Runs the tool in the package.
  func command(_ words: String...) throws -> Ending {
    try run(
      tool, words, environment: ["OPCODEKIT_ROOT": root], directory: directory)
  }

  /// Runs Swift's package manager in the package.
  func swift(_ words: String..., environment: [String: String] = [:]) throws -> Ending {
    try run(
      "/usr/bin/env", ["-u", "OPCODEKIT_ROOT", "swift"] + words, environment: environment,
      directory: directory)
  }

  func write(_ text: String, to name: String) throws {
    let path = directory + "/" + name
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try text.replacingOccurrences(of: "../OpcodeKit", with: root)
      .write(toFile: path, atomically: true, encoding: .utf8)
  }

  /// Follows a page: writes each file and runs each command, in order. Expects every sound that the
  /// commands make to be audible, and returns how many there are.
  func follow(_ page: Article) throws -> Int {
    var sounds = 0
    for block in page.blocks {
      if block.language == "console" {
        continue
      } else if block.language == "sh" {
        let ending = try run(
          "/bin/sh", ["-ec", "opcodekit() { \(tool) \"$@\"; }\n" + block.text],
          environment: ["OPCODEKIT_ROOT": root], directory: directory)
        try #require(ending.exitCode == 0, "\(block.text)\n\(ending.output)\(ending.errors)")
        for match in block.text.matches(of: /-o (\S+\.wav)/) {
          try hear(String(match.output.1))
          sounds += 1
        }
      } else {
        let name = try #require(block.file, "line \(block.line) of \(page.path) has no file name")
        try write(block.text, to: name)
      }
    }
    return sounds
  }

  /// Expects that a command wrote an audible sound file, and removes it.
  func hear(_ name: String) throws {
    let sound = try Sound(readingFrom: directory + "/" + name)
    #expect(sound.samples.map(abs).max()! > 0.1)
    try FileManager.default.removeItem(atPath: directory + "/" + name)
  }

  /// Builds the standalone plugin, or else the package as SwiftPM does by itself.
  func build(standalone: Bool) throws -> Ending {
    try standalone ? command("build") : swift("build")
  }

  func plugin(standalone: Bool) -> String {
    directory + (standalone ? "/build" : "/.build/debug") + "/libechoes.so"
  }
}

/// The documentation's pages that tests read.
enum Page {
  static let all = Documentation(root: root)
  static let readme = all.readme
  static let firstOpcode = named("FirstOpcode")
  static let arguments = named("Arguments")
  static let ownPackage = named("OwnPackage")
  static let refusals = named("CompilerRefusals")
  static let facts = named("CsoundFacts")

  static func named(_ name: String) -> Article { all.articles.first { $0.name == name }! }
}

extension Article {
  /// The last block on the page that shows this file.
  func file(_ name: String) -> String {
    blocks.last { $0.file == name }!.text
  }

  /// The rows of the tables below a heading, without the tables' headings.
  func rows(below heading: String) -> [[String]] {
    let part = text.components(separatedBy: "\n## \(heading)\n")[1].components(
      separatedBy: "\n## ")[0]
    let lines = part.split(separator: "\n").filter { $0.hasPrefix("| ") }
    return lines.drop { !$0.contains("| `") }.map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }
}
