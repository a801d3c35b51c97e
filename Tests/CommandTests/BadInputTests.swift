import Foundation
import HarnessBase
import Testing

@Suite("Bad input gives one clear sentence and its own exit code")
struct BadInputTests {
  func file(_ name: String, _ text: String) throws -> String {
    try text.saved(name)
  }

  func csd(_ instrument: String) throws -> String {
    try file(
      "piece.csd",
      """
      0dbfs = 1
      instr 1
        \(instrument)
      endin
      """.csd(score: "i1 0 0.1"))
  }

  /// Words, the exit code, and what the sentence says.
  static let refusals: [([String], Int32, [String])] = [
    (["bnch"], 64, ["'bnch' is no command", "bench"]),
    (["dev", "trus"], 64, ["'dev trus' is no command", "dev trust"]),
    (["bench", "MORPH", "--instances", "2"], 65, ["csd/MORPH.csd", "NOTES", "--instances"]),
    (["list", "surplus"], 64, ["'surplus'"]),
    (["render", "a.csd", "b.csd", "-o", "x.wav"], 64, ["'b.csd'"]),
    (["render", "a.csd"], 64, ["-o FILE"]),
    (["render", "none.csd", "-o", "x.wav"], 66, ["'none.csd' does not exist"]),
    (["render", "csd", "-o", "x.wav"], 66, ["is a directory"]),
    (["render", "csd/PORTK.csd", "-o", "/none/x.wav"], 73, ["/none/x.wav"]),
    (["render", "csd/PORTK.csd", "-o", "x.mid"], 64, [".mid", ".wav"]),
    (["compare", "PORTK", "--json", "/none/x.json"], 73, ["/none/x.json"]),
    (["compare", "MOOGLADDER", "--input", "no.wav"], 66, ["no.wav' does not exist"]),
    (["man", "FTOM", "--format", "html"], 64, ["--format is 'html'", "risset or csound-manual"]),
    (["man", "FTOM", "--output", "/dev/null/pages"], 73, ["'/dev/null/pages'", "--output"]),
    (["man", "--sources", "/nonexistent"], 66, ["'/nonexistent'", "missing"]),
    (["man", "DelayLine.smoth"], 64, ["'DelayLine.smoth'", "did you mean DelayLine.smooth?"]),
    (["report", "FTOM", "--output", "/dev/null/report"], 73, ["'/dev/null/report'", "--output"]),
    (["report", "--bench", "/nonexistent.json"], 66, ["'/nonexistent.json'"]),
  ]

  @Test("Words that make no sense, files that are not there", arguments: refusals)
  func refusal(words: [String], code: Int32, said: [String]) throws {
    _ = try standalonePlugin.get()
    let ending = try opcodekit(words)
    for part in said { ending.told(code, part) }
  }

  @Test("An unknown opcode, with near ones", arguments: ["compare", "bench", "man", "report"])
  func opcode(command: String) throws {
    _ = try standalonePlugin.get()
    try opcodekit(command, "MOOGLADER").told(64, "'MOOGLADER'", "did you mean MOOGLADDER?")
    guard ["compare", "bench"].contains(command) else { return }
    try opcodekit(command, "moogladder").told(64, "'moogladder'", "did you mean MOOGLADDER?")
    try opcodekit(command, "XYZZY").told(64, "'XYZZY'", "known names is similar")
  }

  @Test("A processor level nobody has", arguments: ["", "haswell", "x86-64-v5"])
  func processor(level: String) throws {
    try opcodekit("build", "--cpu", level).told(64, "'\(level)'", ownProcessor.levels.last!)
  }

  @Test(
    "A command for developers without its first word",
    arguments: ["docs", "trust"])
  func developers(verb: String) throws {
    try opcodekit(verb).told(64, "'\(verb)' is for", "call it as ./opcodekit dev \(verb).")
    let help = try opcodekit("dev", verb, "--help")
    #expect(help.exitCode == 0 && help.output.hasPrefix("./opcodekit dev \(verb) "))
    try opcodekit("dev", verb, "--frobnicate").told(
      64, "'dev \(verb)'", "./opcodekit dev \(verb) --help lists them")
  }

