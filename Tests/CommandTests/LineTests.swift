import Comparing
import Foundation
import Testing

@Suite(
  "bench --lines", .disabled(if: hasSanitizer, "valgrind and sanitizers exclude each other"),
  .enabled(if: SpeedTests.hasValgrind, "valgrind is not installed"))
struct LineTests {
  /// An opcode with a line of each kind, as WORK and, for the rival, as work_c.
  private static let source = """
    #include <csdl.h>
    #include <math.h>
    typedef struct { OPDS h; MYFLT *out, *in, *gain; double state, shaped[1024]; } WORK;
    static int work_init(CSOUND *csound, WORK *p) { p->state = 0; return OK; }
    static int work(CSOUND *csound, WORK *p) {
      MYFLT *restrict out = p->out, *restrict in = p->in, *restrict shaped = p->shaped, gain = *p->gain;
      double state = p->state;
      for (uint32_t n = 0; n < CS_KSMPS; n++)
        shaped[n] = tan(in[n]);
      for (uint32_t n = 0; n < CS_KSMPS; n++)
        out[n] = gain * shaped[n] + 1;
      for (uint32_t n = 0; n < CS_KSMPS; n++)
        out[n] = state = 0.5 * state + out[n] * 0.25;
      p->state = state;
      return OK;
    }
    static OENTRY localops[] = {
      {"WORK", sizeof(WORK), 0, 3, "a", "ak", (SUBR)work_init, (SUBR)work, NULL},
      {"work_c", sizeof(WORK), 0, 3, "a", "ak", (SUBR)work_init, (SUBR)work, NULL},
    };
    LINKAGE
    """

  /// A project with the pair and its plugin with debug information.
  private static let project = Result {
    let project = try temporaryDirectory()
    for (name, text) in [
      "rivals/work.c": source,
      "Benchmarks/WORK.json": """
      {"subject": "WORK", "rival": "work_c", "rivalSource": "rivals/work.c",
       "call": "aout WORK ain, kgain", "controls": {"gain": [0.5, 1]}}
      """,
    ] {
      let path = "\(project)/\(name)"
      try Files.makeDirectories(path.parentPath)
      try text.save(to: path)
    }
    for (plugin, option) in [("work", "-g"), ("bare", "-s")] {
      let compiled = try run(
        "/usr/bin/env",
        [
          "clang", "-O3", option, "-shared", "-fPIC", "-DUSE_DOUBLE", "-I/usr/include/csound",
          project + "/rivals/work.c", "-o", "\(project)/\(plugin).so", "-lm",
        ])
      try #require(compiled.exitCode == 0, "\(compiled.errors)")
    }
    return project
  }

  private func bench(_ words: [String], environment: [String: String] = [:]) throws -> Ending {
    let project = try Self.project.get()
    return try opcodekit(
      ["bench"] + words, root: project, environment: environment, directory: project)
  }

  @Test("The slow line is named, with what runs in vectors, and why the others do not")
  func lines() throws {
    let project = try Self.project.get()
    let json = project + "/lines.json"
    let ending = try bench(["WORK", "--lines", "--plugin", project + "/work.so", "--json", json])
      .good()
    let profiles = try JSONDecoder().decode([LineProfile].self, file: json)
    #expect(profiles.map(\.opcode) == ["WORK", "work_c"])
    for profile in profiles {
      func line(_ text: String) throws -> LineProfile.Line {
        try #require(profile.lines.first { $0.text.hasPrefix(text) }, "\(ending.output)")
      }
      // Every instruction belongs to one line.
      let sum = profile.lines.reduce(0) { $0 + $1.instructions }
      #expect(abs(sum / profile.instructions - 1) < 1e-9)
      let slow = try line("shaped[n] = tan")
      #expect(slow.text == profile.lines[0].text && slow.parts.first?.name == "tan")
      #expect(slow.reason?.word == "calls" && slow.gain > 0.5 * profile.instructions)
      let packed = try #require(try line("out[n] = gain").lanes)
      #expect(packed > 1, "\(ending.output)")
      let chain = try line("out[n] = state")
      #expect(chain.lanes == 1 && chain.gain == 0)
    }
    // Why is known where the code can be compiled again.
    let chain = profiles[1].lines.first { $0.text.hasPrefix("out[n] = state") }
    #expect(chain?.reason?.word == "recurrence", "\(ending.output)")
    #expect(ending.output.contains("\nrecurrence: "), "\(ending.output)")
  }

  @Test("In a package, a line that is left out saves what the profile says, and the source stays")
  func removal() throws {
    let package = root + "/Benchmarks/authors"
    let file = package + "/Sources/Authors/Panner.swift"
    let source = try String(file: file)
    let json = try temporaryDirectory() + "/lines.json"
    let ending = try opcodekit(
      ["bench", "PANNER-hoisted", "--lines", "--removal", "--json", json], directory: package
    ).good()
    let profile = try #require(try JSONDecoder().decode([LineProfile].self, file: json).first)
    #expect(profile.lines.contains { $0.lanes == 4 || $0.lanes == 2 }, "\(ending.output)")
    let removals = try #require(profile.removals)
    #expect(removals.contains { $0.saved != nil }, "\(ending.output)")
    #expect(try String(file: file) == source)
  }

  @Test("What cannot be counted line by line is refused in a sentence")
  func refusals() throws {
    let project = try Self.project.get()
    let plugin = project + "/work.so"
    for (words, sentence) in [
      (["--lines"], "--lines needs the NAME"), (["WIRK", "--lines"], "'WIRK'"),
      (["WORK", "--removal"], "needs --lines"),
      (["WORK", "--lines", "--counts"], "--counts does not go with --lines"),
      (["WORK", "--lines", "--removal"], "leave out --plugin"),
    ] { try bench(words + ["--plugin", plugin]).refused(64, sentence) }
    try bench(["WORK", "--lines", "--plugin", project + "/bare.so"]).refused(
      65, "has no debug information")
    try bench(["WORK", "--lines", "--plugin", plugin], environment: ["PATH": "/nonexistent"])
      .refused(69, "--lines needs the Debian package 'valgrind'")
  }
}
