import Comparing
import Foundation
import HarnessBase
import Linting
import Rendering
import Swapping
import TestSupport
import Testing

@Suite("Swapping opcodes in pieces", .serialized)
struct SwapTrialTests {
  static func csd(_ orchestra: String, score: String = "i1 0 0.2") -> String {
    """
    0dbfs = 1
    nchnls = 1
    \(orchestra)
    """.csd(score: "\(score)\n; tone", options: "-odac tone")
  }

  /// An instrument that plays noise through a ladder.
  static let ladder = """
    instr 1
      anoise rand 0.5, 0.3, 1
      asound moogladder anoise, 1000, 0.4
      out asound
    endin
    """

  static var settings: SwapSettings {
    var settings = SwapSettings(worker: [products + "/TestWorker"])
    settings.timeLimit = 20
    settings.duration = 0.3
    return settings
  }

  /// What becomes of a piece when all of its calls are swapped.
  static func judge(
    _ path: String, _ subjects: [String: String], _ settings: SwapSettings = settings
  ) throws -> SwapFinding {
    let scratch = try temporaryDirectory()
    let piece = try SwappedPiece(readingFrom: path)
    let calls = piece.calls(among: Set(subjects.keys)).map { ($0, subjects[$0.opcode]!) }
    var trial = SwapTrial(of: path, settings, scratch: scratch)
    if let finding = try trial.playOriginal() { return finding }
    try piece.write(Dictionary(uniqueKeysWithValues: calls), to: scratch + "/swapped.csd")
    return try trial.judge(scratch + "/swapped.csd")
  }

  /// What becomes of `piece.csd` among files of one directory, in which nothing changes.
  func judge(
    _ files: [String: String], _ subjects: [String: String], timeLimit: Double = 20
  ) throws -> SwapFinding {
    let directory = try Self.directory(of: files)
    var settings = Self.settings
    settings.timeLimit = timeLimit
    let before = try FileManager.default.subpathsOfDirectory(atPath: directory)
    let finding = try Self.judge(directory + "/piece.csd", subjects, settings)
    #expect(try FileManager.default.subpathsOfDirectory(atPath: directory) == before)
    return finding
  }

  /// A fresh directory with files.
  static func directory(of files: [String: String]) throws -> String {
    let directory = try temporaryDirectory()
    for (name, text) in files {
      let path = directory + "/" + name
      try FileManager.default.createDirectories((path as NSString).deletingLastPathComponent)
      try text.write(toFile: path, atomically: true, encoding: .isoLatin1)
    }
    return directory
  }

  // MARK: Verdicts

  @Test(
    "A counterpart that differs, crashes, hangs or is missing is each called so",
    arguments: [
      ("FAULTY_GAIN", SwapVerdict.differs), ("FAULTY_CLICK", .differs), ("FAULTY_NAN", .differs),
      ("FAULTY_CRASH", .crash), ("FAULTY_HANG", .hang), ("NO_SUCH_OPCODE", .formMissing),
    ])
  func faulty(subject: String, verdict: SwapVerdict) throws {
    let found = try judge(
      ["piece.csd": Self.csd(Self.ladder)], ["moogladder": subject], timeLimit: 5)
    #expect(found.verdict == verdict && verdict.isMiss)
    #expect((found.nullDepthDecibels != nil) == (verdict == .differs && subject != "FAULTY_NAN"))
    #expect((found.reason != nil) == (verdict != .differs || subject == "FAULTY_NAN"))
  }

  @Test("Notes that fail with the counterpart only are found")
  func failingNote() throws {
    let piece = Self.csd(
      """
      instr 1
        anoise rand 0.5, 0.3, 1
        asound phaser1 anoise, 1000, 6000, 0.1
        out anoise
      endin
      """)
    let found = try judge(["piece.csd": piece], ["phaser1": "PHASER"])
    #expect(found.verdict == .swappedFails)
    #expect(found.reason?.contains("'kord' is 6000") == true)
  }

