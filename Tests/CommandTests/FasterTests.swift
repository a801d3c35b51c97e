import Foundation
import Testing

@Suite("The command faster")
struct FasterTests {
  /// A piece with one of Csound's ladder filters, whose name is in a comment, too.
  static let piece = """
    0dbfs = 1
    instr 1
      anoise rand 0.5, 0.3, 1
      asound moogladder anoise, 1000, 0.4 ; moogladder
      out asound
    endin
    """.csd(score: "i1 0 0.2")

  @Test("A piece with FLTK's widgets plays with their first values, without a display")
  func widgets() throws {
    let csd = try Self.piece.replacing("anoise, 1000,", with: "anoise, gkcut,")
      .replacing(
        "0dbfs = 1",
        with: """
          0dbfs = 1
          FLpanel "ladder", 300, 100
          gkcut, ihandle FLslider "cutoff", 100, 4000, 0, 1, -1, 200, 20, 10, 10
          FLsetVal_i 1000, ihandle
          FLpanelEnd
          FLrun
          """
      ).saved("widgets.csd")
    try opcodekit("faster", csd, "--duration", "0.2").good()
  }

  @Test("It says what is swapped, writes the piece and the JSON, and the piece plays")
  func whole() throws {
    let directory = try temporaryDirectory()
    let csd = directory + "/piece.csd"
    try Self.piece.save(to: csd)
    let new = directory + "/new.csd"
    let ending = try opcodekit(
      "faster", csd, "-o", new, "--duration", "0.2", "--json", directory + "/results.json"
    ).good()
    #expect(ending.output.contains(/moogladder +MOOGLADDER +1 +-[0-9.]+/))
    let played = try #require(ending.errors.firstMatch(of: /csound --opcode-lib=(\S+) (\S+)\n/))
    // Other tests may build the plugin for every processor meanwhile, which is taken then.
    #expect(played.1.hasPrefix(root + "/build/libopcodes") && played.2 == new)
    let text = try String(file: new)
    #expect(text == Self.piece.replacing("asound moogladder", with: "asound MOOGLADDER"))

    let data = try Data(file: directory + "/results.json")
    let results = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    #expect(results.count == 1 && results[0]["outcome"] as? String == "swapped")

    try opcodekit("render", new, "-o", directory + "/new.wav").good()
  }

  @Test(
    "The line to play it can be pasted into a shell, in whatever directory and by whatever name")
  func pasted() throws {
    let directory = try temporaryDirectory() + "/it's a piece"
    try Files.makeDirectories(directory)
    try Self.piece.save(to: directory + "/old.csd")
    let plugin = try standalonePlugin.get()
    for name in ["new & loud.csd", "-new.csd"] {
      let ending = try opcodekit(
        ["faster", "old.csd", "--output=\(name)", "--duration", "0.2", "--plugin", plugin],
        directory: directory
      ).good()
      let line = try #require(ending.errors.firstMatch(of: /To play it: (.*)\n/)).output.1
      try run("/bin/sh", ["-c", "\(line) -n -d"], directory: directory).good()
    }
  }

