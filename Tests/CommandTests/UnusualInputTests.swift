import Foundation
import Testing

@Suite("Sounds, data and places that are not as they should be")
struct UnusualInputTests {
  func piece(header: String = "", _ instrument: String = "out oscili:a(0.5, 440)") throws -> String
  {
    try """
    sr = 48000
    0dbfs = 1
    \(header)
    instr 1
      \(instrument)
    endin
    """.csd(score: "i1 0 0.1").saved()
  }

  /// The bytes of a file in this format with 0.1 s of sound.
  func sound(_ format: String) throws -> Data {
    let path = try temporaryDirectory() + "/sound." + format
    #expect(try opcodekit("render", piece(), "-o", path).exitCode == 0)
    return try Data(file: path)
  }

  func compare(_ sound: Data, _ name: String) throws -> Ending {
    let path = try temporaryDirectory() + "/" + name
    try sound.write(to: URL(fileURLWithPath: path))
    return try opcodekit("compare", "MOOGLADDER", "--input", path, "--rates", "kk")
  }

  @Test("Files have names of one character")
  func shortNames() throws {
    let piece = try piece()
    let directory = (piece as NSString).deletingLastPathComponent
    try Files.move(piece, to: directory + "/p")
    for words in [
      ["render", "p", "-o", "w.wav"], ["lint", "--json", "j"],
      ["compare", "PORTK", "--ksmps", "16", "--results", "é"],
      ["merge", "é", "--json", "m"],
    ] {
      try opcodekit(words, directory: directory).good("\(words)")
      #expect(Files.exist(directory + "/" + words.last!))
    }
  }

  @Test("A FLAC file that does not tell its length is read to its end")
  func unknownLength() throws {
    var flac = try sound("flac")
    // The number of samples is in the last 36 of the 64 bits from byte 18; 4 of them share a byte with other fields.
    flac[21] &= 0xF0
    for index in 22...25 { flac[index] = 0 }
    try compare(flac, "x.flac").good().says("input")
  }

  @Test("A sound file that was cut off is an error", arguments: ["wav", "flac", "aif"])
  func cutOff(format: String) throws {
    let whole = try sound(format)
    #expect(try compare(whole, "x." + format).exitCode == 0)
    let ending = try compare(whole.prefix(whole.count - 2000), "x." + format).refused(65)
    #expect(ending.errors.contains("header promises") || ending.errors.contains("cannot be read"))
  }

  /// Ways to ask for a file in the header or in an instrument.
  static let missing = [
    ("gi1 ftgen 0, 0, 0, 1, \"nosample.wav\", 0, 0, 0", "out oscili:a(0.5, 440)"),
    ("#include \"nosample.wav\"", "out oscili:a(0.5, 440)"),
    ("gi1 sfload \"nosample.wav\"", "out oscili:a(0.5, 440)"),
    ("", "out diskin2:a(\"nosample.wav\")"), ("", "out soundin:a(\"nosample.wav\")"),
    ("", "out pconvolve:a(oscili:a(0.5, 440), \"nosample.wav\")"),
    ("", "out oscili:a(filelen(\"nosample.wav\"), 440)"),
  ]

  @Test("A missing sample is missing input, and named", arguments: missing)
  func missingSample(header: String, instrument: String) throws {
    let path = try piece(header: header, instrument)
    let directory = try temporaryDirectory()
    // The header is read alike by all of them.
    let others = header.isEmpty ? [] : [["record", path, "--into", directory], ["profile", path]]
    for words in [
      ["render", path, "-o", directory + "/x.wav"],
      ["play", path, "--device", "null", "--duration", "0.2"],
    ] + others {
      try opcodekit(words).refused(
        66, "' asks for the file 'nosample.wav', which is missing; put it")
    }
  }

  @Test("faster, too, names the sample that its piece lacks")
  func missingSampleOfFaster() throws {
    try opcodekit(
      "faster", piece("out moogladder(diskin2:a(\"nosample.wav\"), 1000, 0.4)")
    ).refused(66, "asks for the file 'nosample.wav'")
  }

  @Test("A sample of a wrong format is not missing")
  func presentSample() throws {
    let path = try piece("out diskin2:a(\"sample.wav\")")
    try "no sound".save(to: (path as NSString).deletingLastPathComponent + "/sample.wav")
    let output = try temporaryDirectory() + "/x.wav"
    #expect(try opcodekit("render", path, "-o", output).exitCode == 1)
    #expect(try opcodekit("record", path).exitCode == 65)
    #expect(try opcodekit("play", path, "--device", "null", "--duration", "0.2").exitCode == 0)
  }

  @Test("A sample rate that k-cycles do not divide is printed as it is")
  func oddRate() throws {
    let output = try temporaryDirectory() + "/x.wav"
    try opcodekit("render", piece(), "-o", output, "--ksmps", "37", "--sample-rate", "48000").says(
      "48000 Hz")
  }

