import Foundation
import HarnessBase
import Testing
import Validating

@Suite("record and check")
struct GoldenTests {
  let directory: String
  var csd: String { directory + "/piece.csd" }
  var recording: String { directory + "/golden/piece.golden.json" }
  var evidence: String { directory + "/evidence/piece" }

  init() throws { directory = try temporaryDirectory() }

  /// A stereo piece of half a second; tests replace words of it that look like macros.
  static let piece = """
    instr 1
      a1 rand 0.3, 0.5, 1
      a2 oscili 0.4, 441
      a1 = a1 * 1
      outs a1, a2
    endin
    """.csd(score: "i1 0 0.5", ksmps: 32, channels: 2, options: "-odac")

  func write(_ changes: (String, String)..., to path: String? = nil) throws {
    var text = Self.piece
    for (old, new) in changes {
      try #require(text.contains(old))
      text = text.replacingOccurrences(of: old, with: new)
    }
    try text.save(to: path ?? csd)
  }

  func record(_ options: String...) throws -> Ending {
    try opcodekit(["record", csd] + options)
  }

  func check(_ options: String...) throws -> Ending {
    try opcodekit(["check", csd, "--evidence", directory + "/evidence"] + options)
  }

  struct Row: Decodable {
    struct Deviation: Decodable { var kind: String }
    struct Point: Decodable { var sample: Int }
    var verdict, variant: String
    var deviations: [Deviation]
    var isIdentical: Bool
    var firstBad: Point?
    var differenceDecibels, spectralDistanceDecibels: Double?
  }

  func rows(_ options: String...) throws -> (ending: Ending, rows: [Row]) {
    let json = directory + "/check.json"
    let ending = try opcodekit(
      ["check", csd, "--evidence", directory + "/evidence", "--json", json] + options)
    return (ending, try JSONDecoder().decode([Row].self, file: json))
  }

  @Test("A clean rerun is identical to the last bit, in each variant, and leaves no evidence")
  func clean() throws {
    try write()
    try record("--ksmps", "1,64", "--sample-rate", "44100,96000").good().says(
      "Recorded 5 references; nothing was checked.")
    let (ending, rows) = try rows()
    #expect(ending.exitCode == 0, "\(ending.output)\(ending.errors)")
    #expect(rows.count == 5 && rows.allSatisfy { $0.verdict == "passed" && $0.isIdentical })
    #expect(ending.output.contains("5 checked: 5 passed, 0 failed, 0 error"))
    #expect(!Files.exist(evidence))
    let files = try Files.names(in: directory + "/golden")
    #expect(files.contains("piece.flac") && files.contains("piece-sr96000-ksmps1.flac"))
    // Neither the option -odac nor Csound's default output test.wav has left a file.
    #expect(try Files.names(in: directory).sorted() == ["check.json", "golden", "piece.csd"])
  }

  @Test(
    "Every seeded change is caught with the default limits",
    arguments: [
      ("a1 = a1 * 1", "a1 = a1 * ampdb(0.2)", "difference"),
      ("i1 0 0.5", "i1 0 7200", "length"),
      ("nchnls = 2", "nchnls = 3", "channels"),
    ])
  func caught(old: String, new: String, kind: String) throws {
    try write()
    #expect(try record().exitCode == 0)
    try write((old, new))
    let (ending, rows) = try rows()
    #expect(ending.exitCode == 1, "\(ending.output)\(ending.errors)")
    let row = try #require(rows.first)
    #expect(row.deviations.contains { $0.kind == kind }, "\(row.deviations)")
    #expect(row.verdict == "failed")
    #expect(try Sound(readingFrom: evidence + "/expected.wav").duration == 0.5)
    #expect(Files.exist(evidence + "/actual.wav"))
    // The original piece passes again, and its evidence is removed.
    try write()
    #expect(try check().exitCode == 0)
    #expect(!Files.exist(evidence))
  }

  @Test("A difference is told where its sounds cannot be written")
  func withoutEvidence() throws {
    try write()
    _ = try record()
    try Files.makeDirectories(evidence + "/actual.wav")
    try write(("a1 = a1 * 1", "a1 = a1 * 0.5"))
    let (ending, rows) = try rows()
    #expect(ending.exitCode == 1)
    ending.says(
      "as it is: it differs by -", "No sounds of it: '\(evidence)/actual.wav' is a directory")
    #expect(rows.first?.verdict == "failed")
  }

