import Foundation
import Testing

/// The plugins of Tests/FaultyPlugins, compiled once for all tests.
enum FaultyPlugin {
  static let directory = try! temporaryDirectory()

  /// Compiles a plugin from a C file; `behaviour` is a macro of broken.c.
  ///
  /// `headers` is the directory of the headers of a Csound that is not installed.
  static func compile(
    _ source: String, _ behaviour: String? = nil, headers: String? = nil
  ) throws -> String {
    let plugin = "\(directory)/\(behaviour ?? source)-\(UUID().uuidString.prefix(8)).so"
    try run(
      "/usr/bin/env",
      [
        "clang", "-shared", "-fPIC", "-w", "-DUSE_DOUBLE", "-DBEHAVIOUR=\(behaviour ?? "0")",
      ] + (headers.map { ["-I\($0)", "-I\($0)/csound"] } ?? []) + [
        "\(root)/Tests/FaultyPlugins/\(source).c", "-o", plugin, "-lm",
      ]
    ).good()
    return plugin
  }

  static let module = Result { try compile("module") }
  static let table = Result { try compile("table") }
}

@Suite("lint")
struct LintTests {
  struct Export: Decodable {
    struct Entry: Decodable {
      var plugin, opcode, name, outputs, inputs, registeredBy: String
      var blockBytes, thread, flags: Int
      var functions: [String]
    }
    struct Generator: Decodable {
      var name: String
    }
    struct Finding: Decodable {
      var plugin, id, severity, message: String
      var signature: String?

      /// Severity, rule and signature in one line, without the message.
      var line: String { [severity, id, signature].compactMap { $0 }.joined(separator: " ") }
    }
    var csound: String
    var signatures: [Entry]
    var generators: [Generator]
    var findings: [Finding]
    var failures: [String]
  }

