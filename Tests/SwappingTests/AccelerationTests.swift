import Comparing
import Foundation
import HarnessBase
import Linting
import Rendering
import Swapping
import TestSupport
import Testing

@Suite("Making pieces faster", .serialized)
struct AccelerationTests {
  /// What the worker's opcodes are registered as.
  static let own = Result {
    try WorkerPool([products + "/TestWorker"])
      .lint(nil, name: "the pack").signatures
  }

  static let noise = "anoise rand 0.5, 0.3, 1"

  /// What becomes of the file `piece.csd` of a directory, and with `output` what is written.
  func accelerate(
    in directory: String, _ subjects: [String: String], output: String?,
    groups: [Set<String>] = [], timeLimit: Double = 20, patience: Double = 0
  ) throws -> FasterPiece {
    var settings = SwapSettings(worker: [products + "/TestWorker"])
    settings.timeLimit = timeLimit
    settings.duration = 0.5
    var acceleration = Acceleration(
      Counterparts(subjects: subjects, groups: groups, own: try Self.own.get()), settings)
    // With no patience nothing is left out as slower.
    (acceleration.fewestSets, acceleration.patience) = (patience > 0 ? 10 : 6, patience)
    return try acceleration.accelerate(
      directory + "/piece.csd", to: output.map { directory + "/" + $0 })
  }

  /// The same in a fresh directory, which is told, of a piece without other files.
  func accelerate(
    _ piece: String, _ subjects: [String: String], output: String? = nil, timeLimit: Double = 20,
    patience: Double = 0
  ) throws -> (directory: String, piece: FasterPiece) {
    let directory = try SwapTrialTests.directory(of: ["piece.csd": piece])
    return (
      directory,
      try accelerate(
        in: directory, subjects, output: output, timeLimit: timeLimit, patience: patience)
    )
  }

  static func csd(_ body: String) -> String {
    SwapTrialTests.csd("instr 1\n  \(noise)\n\(body)\nendin")
  }

  /// A piece whose notes fail, so that nothing is heard of it.
  static let failing = SwapTrialTests.csd(
    "instr 1\n  \(noise)\n  aout = tone:a(anoise, 500) * oscili:a(1, 1, 77)\n  out aout\nendin",
    score: "i1 0 0.2\ni1 0.1 0.2")

  // MARK: Swapped