  @Test("A failure says where and how much, and shows it in files and a picture")
  func shown() throws {
    try write()
    _ = try record()
    try write(("a2 oscili 0.4, 441", "a2 oscili 0.4 + 0.1 * int(timeinsts() * 4), 441"))
    let (ending, rows) = try rows(
      "--junit", directory + "/check.xml", "--markdown", directory + "/check.md")
    #expect(ending.exitCode == 1)
    // The change begins with the k-cycle that ends at 0.25 s, when timeinsts reports that time.
    let first = try #require(rows.first?.firstBad?.sample)
    #expect((12_000 - 32...12_000).contains(first))
    #expect(ending.output.contains("first bad sample in channel 2"))
    #expect(!ending.output.contains("It was recorded with"))
    let file = try String(file: recording)
    #expect(file.contains(#""csound" : "6.18""#))
    try file.replacing(#""csound" : "6.18""#, with: #""csound" : "7.0""#).save(to: recording)
    let other = try check().output
    #expect(other.contains("It was recorded with Csound 7.0, and this is 6.18."), "\(other)")
    #expect(ending.output.contains("(sample \(first))"))
    let difference = try Sound(readingFrom: evidence + "/difference.wav")
    #expect(difference.samples[2 * first + 1] != 0)
    #expect(difference.samples[..<(2 * first)].allSatisfy { abs($0) < 1e-6 })
    let picture = try #require(FileManager.default.contents(atPath: evidence + "/picture.png"))
    #expect(picture.prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]) && picture.count > 20_000)
    let markdown = try String(file: directory + "/check.md")
    expectWords(
      markdown, "## Golden renders: 1 checked: 0 passed, 1 failed", "| as it is |",
      "sample \(first)")
    let junit = try String(file: directory + "/check.xml")
    #expect(junit.contains("failures=\"1\"") && junit.contains("sample \(first)"))
  }

  @Test("Without gnuplot the result, the sounds and a sentence remain")
  func withoutPicture() throws {
    try write()
    _ = try record()
    try write(("a1 = a1 * 1", "a1 = a1 * 2"))
    try opcodekit(
      ["check", csd, "--evidence", directory + "/evidence"], environment: ["PATH": "/nonexistent"]
    ).refused(1).says("No picture: gnuplot")
    #expect(
      try Files.names(in: evidence).sorted() == ["actual.wav", "difference.wav", "expected.wav"])
  }

  @Test("Levels far above full scale and far below each other survive the reference's 24 bits")
  func levels() throws {
    try write(("outs a1, a2", "outs a1 * 1000, a2 * 0.00001"))
    #expect(try record().exitCode == 0)
    #expect(try rows().rows.first?.isIdentical == true)
    try write(("outs a1, a2", "outs a1 * 1000, a2 * 0.0000102"))
    #expect(try rows().rows.first?.verdict == "failed")
    try write(("outs a1, a2", "outs a1 * 1020, a2 * 0.00001"))
    #expect(try rows().rows.first?.verdict == "failed")
  }