  @Test(
    "Nonsense option values",
    arguments: [
      ["--ksmps", "0"], ["--ksmps", "abc"], ["--ksmps", "1,,2"], ["--ksmps", "-4"],
      ["--ksmps", "64.5"], ["--sample-rate", "nan"], ["--sample-rate", "1e99"],
      ["--rates", "zz"], ["--rates", ""], ["--frobnicate"], ["--json"], ["--seed", "x"],
      ["--self-check", "0"], ["--self-check", "often"],
    ])
  func options(words: [String]) throws {
    // Rates are checked against the pairs, which are read after the plugin is built.
    if words[0] == "--rates" { _ = try standalonePlugin.get() }
    try opcodekit(["bench", "PORTK"] + words).told(
      64, words[0].hasPrefix("--rates") ? "rates" : words[0])
  }

  @Test("A value that is wrong in itself is refused before a plugin is built")
  func unbuilt() throws {
    let kit = try temporaryDirectory()
    try Files.makeDirectories(kit + "/Sources/Kit/OpcodeKit")
    for words in [["--ksmps", "0"], ["--seed", "x"], ["--instances", "0"], ["--shard", "1/2"]] {
      try opcodekit(["bench", "PORTK"] + words, root: kit).told(
        64, words[0].replacing("--shard", with: "shared"))
    }
    for words in [
      ["compare", "--shard", "3/2"], ["compare", "--csound", "8"], ["compare", "--arch", "mips"],
      ["render", "--omacro", "x"], ["validate", "--checks", "nonsense"],
      ["validate", "--level", "11"], ["profile", "--top", "0"], ["play", "--period", "0"],
      ["play", "--cc", "nonsense"], ["record", "--tolerance", "90"],
      ["faster", "--limit", "50"], ["report", "--time-limit", "soon"], ["bench", "--save", "a b"],
      ["bench", "--threshold", "0"],
    ] {
      try opcodekit(words + ["x.csd"], root: kit).told(64, words[2])
    }
  }

  @Test("Standard error that cannot be written changes no exit code")
  func fullStandardError() throws {
    let command = "'\(tool)' nonsense 2>/dev/full"
    #expect(try run("/bin/sh", ["-c", command]).exitCode == 64)
    #expect(try run("/bin/sh", ["-c", "'\(tool)' list >/dev/full"]).exitCode == 73)
  }

  @Test("An orchestra that does not compile: Csound's message and line, once")
  func badOrchestra() throws {
    let output = try temporaryDirectory() + "/x.wav"
    try opcodekit("render", csd("a1 nosuchopcode 1"), "-o", output).told(
      65, "nosuchopcode", "line 5")
    try opcodekit("render", csd("a1 oscili 1"), "-o", output).told(65, "oscili", "Line: 5")
    try opcodekit("render", csd("out a7"), "-o", output).told(65, "'a7' used before defined")
    try opcodekit("render", file("x.csd", "hi"), "-o", "x.wav").told(65, "CsoundSynthesizer")
  }

  @Test("A note that fails its init pass makes the render fail, with Csound's reason")
  func failedNote() throws {
    let path = try csd("a1 oscili 1, 2, 99\nout a1")
    try opcodekit("render", path, "-o", temporaryDirectory() + "/x.wav").refused(
      1, "Invalid ftable no. 99")
  }

  @Test("A render with samples that are not finite is no success", arguments: ["wav", "flac"])
  func notFinite(format: String) throws {
    let path = try csd("a0 = sqrt(-1)\nout a0")
    try opcodekit("render", path, "-o", temporaryDirectory() + "/x." + format).told(
      1, "4410 samples are NaN or infinite, first at 0.0000 s")
  }