  @Test("The plugin for one processor is not held against the installed one for every processor")
  func otherTargets() throws {
    let (folder, installed) = (try temporaryDirectory(), try temporaryDirectory())
    for path in ["\(folder)/libopcodes-x86-64-v3.so", "\(installed)/libopcodes.so"] {
      try Files.copy(standalonePlugin.get(), to: path)
    }
    let (ending, export) = try lint("\(folder)/libopcodes-x86-64-v3.so", among: installed)
    #expect(ending.exitCode == 0 && export.findings.isEmpty, "\(ending.output)")
    // With another file name it counts as another plugin.
    try Files.move("\(installed)/libopcodes.so", to: "\(installed)/libothers.so")
    #expect(
      try !lint("\(folder)/libopcodes-x86-64-v3.so", among: installed).export.findings.isEmpty)
  }

  /// Lints in an environment in which Csound finds the plugins of one directory only.
  func lint(_ plugins: String..., among directory: String = "/nonexistent") throws -> (
    ending: Ending, export: Export
  ) {
    let json = try temporaryDirectory() + "/lint.json"
    let ending = try opcodekit(
      ["lint", "--json", json] + plugins,
      environment: ["OPCODE6DIR64": directory, "CS_USER_PLUGINDIR": "/nonexistent"])
    return (ending, try JSONDecoder().decode(Export.self, file: json))
  }

  static let moduleFindings = [
    "fault block-too-large LARGE",
    "fault block-too-large LARGEEXPORTED",
    "fault block-too-large LARGEPAIR.large",
    "fault block-too-large UNNAMED",
    "fault block-too-small SMALL",
    "fault block-too-small SMALLOPTIONAL",
    "fault block-too-small SMALLVARIADIC",
    "fault name-too-long " + String(repeating: "L", count: 79) + "O",
    "fault name-unparsable ",
    "fault name-unparsable 3D",
    "fault name-unparsable NAME-DASH",
    "fault name-unparsable while",
    "fault overload-outputs-mixed MIXED.none",
    "fault overload-outputs-mixed oscili.MIXED",
    "fault shadow-builtin moogladder",
    "fault shadow-overload HIDDEN.i",
    "fault signature-twice TWICE.second",
    "fault slot-never-called IDLEAUDIO",
    "fault slot-never-called IDLECSOUND5",
    "fault slot-never-called IDLEINIT",
    "fault slot-never-called IDLEPERFORM",
    "fault slot-null-called NULLINIT",
    "fault slot-null-called NULLINIT.list",
    "fault slot-null-called NULLPERFORM",
    "fault slot-null-called NULLTHREADLESS",
    "fault type-after-variadic AFTERIN",
    "fault type-after-variadic AFTEROUT",
    "fault type-brackets BRACKETIN",
    "fault type-brackets BRACKETOUT",
    "fault type-letter TYPEARRAY",
    "fault type-letter TYPEIN",
    "fault type-letter TYPEOUT",
    "fault type-optional-first OPTIONALFIRST",
    "note block-alignment ODD",
    "note block-alignment PAIR.large",
    "note block-variadic-room ROOM",
    "note block-variadic-room ROOMOUT",
    "note order-function-syntax ORDER.i",
    "note shadow-builtin moogladder2.PARTLY",
    "note shadow-overload OVERLAP.ik",
    "note signature-twice AGAIN",
    "note slot-never-called IDLEHARMLESS",
  ]

  @Test("Every fault of a module is found, and nothing in its clean opcodes")
  func module() throws {
    let (ending, export) = try lint(FaultyPlugin.module.get())
    #expect(export.findings.map(\.line).sorted() == Self.moduleFindings)
    #expect(ending.exitCode == 1)
    #expect(ending.output.hasSuffix(": 76 signatures, 0 GENs, 33 faults, 9 notes\n\n"))
    for finding in export.findings {
      #expect(ending.output.contains("\(finding.severity) \(finding.id): \(finding.message)\n"))
    }
  }

  @Test("Every fault of a table is found, and its GEN routines are listed")
  func table() throws {
    let (ending, export) = try lint(FaultyPlugin.table.get())
    #expect(
      export.findings.map(\.line).sorted() == [
        "fault block-too-large UNNAMED", "fault signature-twice TWICE",
        "fault slot-null-called NULLPERFORM",
      ])
    #expect(export.generators.map(\.name) == ["lintfirst", "lintsecond"])
    #expect(export.signatures.count == 7)
    #expect(export.signatures.allSatisfy { $0.registeredBy == "csound_opcode_init" })
    #expect(ending.exitCode == 1)
    #expect(ending.output.hasSuffix(": 7 signatures, 2 GENs, 3 faults, 0 notes\n\n"))
  }

  @Test("A signature is listed as the plugin gave it, whatever Csound keeps of it")
  func signatures() throws {
    let export = try lint(FaultyPlugin.module.get()).export
    let large = try #require(export.signatures.first { $0.name == "LARGE" })
    #expect(large.blockBytes == 70_000)
    #expect(large.registeredBy == "csound->AppendOpcode")
    let exported = try #require(export.signatures.first { $0.name == "LARGEEXPORTED" })
    #expect(exported.blockBytes == 70_000)
    #expect(exported.registeredBy == "csoundAppendOpcode")
    let listed = export.signatures.filter { $0.registeredBy == "csound->AppendOpcodes" }
    #expect(listed.map(\.name) == ["CLEANLIST", "NULLINIT.list"])
    let overload = try #require(export.signatures.first { $0.name == "CLEANSPECIAL.x" })
    #expect(overload.opcode == "CLEANSPECIAL")
    #expect(overload.outputs == "a")
    #expect(overload.inputs == "ax")
    #expect(overload.thread == 3)
    #expect(overload.flags == 0)
    #expect(overload.functions == ["init", "perform"])
  }

  @Test("Two plugins with one signature: a fault of the second")
  func across() throws {
    let (module, table) = try (FaultyPlugin.module.get(), FaultyPlugin.table.get())
    let (ending, export) = try lint(module, table)
    let clashes = export.findings.filter { $0.id == "signature-across-plugins" }
    #expect(
      clashes.map { [$0.plugin, $0.signature ?? ""] }
        == ["SHARED", "UNNAMED", "NULLPERFORM", "TWICE"].map {
          [URL(fileURLWithPath: table).lastPathComponent, $0]
        })
    #expect(clashes.allSatisfy { $0.severity == "fault" })
    #expect(ending.exitCode == 1)
    // A plugin that is named twice does not conflict with itself.
    let twice = try lint(table, table).export
    #expect(twice.signatures.count == 7)
    #expect(!twice.findings.contains { $0.id == "signature-across-plugins" })
  }

  @Test("A plugin that Csound finds by itself shadows with a note, unless it is the one linted")
  func installed() throws {
    let directory = try temporaryDirectory()
    let table = try FaultyPlugin.table.get()
    try Files.copy(table, to: directory + "/libother.so")
    let export = try lint(FaultyPlugin.module.get(), among: directory).export
    let shadowed = export.findings.filter { $0.id == "shadow-installed" }
    #expect(
      shadowed.map(\.line)
        == ["SHARED", "UNNAMED", "NULLPERFORM", "TWICE.first"].map { "note shadow-installed \($0)" }
    )
    #expect(shadowed.allSatisfy { $0.message.contains("'libother.so'") })

    let itself = try lint(directory + "/libother.so", among: directory).export
    #expect(!itself.findings.contains { $0.id == "shadow-installed" })
  }

  @Test(
    "A plugin that fails or is ignored while it registers is linted all the same",
    arguments: [
      ("returns_1_from_create", "load-return-value", "'csoundModuleCreate' returned 1", 0),
      ("returns_1_from_init", "load-return-value", "'csoundModuleInit' returned 1", 1),
      ("has_a_table_beside_create", "load-ignored-entry", "'csound_opcode_init'", 1),
      ("has_init_without_create", "load-ignored-entry", "'csoundModuleInit'", 0),
      ("has_no_list_of_gens", "load-return-value", "'csound_fgen_init' returned NULL", 0),
      ("has_no_table", "load-return-value", "returned 64 and no table", 0),
    ])
  func registration(behaviour: String, id: String, words: String, count: Int) throws {
    let (ending, export) = try lint(FaultyPlugin.compile("broken", behaviour))
    #expect(export.findings.map(\.line) == ["fault \(id)"])
    #expect(export.findings.first?.message.contains(words) == true)
    #expect(export.signatures.count == count)
    #expect(ending.exitCode == 1)
  }

  @Test(
    "A plugin that cannot be loaded costs one sentence, and the others are linted",
    arguments: [
      ("crashes", "crashes when it is loaded: Aborted"), ("hangs", "was not loaded after 10 s"),
      ("exits", "with exit code 3"), ("is_for_floats", "was built for another Csound"),
      ("is_for_another_version", "was built for another Csound"),
      ("says_no_version", "registers neither an opcode nor a GEN routine with Csound 6.18"),
    ])
  func unloadable(behaviour: String, words: String) throws {
    let (ending, export) = try lint(
      FaultyPlugin.compile("broken", behaviour), FaultyPlugin.table.get())
    #expect(ending.exitCode == 65)
    #expect(export.failures.count == 1)
    #expect(export.failures.first?.contains(words) == true, "\(export.failures)")
    #expect(ending.errors.contains(words))
    #expect(export.signatures.count == 7)
  }

  @Test("A plugin that says nothing of the size of samples is loaded, as by Csound")
  func anySize() throws {
    try lint(FaultyPlugin.compile("broken", "is_for_any_size")).ending.good()
  }

  @Test("A crash of another installed plugin is not the linted one's")
  func otherCrash() throws {
    let directory = try temporaryDirectory()
    try Files.copy(FaultyPlugin.compile("broken", "crashes"), to: directory + "/libcrash.so")
    let (ending, export) = try lint(FaultyPlugin.table.get(), among: directory)
    #expect(ending.exitCode == 1)
    #expect(export.signatures.count == 7)
    #expect(export.failures.isEmpty)
  }

  @Test("Files that are no plugins")
  func noPlugins() throws {
    let text = try "no library".saved("text.so")
    for (file, exitCode, words) in [
      ("none.so", 66, "does not exist"), (text, 65, "cannot be loaded"),
      (systemLibraries + "/libm.so.6", 65, "no Csound plugin"), ("csd", 66, "is a directory"),
    ] as [(String, Int32, String)] {
      try opcodekit("lint", file).told(exitCode, words)
    }
    #expect(try opcodekit("lint", "--json", "/none/x.json").exitCode == 73)
  }
}
