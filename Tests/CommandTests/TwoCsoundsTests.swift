import Foundation
import HarnessBase
import Rendering
import TestSupport
import Testing

/// Two Csounds that differ in the opcodes of one plugin: copies of the installed library in directories of their own.
@Suite("versions, and a Csound in a directory", .serialized)
struct TwoCsoundsTests {
  static let csounds = Result { try [1, 2].map { try makeCsound(version: $0) } }

  /// A directory with Csound's library and the opcodes of `versions.c`.
  static func makeCsound(version: Int) throws -> String {
    let directory = try temporaryDirectory()
    let plugins = directory + "/plugins"
    try Files.makeDirectories(plugins)
    let library = "/libcsound64.so.6.0"
    let installed = URL(fileURLWithPath: systemLibraries + library).resolvingSymlinksInPath().path
    try Files.copy(installed, to: directory + library)
    let compiled = try run(
      try #require(Clang.path),
      [
        "-shared", "-fPIC", "-w", "-DUSE_DOUBLE", "-DVERSION=\(version)", "-I/usr/include/csound",
        root + "/Tests/FaultyPlugins/versions.c", "-o", plugins + "/libversioned.so", "-lm",
      ])
    try #require(compiled.exitCode == 0, "\(compiled.errors)")
    return directory
  }

  struct Export: Decodable {
    struct Library: Decodable { var path, version: String }
    struct Overload: Decodable {
      var opcode, verdict: String
      var instructions: [Double]
    }
    var first, second: Library
    var overloads: [Overload]
  }

