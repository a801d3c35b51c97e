import Foundation
import HarnessBase
import TestSupport
import Testing

/// What `new` makes besides opcodes: unit tests, a license, a workflow, an editor's tasks.
extension OutsidePackageTests {
  /// The package with an opcode SOFTER, whose output is its input times its factor.
  static func softer() throws -> AuthorPackage { try adding("SOFTER", "a", "ax") }

  @Test(
    "The unit test passes in plain swift test, and fails when the opcode computes something else")
  func unitTest() throws {
    let package = try Self.softer()
    try package.swift("test").good().says("Test run with 1 test in 1 suite passed")
    let path = "Sources/Echoes/Softer.swift"
    let source = try package.text(path)
    let other = source.replacing("let sample = ", with: "let sample = 0.999 * ")
    try #require(other != source)
    defer { try? package.write(source, to: path) }
    try package.write(other, to: path)
    try package.swift("test").refused(1).says("1.998")
  }

  @Test("A license has the author's name, and without one a sentence says so")
  func licenses() throws {
    let directory = try temporaryDirectory()
    for (name, first) in [
      ("MIT", "MIT License"), ("bsd-2-clause", "BSD 2-Clause License"),
      ("Apache-2.0", "                                 Apache License"),
    ] {
      let place = "\(directory)/\(name.filter(\.isLetter))"
      let made = try opcodekit("new", place, "--license", name, "--author", "Ann Author")
      #expect(made.exitCode == 0 && !made.output.contains("Without a LICENSE"), "\(made.errors)")
      let text = try String(file: place + "/LICENSE")
      #expect(text.hasPrefix(first + "\n"))
      #expect(text.contains(/Copyright (\(c\) )?20\d\d,? Ann Author\n/), "\(name)")
    }
    for words in [[], ["--license", "none"]] {
      let place = "\(directory)/None\(words.count)"
      let made = try opcodekit(["new", place] + words)
      #expect(made.exitCode == 0 && made.output.contains("Without a LICENSE") == words.isEmpty)
      #expect(!Files.exist(place + "/LICENSE"))
    }
  }

  @Test("A package depends on a path, a branch or a version, and its workflow gets the same kit")
  func dependencies() throws {
    let directory = try temporaryDirectory()
    let url = "https://example.org/OpcodeKit.git"
    for (number, (words, dependency, clone)) in [
      ([], "path: \"", "https://github.com/OWNER/OpcodeKit.git ../"),
      (["--url", url], "url: \"\(url)\", branch: \"main\"", "--depth 1 \(url) /opt/OpcodeKit\n"),
      (
        ["--url", url, "--tag", "v1.2.3"], "url: \"\(url)\", from: \"1.2.3\"",
        "--depth 1 --branch v1.2.3 \(url) /opt/OpcodeKit\n"
      ),
    ].enumerated() {
      let place = "\(directory)/P\(number)"
      #expect(try opcodekit(["new", place] + words).exitCode == 0)
      func text(_ name: String) throws -> String {
        try String(file: "\(place)/\(name)")
      }
      #expect(try text("Package.swift").contains(dependency))
      let workflow = try text(".github/workflows/test.yml")
      #expect(workflow.contains(clone), "\(workflow)")
      #expect(workflow.contains("- run: swift test\n"))
    }
  }

  /// What an editor reads of the package: a file in `.vscode`.
  static func editorFile(_ name: String, of package: AuthorPackage) throws -> [String: Any] {
    try jsonObject("\(package.directory)/.vscode/\(name).json")
  }

