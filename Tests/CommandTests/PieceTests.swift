import CommandKit
import Foundation
import HarnessBase
@testable import Playing
import Testing

@Suite("Pieces that are written in other ways than most")
struct PieceTests {
  func csd(
    _ orchestra: String, options: String = "", head: String = "", score: String? = "i1 0 0.1"
  ) throws -> String {
    let whole = orchestra.csd(score: score ?? "", ksmps: 48, options: options)
    let text = score == nil ? whole.replacing(/<CsScore>(?s:.*)<\/CsScore>\n/, with: "") : whole
    return try (head + "\n" + text).saved()
  }

  static let note = "instr 1\n out poscil(0.2, 440)\nendin\n"

  /// The frames of the render of a piece in a Csound.
  func frames(_ piece: String..., csound: Int = 6) throws -> Int {
    let output = try temporaryDirectory() + "/x.wav"
    try opcodekit(["render"] + piece + ["-o", output, "--csound", "\(csound)"]).good()
    return try Sound(readingFrom: output).frameCount
  }

  @Test("A piece without a score ends when nothing sounds any more, or where it ends itself")
  func noScore() throws {
    let plays = Self.note + "schedule 1, 0, 0.5\nschedule 1, 20, 0.5\n"
    func ends(_ way: String) -> String {
      Self.note + "instr 2\n \(way)\nendin\nschedule 1, 0, 0.5\nschedule 2, 1, 1\n"
    }
    #expect(try frames(csd(plays, score: nil)) == 48 * 20_500)
    for way in ["exitnow", "event_i \"e\", 0", "scoreline_i \"e\""] {
      #expect(abs(try frames(csd(ends(way), score: nil)) - 48_000) <= 48, "\(way)")
    }
    try opcodekit("render", csd(Self.note, score: nil), "-o", "/tmp/x.wav").refused(
      65, "give --duration")
  }

  @Test("Csound 7 ends a piece without a score at the same places")
  func noScoreOfSeven() throws {
    let ends = Self.note + "instr 2\n exitnow\nendin\nschedule 1, 0, 0.5\n"
    // At a zero crossing the sound ends a frame before the note.
    let quiet = try frames(csd(ends, score: nil), csound: 7)
    #expect((23_999...24_000).contains(quiet), "\(quiet)")
    let exit = try frames(csd(ends + "schedule 2, 1, 1\n", score: nil), csound: 7)
    #expect(abs(exit - 48_000) <= 48, "\(exit)")
  }

  @Test(
    "Compile errors are told, and the score ends, with options that make Csound go on",
    arguments: ["--port=10123", "--daemon", "-L stdin", "-M0"])
  func goingOn(option: String) throws {
    let piece = try csd("instr 1\n a1 nosuchopcode 1\nendin", options: option)
    for command in [["render", "-o", "/tmp/x.wav"], ["profile"], ["play", "--device", "null"]] {
      try opcodekit([command[0], piece] + command.dropFirst()).refused(65, "nosuchopcode")
    }
    #expect(try frames(csd(Self.note, options: option)) == 4800)
  }

  @Test("A section <CsFile>, which Csound never leaves, is refused", arguments: [6, 7])
  func csFile(csound: Int) throws {
    let section = "<CsFile filename=\"x.txt\">\nhello\n</CsFile>\n"
    let text = try String(file: csd(Self.note))
      .replacing("<CsOptions>", with: section + "<CsOptions>")
    try opcodekit(
      "render", text.saved(), "-o", "/tmp/x.wav", "--csound", "\(csound)"
    ).refused(65, "<CsFile>")
  }

  @Test("No file grows beyond --largest-file; the sound until then is kept")
  func largestFile() throws {
    let directory = try temporaryDirectory()
    let piece = try csd(
      """
      instr 1
        asound poscil 0.2, 440
        fout "\(directory)/own.wav", 18, asound, asound, asound, asound
        out asound
      endin
      """, score: "i1 0 100")
    let output = directory + "/x.wav"
    try opcodekit("render", piece, "-o", output, "--largest-file", "1").refused(1, "--largest-file")
    let sound = try Sound(readingFrom: output)
    #expect(sound.duration > 4 && abs(sound.samples.map(abs).max()! - 0.2) < 1e-3)
    let own = try FileManager.default.attributesOfItem(atPath: directory + "/own.wav")
    #expect(try #require(own[.size] as? Int) <= 1 << 20)
  }

