import Foundation
import HarnessBase
import TestSupport
import Testing

/// The commands that play, measure and guard pieces. Each is run in both Csounds, and the results are compared.
@Suite(
  "Commands in Csound 7", .serialized,
  .unless(Csound7.lack),
  .withoutSanitizer("the programs for Csound 7 are built without a sanitizer"))
struct Csound7CommandTests {
  static let csounds = ["6", "7"]

  /// A piece with one instrument, which plays for a while.
  static func write(
    _ instrument: String, header: String = "", score: String = "i 1 0 3600",
    to name: String = "piece.csd"
  ) throws -> String {
    try text(instrument, header: header, score: score).saved(name)
  }

  static func text(_ instrument: String, header: String, score: String) -> String {
    """
    \(header)
    instr 1
    \(instrument)
    endin
    """.csd(score: score, ksmps: 64)
  }

  /// In Csound 7 `a(x)` begins at 0.
  static func constant(_ value: Double) -> String { "asound init \(value)\nout asound" }

  /// The values of a recording, each once, in their order.
  static func levels(_ path: String) throws -> [Double] {
    try Sound(readingFrom: path).samples.reduce(into: []) { levels, sample in
      if levels.last != sample { levels.append(sample) }
    }
  }

  // MARK: play

  @Test("play: what it plays and records is what render writes, and what Csound 6.18 plays")
  func sameAsRender() throws {
    let csd = root + "/csd/MOOGLADDER.csd"
    var sounds: [[Double]] = []
    for csound in Self.csounds {
      let (raw, recording, rendered) = (Rig.file(), Rig.file() + ".wav", Rig.file() + ".wav")
      try opcodekit(
        "play", csd, "--csound", csound, "--device",
        Rig.name(["FILE=\(raw)", "SPEED=8", "WAIT=1"]),
        "--period", "1024", "--record", recording
      ).good()
      try opcodekit("render", csd, "--csound", csound, "-o", rendered).good()
      let expected = try Sound(readingFrom: rendered).samples
      let recorded = try Sound(readingFrom: recording).samples
      #expect(recorded.count >= expected.count && expected.contains { abs($0) > 0.1 })
      #expect(zip(recorded, expected).allSatisfy(==), "Csound \(csound)")
      let heard = try Rig.samples(of: raw).map(Double.init)
      let wrong = zip(heard, expected).count { $0 != $1 }
      #expect(wrong == 0, "Csound \(csound): \(wrong)")
      sounds.append(expected)
    }
    #expect(sounds[0] == sounds[1])
  }