  @Test("An effect hears noise, and its channels have the values of Cabbage's widgets")
  func effect() throws {
    let effect = Self.csd(
      """
      instr 1
        klevel chnget "level"
        kmix chnget "mix"
        konce chnget "off"
        out klevel * kmix * (1 - konce) * moogladder:a(inch:a(1), 1000, 0.4)
      endin
      """)
    let widgets = """
      <Cabbage>
      rslider bounds(1, 2, 3, 4), channel("level"), range(0, 2, 0.5, 1, .01), text("value")
      checkbox channel( "mix" ), value(1)
      ; rslider channel("off"), range(0, 1, 1)
      </Cabbage>

      """
    for (text, verdict) in [(effect, SwapVerdict.silent), (widgets + effect, .differs)] {
      #expect(try judge(["piece.csd": text], ["moogladder": "FAULTY_GAIN"]).verdict == verdict)
    }
  }

  // MARK: Words

  @Test("Only calls are swapped: in macros, expressions and includes too, in any encoding")
  func words() throws {
    let orchestra = """
      #include "filters.inc"
      #include "plain.inc"
      #define tone #0.25#
      #define FILTER(cutoff) #tone anoise, $cutoff#
      ; tone ; \u{E9}
      /* tone
         tone */
      gStone = "tone // tone"
      opcode moogladder, a, ak
        asound, kcutoff xin
        xout butterlp:a(asound, kcutoff)
      endop
      instr tone, 2
      tone:
        igoto tone
      endin
      instr 1
        anoise rand 0.5, 0.3, 1
        atone $FILTER(500)
        gkold = $tone
        a1 = tone:a(anoise, 900) + tanh(moogladder(anoise, 1e3))
        a2 Filtered anoise
        a3 = tanh (a2) + 2 * tanh\t(a1)
        a4 tanh (a3)
        tone_level = 1
        out (atone + a1 + a2) * $tone
      endin
      """
    let included = """
      opcode Filtered, a, a
        asound xin
        asound tone asound, 300
        xout asound
      endop
      """
    let expected = orchestra.replacing("#tone anoise", with: "#ONEPOLE anoise")
      .replacing("= tone:a(", with: "= ONEPOLE:a(").replacing("tanh(", with: "SATURATE(")
      .replacing("= tanh (", with: "= SATURATE(").replacing("* tanh\t(", with: "* SATURATE(")
      .replacing("a4 tanh (", with: "a4 SATURATE (")
    let directory = try Self.directory(of: [
      "piece.csd": Self.csd(orchestra), "filters.inc": included, "plain.inc": "; tone\n",
    ])
    let piece = try SwappedPiece(readingFrom: directory + "/piece.csd")
    let calls = piece.calls(among: ["tone", "tanh", "moogladder", "butterhp"])
    #expect(Set(calls.map(\.opcode)) == ["tone", "tanh"])
    let names = calls.map { ($0, $0.opcode == "tone" ? "ONEPOLE" : "SATURATE") }
    let path = directory + "/swapped.csd"
    try piece.write(Dictionary(uniqueKeysWithValues: names), to: path)
    let text = try String(contentsOfFile: path, encoding: .isoLatin1)
    let copy = "\(directory)/swapped-filters.inc"
    #expect(text == Self.csd(expected.replacing("\"filters.inc\"", with: "\"\(copy)\"")))
    let other = try String(contentsOfFile: copy, encoding: .isoLatin1)
    #expect(
      other == included.replacing("asound tone", with: "asound ONEPOLE")
        + "\n; Written by opcodekit.\n")
  }

  @Test("Includes inside includes are found as Csound finds them, from a swapped piece too")
  func nestedIncludes() throws {
    let piece = Self.csd(
      """
      #include "lib/deep/filter.udo"
      instr 1
        anoise rand 0.5, 0.3, 1
        out Filtered(anoise)
      endin
      """)
    let filter = """
      #include "../level.inc"
      #include "near.inc"
      opcode Filtered, a, a
        asound xin
        asound tone asound, giCutoff
        xout asound * giLevel
      endop
      """
    let files = [
      "piece.csd": piece, "lib/deep/filter.udo": filter + "\n", "lib/level.inc": "giLevel = 0.5\n",
      "lib/deep/near.inc": "giCutoff = 500\n",
    ]
    #expect(try judge(files, ["tone": "ONEPOLE"]).verdict == .close)
    let outside = ["inner/piece.csd": piece.replacing("lib/", with: "../lib/")]
    let directory = try Self.directory(of: files.merging(outside) { first, _ in first })
    let swapped = try SwappedPiece(readingFrom: directory + "/inner/piece.csd")
    let call = try #require(swapped.calls(among: ["tone"]).first)
    try swapped.write([call: "ONEPOLE"], to: directory + "/inner/new.csd", includingBeside: true)
    let copy = try String(file: directory + "/inner/new-filter.udo")
    #expect(copy.contains("\"../lib/deep/../level.inc\""))
    #expect(copy.contains("\"../lib/deep/near.inc\""))
  }

  @Test("A piece finds its files, and writes none beside itself")
  func files() throws {
    let piece = Self.csd(
      """
      #include "level.inc"
      instr 1
        anoise rand giLevel, 0.3, 1
        asound tone anoise, 1000
        fout "written.wav", 4, asound
        out asound
      endin
      instr 2
        fprints "written.txt", "tone"
      endin
      """, score: "i1 0 0.2\ni2 0 0.1")
    let files = ["piece.csd": piece, "level.inc": "giLevel = 0.5\n"]
    #expect(try judge(files, ["tone": "ONEPOLE"]).verdict == .close)
  }

  @Test("What is called like a piece and is none does not hold up the others")
  func others() throws {
    let directory = try Self.directory(of: ["b.csd": Self.csd(Self.ladder)])
    let manager = FileManager.default
    try manager.createDirectory(
      atPath: directory + "/a.csd", withIntermediateDirectories: false)
    try manager.createSymbolicLink(
      atPath: directory + "/c.csd", withDestinationPath: directory + "/absent")
    #expect(mkfifo(directory + "/d.csd", 0o600) == 0)
    let pieces = try PieceFiles.all([directory])
    #expect(pieces.map { ($0 as NSString).lastPathComponent } == ["b.csd", "c.csd"])
    #expect(throws: Failure.self) { try PieceFiles.all([directory + "/d.csd"]) }
  }

  @Test("Counterparts are the pairs of one form whose rival Csound has")
  func counterparts() throws {
    let pool = WorkerPool([products + "/TestWorker"])
    let all = Counterparts(
      try Pairing.all(in: root + "/Benchmarks").pairings, builtins: try pool.builtins(),
      own: try pool.lint(nil, name: "the pack").signatures
    )
    #expect(all.subjects["tone"] == "ONEPOLE" && all.subjects["vdelay3"] == "VDELAY")
    #expect(all.subjects["moogladder"] == "MOOGLADDER" && all.subjects["ftconv"] == "CONVOLVE")
    // A user-defined opcode, and one that means something else by its arguments.
    #expect(all.subjects["MorphUDO"] == nil && all.subjects["pvstencil"] == nil)
    // Those of a delay line belong together.
    let delays: Set = ["delayr", "delayw", "deltap", "deltap3", "deltapi", "deltapn"]
    #expect(all.group(of: "deltapi") == delays && all.group(of: "tone") == ["tone"])
    #expect(Set(all.only(["DELTAP3"]).subjects.keys) == delays)
    #expect(all.only(["SATURATE", "tone"]).subjects.keys.sorted() == ["distort1", "tanh", "tone"])
  }
}