  @Test("--replace records anew with the limits there were, and nothing else does")
  func replace() throws {
    try write()
    #expect(
      try record("--tolerance", "-30", "--spectral-limit", "0.3", "--ksmps", "1").exitCode == 0)
    try write(("a1 = a1 * 1", "a1 = a1 * 2"))
    let before = try Data(file: directory + "/golden/piece.flac")
    #expect(try record().exitCode == 73)
    #expect(try Data(file: directory + "/golden/piece.flac") == before)
    #expect(try check().exitCode == 1)
    #expect(try record("--replace").exitCode == 0)
    let (ending, rows) = try rows()
    #expect(ending.exitCode == 0 && rows.map(\.variant) == ["", "ksmps1"])
    let file = try GoldenFile(readingFrom: recording)
    #expect(file.recording.limits.tolerance == -30)
    try write(("a1 = a1 * 1", "a1 = a1 * 2 * ampdb(0.2)"))
    #expect(try check().exitCode == 0)
    try write(("a1 = a1 * 1", "a1 = a1 * 2 * ampdb(0.4)"))
    #expect(try check().exitCode == 1)
    // Another recording's sound is not written over.
    try write(to: directory + "/piece-ksmps1.csd")
    try opcodekit("record", directory + "/piece-ksmps1.csd").refused(
      73, "piece-ksmps1.flac' belongs to the recording 'piece.golden.json'")
    // A variant that is no longer recorded is removed.
    #expect(try record("--replace", "--ksmps", "16").exitCode == 0)
    #expect(
      try Files.names(in: directory + "/golden").sorted() == [
        "piece-ksmps16.flac", "piece.flac", "piece.golden.json",
      ])
  }

  @Test("Options of a CSD write no file, open no device and read no standard input")
  func options() throws {
    try write(("-odac", "-o piece.wav -W -iadc -M0 -L stdin -+rtaudio=alsa -+rtmidi=alsa -b 64"))
    try record().good()
    #expect(try check().exitCode == 0)
    #expect(try Files.names(in: directory).sorted() == ["golden", "piece.csd"])
  }

  @Test("Includes and samples are found beside the CSD, wherever the command is run")
  func files() throws {
    var generator = SeededGenerator(seed: 5)
    try Sound(
      sampleRate: 48_000, channelCount: 1,
      samples: (0..<4800).map { _ in Double.random(in: -0.5...0.5, using: &generator) }
    ).write(to: directory + "/noise.wav")
    try "a2 diskin2 \"noise.wav\"\n".save(to: directory + "/part.inc")
    try write(("  a2 oscili 0.4, 441", "#include \"part.inc\""))
    try record().good()
    #expect(try check().exitCode == 0)
  }

  @Test("A recording is checked with the plugin that it names, or with that of --plugin")
  func plugin() throws {
    try write()
    let plugin = directory + "/own.so"
    try Files.copy(standalonePlugin.get(), to: plugin)
    #expect(try record("--plugin", plugin).exitCode == 0)
    #expect(try check().exitCode == 0)
    try Files.remove(plugin)
    try check().refused(66, "own.so', which does not exist; name the plugin to play with --plugin")
    #expect(try check("--plugin", standalonePlugin.get()).exitCode == 0)
    // The built plugin is not named, because it is elsewhere on another machine.
    #expect(try record("--replace", "--plugin", standalonePlugin.get()).exitCode == 0)
    #expect(try check().exitCode == 0)
    try Files.remove(directory + "/golden")
    #expect(try record().exitCode == 0)
    #expect(try !String(file: recording).contains("plugin"))
  }

  @Test("A directory stands for all recordings in it, and one missing reference spoils no other")
  func directories() throws {
    try write()
    try Files.makeDirectories(directory + "/more")
    try write(to: directory + "/more/other.csd")
    #expect(try record().exitCode == 0)
    let into = directory + "/kept"
    #expect(try opcodekit("record", directory + "/more/other.csd", "--into", into).exitCode == 0)
    try opcodekit("check", directory, "--evidence", directory + "/evidence").good().says(
      "2 checked: 2 passed")
    try Files.remove(into + "/other.flac")
    try opcodekit("check", directory, "--evidence", directory + "/evidence").refused(
      66, "other.flac' does not exist"
    ).says("2 checked: 1 passed")
    // Nor does a recording that cannot be read.
    try "{".save(to: into + "/other.golden.json")
    try opcodekit("check", directory, "--evidence", directory + "/evidence").refused(
      65, "other.golden.json' is not a recording"
    ).says("2 checked: 1 passed", "1 error")
  }

  @Test("An orchestra file and its score are recorded, and played again from their places")
  func orchestraAndScore() throws {
    let orchestra = try "instr 1\n  out poscil(0.2, 440)\nendin\n".saved("x.orc", in: directory)
    let score = try "i1 0 0.1\n".saved("x.sco", in: directory)
    try opcodekit("record", orchestra, score).good()
    for words in [[orchestra, score], [orchestra], [directory]] {
      try opcodekit(["check"] + words).good().says("1 checked: 1 passed")
    }
    try "i1 0 0.2\n".save(to: score)
    #expect(try opcodekit("check", directory).exitCode == 1)
    try Files.remove(orchestra)
    try opcodekit("check", directory).refused(66, "x.orc' does not exist")
  }

  @Test("A piece that never ends is recorded with --duration, and exactly so long")
  func endless() throws {
    try write(("i1 0 0.5", "i1 0 -1\nf 0 z"))
    #expect(try record("--duration", "0.25").exitCode == 0)
    #expect(try check().exitCode == 0)
    #expect(try Sound(readingFrom: directory + "/golden/piece.flac").duration == 0.25)
  }
}