  @Test("x.orc x.sco is a piece, with what lies beside it")
  func orchestraAndScore() throws {
    let directory = try temporaryDirectory()
    try "giLevel = 0.2\n".save(to: directory + "/level.inc")
    let orchestra = try ("#include \"level.inc\"\n" + Self.note.replacing("0.2", with: "giLevel"))
      .saved("x.orc", in: directory)
    let score = try "i1 0 0.1\n".saved("x.sco", in: directory)
    #expect(try frames(orchestra, score) > 4400)
    #expect(try opcodekit("profile", orchestra, score).exitCode == 0)
    let wrong = try "instr 1\n nosuchopcode 1\nendin\n".saved("bad.orc", in: directory)
    for csound in ["6", "7"] {
      try opcodekit("render", wrong, score, "-o", "/tmp/x.wav", "--csound", csound).refused(
        65, "'\(wrong)'", "line 2")
    }
    try opcodekit("profile", orchestra, score, "--against", orchestra).good().says(
      "\(orchestra) against \(orchestra)")
    let filter = try "instr 1\n  out moogladder(rand:a(0.5, 0.3, 1), 1000, 0.4)\nendin\n"
      .saved("filter.orc", in: directory)
    let new = directory + "/new.csd"
    try opcodekit("faster", filter, score, "-o", new, "--duration", "0.1", "--only", "moogladder")
      .good().says("\(filter) with them")
    #expect(try !String(file: new).contains("#line"))
    for file in [filter, score] {
      try opcodekit("render", filter, score, "-o", file).refused(64, "would overwrite '\(file)'")
    }
    let panel = try "[]".saved("x.panel.json", in: directory)
    try opcodekit("panels", orchestra).refused(65, "'\(panel)' is no panel")
  }

  /// Csound looks in the last directory of a variable first.
  @Test(
    "Each orchestra file includes what lies beside it, whatever others are there",
    arguments: ["6", "7"])
  func sameNames(csound: String) throws {
    let note = "0dbfs = 1\n#include \"level.inc\"\n" + Self.note.replacing("0.2", with: "giLevel")
    let recordings = try [0.2, 0.5].map { level in
      let directory = try temporaryDirectory()
      try "giLevel = \(level)\n".save(to: directory + "/level.inc")
      let (piece, sound) = (try note.saved("x.orc", in: directory), directory + "/x.wav")
      let score = try "i1 0 0.1\n".saved("x.sco", in: directory)
      try opcodekit("record", piece, score, "--csound", csound).good()
      let others = ["INCDIR": try temporaryDirectory()]
      try "giLevel = 1\n".save(to: others["INCDIR"]! + "/level.inc")
      try opcodekit(
        ["render", piece, score, "-o", sound, "--csound", csound], environment: others
      ).good()
      #expect(abs(try Sound(readingFrom: sound).samples.map(abs).max()! - level) < 1e-3)
      return directory + "/golden"
    }
    try opcodekit(["check"] + recordings + ["--csound", csound]).good()
  }

  @Test("A save of an orchestra file is seen, and played")
  func watchedOrchestra() throws {
    let directory = try temporaryDirectory()
    try "// .package(path: \"OpcodeKit\")\n".save(to: directory + "/Package.swift")
    let orchestra = try "; one\n".saved("x.orc", in: directory)
    let csd = try OrchestraAndScore.csd(of: orchestra, nil)
    let package = try #require(CommandKit.AuthorPackage.around(directory))
    var watch = SourceWatch(package, piece: csd)
    try "; another\n".save(to: orchestra)
    let change = try watch.next()
    #expect(change.concernsPiece && !change.concernsSources)
    #expect(try String(file: csd).contains("another"))
    // C code of a package is built again, too.
    try Files.makeDirectories(directory + "/Sources/CX/include")
    try "int x;".save(to: directory + "/Sources/CX/include/x.h")
    #expect(try watch.next().concernsSources)
  }

  @Test("The opcodes of FLTK's and Cabbage's widgets, and their values, are in every command")
  func widgets() throws {
    let fltk = """
      FLpanel "P", 300, 100
      gklevel, ihandle FLslider "Level", 0, 1, 0, 5, -1, 280, 20, 10, 10
      FLpanelEnd
      FLrun
      FLsetVal_i 0.25, ihandle
      instr 1
        out poscil(gklevel, 440)
      endin
      """
    let cabbage = """
      instr 1
        klevel, ktrigger cabbageGetValue "level"
        irange[] cabbageGet "level", "range"
        cabbageSet ktrigger, "level", "text", "moved"
        out poscil(klevel * irange[1], 440)
      endin
      """
    let head =
      "<Cabbage>\nform size(9, 9)\nrslider channel(\"level\"), range(0, 0.5, 0.5)\n</Cabbage>"
    for piece in [try csd(fltk), try csd(cabbage, head: head)] {
      let output = try temporaryDirectory() + "/x.wav"
      try opcodekit("render", piece, "-o", output).good()
      #expect(abs(try Sound(readingFrom: output).samples.map(abs).max()! - 0.25) < 1e-3)
      let golden = try temporaryDirectory()
      for words in [["profile", piece], ["record", piece, "--into", golden], ["check", golden]] {
        try opcodekit(words).good("\(words)")
      }
    }
    let missing = "instr 1\nSfiles[] cabbageFindFiles \"x\"\nendin"
    try opcodekit("render", csd(missing), "-o", "/tmp/x.wav").refused(65, "cabbageFindFiles may be")
  }
}