  @Test("profile: devices are left out, missing samples and endless pieces are told")
  func profile() throws {
    let piece = """
      0dbfs = 1
      instr 1
        a1 oscili 0.1, 440
        out a1
      endin
      """.csd(score: "i1 0 0.1", options: "-odac -M0")
    let path = try file("piece.csd", piece)
    try opcodekit("profile", path).told(0, "without its -odac, -M0")
    let short = try opcodekit("profile", path, "--top", "1").output
    #expect(short.contains("… and 1 more line, "), "\(short)")
    let missing = piece.replacing("a1 oscili 0.1, 440", with: "a1 diskin2 \"none.wav\"")
      .replacing("-odac -M0", with: "")
    let endless = missing.replacing("<CsScore>\ni1 0 0.1\n</CsScore>", with: "")
    try opcodekit("profile", file("x.csd", endless)).told(65, "no score", "--duration")
    try opcodekit("profile").told(64, "needs a CSD")
    try opcodekit("profile", path, "--html", "/none/x.html").told(73, "/none/x.html")
    for words in [["--every-call"], ["--renders", "2"]] {
      try run(tool, ["profile", path, "--counts"] + words).told(
        64, words[0], "does not go with --counts")
    }
    for words in [["--counts"], ["--every-call"], ["--renders", "2"], ["--html", "x.html"]] {
      try run(tool, ["profile", path, "--perf"] + words).told(
        64, words[0], "does not go with --perf")
    }
    for (words, message) in [
      (["--machine", "x.json"], "--machine needs --voices."),
      (["--calibrate", "x.json"], "--calibrate takes no piece; leave"),
      (["--voices", "1", "--html", "x.html"], "--html does not go with --voices"),
      (["--voices", "1", "-j", "2"], "--threads does not go with --voices"),
    ] { try run(tool, ["profile", path] + words).told(64, message) }
    for (option, package) in [("--counts", "valgrind"), ("--perf", "linux-perf")] {
      try run(tool, ["profile", path, option], environment: ["PATH": "/nonexistent"]).refused(
        69, "apt-get install -y \(package).")
    }
  }

  @Test("A named pipe gets the whole sound and stays a pipe")
  func pipe() throws {
    let piece = try csd("a1 oscili 0.5, 440")
    let directory = (piece as NSString).deletingLastPathComponent
    let script =
      "mkfifo p.wav; cat p.wav > read.wav & \"$0\" render \"$1\" -o p.wav && wait; test -p p.wav"
    try run(
      "/bin/sh", ["-c", script, tool, piece], environment: ["OPCODEKIT_ROOT": root],
      directory: directory
    ).good()
    #expect(try Sound(readingFrom: directory + "/read.wav").frameCount > 0)
  }

  @Test("What an option names is not written over what the command reads")
  func readAndWritten() throws {
    let piece = try csd("a1 oscili 0.5, 440")
    let before = try String(file: piece)
    for option in ["--json", "--html", "--folded"] {
      try opcodekit("profile", piece, option, piece).told(64, "is the same file")
    }
    #expect(try String(file: piece) == before)
  }

  @Test("A sound file that is none, and an opcode that hears none")
  func input() throws {
    let text = try file("text.wav", "no sound in here")
    try opcodekit("compare", "MOOGLADDER", "--input", text).told(65, "libsndfile")
    try opcodekit("compare", "FTOM", "--input", text).told(64, "FTOM")
    let short = try temporaryDirectory() + "/short.wav"
    let piece = try file("x.csd", "instr 1\n  out a(1)\nendin\n".csd(score: "i1 0 0.001", ksmps: 1))
    try opcodekit("render", piece, "-o", short).good()
    try opcodekit("compare", "ONEPOLE", "--input", short).told(65, "fewer than a k-cycle of 64")
  }

  @Test("A plugin that cannot be loaded")
  func plugin() throws {
    for command in [["compare", "PORTK"], ["bench", "PORTK"], ["bench"], ["validate"], ["check"]] {
      let missing = try opcodekit(command + ["--plugin", "no.so"]).told(66, "no.so' does not exist")
      #expect(missing.output.isEmpty, "\(command): \(missing.output)")
    }
    let text = try file("text.so", "no library")
    try opcodekit("compare", "PORTK", "--plugin", text).told(65, "cannot be loaded")
    try opcodekit("compare", "PORTK", "--plugin", systemLibraries + "/libm.so.6").told(
      65, "no Csound plugin")
  }