  @Test("Live, on the rig: every frame that is heard in Csound 7 is that of the offline render")
  func long() throws {
    let (place, headers) = (root + "/.build/csound7", try Csound7ToolTests.headers.get())
    let player = try Csound7.player.get()
    try run(
      "/usr/bin/env",
      [
        "swift", "build", "--disable-index-store", "--scratch-path", place + "/tool", "-Xcc",
        "-I" + headers, "--product", "LiveWatch",
      ], environment: ["OPCODEKIT_ROOT": root, "OPCODEKIT_CSOUND7": place + "/host"]
    ).good()
    _ = Rig.configuration
    let ending = try run(
      place + "/tool/debug/LiveWatch", ["hour", "6", "64", "64", "10"],
      environment: player.environment)
    let match = try #require(
      ending.output.firstMatch(of: /Csound 7.0, .* (\d+) frames of 288000, (\d+) differ/),
      "\(ending.output)\(ending.errors)")
    #expect(Int(match.1)! >= 288_000 && match.2 == "0")
  }

  @Test("play: a version saved meanwhile takes over, and may end itself")
  func replacedExits() throws {
    let csd = try Self.write(Self.constant(0.25))
    let tool = try RunningTool(["play", csd, "--csound", "7", "--device", "null"])
    try #require(tool.says(/no sound, period/) != nil)
    usleep(300_000)
    try Self.text(
      Self.constant(0.5), header: "instr 2\nexitnow 3\nendin", score: "i 1 0 60\ni 2 2 1"
    ).save(to: csd)
    #expect(tool.says(/the new version plays/) != nil)
    let ending = tool.end()
    #expect(ending.exitCode == 65, "\(ending.errors)")
    #expect(ending.output.contains(/2.0\d s, peak -6.0 dBFS/), "\(ending.output)")
  }

  @Test("play: MIDI notes")
  func events() throws {
    let fifo = Rig.fifo()
    let csd = try Self.write(
      Self.constant(0.25),
      header: "massign 0, 2\ninstr 2\nikey notnum\nasound init ikey / 1024\nout asound\nendin",
      score: "f 0 3600")
    let recording = Rig.file() + ".wav"
    let tool = try RunningTool([
      "play", csd, "--csound", "7", "--device", "null", "--midi", fifo, "--record", recording,
    ])
    try #require(tool.says(/no sound, period/) != nil)
    let midi = try #require(FileHandle(forWritingAtPath: fifo))
    for key in [64, 96] as [UInt8] {
      midi.write(Data([0x90, key, 100]))
      usleep(200_000)
      midi.write(Data([0x80, key, 0]))
      usleep(200_000)
    }
    tool.interrupt().refused(130)
    #expect(try Self.levels(recording).filter { $0 != 0 } == [0.0625, 0.09375])
  }

  @Test("play: invalue and outvalue pass numbers and texts", arguments: csounds)
  func values(csound: String) throws {
    let csd = try Self.write(
      """
      klevel invalue "level"
      Stext invalue "text"
      outvalue "double", klevel * 2
      kdouble chnget "double"
      out upsamp(kdouble + strlenk(Stext) / 1024)
      """,
      header: """
        instr 2
        chnset 0.25, "level"
        chnset "\(String(repeating: "x", count: 200))", "text"
        endin
        """, score: "i 1 0 0.5\ni 2 0.2 0.1")
    let recording = Rig.file() + ".wav"
    try opcodekit(
      "play", csd, "--csound", csound, "--device", "null", "--record", recording
    ).good()
    #expect(try Self.levels(recording).contains(0.5 + 200.0 / 1024))
  }

  // MARK: Golden renders

  @Test("record and check: a recording of one Csound is checked in the other, within its limits")
  func goldens() throws {
    let directory = try temporaryDirectory()
    for (name, isSame) in [("MOOGLADDER", true), ("VDELAY", false)] {
      let csd = "\(directory)/\(name).csd"
      try Files.copy("\(root)/csd/\(name).csd", to: csd)
      for (recorded, other) in [("6", "7"), ("7", "6")] {
        try opcodekit(
          "record", csd, "--csound", recorded, "--duration", "0.5", "--replace"
        ).good()
        #expect(try opcodekit("check", csd, "--csound", recorded).exitCode == 0)
        let json = directory + "/check.json"
        let checked = try opcodekit(
          "check", csd, "--csound", other, "--evidence", directory + "/evidence", "--json", json)
        #expect(checked.exitCode == (isSame ? 0 : 1), "\(checked.output)\(checked.errors)")
        let text = try String(file: json)
        #expect(text.contains(/"isIdentical" *: *true/) == isSame, "\(text)")
      }
    }
  }

  // MARK: Looking into pieces and plugins

  @Test("list: the pack has the same overloads in both, and the same GEN routines")
  func list() throws {
    let rows = try Self.csounds.map { csound in
      try ListedOverload.all("--csound", csound).map {
        [$0.overload, $0.outputs, $0.inputs, $0.summary]
      }
    }
    #expect(rows[0].count > 90 && rows[0] == rows[1])
  }

  static let ladder = """
    anoise rand 0.5, 0.3, 1
    asound moogladder anoise, 1000, 0.4
    out asound
    """

  @Test("profile: every opcode has as many passes as in Csound 6.18")
  func profile() throws {
    struct Opcode: Decodable, Equatable { var name: String, passes, inits: Int }
    struct Profile: Decodable { var opcodes: [Opcode] }
    let csd = try Self.write(Self.ladder, score: "i 1 0 1")
    let opcodes = try Self.csounds.map { csound in
      let json = csd + csound + ".json"
      try opcodekit(
        "profile", csd, "--csound", csound, "--renders", "1", "--json", json
      ).good()
      return try JSONDecoder().decode(Profile.self, file: json).opcodes.sorted { $0.name < $1.name }
    }
    #expect(opcodes[0] == opcodes[1])
    #expect(opcodes[1].contains(Opcode(name: "moogladder", passes: 750, inits: 1)))
  }

  @Test("faster: an opcode of the piece is swapped for the pack's")
  func faster() throws {
    let csd = try Self.write(Self.ladder, score: "i 1 0 0.2")
    let new = csd + ".new.csd"
    let ending = try opcodekit("faster", csd, "--csound", "7", "-o", new, "--duration", "0.2")
      .good()
    #expect(try String(file: new).contains("asound MOOGLADDER"))
    let line = try #require(ending.errors.firstMatch(of: /To play it: (.*)/)).output.1
    #expect(line.contains(" play \(new) --csound 7 --plugin="))
    try run("/bin/sh", ["-c", line + " --device null"]).good()
  }
}