  @Test("Each kind of change is found, and what is the same is")
  func verdicts() throws {
    let (first, second) = (try Self.csounds.get()[0], try Self.csounds.get()[1])
    let expected = [
      "versame": "same", "verrounded": "rounding", "verresidue": "rounding",
      "verlouder": "different",
      "verbroken": "new fault", "vermended": "mended fault", "verchance": "random, alike",
      "vercrash": "new fault", "verkept": "new fault", "verrefused": "refuses",
      "versilent": "not played", "verlate": "different with --sample-accurate", "vergone": "gone",
      "vernew": "new",
    ]
    let directory = try temporaryDirectory()
    let files = ["json", "junit", "markdown"].map { "\(directory)/found.\($0)" }
    let ending = try opcodekit(
      ["versions", "--csound", first, "--csound", second, "--json", files[0], "--junit", files[1]]
        + ["--markdown", files[2], "--keep", directory + "/kept", "--"] + expected.keys.sorted()
    ).refused(1)
    let export = try JSONDecoder().decode(Export.self, file: files[0])
    #expect(export.first.path == first + "/libcsound64.so.6.0")
    let found = Dictionary(uniqueKeysWithValues: export.overloads.map { ($0.opcode, $0.verdict) })
    #expect(found == expected, "\(ending.output)")
    ending.says(
      "a note that is played again sounds otherwise than before", "a gain of 0.5 is not allowed")
    // A kept orchestra shows what was found, in plain Csound.
    let kept = try Files.names(in: directory + "/kept").sorted()
    #expect(kept.contains("input.wav") && kept.contains("verlouder-a-ak-first.flac"), "\(kept)")
    #expect(kept.count { $0.hasSuffix("a-ak.csd") } == 7, "\(kept)")
    try run(
      "/usr/bin/csound", ["-d", "-n", "verrefused-a-ak.csd"],
      environment: ["OPCODE6DIR64": second + "/plugins"], directory: directory + "/kept"
    ).tells("a gain of 0.5 is not allowed")
    // A small test needs no file, and fails by its exit code in one of the two.
    for test in ["verlouder", "verbroken", "verkept", "verrefused", "verlate"] {
      let codes = try [first, second].map { csound in
        try run(
          "/usr/bin/csound", ["-d", "-n", "\(test)-a-ak-test.csd"],
          environment: ["OPCODE6DIR64": csound + "/plugins"], directory: directory + "/kept"
        ).exitCode
      }
      #expect(codes == [0, 1], "\(test)")
    }
    let page = directory + "/kept/atlas.html"
    let record = directory + "/record.json"
    try opcodekit("atlas", files[0], "-o", page, "--record", record).says(
      "14 opcodes in 1 step, 9 of them changed")
    // A clone in which a commit names an opcode, and one that does not have the version.
    let script =
      "git init -q . && git config user.name T && git config user.email t@example.com && echo 1 > a.c"
      + " && git add a.c && git commit -qm first && git tag 6.18.1 && echo 2 > a.c && git commit -qam"
      + " 'verlouder is louder'"
    let clone = try temporaryDirectory()
    #expect(try run("/bin/sh", ["-c", script], directory: clone).exitCode == 0)
    try opcodekit("atlas", files[0], "-o", page, "--history", directory).refused(
      65, "is no clone of Csound's sources")
    let again = try opcodekit("atlas", record, "-o", directory + "/again.html", "--history", clone)
    #expect(
      try String(file: directory + "/again.html").contains("verlouder is louder</div>"))
    #expect(again.output.contains("14 opcodes in 1 step, 9 of them changed"), "\(again.output)")
    #expect(try !String(file: record).contains(first))
    let html = try String(file: page)
    expectWords(
      html, "data-name=\"verlouder\" data-verdicts=\"|change|different|\"",
      "href=\"verlouder-a-ak-test.csd\"", "src=\"verlouder-a-ak-second.flac\"")
    let junit = try String(file: files[1])
    #expect(junit.contains("tests=\"14\" failures=\"0\"") == false)
    #expect(junit.contains("failures=\"5\""))
    #expect(
      try String(file: files[2]).contains("| refuses | verrefused"))
  }

  @Test("One Csound against itself: the same, exit code 0; instructions are counted")
  func same() throws {
    let first = try Self.csounds.get()[0]
    let json = try temporaryDirectory() + "/found.json"
    let ending = try opcodekit(
      "versions", "--csound", first, "--csound", "6", "--counts", "--json", json, "versame", "tone")
    // The installed one does not have the plugin's opcode.
    ending.refused(1).says("3 overloads: 1 gone, 2 same")
    let export = try JSONDecoder().decode(Export.self, file: json)
    let counts = try #require(export.overloads.last?.instructions)
    #expect(counts.count == 2 && counts[0] > 1 && abs(counts[0] - counts[1]) < 1, "\(counts)")
  }

  @Test("What differs is the opcode, not its input, name or message: Csound 6.18 and 7.0")
  func releases() throws {
    try opcodekit(
      "versions", "--csound", "6", "--csound", "7", "--all", "limit", "vadd_i", "strsub", "urd",
      "OSCcount", "linsegr", "mp3len", "outs2"
    ).says(
      "same  limit (a ← akk)", "same  vadd_i (", "same  strsub (S ← Soj)", "it is random now",
      "not played  mp3len (i ← S)  it reads a file", "not played  outs2 ( ← a)",
      "not played  OSCcount (k ← )  it speaks to other programs", "different  linsegr (a ← iim)")
  }

  @Test("A piece: the lines whose opcodes differ are named")
  func piece() throws {
    let (first, second) = (try Self.csounds.get()[0], try Self.csounds.get()[1])
    let directory = try temporaryDirectory()
    let piece = try """
    0dbfs = 1
    instr 1
      a1 oscili 0.5, 440 ; verlouder is not called here
      a1 versame a1, 1
      a1 verlouder a1, 0.5
      out a1
    endin
    """.csd(score: "i 1 0.1 0.2").replacing("\n", with: "\r\n").saved()
    let arguments =
      try
      #"{"versame": {"inputs": []}, "verlouder": {"inputs": [{"name": "ain"}, {"typical": 0.5}]}}"#
      .saved("arguments.json")
    let whole = """
      0dbfs = 1
      seed 0
      instr 1
        a1 noise 0.5, 0
        out a1
      endin
      """.csd(score: "i 1 0 0.3")
    let chance = try whole.saved("chance.csd")
    let lost =
      try
      "<CsoundSynthesizer>\n<CsInstruments>\n#include \"none.orc\"\n</CsInstruments>\n</CsoundSynthesizer>\n"
      .saved("lost.csd")
    let starter = try whole.replacing("seed 0", with: "seed 1\ni1 system_i 1, \"true\"")
      .saved("starter.csd")
    let writer = try whole.replacing("seed 0", with: "seed 1")
      .replacing("out a1", with: "fout \"\(directory)/stolen.wav\", 4, a1")
      .saved("writer.csd")
    let ending = try opcodekit(
      "versions", "--csound", first, "--csound", second, "--arguments", arguments, lost, chance,
      piece, starter, writer
    ).says("not played  \(starter)  It starts programs with 'system_i'")
    #expect(Confinement.missingGuards != nil || ending.output.contains("not played  \(writer)  "))
    try ending.good().says(
      "from 0.1", "random, alike  \(chance)", "not played  \(lost)  '\(lost)' asks for the file",
      "  line 7: a1 verlouder a1, 0.5\n    verlouder (a ← ak): different 0 dB")
    #expect(!ending.output.contains("line 5") && !ending.output.contains("line 6"))
  }

  @Test("Files of a patch name the opcodes of their tables, and of the sources' table for others")
  func changed() throws {
    let (first, second) = (try Self.csounds.get()[0], try Self.csounds.get()[1])
    let sources = try temporaryDirectory()
    for folder in ["Engine", "OOps"] {
      try Files.makeDirectories("\(sources)/\(folder)")
    }
    try """
    OENTRY table[] = {
      { "versame.k", S(V), 0, 3, "a", "ak", setup, versame_perform },
      { "verlouder", S(V), 0, 3, "a", "ak", setup, louder },
    };
    """.save(to: sources + "/Engine/entry1.c")
    let file = sources + "/OOps/versame.c"
    try "int32_t versame_perform(CSOUND *csound, V *p) { return OK; }\n"
      .save(to: file)
    try opcodekit("versions", "--csound", first, "--csound", second, "--changed", file, "--all")
      .good().says("1 opcode, 1 overload in ", "same  versame (a ← ak)")
  }

  @Test("Commands run in the Csound of a directory, with its plugins")
  func tool() throws {
    let csound = try Self.csounds.get()[0]
    let directory = try temporaryDirectory()
    // The dynamic linker writes which libraries each process has loaded.
    try run(
      root + "/opcodekit", ["lint", "--csound", csound, "--plugin", try standalonePlugin.get()],
      environment: [
        "OPCODEKIT_PROGRAM": "opcodekit", "OPCODEKIT_IGNORES_LOCK": "1", "LD_DEBUG": "libs",
        "LD_DEBUG_OUTPUT": directory + "/ld",
      ]
    ).good()
    let link = try #require(
      try Files.names(in: directory).lazy.compactMap { try? String(file: "\(directory)/\($0)") }
        .compactMap { $0.firstMatch(of: /calling init: (\S*csounds\/\w+\/libcsound64\S*)/) }.first
        .map { String($0.output.1) })
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: link)
        == csound + "/libcsound64.so.6.0")
    let piece = try """
    instr 1
      a1 versame a(0.1), 0.5
      out a1
    endin
    """.csd(score: "i 1 0 0.1").saved(in: directory)
    let words = ["render", piece, "-o", directory + "/piece.wav", "--plugin"]
    let plugin = try standalonePlugin.get()
    #expect(try opcodekit(words + [plugin, "--csound", csound]).exitCode == 0)
    #expect(try opcodekit(words + [plugin]).exitCode == 65)
  }

  @Test("A Csound with other structs is recognised by its headers")
  func unfit() throws {
    let directory = try temporaryDirectory()
    let include = directory + "/source/include"
    try Files.makeDirectories(directory + "/source")
    try Files.copy("/usr/include/csound", to: include)
    try Files.copy(
      try Self.csounds.get()[0] + "/libcsound64.so.6.0", to: directory + "/libcsound64.so")
    try "CMAKE_HOME_DIRECTORY:INTERNAL=\(directory)/source\n"
      .save(to: directory + "/CMakeCache.txt")
    let words = ["lint", "--csound", directory, "--plugin", try standalonePlugin.get()]
    let environment = ["OPCODEKIT_PROGRAM": "opcodekit", "OPCODEKIT_IGNORES_LOCK": "1"]
    try run(root + "/opcodekit", words, environment: environment).good()
    let header = include + "/csoundCore.h"
    let text = try String(file: header)
    let changed = text.replacing(
      "typedef struct insds {", with: "typedef struct insds { int added[2];")
    try #require(changed != text)
    try changed.save(to: header)
    try run(root + "/opcodekit", words, environment: environment).refused(
      69, "its INSDS has another layout than in Csound 6.18")
  }

  @Test(
    "Bad input gives one sentence",
    arguments: [
      (["--csound", "6"], 64, "versions compares two Csounds, 1 given"),
      (["--csound", "6", "--csound", "/nonexistent/csound"], 66, "which does not exist"),
      (["--csound", "6", "--csound", "/tmp"], 66, "where no library 'libcsound64.so' is"),
      (["--csound", "6", "--csound", "/etc/passwd"], 65, "cannot be used as Csound 6 or 7"),
      (["--csound", "6", "--csound", "6", "monoladder"], 64, "No opcode is called 'monoladder'"),
      (["--csound", "6", "--csound", "6", "none.csd"], 66, "'none.csd' does not exist"),
      (["--csound", "6", "--csound", "6", "--changed", "/etc/passwd"], 65, "have no opcodes"),
      (
        ["atlas", "a.json", "b.json", "--record", "c.json"], 64, "--record keeps one file, 2 given"
      ),
      (["atlas", "/etc/passwd"], 65, "'/etc/passwd' has no results of versions"),
    ])
  func badInput(words: [String], exitCode: Int32, sentence: String) throws {
    try opcodekit((words.first == "atlas" ? [] : ["versions"]) + words).told(exitCode, sentence)
  }
}