  @Test("What is swapped is written, renders, and is the piece in all else")
  func written() throws {
    let text = SwapTrialTests.csd(
      """
      #include "plain.inc"
      #include "filters.inc"
      #define SOFT(signal) #tanh($signal)#
      instr 1 ; moogladder
        \(Self.noise)
        asound\tmoogladder\tanoise, 1000, 0.4 /* moogladder */
        prints "moogladder tanh\\n"
        a2 = $SOFT(asound) + moogladder:a(anoise, 500, 0.2)
        a3 Filtered a2
        out a3
      endin
      """)
    let included = """
      opcode Filtered, a, a
        asound xin
        xout tone:a(asound, giCutoff)
      endop
      """
    let files = [
      "piece.csd": text, "filters.inc": included, "plain.inc": "giCutoff = 700 ; tone\n",
    ]
    let subjects = ["moogladder": "MOOGLADDER", "tanh": "SATURATE", "tone": "ONEPOLE"]
    let directory = try SwapTrialTests.directory(of: files)
    let piece = try accelerate(in: directory, subjects, output: "new.csd")
    #expect(piece.outcome == .swapped && piece.leftOut.isEmpty && !piece.hasMiss)
    #expect(piece.swaps.map(\.opcode) == ["moogladder", "tanh", "tone"])
    #expect(piece.swaps.map(\.counterpart) == ["MOOGLADDER", "SATURATE", "ONEPOLE"])
    #expect(piece.swaps.first?.places.map(\.line) == [13, 15])
    #expect(piece.swaps.last?.places.map(\.line) == [3])
    #expect(piece.swaps.last?.places.first?.path.hasSuffix("/filters.inc") == true)
    #expect(piece.swaps.allSatisfy { ($0.nullDepthDecibels ?? -400) < -100 })
    #expect(try #require(piece.nullDepthDecibels) < -100)
    let speed = try #require(piece.speed)
    #expect(speed.rounds == 6 && speed.subject > 0 && speed.rival > 0)
    #expect(piece.swaps.allSatisfy { $0.speed?.rounds == 6 })

    let names = try FileManager.default.contentsOfDirectory(atPath: directory)
    #expect(
      names.sorted() == ["filters.inc", "new-filters.inc", "new.csd", "piece.csd", "plain.inc"])
    for (name, text) in files {
      #expect(try String(contentsOfFile: directory + "/" + name, encoding: .isoLatin1) == text)
    }
    let new = try String(contentsOfFile: directory + "/new.csd", encoding: .isoLatin1)
    let expected = text.replacing("\tmoogladder\t", with: "\tMOOGLADDER\t")
      .replacing("moogladder:a", with: "MOOGLADDER:a").replacing("#tanh(", with: "#SATURATE(")
      .replacing("\"filters.inc\"", with: "\"new-filters.inc\"")
    #expect(new == expected)
    let other = try String(contentsOfFile: directory + "/new-filters.inc", encoding: .isoLatin1)
    #expect(
      other == included.replacing("tone:a", with: "ONEPOLE:a") + "\n; Written by opcodekit.\n")
  }

  @Test("Opcodes that work together are swapped together, instrument by instrument")
  func together() throws {
    let text = SwapTrialTests.csd(
      """
      ksmps = 64
      instr 1
        \(Self.noise)
        aold delayr 0.1
        anear deltap3 0.03
        delayw anoise + 0.5 * anear
        out 0.2 * (aold + anear)
      endin
      instr 2
        \(Self.noise)
        aold delayr 0.1
        anear deltapi 0.03
        awide deltapx a(0.04), 16
        delayw anoise
        out 0.2 * (anear + awide)
      endin
      """, score: "i1 0 0.2\ni2 0.1 0.2")
    let subjects = Dictionary(
      uniqueKeysWithValues: ["delayr", "deltap3", "deltapi", "delayw"].map { ($0, $0.uppercased()) }
    )
    let directory = try SwapTrialTests.directory(of: ["piece.csd": text])
    let piece = try accelerate(
      in: directory, subjects, output: "new.csd", groups: [Set(subjects.keys)]
    )
    #expect(piece.swaps.map(\.opcode) == ["delayr, delayw, deltap3"])
    #expect(piece.swaps.first?.counterpart == "DELAYR, DELAYW, DELTAP3")
    #expect(piece.swaps.first?.places.count == 3)
    #expect(piece.leftOut.map(\.opcode) == ["delayr, delayw, deltapi"])
    #expect(piece.leftOut.first?.detail == "goes with deltapx in line 20")
    let new = try String(file: directory + "/new.csd")
    #expect(new.contains("anear DELTAP3 0.03") && new.contains("anear deltapi 0.03"))
  }

  @Test("A piece is not written over itself, nor where its files are not")
  func places() throws {
    let text = SwapTrialTests.csd(
      "#include \"level.inc\"\ninstr 1\n  \(Self.noise)\n  out giLevel * tone:a(anoise, 500)\nendin"
    )
    let files = ["piece.csd": text, "level.inc": "giLevel = 0.5\n", "elsewhere/there.inc": ""]
    for (output, kind) in [("piece.csd", Failure.Kind.usage), ("elsewhere/new.csd", .badInput)] {
      let directory = try SwapTrialTests.directory(of: files)
      let failure = #expect(throws: Failure.self) {
        try accelerate(in: directory, ["tone": "ONEPOLE"], output: output)
      }
      #expect(failure?.kind == kind)
      #expect(try String(file: directory + "/piece.csd") == text)
      let names = try FileManager.default.contentsOfDirectory(atPath: directory + "/elsewhere")
      #expect(names == ["there.inc"])
    }
  }

  // MARK: Left out

  @Test(
    "A broken counterpart is left out by name",
    arguments: [
      ("FAULTY_GAIN", FasterPiece.LeftOut.Reason.differs), ("FAULTY_NAN", .differs),
      ("FAULTY_CRASH", .crashes), ("FAULTY_HANG", .hangs),
    ])
  func broken(subject: String, reason: FasterPiece.LeftOut.Reason) throws {
    let text = Self.csd(
      """
        asound moogladder anoise, 1000, 0.4
        out tone:a(asound, 500)
      """)
    let (directory, piece) = try accelerate(
      text, ["moogladder": subject, "tone": "ONEPOLE"], output: "new.csd",
      timeLimit: 2
    )
    #expect(piece.swaps.map(\.opcode) == ["tone"])
    let left = try #require(piece.leftOut.first)
    #expect(piece.leftOut.count == 1 && left.reason == reason && left.counterpart == subject)
    #expect(left.opcode == "moogladder" && left.places.map(\.line) == [10])
    #expect(piece.hasMiss && left.speed == nil)
    let new = try String(file: directory + "/new.csd")
    #expect(new.contains("moogladder anoise") && new.contains("ONEPOLE:a("))
  }

  @Test("A slower counterpart is left out with what was measured, and is no miss")
  func slower() throws {
    let text = Self.csd(
      """
        asound moogladder anoise, 1000, 0.4
        out asound
      """)
    let (directory, piece) = try accelerate(
      text, ["moogladder": "FAULTY_SLOW"], output: "new.csd", patience: 1
    )
    let left = try #require(piece.leftOut.first)
    #expect(piece.swaps.isEmpty && piece.leftOut.count == 1 && left.reason == .slower)
    #expect(left.speed.map { $0.ratio.high < 0.5 } == true && !piece.hasMiss)
    #expect(!FileManager.default.fileExists(atPath: directory + "/new.csd"))
  }

  @Test("An overload that is missing is left out, by what Csound resolves and call by call")
  func overloads() throws {
    let text = Self.csd(
      """
        klow = 900
        a1 moogladder anoise, 1000, 0.4
        a2 moogladder anoise, a(klow), 0.4
        k1 tanh klow
        a3 = tanh(anoise)
        out a1 + a2 + a3 + a(k1)
      """)
    // The faulty ladders take numbers and k-rate only, BUTTERLP no numbers alone.
    let piece = try accelerate(text, ["moogladder": "FAULTY_NO", "tanh": "BUTTERLP"]).piece
    #expect(piece.swaps.map(\.opcode) == ["moogladder"])
    #expect(piece.swaps.first?.places.map(\.line) == [11])
    let ladder = try #require(piece.leftOut.first { $0.opcode == "moogladder" })
    #expect(ladder.reason == .formMissing && ladder.places.map(\.line) == [12])
    #expect(ladder.detail == "outputs 'a', inputs 'aako'")
    let tanh = piece.leftOut.filter { $0.opcode == "tanh" }
    #expect(tanh.allSatisfy { $0.reason == .formMissing })
    #expect(tanh.flatMap(\.places).map(\.line).sorted() == [13, 14])
    #expect(!piece.hasMiss)
  }

  @Test("User-defined opcodes of the name, calls that are not compiled and notes that do not start")
  func unheard() throws {
    let text = SwapTrialTests.csd(
      """
      opcode tone, a, aK
        asound, kcutoff xin
        xout butterlp(asound, kcutoff)
      endop
      #define UNUSED #tanh#
      instr 1
        \(Self.noise)
        a1 tone anoise, 500
        a2 moogladder a1, 1000, 0.3
        out a2
      endin
      instr 2
        \(Self.noise)
        out moogladder(anoise, 900, 0.3)
      endin
      """)
    let piece = try accelerate(
      text, ["moogladder": "MOOGLADDER", "tone": "ONEPOLE", "tanh": "SATURATE"]
    ).piece
    #expect(piece.swaps.map(\.opcode) == ["moogladder"])
    #expect(piece.swaps.first?.places.map(\.line) == [16])
    let reasons = Dictionary(grouping: piece.leftOut, by: \.reason)
    #expect(reasons[.hidden]?.map(\.opcode) == ["tone"])
    #expect(reasons[.notCompiled]?.map(\.opcode) == ["tanh"])
    #expect(reasons[.notPlayed]?.map(\.opcode) == ["moogladder"])
    #expect(piece.leftOut.count == 3 && !piece.hasMiss)
  }

  @Test("Labels, parts of names and what a user-defined opcode would take are no calls to swap")
  func names() throws {
    let text = SwapTrialTests.csd(
      """
      opcode MOOGLADDER, a, akk
        asound, kcutoff, kresonance xin
        xout asound * 0.5
      endop
      #define HIGH #a#
      instr 1
        \(Self.noise)
        icount = 0
      tone:
        icount += 1
        loop_lt icount, 1, 2, tone
        timout 0, 1, tanh
      tanh:
        a1 tone anoise, 500
        a2 $HIGH.tone a1, 500
        a3 moogladder a2, 900, 0.3
        out a3 + tanh(a1)
      endin
      """)
    let piece = try accelerate(
      text, ["moogladder": "MOOGLADDER", "tone": "ONEPOLE", "tanh": "SATURATE"]
    ).piece
    #expect(piece.outcome == .swapped)
    #expect(piece.swaps.map(\.opcode) == ["tanh", "tone"])
    #expect(piece.swaps.flatMap(\.places).map(\.line) == [24, 21])
    let reasons = Dictionary(grouping: piece.leftOut, by: \.reason)
    #expect(reasons[.counterpartHidden]?.flatMap(\.places).map(\.line) == [23])
    #expect(reasons[.unclear]?.flatMap(\.places).map(\.line) == [22])
    #expect(piece.leftOut.count == 2 && !piece.hasMiss)
  }

  @Test(
    "A piece that fails, is silent or does not repeat is left as it is, and so is one with words only"
  )
  func originals() throws {
    let ladder = "  asound moogladder anoise, 1000, 0.4\n  out asound"
    let pieces: [(String, FasterPiece.Outcome)] = [
      (Self.csd("  asound moogladder\n"), .originalFails),
      (Self.csd(ladder.replacing("out asound", with: "out asound * log(k(-1))")), .originalFails),
      (Self.csd(ladder).replacing("rand 0.5", with: "rand 0"), .silent),
      (Self.failing, .silent),
      (Self.csd(ladder).replacing("0.3, 1", with: "2, 1"), .doesNotRepeat),
      (Self.csd("  ; moogladder\n  prints \"moogladder\"\n  out anoise"), .unchanged),
    ]
    for (text, outcome) in pieces {
      let isExplained = outcome == .originalFails || text == Self.failing
      let (directory, piece) = try accelerate(
        text, ["moogladder": "FAULTY_GAIN", "tone": "ONEPOLE"], output: "new.csd"
      )
      #expect(piece.outcome == outcome)
      #expect(piece.swaps.isEmpty && piece.leftOut.isEmpty && !piece.hasMiss)
      #expect((piece.reason != nil) == isExplained)
      let names = try FileManager.default.contentsOfDirectory(atPath: directory)
      #expect(names == ["piece.csd"])
    }
  }
}
