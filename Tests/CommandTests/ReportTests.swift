import Foundation
import FoundationXML
import HarnessBase
import PluginBuilding
import TestSupport
import Testing

@Suite("man and report")
struct ReportTests {
  @Test("Every overload the plugin registers has a line of syntax and all its arguments described")
  func manual() throws {
    let rows = try ListedOverload.all()
    let lines = try opcodekit("list", "--json").output.split(separator: "\n")
    #expect(lines.count == rows.count + 2, "a line for each row")
    let manuals = try Manual.all(in: root + "/Opcodes")
    #expect(Set(manuals.map(\.name)) == Set(rows.map(\.opcode)))
    #expect(manuals.flatMap(\.problems) == [])
    for manual in manuals {
      #expect(!manual.summary.isEmpty && !manual.forms.isEmpty && !manual.descriptions.isEmpty)
    }
    for row in rows {
      let forms = manuals.flatMap(\.forms).filter { $0.overloads.contains(row.overload) }
      try #require(forms.count == 1, "\(row.overload)")
      let types = row.outputs + row.inputs
      let count = types.replacing("[]", with: "").count
      #expect(forms[0].arguments.reduce(0) { $0 + $1.count } == count, "\(row.overload)")
      #expect(forms[0].arguments.allSatisfy { $0.text?.isEmpty == false }, "\(row.overload)")
    }
  }

