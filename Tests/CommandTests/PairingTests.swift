import DevCommands
import Foundation
import HarnessBase
import Testing

@Suite("Pairs of an author's own")
struct AuthorPairingTests {
  /// A project with the pairs of the article on benchmarking.
  func project() throws -> String {
    let directory = try temporaryDirectory()
    try Files.makeDirectories(directory + "/Benchmarks")
    for block in Page.named("Benchmarking").blocks where block.language == "json" {
      try block.text.save(to: "\(directory)/\(#require(block.file))")
    }
    try linkPlugin(into: directory)
    return directory
  }

  func opcodekit(_ words: [String], in project: String) throws -> Ending {
    try run(tool, words, environment: ["OPCODEKIT_ROOT": project], directory: project)
  }

  @Test("The pairs of the article are compared as it says, timed, and leave a CSD that plays")
  func article() throws {
    let project = try project()
    let page = Page.named("Benchmarking")
    let shown = try #require(page.blocks.first { $0.text.contains("ONEPOLE against filter2") })
    let compared = try opcodekit(
      ["compare", "ONEPOLE-filter2", "--ksmps", "64", "--sample-rate", "48000"], in: project
    ).good()
    // The last digit of a null depth differs between machines.
    func words(_ text: String) -> [String] {
      text.split(separator: "\n").map { $0.replacing(/-\d+\.\d+|identical/, with: "0") }
        .map { $0.split(separator: " ").joined(separator: " ") }
    }
    #expect(words(compared.output) == words(shown.text), "\(compared.output)")
    let timed = try opcodekit(["bench"], in: project).good()
    #expect(timed.output.contains(/1\/2 +ONEPOLE +filter2 +a\b/))
    #expect(timed.output.contains(/2\/2 +ONEPOLE +tone +k\b/))
    for (name, option) in [("tone", "OPCODE=tone"), ("filter2", "RIVAL=1")] {
      let csd = "build/orchestras/ONEPOLE-\(name).csd"
      try run(
        "/usr/bin/csound",
        ["--omacro:OPCODE=tone", "--omacro:\(option)", csd, "-o", "\(name).wav"],
        directory: project
      ).good()
      let sound = try Sound(readingFrom: "\(project)/\(name).wav")
      #expect(sound.duration > 3.9 && sound.samples.map(abs).max()! > 0.01)
    }
  }

  @Test(
    "A rival in Faust, as the page has it, sounds the same; a program with a fault is refused",
    .enabled(if: installedProgram("faust") != nil, "faust is not installed"))
  func faust() throws {
    let project = try project()
    let page = Page.named("UserDefinedRivals")
    let program = try #require(page.blocks.first { $0.text.contains("stdfaust") }).text
    let pair = try #require(page.blocks.first { $0.text.contains("lowpass.dsp") }).text
    try pair.save(to: project + "/Benchmarks/ONEPOLE-faust.json")
    let source = try program.saved("Benchmarks/lowpass.dsp", in: project)
    let words = ["compare", "ONEPOLE-faust", "--ksmps", "1,64", "--sample-rate", "48000"]
    func compare() throws -> Ending { try opcodekit(words, in: project) }
    try compare().good()
    try program.replacing("*(1 - pole)", with: "*(1.001 - pole)").save(to: source)
    try compare().refused(1)
    try "process = nothing;".save(to: source)
    try compare().refused(65, "faust cannot compile", "nothing")
  }

  @Test(
    "Rivals outside Csound are compared only if their group or file is named; C++ with libraries is built"
  )
  func outside() throws {
    let project = try project()
    let world = project + "/Benchmarks/world"
    try Files.makeDirectories(world)
    func write(_ text: String, _ name: String) throws {
      try text.save(to: "\(world)/\(name)")
    }
    func pair(_ library: String) -> String {
      """
      { "group": "world", "subject": "ONEPOLE", "rival": "cpp_pole", "tolerance": 20,
        "rivalSource": "Benchmarks/world/pole.cpp", "rivalLibraries": { "\(library)": "lib\(library)-dev" },
        "accuracy": "double", "call": "aout ONEPOLE ain, kcutoff", "controls": { "cutoff": [200, 8000] } }
      """
    }
    try write(pair("m"), "ONEPOLE-cpp.json")
    try write(
      """
      #include <plugin.h>
      #include <cmath>
      struct Pole { OPDS h; MYFLT *out, *in, *cutoff; double state; };
      static int start(CSOUND *, Pole *p) { p->state = 0; return OK; }
      static int play(CSOUND *, Pole *p) {
        auto share = 1 - std::exp(-6.283185 * *p->cutoff / 48000);
        for (uint32_t n = 0; n < p->h.insdshead->ksmps; n++) p->out[n] = p->state += share * (p->in[n] - p->state);
        return OK;
      }
      static OENTRY localops[] = {
          {(char *)"cpp_pole", sizeof(Pole), 0, 3, (char *)"a", (char *)"ak", (SUBR)start, (SUBR)play, nullptr}};
      extern "C" {
      LINKAGE
      }
      """, "pole.cpp")
    let options = ["--ksmps", "64", "--sample-rate", "48000"]
    func compare(_ names: String...) throws -> Ending {
      try opcodekit(["compare"] + names + options, in: project)
    }
    for name in ["world", "ONEPOLE-cpp"] {
      let named = try compare(name).good()
      #expect(named.output.contains("ONEPOLE against cpp_pole") && !named.output.contains("tone"))
    }
    for unnamed in [try compare(), try compare("ONEPOLE")] {
      #expect(unnamed.exitCode == 0 && unnamed.output.contains("tone"), "\(unnamed.errors)")
      #expect(!unnamed.output.contains("cpp_pole"))
    }
    try compare("worlds").refused(64, "did you mean world?")
    try write(pair("nowhere"), "ONEPOLE-cpp.json")
    try Files.remove(project + "/build/reference")
    try compare("world").refused(
      69, "pole.cpp' needs libnowhere-dev; as root, run: apt-get install libnowhere-dev")
  }