  @Test(
    "Output that is lost is an error in every verb, one that nobody reads to its end is none",
    arguments: [
      ["list", "--json"], ["list"], ["man"], ["validate", "--list"], ["lint"], ["help"],
    ])
  func lostOutput(words: [String]) throws {
    func shell(_ redirection: String) throws -> Ending {
      try run(
        "/bin/sh", ["-c", "'\(tool)' \(words.joined(separator: " ")) \(redirection)"],
        environment: ["OPCODEKIT_ROOT": root])
    }
    #expect(try shell(">/dev/full").exitCode == 73)
    try shell(">&-").refused(73, "standard output is closed")
    try run(
      "/bin/bash",
      ["-c", "'\(tool)' \(words.joined(separator: " ")) | true; exit ${PIPESTATUS[0]}"],
      environment: ["OPCODEKIT_ROOT": root]
    ).good()
  }

  @Test("An arguments file with a misspelt opcode or key is refused")
  func argumentFile() throws {
    func validate(_ text: String) throws -> Ending {
      try opcodekit(
        "validate", "PORTK", "--checks", "render", "--arguments", text.saved("x.json"))
    }
    #expect(try validate("{\"PORTK\": {\"inputs\": [{\"typical\": 1}]}}").exitCode == 0)
    for (text, words) in [
      ("{\"PORTKK\": {\"inputs\": []}}", "names 'PORTKK', which is none of the opcodes"),
      ("{\"PORTK\": {\"inputs\": [{\"typcal\": 1}]}}", "'PORTK' has an unknown key 'typcal'"),
      ("{\"PORTK\": {\"inputs\": [], \"ouputs\": 2}}", "unknown key 'ouputs'"),
    ] {
      try validate(text).refused(65, words)
    }
  }

  @Test("What was skipped is told with its reason")
  func skipped() throws {
    try opcodekit("validate", "PORTK", "--checks", "edges").good().says(
      "skipped edges-before-start, ", ": it has no audio output\n")
  }

  /// A directory that stands for the kit's, with the same folders.
  func project() throws -> String {
    let other = try temporaryDirectory()
    for folder in ["csd", "Opcodes", "Sources"] {
      try Files.link("\(other)/\(folder)", to: "\(root)/\(folder)")
    }
    try Files.makeDirectories(other + "/Benchmarks")
    try Files.copy(root + "/Benchmarks/PORTK.json", to: other + "/Benchmarks/PORTK.json")
    return other
  }

  @Test("A pairing that cannot be read spoils only itself")
  func brokenPairing() throws {
    let other = try project()
    try linkPlugin(into: other)
    try "{".save(to: other + "/Benchmarks/BROKEN.json")
    func compare(_ names: String...) throws -> Ending {
      try opcodekit(["compare", "--ksmps", "64", "--sample-rate", "48000"] + names, root: other)
    }
    try compare("PORTK").good().tells("left out: '\(other)/Benchmarks/BROKEN.json'")
    #expect(try compare("BROKEN").exitCode == 65)
    #expect(try compare().exitCode == 65)
  }

  @Test("Where build cannot be written, what is left goes elsewhere, and that is told")
  func unwritable() throws {
    let other = try project()
    // Permissions do not stop root, so a file takes the directory's place.
    try "".save(to: other + "/build")
    let environment = ["OPCODEKIT_ROOT": other]
    try run(
      tool, ["validate", "PORTK", "--checks", "render", "--plugin", standalonePlugin.get()],
      environment: environment
    ).good().tells("'\(other)/build/validate' cannot be written; files go to")
    let path = try piece()
    #expect(try opcodekit("record", path).exitCode == 0)
    try String(file: path).replacing("440", with: "441").save(to: path)
    try run(
      tool, ["check", path, "--plugin", standalonePlugin.get()], environment: environment
    ).refused(1, "'\(other)/build/check' cannot be written")
  }

  @Test("Two runs at once leave their results in directories of their own")
  func taken() throws {
    let directory = root + "/build/check"
    try Files.makeDirectories(directory)
    let file = open(directory, O_RDONLY)
    defer { close(file) }
    // Another run may have locked it already; otherwise this test does.
    flock(file, LOCK_EX | LOCK_NB)
    let path = try piece()
    #expect(try opcodekit("record", path).exitCode == 0)
    try String(file: path).replacing("440", with: "441").save(to: path)
    let ending = try opcodekit("check", path).refused(1)
    let wrote = try #require(ending.output.firstMatch(of: /Wrote (build\/check-\d+)\//))
    try Files.remove("\(root)/\(wrote.1)")
  }

  @Test("A current directory that has been removed is told, and no reason to hang")
  func removedDirectory() throws {
    let gone = try temporaryDirectory() + "/gone"
    try run(
      "/bin/sh",
      [
        "-c", "mkdir '\(gone)' && cd '\(gone)' && rmdir '\(gone)' && exec timeout 60 \(tool) list",
      ], environment: ["OPCODEKIT_ROOT": root]
    ).refused(66, "The current directory has been removed")
  }

  @Test("--version says what this is, --help what the exit codes mean")
  func version() throws {
    let ending = try opcodekit("--version").good()
    #expect(ending.output.contains(/OpcodeKit.*, Csound 6\.18, Swift/), "\(ending.output)")
    let help = try opcodekit("--help").output
    for code in [0, 1, 2, 64, 65, 66, 69, 70, 73, 76, 130] {
      #expect(help.contains(try Regex("\\b\(code) [a-zC]")))
    }
  }
}