  @Test("man: the sections in their order, without escape codes where there is no terminal")
  func page() throws {
    let ending = try opcodekit("man", "MOOGLADDER")
    #expect(ending.exitCode == 0 && ending.errors.isEmpty)
    let heads = ending.output.split(separator: "\n").filter { $0.first != " " }
    #expect(
      heads == [
        "NAME", "SYNTAX", "DESCRIPTION", "ARGUMENTS", "EXAMPLE", "SEE ALSO", "SOURCE",
      ])
    ending.says(
      "aout MOOGLADDER ain, xcutoff, xresonance [, iskip [, iquality]]", "csd/MOOGLADDER.csd",
      "Csound's moogladder.", "Opcodes/Ladders/MoogLadderArray.swift", "xcutoff (a, k)",
      "iskip (i, 0 when left out)")
    #expect(!ending.output.contains("\u{1B}"))
    let prose = ending.output.split(separator: "\n").filter { $0.contains(/^ {4}\S/) }
    #expect(prose.allSatisfy { $0.count <= 80 })
    #expect(try opcodekit("man").output.contains("VOICES"))
  }

  @Test("man: every name an author may use has a page, and an unknown name the nearest ones")
  func reference() throws {
    let listed = try opcodekit("man", "OpcodeKit").output.split(separator: "\n")
    let names = listed.map { String($0.prefix { $0 != " " && $0 != "(" }) }
    #expect(names.contains("@Opcode") && names.contains("Context") && !names.contains("HeldArray"))
    let pages = try opcodekit(["man"] + names + ["math.SIN"])
    #expect(pages.exitCode == 0 && pages.errors.isEmpty, "\(pages.errors)")
    pages.says("macro Opcode(_ name: StaticString,", "static func sin(_ x: Double) -> Double")
    let member = try opcodekit("man", "context.table").output
    expectWords(member, "-> FunctionTable?", "must be the number of an existing table", "EXAMPLE")
    let found = try opcodekit("man", "oversampl").output.split(separator: "\n")
    #expect(
      found.contains { $0.hasPrefix("Quality.best ") } && !found.contains { $0.contains("NAME") })
  }

  @Test(
    "man: the example can be pasted, and plays as the orchestra does",
    arguments: ["BANDS", "CONVOLVE", "FTOM", "MOOGLADDER", "STATEVAR", "TONEWHEELS", "VOICES"])
  func example(opcode: String) throws {
    let page = try opcodekit("man", opcode).output
    let text = try #require(
      page.firstMatch(of: /(?s) *<CsoundSynthesizer>.*<\/CsoundSynthesizer>\n/))
    for word in ["$OPCODE", "#ifndef", "#define", "macro"] {
      #expect(!text.output.contains(word), "\(text.output)")
    }
    let directory = try temporaryDirectory()
    try String(text.output).save(to: directory + "/pasted.csd")
    var sounds: [Data] = []
    for piece in [directory + "/pasted.csd", root + "/csd/\(opcode).csd"] {
      let output = directory + "/x.wav"
      try opcodekit(
        "render", piece, "-o", output, "--duration", "1", "--plugin", standalonePlugin.get()
      ).good()
      sounds.append(try Data(file: output))
    }
    #expect(sounds[0] == sounds[1])
  }

  @Test(
    "man --format csound-manual: pages as that manual's README asks for them, with their examples")
  func csoundManual() throws {
    let directory = try temporaryDirectory() + "/new"
    // `--out` is short for `--output`.
    let ending = try opcodekit("man", "--format", "csound-manual", "--out", directory)
    // Nothing is said on standard error, so each opcode of the pack has a category.
    #expect(ending.exitCode == 0 && ending.errors.isEmpty, "\(ending.errors)")
    let docs = directory + "/docs"
    let names = try Manual.all(in: root + "/Opcodes").map(\.name)
    let files = try Files.names(in: docs + "/opcodes")
    #expect(Set(files) == Set(names.map { $0 + ".md" }))
    var included: Set<String> = []
    for name in names {
      let text = try String(file: "\(docs)/opcodes/\(name).md")
      let head = try Regex(
        "^<!--\nid:\(name)\ncategory:[A-Z].*\n-->\n# \(name)\n\\S.*\\.\n\nPlugin opcode in OpcodeKit\\.\n"
      )
      #expect(text.prefixMatch(of: head) != nil, "\(text.prefix(300))")
      let heads = text.matches(of: /(?m)^##+ .*$/).map { String($0.output) }
      let order = [
        "## Syntax", "### Initialization", "### Performance", "## Examples", "## See also",
        "## Credits",
      ]
      #expect(heads == order.filter(heads.contains), "\(name): \(heads)")
      #expect(heads.contains("## Syntax") && heads.contains("## Examples"), "\(name)")
      for title in ["Modern", "Classic"] {
        #expect(text.contains("=== \"\(title)\"\n    ``` csound-orc\n    "), "\(name)")
      }
      for match in text.matches(of: /\n--8<-- "(.+)"\n/) {
        included.insert(String(match.1))
        let isThere = Files.exist(docs + "/" + match.1)
        #expect(isThere, "\(match.1)")
      }
    }
    let examples = try Files.names(in: docs + "/examples")
    #expect(included == Set(examples.map { "examples/" + $0 }))
    let own = try String(file: root + "/csd/MOOGLADDER-array.csd")
    let copy = docs + "/examples/MOOGLADDER-array.csd"
    #expect(try String(file: copy) == own)
    let ladder = try opcodekit("man", "MOOGLADDER", "--format", "csound-manual")
    #expect(
      try ladder.output
        == String(file: docs + "/opcodes/MOOGLADDER.md"))
    ladder.says(
      "category:Signal Modifiers:Standard Filters:Resonant\n",
      "    aout = MOOGLADDER(ain, xcutoff, xresonance [, iskip [, iquality]])\n",
      "    aout MOOGLADDER ain, xcutoff, xresonance [, iskip [, iquality]]\n",
      "\n_iskip_ (optional, default=0) -- ",
      // What the form for arrays says of the cutoff is something else.
      "\nIn `aout[] MOOGLADDER ain[], xcutoff, xresonance [, iskip [, iquality]]`:\n\n_aout[]_ -- ",
      "[MOOGLADDER.csd](../examples/MOOGLADDER.csd)", "[moogladder](moogladder.md)",
      "Author: The OpcodeKit authors<br>\n2026<br>\n")
    // Numbers of init time are apart, and what is said of two forms is said once.
    let oscillator = try opcodekit("man", "POSCIL", "--format", "csound-manual").output
    let parts = oscillator.split(separator: "### Performance")
    #expect(parts.count == 2 && parts[0].contains("\n_ifn_ (optional, default=-1) -- "))
    #expect(parts.count == 2 && parts[1].contains("\n_xcps_, _kcps_ -- "))
  }

  @Test("man --output without a format writes the pages that package does")
  func markdownFiles() throws {
    let directory = try temporaryDirectory()
    try opcodekit("man", "FTOM", "PORTK", "--output", directory).good().says("2 pages, 0 examples")
    #expect(try Files.names(in: directory).sorted() == ["FTOM.md", "PORTK.md"])
    let page = try opcodekit("man", "FTOM", "--markdown").output
    #expect(try String(file: directory + "/FTOM.md") == page)
    #expect(try opcodekit("man", "FTOM", "--format", "risset").output == page)
  }

  @Test("man --sources: opcodes of another package, and a sentence where there are none")
  func sources() throws {
    let bad = BadInputTests()
    let path = try bad.file(
      "Gain.swift",
      """
      /// aout GAIN ain, kdecibels: louder, or softer: *x* <b>, _y, z_1, `*z*`.
      struct Gain: AudioOpcode {
        struct Arguments: BitwiseCopyable {
          let output: AudioOutput
          let input: AudioInput  // The signal.
          let decibels: ControlInput
        }
      }
      let gain = Overload(
        Gain.self, "GAIN", outputs: "a", inputs: "ak", summary: "Gain in decibels", initialize: {})
      """)
    let directory = (path as NSString).deletingLastPathComponent
    let ending = try opcodekit("man", "GAIN", "--sources", directory)
    // Two of its arguments have no comment.
    ending.refused(1, "'kdecibels' of 'GAIN' has no comment").says(
      "GAIN - Gain in decibels", "louder, or softer:", "The signal.", "Not described.")
    let manual = try opcodekit(
      "man", "GAIN", "--sources", directory, "--format", "csound-manual")
    #expect(manual.output.hasPrefix("<!--\nid:GAIN\ncategory:Miscellaneous\n"))
    // Nothing tells whose the opcode is.
    #expect(!manual.output.contains("OpcodeKit"))
    manual.says("\nlouder, or softer: \\*x\\* &lt;b>, \\_y, z_1, `*z*`.\n").tells(
      "'GAIN' has no category")
    let empty = try temporaryDirectory()
    try opcodekit("man", "--sources", empty).told(66, "'\(empty)'", "--sources")
  }

  @Test("report: pages that are well-formed, need nothing else and lead to one another")
  func report() throws {
    let directory = try temporaryDirectory() + "/new/report"
    #expect(try opcodekit("bench", "FTOM", "--rates", "k", "--ksmps", "64").exitCode == 0)
    try opcodekit("report", "BUTTERLP", "FTOM", "--output", directory).good().says("2 opcodes")
    let names = try Files.names(in: directory).sorted()
    #expect(names == ["BUTTERLP.html", "FTOM.html", "index.html"])
    for name in names {
      let text = try String(file: directory + "/" + name)
      let parser = XMLParser(data: Data(text.utf8))
      #expect(parser.parse() && parser.parserError == nil, "\(name)")
      #expect(!text.contains("<!-- picture") && !text.contains("<script"))
      for link in text.matches(of: /(?:href|src)="([^"#]+)"/).map({ String($0.1) }) {
        #expect(names.contains(link), "\(name) leads to \(link)")
      }
    }
    let filter = try String(file: directory + "/BUTTERLP.html")
    expectWords(
      filter, "Frequency response", "null depth", "aout BUTTERLP ain, 1000", "csd/BUTTERLP.csd")
    let converter = try String(file: directory + "/FTOM.html")
    #expect(converter.contains("has no audio output"))
    let index = try String(file: directory + "/index.html")
    #expect(index.contains("Speed: the last run"))
    expectWords(index, "Cost against ksmps", "2026", "Csound 6.18", "x86-64.json")
    #expect(index.contains(/<td>(faster|slower|same|too noisy to tell)<\/td>/))
  }

  @Test("report: a page of sound with pictures, and pairs of sounds that differ", .onlyAmongAll)
  func sound() throws {
    let directory = try temporaryDirectory()
    try opcodekit("report", "--output", directory).good()
    let text = try String(file: directory + "/how-it-sounds.html")
    let parser = XMLParser(data: Data(text.utf8))
    #expect(parser.parse() && parser.parserError == nil)
    #expect(!text.contains("<!-- picture") && text.matches(of: /<svg/).count > 50)
    for words in ["Steps and decay", "STATEVAR, lowpass, xq 10"] { #expect(text.contains(words)) }
    let files = text.parts(/<audio [^>]*src="([^"]+)"/)
    #expect(files.count == 12)
    let sounds = try files.map { try Sound(readingFrom: directory + "/" + $0) }
    for (file, sound) in zip(files, sounds) {
      #expect(sound.samples.count == 192_000, "\(file)")
      #expect((0.05...1).contains(sound.samples.map(abs).max()!), "\(file)")
    }
    for first in stride(from: 0, to: sounds.count - 1, by: 2) {
      let pair = zip(sounds[first].samples, sounds[first + 1].samples)
      #expect(pair.contains { abs($0 - $1) > 0.01 }, "\(files[first])")
    }
    let index = try String(file: directory + "/index.html")
    #expect(index.contains("how-it-sounds.html"))
  }

  @Test("report: names, directories and runs that cannot be used")
  func badInput() throws {
    let bad = BadInputTests()
    let broken = try bad.file("broken.json", #"{ "date": "2026", "csound": "6.18" }"#)
    try opcodekit("report", "--bench", broken).told(65, "broken.json", "bench --json", "missing")
    try opcodekit("report", "--bench", try bad.file("broken.json", "{")).told(
      65, "broken.json", "not valid JSON")
    let directory = try temporaryDirectory()
    try opcodekit(["report", "FTOM", "--output", directory], environment: ["PATH": "/nonexistent"])
      .told(69, "gnuplot", "apt-get install gnuplot-nox")
    #expect(try Files.names(in: directory) == [])
  }
}