  @Test(
    "Before the first row bench says which rival's library is missing, and it times the other pairs"
  )
  func missingLibrary() throws {
    let project = try project()
    for (name, text) in [
      (
        "ONEPOLE-opens.json",
        """
        { "subject": "ONEPOLE", "rival": "never", "rivalSource": "Benchmarks/a.c",
          "rivalOpens": { "libnosuch.so.9": "libnosuch9" },
          "call": "aout ONEPOLE ain, kcutoff", "controls": { "cutoff": [200, 8000] } }
        """
      ), ("a.c", "#include <csdl.h>\nstatic OENTRY localops[] = {{0}};\nLINKAGE\n"),
    ] {
      try text.save(to: "\(project)/Benchmarks/\(name)")
    }
    let json = try "older".saved("rows.json", in: project)
    let ending = try run(
      "/bin/sh",
      [
        "-c", "exec \"$0\" \"$@\" 2>&1", tool, "bench", "ONEPOLE-tone", "ONEPOLE-opens", "--ksmps",
        "64", "--json", json,
      ], environment: ["OPCODEKIT_ROOT": project], directory: project)
    let said =
      "opcodekit: ONEPOLE-opens is left out: '\(project)/Benchmarks/a.c' opens libnosuch.so.9, which is"
      + " not installed; as root, run: apt-get install libnosuch9\n"
    #expect(ending.exitCode == 69 && ending.output.hasPrefix(said), "\(ending.output)")
    #expect(ending.output.contains(/ONEPOLE +tone +k\b/), "\(ending.output)")
    try opcodekit(
      ["compare", "ONEPOLE-opens", "ONEPOLE-tone", "--ksmps", "64", "--sample-rate", "48000"],
      in: project
    ).refused(69, "apt-get install libnosuch9").says("ONEPOLE against tone")
    #expect(try String(file: json) == "older")
  }

  @Test("A pair that does not fit is named with its key, and the others are compared and timed")
  func broken() throws {
    let project = try project()
    let files = [
      "UNREAD": #"{ "subject": "ONEPOLE", "rival": "tone", "call": "aout ONEPOLE ain, kx" }"#,
      "UNPLAYED": #"{ "subject": "PORTK", "rival": "portkk", "call": "kout PORTK kin, 0.1" }"#,
      "ALONE": #"{ "subject": "FTOM", "call": "kout FTOM kin" }"#,
      "LONELY": #"{ "subject": "FTOM", "call": "kout FTOM kin" }"#,
    ]
    for (name, text) in files {
      try text.save(to: "\(project)/Benchmarks/\(name).json")
    }
    let compared = try opcodekit(
      ["compare", "--ksmps", "64", "--sample-rate", "48000"], in: project)
    let timed = try opcodekit(["bench"], in: project)
    for ending in [compared, timed] {
      ending.refused(
        65, "UNREAD.json' is not a pairing: 'kx' in 'call' has no range",
        "UNPLAYED.json', 'rival' at rates k: There is no opcode"
      ).says("filter2", "tone")
      #expect(
        ending.errors.contains(
          "opcodekit: left out: 'rival' is missing in 'ALONE.json', 'LONELY.json'; only bench"
            + " --against-build and build --cpu native do without.\n"))
      #expect(!(ending.output + ending.errors).contains("FTOM"))
    }
    #expect(compared.output.matches(of: /\bagainst\b/).count == 2)
    #expect(timed.output.matches(of: /\bONEPOLE +(tone|filter2)\b/).count == 2)
    let named = try opcodekit(["compare", "ONEPOLE-tone", "--ksmps", "64"], in: project)
    #expect(named.exitCode == 0 && !named.errors.contains("ALONE"), "\(named.errors)")
  }
}