  @Test("A CSD that cannot be recorded, and nothing is left of the attempt")
  func record() throws {
    func refused(_ exitCode: Int32, _ words: [String], _ path: String, _ options: String...) throws
    {
      let ending = try opcodekit(["record", path] + options)
      for word in words { ending.told(exitCode, word) }
      let place = (path as NSString).deletingLastPathComponent + "/golden"
      #expect(!Files.exist(place))
    }
    try opcodekit("record").told(64, "needs a CSD")
    try refused(66, ["'none/x.csd' does not exist"], "none/x.csd")
    try refused(65, ["nosuchopcode", "line 5"], csd("a1 nosuchopcode 1"))
    try refused(65, ["Invalid ftable no. 99"], csd("out oscili(1, 2, 99)"))
    try refused(65, ["is silent", "--allow-silence"], csd("out a(0)"))
    try refused(65, ["NaN or infinity", "0.0000 s"], csd("out a(sqrt(-1))"))
    try refused(65, ["different each time", "seeds"], csd("out rand:a(0.5, 2)"))
    let endless = try csd("out oscili:a(0.5, 440)")
    try refused(
      65, ["not ended after 300 s", "--duration"],
      file(
        "x.csd",
        try String(file: endless).replacing("i1 0 0.1", with: "f 0 z")))
    let many = try String(file: endless).replacing(
      "0dbfs = 1", with: "nchnls = 9")
    try refused(65, ["9 channels", "at most 8"], file("x.csd", many))
    try refused(64, ["--tolerance", "-200 to 40"], endless, "--tolerance", "100")
    try refused(64, ["--duration"], endless, "--duration", "0")
    try refused(66, ["no.so' does not exist"], endless, "--plugin", "no.so")
    try refused(64, ["the same recording", "--into"], endless, endless)
    try refused(65, ["at ksmps 48000: '", "before its first"], endless, "--ksmps", "1,48000")
  }

  @Test("A score file's missing sample is found before anything is recorded")
  func scoreSample() throws {
    let text = try String(file: csd("out oscili:a(0.5, 440)"))
      .replacing("i1 0 0.1", with: "f 1 0 0 1 \"nosample.wav\" 0 0 0\ni1 0 0.1")
    try opcodekit("record", file("x.csd", text)).told(66, "nosample.wav")
  }

  @Test("A check without a recording, or with a broken one, is no pass")
  func check() throws {
    let path = try csd("out oscili:a(0.5, 440)")
    let directory = (path as NSString).deletingLastPathComponent
    try opcodekit("check", path).told(66, "no recording", "nothing was checked", "record")
    try opcodekit("check", directory).told(66, "no recording", "nothing was checked")
    try opcodekit("check", "none.csd").told(66, "'none.csd' does not exist")
    #expect(try opcodekit("record", path).exitCode == 0)
    try opcodekit("record", path).told(73, "recorded already", "--replace")
    try opcodekit("check", path, "--markdown", "/none/x.md").told(73, "/none/x.md")
    let data = directory + "/golden/piece.golden.json"
    let good = try String(file: data)
    for (right, wrong, words) in [
      ("\"limits\"", "\"limit\"", "'limits' is missing"),
      ("\"tolerance\"", "\"tolerence\"", "'limits.tolerance' is missing"),
      ("\"maySilent\"", "\"wobble\": 1, \"maySilent\"", "unknown key 'wobble'"),
      (": -90", ": -900", "tolerance -900"),
      ("piece.flac", "../piece.flac", "no file name"),
      ("\"frames\" : ", "\"frames\" : 1", "record it again"),
    ] {
      #expect(good.contains(right))
      try good.replacing(right, with: wrong).save(to: data)
      try opcodekit("check", path).told(65, words)
    }
    try good.save(to: data)
    #expect(try opcodekit("check", path).exitCode == 0)
    try "no sound".save(to: directory + "/golden/piece.flac")
    try opcodekit("check", path).told(65, "piece.flac", "libsndfile")
    try Files.remove(path)
    try opcodekit("check", directory).told(66, "piece.csd' does not exist")
  }

  @Test("The script says what to do where Swift is missing")
  func noSwift() throws {
    let directory = try Files.ofKit(["opcodekit", "Sources/Tool/Script"])
    try run(
      directory + "/opcodekit", ["list"], environment: ["PATH": "/usr/bin:/bin"],
      directory: directory
    ).told(69, "Swift", "https://www.swift.org/install/linux")
  }
}
