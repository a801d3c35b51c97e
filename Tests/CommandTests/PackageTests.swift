import Foundation
import HarnessBase
import PluginBuilding
import TestSupport
import Testing

@Suite("What the tool does in a package of an author's own", .serialized)
struct PackageTests: PackageSuite {
  static let shared = Result { try AuthorPackage() }

  /// The package with an opcode LOUDER, which multiplies.
  static func louder() throws -> AuthorPackage { try adding("LOUDER", "a", "ak") }

  @Test("The manifest that 'new' writes is that of the article")
  func manifest() throws {
    let package = try Self.shared.get()
    let made = try package.text("Package.swift")
    let path = try #require(made.firstMatch(of: /path: "([^"]*)"/)).output.1
    #expect(
      URL(fileURLWithPath: "\(package.directory)/\(path)").standardized.path
        == URL(fileURLWithPath: root).standardized.path)
    #expect(
      made.replacing(#"path: "\#(path)""#, with: #"path: "../OpcodeKit""#)
        == Page.ownPackage.file("Package.swift"))
  }

  @Test("'new' and 'add' give each opcode a category and say where to write about it")
  func categories() throws {
    let directory = try temporaryDirectory() + "/Echoes"
    let made = try opcodekit("new", directory)
    #expect(made.exitCode == 0 && made.errors.isEmpty, "\(made.errors)")
    #expect(
      made.output.contains(
        "Its manual page is the comment in Sources/Echoes/Gain.swift: say what it does, and change the category"
          + " 'Signal Modifiers:Amplitude Modifiers' if it is another."), "\(made.output)")
    let sources = directory + "/Sources"
    for (name, out, input) in [("HUM", "a", "k"), ("HALF", "k", "k"), ("THIN", "f", "fk")] {
      try opcodekit("--package", directory, "add", name, "--out", out, "--in", input).good()
    }
    let manuals = try Manual.all(in: sources)
    #expect(
      manuals.map { "\($0.name) \($0.category ?? "")" } == [
        "GAIN Signal Modifiers:Amplitude Modifiers", "HALF Miscellaneous",
        "HUM Signal Generators:Basic Oscillators", "THIN Spectral Processing:Streaming",
      ])
  }

  @Test(
    "The struct of an opcode has no name that Swift or the kit has",
    arguments: [
      ("WARM_DELAY", "WarmDelay"), ("INT", "IntOpcode"), ("ANY", "AnyOpcode"),
      ("class", "classOpcode"),
    ])
  func structName(opcode: String, name: String) throws {
    #expect(try NewOpcode(opcode, outputs: "a", inputs: "a").structName == name)
  }

  @Test("'new' in the kit's clone says that a package is better outside of it")
  func inClone() throws {
    let directory = root + "/.build/Inside"
    defer { try? Files.remove(directory) }
    try opcodekit("new", directory).good().tells(
      "is in the kit's clone; a package is better outside of it")
  }

  @Test("faster says in a package whose opcodes it tries")
  func fasterInPackage() throws {
    let package = try Self.louder()
    try package.command("faster", "csd/LOUDER.csd", "--duration", "0.1").tells(
      "tries the opcodes of the package in '")
  }

  @Test("A package that was moved after it was built is built anew")
  func moved() throws {
    let package = try Self.louder()
    #expect(try package.command("list").exitCode == 0)
    let copy = try temporaryDirectory() + "/Copy"
    try Files.copy(package.directory, to: copy)
    try Files.remove(copy + "/build")
    let manifest = copy + "/Package.swift"
    let text = try String(file: manifest)
    try text.replacing(/path: "[^"]*"/, with: "path: \"\(root)\"")
      .save(to: manifest)
    try opcodekit("--package", copy, "list").good().tells("was somewhere else when it was built")
    let again = try opcodekit("--package", copy, "list")
    #expect(again.exitCode == 0 && !again.errors.contains("somewhere else"), "\(again.errors)")
  }

  /// Adds a piece with arguments in another order, and one with a note that fails while the others play.
  private static func addUnplayable(to package: AuthorPackage) throws -> [String] {
    let good = try package.text("csd/LOUDER.csd")
    let bad = good.replacing(/LOUDER (\w+), (\w+)/) { "LOUDER \($0.2), \($0.1)" }
    let late = good.replacing("instr 1\n", with: "instr 1\n  inothing table 1, 99\n")
    try #require(bad != good && late != good)
    try package.write(bad, to: "csd/LOUDER-bad.csd")
    try package.write(late, to: "csd/LOUDER-late.csd")
    return ["csd/LOUDER-bad.csd", "csd/LOUDER-late.csd"]
  }

  @Test("package makes nothing of a piece that does not play")
  func unplayable() throws {
    let package = try Self.louder()
    let pieces = try Self.addUnplayable(to: package)
    try package.write(PackagingTests.license, to: "LICENSE")
    try package.commit()
    let folder = package.directory + "/build/unplayable"
    func make() throws -> Ending {
      try package.command(
        "package", "--csound", "6", "--arch", ownProcessor.rawValue, "--out", folder)
    }
    let refused = try make().refused(1)
    for piece in pieces { #expect(refused.errors.contains(piece + ": ")) }
    #expect(!Files.exist(folder))
    for piece in pieces { try Files.remove("\(package.directory)/\(piece)") }
    #expect(try make().exitCode == 0)
    try Files.remove(folder)
    // A program without `lint` and `render` checks and plays what it builds, too.
    for words in [["build"], ["list"], ["new", try temporaryDirectory() + "/Others"]] {
      try run(
        products + "/opcodekit-bench", words, environment: ["OPCODEKIT_ROOT": root],
        directory: package.directory
      ).good()
    }
  }

  @Test("Outside a package and the kit, build and package refuse and name a package below")
  func withoutPackage() throws {
    let directory = try temporaryDirectory()
    func refused(_ word: String, _ sentence: String) throws {
      try opcodekit([word], directory: directory).told(64, sentence)
    }
    try refused("build", "There is no package of opcodes in '\(directory)'")
    #expect(try opcodekit("new", directory + "/Below").exitCode == 0)
    for word in ["build", "package"] { try refused(word, "--package Below.") }
  }

  @Test("new makes the package where a path with two dots leads")
  func above() throws {
    let directory = try temporaryDirectory()
    for folder in ["a/b", "plain"] {
      try Files.makeDirectories("\(directory)/\(folder)")
    }
    for (path, place) in [
      ("../Z", "a/Z"), ("./../../plain/Y", "plain/Y"), ("x/../../X", "a/X"), ("W", "a/b/W"),
    ] {
      try opcodekit(["new", path], directory: directory + "/a/b").good()
      let manifest = "\(directory)/\(place)/Package.swift"
      #expect(Files.exist(manifest), "\(path)")
    }
    #expect(try Files.names(in: directory + "/a/b") == ["W"])
  }

  @Test("An installed plugin is found by stock csound, an uninstalled one is not")
  func install() throws {
    let package = try Self.louder()
    let place = package.directory + "/home-plugins"
    func inPlace(_ program: String, _ words: String...) throws -> Ending {
      try run(
        program, words, environment: ["OPCODEKIT_ROOT": root, "CS_USER_PLUGINDIR": place],
        directory: package.directory)
    }
    try inPlace(tool, "install").good().says(
      "libechoes.so: 1 opcode, found and played by csound")
    #expect(try inPlace("/usr/bin/csound", "-n", "csd/LOUDER.csd").exitCode == 0)
    try inPlace(tool, "uninstall").good().says("removed")
    #expect(try inPlace("/usr/bin/csound", "-n", "csd/LOUDER.csd").exitCode != 0)
    #expect(try inPlace(tool, "uninstall").exitCode == 66)
    let folder = package.directory + "/own-folder"
    let there = try inPlace(tool, "install", "--to", "own-folder")
    #expect(there.exitCode == 0 && there.output.contains(folder), "\(there.errors)")
    #expect(Files.exist(folder + "/libechoes.so"))
    #expect(try inPlace(tool, "uninstall", "--to", "own-folder").exitCode == 0)
    // If a piece does not play, what was there before stays.
    try "former".save(to: place + "/libechoes.so")
    let broken = package.directory + "/csd/BROKEN.csd"
    defer { try? Files.remove(broken) }
    try package.write("<CsoundSynthesizer><CsInstruments>\nnothing", to: "csd/BROKEN.csd")
    try inPlace(tool, "install").refused(65, "Csound cannot play 'csd/BROKEN.csd'")
    #expect(try String(file: place + "/libechoes.so") == "former")
    #expect(try Files.names(in: place) == ["libechoes.so"])
  }

  @Test(
    "In a directory that both Csounds scan each takes the plugin installed for it",
    .unless(Csound7.lack))
  func sideBySide() throws {
    let package = try Self.louder()
    let place = try temporaryDirectory()
    for (command, count) in [("install", 2), ("uninstall", 0)] {
      let ending = try package.command(
        [command, "--csound", "both"], environment: ["CS_USER_PLUGINDIR": place]
      ).good()
      #expect(ending.output.split(separator: "\n").count == 2, "\(ending.output)")
      let names = try Files.names(in: place).sorted()
      #expect(names == Array(["libechoes-csound7.so", "libechoes.so"].prefix(count)))
    }
  }

  @Test("A pairing, a recording and results are the package's")
  func ownFiles() throws {
    let package = try Self.louder()
    try package.command("record", "csd/LOUDER.csd").good()
    #expect(Files.exist(package.directory + "/csd/golden/LOUDER.golden.json"))
    try package.command("test").good().says("== all good: build, csd, compare, validate, check")
    let bad = try Self.addUnplayable(to: package)
    defer { for path in bad { try? Files.remove("\(package.directory)/\(path)") } }
    let source = "Sources/Echoes/Louder.swift"
    let text = try package.text(source)
    let other = text.replacing("arguments.control.value", with: "0.9 * arguments.control.value")
    try #require(other != text)
    defer { try? package.write(text, to: source) }
    try package.write(other, to: source)
    try package.command("test").refused(1, "csd/LOUDER-late.csd: ").says(
      "1 of 3 pieces in csd/ play\n", "== not good: csd, compare, check")
    try Files.remove(package.directory + "/csd/golden")
  }

  @Test("An opcode that nobody registers is told, and what was built before stays")
  func forgotten() throws {
    let plugin = "build/libechoes.so"
    try Self.shared.get().write("built before", to: plugin)
    let package = try Self.package(
      onePole.replacing("registerOnePole(in: &registry)", with: "_ = registry"))
    try package.command("build").refused(
      1, "'OnePole' is an @Opcode that is not registered: call registerOnePole(in: &registry)")
    #expect(try package.text(plugin) == "built before")
  }

  @Test(
    "What 'new', 'add' and '--package' cannot do, in a sentence",
    arguments: [
      (["new"], 64, "'new' needs the new package's directory"),
      (["new", "7up"], 64, "The package would be called '7up'"),
      (["new", "."], 73, "is there already and not empty"),
      (["new", "Other", "--opcode", "oscili"], 64, "'oscili' is an opcode of Csound's own"),
      (["new", "Other", "--opcode", "A B"], 64, "The opcode's name is 'A B'"),
      (["new", "Other", "--out", "q"], 64, "--out is 'q', where 'q' cannot stand"),
      (["new", "Other", "--tag", "1.2.3"], 64, "--tag is '1.2.3' without --url"),
      (["new", "Other", "--url", "a/b", "--tag", "main"], 64, "--tag is 'main'; it takes"),
      (["new", "Other", "--license", "GPL"], 64, "--license is 'GPL'; it takes MIT,"),
      (["new", "Other", "--author", "A"], 64, "give --license, too"),
      (["new", "Other", "--license", "MIT", "--author", " "], 64, "give --author NAME"),
      (["new", "Other", "--out", "f"], 64, "--out has an f-signal, which is made from another"),
      (
        ["add", "LATE", "--in", "ok"], 64, "'k' must be given but follows one that may be left out"
      ),
      (["add", "LATE", "--in", "y[a"], 64, "brackets come in pairs"),
      (["add"], 64, "'add' needs the new opcode's name"),
      (["watch"], 64, "'watch' needs the CSD that plays the opcodes"),
      (["watch", "nothing.csd"], 66, "nothing.csd"),
      (["watch", "Package.swift", "--picture", "a.png"], 64, "it takes a page"),
      (["watch", "Package.swift", "--device", "null"], 64, "--device is for playing"),
      (["watch", "Package.swift", "--play", "--picture", "a.html"], 64, "leave out --play"),
      (["list", "--package"], 64, "'--package' needs the directory of a package"),
      (["list", "--package", "/nowhere"], 66, "where there is no Package.swift"),
      (["list", "--package", root], 65, "has no dependency called OpcodeKit"),
      (["test", "more"], 64, "in a package 'test' takes none"),
    ])
  func refusals(words: [String], code: Int32, sentence: String) throws {
    let package = try Self.shared.get()
    try package.command(words).told(code, sentence)
    #expect(!Files.exist(package.directory + "/Other"))
  }

  @Test("An opcode that another file declares is not added")
  func declaredElsewhere() throws {
    let package = try Self.package()
    try package.command("add", "onepole").refused(64, "The package has an opcode 'ONEPOLE' already")
    #expect(try package.text("Sources/Echoes/OnePole.swift") == onePole)
    #expect(!Files.exist(package.directory + "/csd/ONEPOLE.csd"))
  }

  @Test("Where there is no package, it is said whose opcodes these are")
  func elsewhere() throws {
    let ending = try opcodekit(["list"], directory: NSTemporaryDirectory()).good()
    #expect(ending.errors == "opcodekit: no package of opcodes here; these are the kit's own.\n")
    #expect(try opcodekit("list").errors == "")
    try opcodekit(["add", "MORE"], directory: NSTemporaryDirectory()).refused(
      64, "There is no package of opcodes here")
  }
}
