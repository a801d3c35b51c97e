import DevCommands
import Foundation
import HarnessBase
import Testing

/// A package of an author's own, outside the kit, that depends on OpcodeKit by path.
struct AuthorPackage {
  let directory: String

  /// The manifest that `opcodekit new` has written.
  private let manifest: String

  /// The package as `opcodekit new` makes it.
  init() throws {
    directory = try temporaryDirectory().replacingOccurrences(of: "//", with: "/") + "/Echoes"
    try opcodekit("new", directory).good()
    manifest = try String(file: directory + "/Package.swift")
  }

  /// Removes the opcodes and all that belongs to them.
  func clear() throws {
    let path = directory + "/Package.swift"
    if try String(file: path) != manifest {
      try write(manifest, to: "Package.swift")
    }
    for name in ["Sources", "Benchmarks", "csd", "Tests"] {
      try? Files.remove("\(directory)/\(name)")
    }
    try write("// No tests.\n", to: "Tests/EchoesTests/None.swift")
  }

  /// Adds an opcode with these type letters.
  func add(_ name: String, _ outputs: String, _ inputs: String) throws {
    try command("add", name, "--out", outputs, "--in", inputs).good("\(outputs) \(inputs)")
  }

  /// Runs the tool in the package.
  func command(_ words: String...) throws -> Ending { try command(words) }

  func command(_ words: [String], environment: [String: String] = [:]) throws -> Ending {
    try opcodekit(words, environment: environment, directory: directory)
  }

  /// Runs Swift's package manager in the package; once more if it crashes, as it rarely does in a library of its own.
  func swift(_ words: String..., environment: [String: String] = [:]) throws -> Ending {
    func once() throws -> Ending {
      try run(
        "/usr/bin/env", ["-u", "OPCODEKIT_ROOT", "swift"] + words, environment: environment,
        directory: directory)
    }
    let ending = try once()
    return (ending.output + ending.errors).contains("*** Program crashed") ? try once() : ending
  }

  /// The text of one of its files.
  func text(_ name: String) throws -> String {
    try String(file: directory + "/" + name)
  }

  func write(_ text: String, to name: String) throws {
    let path = directory + "/" + name
    try Files.makeDirectories((path as NSString).deletingLastPathComponent)
    try text.replacingOccurrences(of: "../OpcodeKit", with: root).save(to: path)
  }

  /// Lets the opcodes' module depend on a module of C code.
  func addTargetInC(_ name: String) throws {
    let manifest = try text("Package.swift")
    let changed = manifest.replacing(
      "targets: [\n", with: "targets: [\n    .target(name: \"\(name)\"),\n"
    ).replacing("dependencies: [.product(", with: "dependencies: [\"\(name)\", .product(")
    try #require(changed.contains("\"\(name)\", .product"))
    try write(changed, to: "Package.swift")
  }

  /// Follows a page: writes each file and runs each command, in order. Expects every sound that the
  /// commands make to be audible, and returns how many there are.
  func follow(_ page: Article) throws -> Int {
    var sounds = 0
    for block in page.blocks where block.language != "console" {
      if block.language == "sh" {
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
    try Files.remove(directory + "/" + name)
  }

  /// Builds the standalone plugin, or else the package as SwiftPM does by itself.
  func build(standalone: Bool) throws -> Ending {
    try standalone ? command("build") : swift("build")
  }

  func plugin(standalone: Bool) -> String {
    directory + (standalone ? "/build" : "/.build/debug") + "/libechoes.so"
  }
}

/// A suite whose tests, one after another, share the directory of a package, so that what is built for one is not built
/// anew for the next.
protocol PackageSuite {
  static var shared: Result<AuthorPackage, any Error> { get }
}

extension PackageSuite {
  /// The package without opcodes.
  static func empty() throws -> AuthorPackage {
    let package = try shared.get()
    try package.clear()
    return package
  }

  /// The package with the opcode with two overloads from the article on arguments, or with another library.
  static func package(_ source: String = onePole) throws -> AuthorPackage {
    let package = try empty()
    try package.write(source, to: "Sources/Echoes/OnePole.swift")
    return package
  }

  /// The package whose library registers nothing.
  static func unlisted() throws -> AuthorPackage {
    let package = try empty()
    try package.write(emptyLibrary, to: "Sources/Echoes/Library.swift")
    return package
  }

  /// The package with one opcode as `add` makes it. If the test before had the same, and left it so, nothing is written,
  /// so that nothing is built anew.
  static func adding(
    _ name: String, _ outputs: String, _ inputs: String
  ) throws -> AuthorPackage {
    let package = try shared.get()
    let source = "\(package.directory)/Sources/Echoes/\(name.capitalized).swift"
    guard !Files.exist(source) else { return package }
    _ = try unlisted()
    try package.add(name, outputs, inputs)
    return package
  }
}

/// The opcode with two overloads from the article on arguments, as a library.
let onePole = library(Page.arguments.file("Sources/Echoes/OnePole.swift"), registering: "OnePole")

let emptyLibrary = """
  import OpcodeKit

  @Plugin
  enum Library: OpcodeLibrary {
    static func registerOpcodes(in registry: inout some OpcodeRegistry) {
    }
  }
  """

/// Turns a source file into a library that registers these structs.
func library(_ source: String, registering names: String...) -> String {
  source + """

    @Plugin
    enum Library: OpcodeLibrary {
      static func registerOpcodes(in registry: inout some OpcodeRegistry) {
        \(names.map { "register\($0)(in: &registry)" }.joined(separator: "\n    "))
      }
    }
    """
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