  @Test("The piece itself is not written over, by no name; a link's target and a pipe are written")
  func places() throws {
    let directory = try temporaryDirectory()
    let csd = directory + "/piece.csd"
    try Self.piece.save(to: csd)
    symlink("piece.csd", directory + "/link.csd")
    link(csd, directory + "/hard.csd")
    for name in ["link.csd", "hard.csd"] {
      try opcodekit("faster", csd, "-o", "\(directory)/\(name)", "--duration", "0.2").refused(
        64, "is the same file")
    }
    #expect(try String(file: csd) == Self.piece)
    symlink("new.csd", directory + "/dangling.csd")
    let swapped = Self.piece.replacing("asound moogladder", with: "asound MOOGLADDER")
    try opcodekit(
      "faster", csd, "-o", directory + "/dangling.csd", "--duration", "0.2"
    ).good()
    #expect(try String(file: directory + "/new.csd") == swapped)
    let printed = try opcodekit("faster", csd, "-o", "/dev/stdout", "--duration", "0.2")
    #expect(printed.exitCode == 0 && printed.output.contains(swapped), "\(printed.errors)")
    #expect(
      try Files.names(in: directory).sorted() == [
        "dangling.csd", "hard.csd", "link.csd", "new.csd", "piece.csd",
      ])
  }

  @Test("Beside the CSD it writes over no file but its own")
  func included() throws {
    let directory = try temporaryDirectory()
    try "opcode Ladder, a, a\n  ain xin\n  xout moogladder(ain, 1000, 0.4)\nendop\n".save(
      to: directory + "/ladder.inc")
    let csd = try
      ("#include \"ladder.inc\"\n"
      + "instr 1\n  out Ladder(rand:a(0.5, 0.3, 1))\nendin\n").csd(score: "i1 0 0.2")
      .saved(in: directory)
    func run() throws -> Ending {
      try opcodekit(["faster", csd, "-o", "new.csd", "--duration", "0.2"], directory: directory)
    }
    let beside = try "mine".saved("new-ladder.inc", in: directory)
    try run().refused(73, "new-ladder.inc' would be written")
    #expect(try String(file: beside) == "mine" && !Files.exist(directory + "/new.csd"))
    try Files.remove(beside)
    for _ in 1...2 {
      #expect(try run().good().errors.contains("Wrote new-ladder.inc, new.csd."))
      #expect(try String(file: beside).contains("MOOGLADDER"))
    }
  }

  @Test("What an orchestra file finds beside itself is not found from another folder")
  func elsewhere() throws {
    _ = try standalonePlugin.get()
    let directory = try temporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: directory + "/other", withIntermediateDirectories: true)
    try "1 1 1 1".save(to: directory + "/numbers.txt")
    try "i1 0 0.2".save(to: directory + "/a.sco")
    try """
    gione ftgen 1, 0, 0, -23, "numbers.txt"
    instr 1
      kone table 1, 1
      out moogladder(rand:a(0.5, 0.3, 1), 1000 * kone, 0.4)
    endin
    """.save(to: directory + "/a.orc")
    func run(_ output: String) throws -> Ending {
      try opcodekit(
        ["faster", "a.orc", "a.sco", "-o", output, "--duration", "0.2"], directory: directory)
    }
    try run("new.csd").good()
    try run("other/new.csd").refused(65, "does not play in")
    #expect(try Files.names(in: directory + "/other") == [])
  }

  @Test("What it cannot do it says in one sentence")
  func refusals() throws {
    _ = try standalonePlugin.get()
    let directory = try temporaryDirectory()
    let csd = directory + "/piece.csd"
    try Self.piece.save(to: csd)
    let broken = try Self.piece.replacing("asound moogladder anoise", with: "asound moogladder")
      .saved("broken.csd", in: directory)
    let orchestra = try "instr 1\n  out oscili(0.1, 440)\nendin\n".saved("piece.txt", in: directory)
    let new = directory + "/new.csd"
    let cases: [(words: [String], code: Int32, said: String)] = [
      ([], 64, "faster needs a CSD"),
      ([csd, broken, "-o", new], 64, "-o is for one piece and these are 2"),
      ([csd, "-o", csd, "--duration", "0.1"], 64, "which is the same file and is read"),
      ([csd, "--only", "moogvcf"], 64, "'moogvcf'"),
      ([directory + "/none.csd"], 66, "does not exist"),
      ([broken], 65, "does not play as it is"),
      ([orchestra], 65, "is no CSD"),
      ([csd, "-o", directory + "/none/new.csd"], 73, "cannot be written"),
      ([csd, "-o", new, "--only", "tone"], 1, "is not written, because nothing is swapped"),
    ]
    for (words, code, said) in cases {
      try opcodekit(["faster"] + words).told(code, said)
    }
    #expect(try String(file: csd) == Self.piece)
    #expect(!Files.exist(new))
  }
}
