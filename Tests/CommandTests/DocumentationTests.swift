import DevCommands
import Foundation
import HarnessBase
import Linting
import TestSupport
import Testing
import Validating

@Suite("The documentation")
struct DocumentationTests {
  @Test("README is one page")
  func length() {
    #expect(Page.readme.text.split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
  }

  @Test("Tables say what code and recorded results say, and every link leads somewhere")
  func check() throws {
    try opcodekit("dev", "docs", "--check").good()
  }

  @Test(
    "No file is a link that leads out of the tree or nowhere, and none names a folder of one machine",
    .disabled(if: installedProgram("git") == nil, "git is not installed"))
  func machines() throws {
    var words = ["--git-dir", root + "/.git", "--work-tree", root]
    func files(_ kind: String) throws -> Ending {
      try run("/usr/bin/env", ["git"] + words + ["ls-files", "-z", kind, "--exclude-standard"])
    }
    var listed = try files("--cached")
    if listed.exitCode != 0 {
      // Without a history, every file that would be tracked.
      words[1] = try temporaryDirectory()
      #expect(try run("/usr/bin/env", ["git", "init", "-q", "--bare", words[1]]).exitCode == 0)
      listed = try files("--others")
    }
    let names = listed.output.split(separator: "\0").map(String.init)
    #expect(names.contains("README.md"))
    for name in names {
      let path = root + "/" + name
      if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) {
        #expect(!target.hasPrefix("/") && Files.exist(path), "\(name)")
      }
    }
    let places = #"(^|[^[:alnum:]_.$}/-])/(home|Users|work)/[[:alnum:]]"#
    let naming = try run("/usr/bin/env", ["grep", "-lIE", places, "--"] + names)
    #expect(naming.output.isEmpty && naming.exitCode == 1, "\(naming.output)\(naming.errors)")
  }

  @Test("A stale table, a table nothing writes and links that lead nowhere are named")
  func staleness() throws {
    let copy = try temporaryDirectory()
    for name in ["Benchmarks", "Opcodes", "csd"] {
      try Files.link(copy + "/" + name, to: root + "/" + name)
    }
    func docs(_ readme: String, _ option: String) throws -> Ending {
      try readme.save(to: copy + "/README.md")
      return try opcodekit(["dev", "docs", option], root: copy)
    }
    func part(_ name: String) -> String {
      "<!-- \(name), by ./opcodekit dev docs --update -->\nold\n<!-- end of \(name) -->\n"
    }
    let stale = try docs("[a](#b) [c](d.md)\n\n# A heading\n\n" + part("speed"), "--check").refused(
      1)
    #expect(
      stale.output.split(separator: "\n") == [
        "README.md, line 1: '#b' leads to a heading that 'README.md' does not have.",
        "README.md, line 1: 'd.md' leads to 'd.md', which does not exist.",
        "README.md: a table is not what code and recorded results say; ./opcodekit dev docs --update"
          + " writes it anew.",
      ])
    #expect(try docs(part("speed"), "--update").output == "README.md: written anew\n")
    let written = try String(file: copy + "/README.md")
    #expect(written.contains("| MOOGLADDER | `moogladder` |"))
    #expect(try docs(written, "--check").exitCode == 0)
    #expect(try docs(part("spede"), "--check").exitCode == 65)
    try docs("<!-- speed, by ./opcodekit dev docs --update -->\n", "--check").refused(65)
  }

  @Test("The site builds without a warning of DocC", .onlyAmongAll)
  func site() throws {
    let site = try temporaryDirectory() + "/site"
    try opcodekit("dev", "docs", "--output", site).good()
    for page in Page.all.articles {
      let name = page.name == "OpcodeKit" ? "" : "/" + page.name.lowercased()
      let path = "\(site)/documentation/opcodekit\(name)/index.html"
      #expect(Files.exist(path), "\(path)")
    }
    #expect(Files.exist(site + "/documentation/opcodekit/audioopcode"))
    // An opcode's page: how it is called comes first, the example has no macros, pictures have a size.
    let ladder = try String(file: site + "/data/documentation/opcodekit/moogladder.json")
    let syntax = try #require(ladder.firstRange(of: "\"anchor\":\"Syntax\""))
    let description = try #require(ladder.firstRange(of: "\"anchor\":\"Description\""))
    #expect(syntax.lowerBound < description.lowerBound && !ladder.contains("$OPCODE"))
    let picture = try String(file: site + "/images/OpcodeKit/opcode-MOOGLADDER-1.svg")
    #expect(picture.contains("<svg width=\"760\" height=\"300\""))
  }

  @Test("A directory that holds something else is not written over")
  func foreignDirectory() throws {
    let directory = try temporaryDirectory()
    try "mine".save(to: directory + "/letter.txt")
    try opcodekit("dev", "docs", "--output", directory).refused(73)
    #expect(Files.exist(directory + "/letter.txt"))
  }

  // MARK: Commands

  /// The options of each command, from its help. Commands for developers are named by both of their words.
  static let options: [String: Set<String>] = {
    func names(_ words: String...) -> [String] {
      try! opcodekit(words + ["--help"]).output.split(separator: "\n")
        .filter { $0.hasPrefix("  ") }.map { String($0.split(separator: " ")[0]) }
    }
    let calls = names().map { [$0] } + names("dev").map { ["dev", $0] }
    return Dictionary(
      uniqueKeysWithValues: calls.map { call in
        guard call != ["test"] else {
          let options = [
            "--all", "--changed", "--csound", "--filter", "--sanitize", "--skip-build",
          ]
          return ("test", Set(options))
        }
        let help = try! opcodekit(call + ["--help"]).output
        return (
          call.joined(separator: " "),
          Set(help.parts(/(?:^|\s)(--?[a-z][a-z-]*)/))
        )
      })
  }()

  /// The words after `./opcodekit` of every command on a page, in blocks and in the text.
  static func commands(of page: Article) -> [String] {
    let blocks = page.blocks.filter { $0.language == "sh" }.flatMap {
      $0.text.replacing("\\\n", with: " ").split(separator: "\n").map(String.init)
    }
    let prose = page.blocks.reduce(page.text) { $0.replacing($1.text, with: "") }
    let spans = prose.replacing("\n", with: " ").parts(/`([^`]+)`/)
    return (blocks + spans).compactMap {
      $0.firstMatch(
        of: /^(?:[A-Z_0-9]+=\S+ )*(?:\.\/opcodekit|\.build\/debug\/opcodekit) ([^#|>]*)/
      )
      .map { String($0.output.1) }
    }
  }

  @Test(
    "Every command is one the tool has, with options it has", arguments: Page.all.pages.map(\.path))
  func commandsExist(path: String) throws {
    let page = try #require(Page.all.pages.first { $0.path == path })
    for command in Self.commands(of: page) {
      let words = command.split(separator: " ").map(String.init)
      guard let verb = words.first, !verb.hasPrefix("-"), verb != "COMMAND" else { continue }
      let name = words.prefix(verb == "dev" ? 2 : 1).joined(separator: " ")
      let known = try #require(Self.options[name], "'\(command)' in \(path)")
      for word in words where word.hasPrefix("-") && word.contains(/^--?[a-z]/) {
        let name = word.split(separator: "=")[0].trimmingCharacters(in: ["…", ","])
        #expect(known.contains(name), "'\(word)' of '\(command)' in \(path)")
      }
    }
  }

  @Test("The shell can read every block of commands")
  func shell() throws {
    let blocks = Page.all.pages.flatMap(\.blocks).filter { $0.language == "sh" }
    #expect(blocks.count > 10)
    try run("/bin/sh", ["-nc", blocks.map(\.text).joined(separator: "\n")]).good()
  }

  @Test("Blocks are of kinds that some test looks at, and JSON is JSON")
  func kinds() throws {
    let help = try opcodekit("--help").output
    for page in Page.all.pages {
      for block in page.blocks {
        let place = "\(page.path), line \(block.line)"
        #expect(
          ["", "console", "sh", "swift", "c", "cpp", "csd", "json", "yaml"].contains(
            block.language),
          "\(place)"
        )
        // Commands that make a package are not run here; the tests of packages run them.
        if block.language == "console" {
          for match in block.text.matches(of: /opcodekit (\w+)/) {
            #expect(help.contains("\n  \(match.1) "), "\(place)")
          }
        }
        // The tests of authors' packages compile the blocks of these pages.
        let followed = [
          "README", "FirstOpcode", "Arguments", "OwnPackage", "Structs", "Toolbox", "CallingC",
          "CompilerRefusals",
          "LivePrograms", "WhatAnOpcodeCanDo", "FromCPOF", "FromFaust",
        ]
        if ["swift", "c", "cpp", "csd"].contains(block.language) {
          #expect(followed.contains(page.name), "\(place) is compiled by no test")
        }
        guard block.language == "json" else { continue }
        #expect(throws: Never.self, "\(place)") {
          try JSONSerialization.jsonObject(with: Data(block.text.utf8))
        }
      }
    }
  }

  /// `bench` is shortened. `test` is left out, because it would run this test.
  @Test("Every command of README works")
  func readmeCommands() throws {
    let directory = try temporaryDirectory()
    var count = 0
    let (plugin, options) = (try standalonePlugin.get(), try standaloneOptions())
    for line in Page.readme.blocks.filter({ $0.language == "sh" }).flatMap({
      $0.text.split(separator: "\n").map(String.init)
    }) where line != "./opcodekit test" {
      let command = line.replacing("./opcodekit bench", with: "./opcodekit bench PORTK --ksmps 64")
        .replacing("./opcodekit build", with: "./opcodekit build " + options.joined(separator: " "))
        .replacing("./opcodekit", with: tool).replacing("csd/", with: root + "/csd/")
        .replacing("./build/libopcodes.so", with: plugin)
      // Only the command `build` runs in the kit, where it puts the kit's plugin.
      let place = line.hasSuffix(" build") ? root : directory
      try run(
        "/bin/sh", ["-c", command], environment: ["OPCODEKIT_ROOT": root], directory: place
      ).good()
      count += 1
      guard let name = line.firstMatch(of: /-o (\S+)/)?.output.1 else { continue }
      let sound = try Sound(readingFrom: directory + "/" + name)
      #expect(sound.samples.map(abs).max()! > 0.1)
      try Files.remove(directory + "/" + name)
    }
    #expect(count >= 4)
  }

  /// The lines without numbers, whose last digits differ between machines, and without the number behind the directory
  /// of a second `validate` that runs at the same time.
  private static func words(_ text: String) -> [String] {
    text.split(separator: "\n").map {
      $0.trimmingCharacters(in: .whitespaces)
        .replacing(/build\/validate-[0-9]+/, with: "build/validate")
        .replacing(/[0-9]+(?:\.[0-9]+)?/, with: "0")
    }
  }

  @Test(
    "Transcripts of cheap commands are what the tool prints",
    arguments: [
      ("Reports", "NAME", "man ONEPOLE"),
      ("Validating", "0 overload", "validate --builtin tbvcf --checks life-recycled,life-reinit"),
    ])
  func transcript(page: String, beginning: String, command: String) throws {
    let block = try #require(
      Page.named(page).blocks.first { Self.words($0.text).first?.hasPrefix(beginning) == true })
    let ending = try opcodekit(command.split(separator: " ").map(String.init))
    var rest = Self.words(ending.output)[...]
    for line in Self.words(block.text) where line != "…" {
      guard let place = rest.firstIndex(of: line) else {
        Issue.record("'\(line)' of \(page) is not printed there:\n\(ending.output)")
        return
      }
      rest = rest[(place + 1)...]
    }
  }

  // MARK: What pages say

  @Test("README names every command and every opcode")
  func everything() throws {
    for name in Self.options.keys {
      // README names only `dev`; the page of all commands has each command for developers.
      let isForDevelopers = name.hasPrefix("dev ")
      let page = isForDevelopers ? Page.named("Commands") : Page.readme
      #expect(
        page.text.contains(isForDevelopers ? "`./opcodekit \(name) " : "`\(name)`"), "\(name)")
    }
    for line in try opcodekit("man").output.split(separator: "\n") {
      let name = line.split(separator: " ")[0]
      #expect(Page.readme.text.contains(name), "\(name)")
    }
  }

  @Test("The table of exit codes has those there are")
  func exitCodes() {
    let kinds: [Failure.Kind] = [
      .usage, .badInput, .missingInput, .unavailable, .internalFault, .unwritableOutput,
      .crashed, .interrupted,
    ]
    let codes = Page.named("Commands").text.parts(/(?m)^\| (\d+) \|/).map { Int32($0)! }
    #expect(codes == [0, 1, 2] + kinds.map { Failure($0, "").exitCode })
  }

  @Test("What Csound really does is shown by checks, rules and tests that exist")
  func facts() throws {
    let checks = Set(Check.catalogue.map(\.id))
    let rules = Set(Finding.Kind.allCases.map(\.rawValue))
    let names =
      FileManager.default.enumerator(atPath: root + "/Tests")?
      .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") } ?? []
    let tests = try names.map { try String(file: root + "/Tests/" + $0) }
      .joined()
    let rows = Page.facts.text.split(separator: "\n").filter { $0.hasPrefix("| ") }
      .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
      .filter { $0[1] != "shown by" }
    #expect(rows.count > 20)
    for row in rows {
      var shown = 0
      for match in row[1].matches(of: /`([a-z-]+)`/) {
        let known = row[1].contains("lint ") ? rules : checks
        #expect(known.contains(String(match.output.1)), "\(row)")
        shown += 1
      }
      for match in row[1].matches(of: /"([^"]+)"/) {
        #expect(tests.contains("\"\(match.output.1)\""), "\(row)")
        shown += 1
      }
      #expect(shown > 0, "\(row)")
    }
  }

  @Test("The groups of lint's rules and of validate's checks are those there are")
  func catalogues() {
    let rules = Page.named("Linting").text.parts(/`([a-z]+(?:-[a-z]+)+)`/)
    #expect(Set(Finding.Kind.allCases.map(\.rawValue)).isSubset(of: rules))
    let groups = Page.named("Validating").text.parts(/(?m)^\| `([a-z]+)` \|/)
    #expect(Set(groups) == Set(Check.catalogue.map(\.group)))
  }

  @Test("The drawing has every module once, the command line above all")
  func drawing() throws {
    let block = try #require(Page.named("Architecture").blocks.first)
    let lines = block.text.split(separator: "\n").map { $0.components(separatedBy: "   ") }
    let modules = lines.joined()
    #expect(lines.first?.contains("opcodekit") == true)
    #expect(Set(modules).count == modules.count)
    let groups = try Files.names(in: root + "/Sources")
    let folders = try groups.flatMap { try Files.names(in: "\(root)/Sources/\($0)") }
    // The package manager's plugin and folders of texts are no modules.
    let others = ["build-opcodes", "Licenses", "Script"]
    #expect(groups.count <= 10 && Set(modules) == Set(folders + ["Opcodes"]).subtracting(others))
    // Each module must have a row in the table of contents. Rows whose second cell begins with a backquote are those of
    // the table of uses.
    let rows = Page.named("Architecture").text.split(separator: "\n")
      .map { $0.components(separatedBy: " | ") }.filter { $0.count == 2 && !$0[1].hasPrefix("`") }
    for module in modules {
      #expect(rows.contains { $0[0].contains("`\(module)`") }, "\(module) is not described")
    }
  }
}