  @Test("The editor's tasks are commands that exist")
  func tasks() throws {
    let package = try Self.shared.get()
    let tasks = try #require(
      Self.editorFile("tasks", of: package)["tasks"] as? [[String: Any]])
    let commands = tasks.compactMap { $0["command"] as? String }
    #expect(commands.contains("opcodekit test") && commands.contains("swift test"))
    for command in commands where command.hasPrefix("opcodekit ") {
      let verb = String(command.split(separator: " ")[1])
      #expect(try run(root + "/opcodekit", [verb, "--help"]).exitCode == 0, "\(command)")
    }
    let launch = try #require(
      Self.editorFile("launch", of: package)["configurations"] as? [[String: Any]])
    let before = try #require(launch.first?["preLaunchTask"] as? String)
    #expect(tasks.contains { $0["label"] as? String == before })
  }

  @Test(
    "The editor's debugger stops in perform",
    .disabled(if: installedProgram("gdb") == nil, "gdb is not installed"))
  func debugger() throws {
    let package = try Self.softer()
    let configurations = try #require(
      Self.editorFile("launch", of: package)["configurations"] as? [[String: Any]])
    let configuration = try #require(configurations.first)
    let program = try #require(configuration["program"] as? String)
    let arguments = try #require(configuration["args"] as? [String])
      .map { $0.replacing("csd/GAIN.csd", with: "csd/SOFTER.csd") }
    try package.swift("build").good()
    let source = try package.text("Sources/Echoes/Softer.swift")
    let line =
      source.split(separator: "\n", omittingEmptySubsequences: false)
      .firstIndex { $0.contains("let sample") }! + 1
    // Not with Foundation's Process, whose children do not see the end of theirs.
    let session = try ChildProcess.run(
      "/usr/bin/env",
      ["gdb", "-batch", "-ex", "set breakpoint pending on", "-ex", "break Softer.swift:\(line)"]
        + ["-ex", "run", "-ex", "backtrace 1", "--args", program] + arguments,
      directory: package.directory)
    expectWords(session.output + session.errors, "#0", "Softer.swift:\(line)\n")
  }

  @Test("swift package build-opcodes does what opcodekit build does")
  func plugin() throws {
    let package = try Self.softer()
    let plugin = package.directory + "/build/libechoes.so"
    try? Files.remove(plugin)
    try package.swift("package", "build-opcodes").good().says(
      "build/libechoes.so: for Csound 6.18, ")
    try run(
      "/usr/bin/csound", ["--opcode-lib=./build/libechoes.so", "csd/SOFTER.csd", "-n"],
      directory: package.directory
    ).good()
    let refused = try package.swift("package", "build-opcodes", "--cpu", "z80")
    // The package manager prints what a plugin says, errors too, on its standard output.
    #expect(
      refused.exitCode == 1 && refused.output.contains("--cpu is 'z80'"),
      "\(refused.output)\(refused.errors)")
  }

  @Test(
    "sourcekit-lsp completes and explains words in perform",
    .onlyAmongAll,
    .disabled(if: installedProgram("python3") == nil, "python3 is not installed"))
  func languageServer() throws {
    let package = try Self.softer()
    #expect(try package.swift("build").exitCode == 0)
    let ending = try run(
      "/usr/bin/env",
      [
        "python3", root + "/Tests/Hosts/language-server.py", package.directory,
        package.directory + "/Sources/Echoes/Softer.swift",
      ])
    #expect(
      ending.output == "completion: self, output, input, factor\nhover: let factor: Factor\n",
      "\(ending.output)\(ending.errors)")
  }

  @Test("The opcode of new --with-c plays, and what its C function computes is tested")
  func withC() throws {
    let package = try Self.empty()
    try? Files.remove(package.directory + "/Tests")
    let place = try temporaryDirectory() + "/Echoes"
    #expect(try opcodekit("new", place, "--with-c").exitCode == 0)
    let files = FileManager.default.enumerator(atPath: place)?.compactMap { $0 as? String } ?? []
    for file in files
    where file.contains(/^(Sources|Tests|csd|Package.swift)/) && file.contains(".") {
      let text = try String(file: "\(place)/\(file)")
      // The path to the kit is relative to the other directory.
      try package.write(text.replacing(/path: "[^"]*"/, with: "path: \"\(root)\""), to: file)
    }
    try package.command("render", "csd/GAIN.csd", "-o", "gain.wav").good()
    try package.hear("gain.wav")
    try package.swift("test").good()
    try package.write(
      """
      #include "CEchoes.h"
      double cechoes_product(double sample, double factor) { return sample + factor; }
      """, to: "Sources/CEchoes/echoes.c")
    try package.swift("test").refused(1).says("[3.0, 2.5, 1.75]")
    try opcodekit("new", place + "2", "--with-c", "--out", "i", "--in", "i").refused(
      64, "--with-c is for an opcode that")
  }

  /// Type letters of outputs and inputs, which together cover every letter.
  static let letters = [
    ("aa", "aakio"), ("k", "ax"), ("i", "iip"), ("Sk", "kS"), ("f", "fk"), ("a[]", "a[]k"),
    ("k[]i[]", "k[]i"), ("S[]", "S[]"), ("a", "y"), ("m", "ak"), ("k", "z"), ("i", "n"),
    ("k", "kM"),
    ("a", "Z"), ("I", "m"), ("k", "W"), ("", "kk"), ("a", "aOPVJ"), ("a", "opqvjh"), ("k", ".k"),
    ("a", "xx"), ("a", "aO"), ("z", "k"), ("F", "f"), ("k", "a*"), ("a", "aN"),
  ]

  @Test("What 'add' makes of any letters builds, is described and plays")
  func everyLetter() throws {
    let package = try Self.unlisted()
    for (number, letters) in Self.letters.enumerated() {
      try package.command(
        "add", "MADE_\(number)", "--out", letters.0, "--in", letters.1
      ).good("\(letters)")
    }
    try package.write("[1]", to: "arguments.json")
    try package.command("add", "MADE_TABLE", "--table").refused(65, "is no object in JSON")
    #expect(try package.text("arguments.json") == "[1]")
    try Files.remove(package.directory + "/arguments.json")
    try package.command("add", "MADE_TABLE", "--in", "kx", "--table").good()
    try package.command("add", "MADE_NONE", "--in", "a", "--table").refused(64, "--table is for")
    let built = try package.command("build").good()
    #expect(!built.errors.contains("warning:"), "\(built.errors)")
    try package.command("man").good()
    try package.command("compare", "MADE_TABLE").good()
    try package.command(
      "validate", "--level", "1", "--checks", "arguments-deleted-table", "MADE_TABLE"
    ).good().says("1 success")
    let list = try package.command("list")
    for (number, letters) in Self.letters.enumerated() {
      let name = "MADE_\(number)"
      #expect(list.output.contains(name))
      try package.command("render", "csd/\(name).csd", "-o", "made.wav").good("\(letters)")
      let sound = try Sound(readingFrom: package.directory + "/made.wav")
      // Texts, and an opcode without outputs, make no sound.
      let isSilent = letters.0 == "" || letters.0.hasPrefix("S")
      #expect(sound.samples.map(abs).max()! > 0.05 || isSilent, "\(letters)")
    }
    let checks = runsAllTests ? "numbers,edges" : "numbers"
    try package.command(
      "validate", "--level", "1", "--only-failed", "--checks", checks
    ).good()
    // The unit test of each, also of those that can only be written by hand.
    try package.swift("test").good().says("Test run with \(Self.letters.count + 1) tests in")
  }
}
