import Foundation
import HarnessBase
import Profiling
import Rendering
import TestSupport
import Testing
import Workers

@Suite("A profile against what is saved when lines are taken out", .serialized)
struct RemovalTests {
  let directory = NSTemporaryDirectory() + "/opcodekit-\(UUID().uuidString)"
  var path: String { directory + "/piece.csd" }

  init() throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  private func profiler(share: Double = 0.08) -> Profiler {
    var profiler = Profiler(
      pool: WorkerPool(executable: products + "/TestWorker", arguments: [], jobsPerWorker: 1))
    profiler.tracingShare = share
    profiler.pairs = 1
    return profiler
  }

  private func profile(_ body: String, ksmps: Int, score: String) throws -> Profile {
    try """
    <CsoundSynthesizer>
    <CsInstruments>
    sr = 48000
    ksmps = \(ksmps)
    nchnls = 1
    0dbfs = 1
    \(body)
    </CsInstruments>
    <CsScore>
    \(score)
    </CsScore>
    </CsoundSynthesizer>
    """.write(toFile: path, atomically: true, encoding: .utf8)
    return try profiler().profile(Orchestra(path: path), limit: nil).profile
  }

  private func row(_ profile: Profile, _ text: String) throws -> Profile.Row {
    try #require(profile.lines.first { $0.text?.hasPrefix(text) == true }, "no row for '\(text)'")
  }

  /// Other work on the machine can only spoil a measurement: one of three is enough.
  private func anyOfThree(_ holds: () throws -> (isTrue: Bool, found: String)) throws {
    var found: [String] = []
    for _ in 0..<3 {
      let result = try holds()
      if result.isTrue { return }
      found.append(result.found)
    }
    Issue.record("\(found)")
  }

  // MARK: What stands for a line

  private static let code = """
    instr 1
      kenv linseg 0, 1, 1
      asig oscili kenv, 440
      aleft, aright pan2 asig, 0.3
      if kenv > 0.5 then
        asig = asig * 2
      endif
      iphase = 0.3
      fspec pvsanal asig, 512, 128, 512, 1
      kvalues[] fillarray 1, 2
      outs asig, \\
        aright
      chnset kenv, "level"
    again:
      timout 0, 1, done
    done:
    endin
    """.components(separatedBy: "\n")

  private func call(_ line: Int, _ outputs: [String] = []) -> LineRemoval.Statement {
    LineRemoval.Statement(body: "instr 1", file: 0, line: line, outputs: outputs)
  }

  @Test("Variables of a line taken out are set when the note begins, unless another line does")
  func replacements() throws {
    let calls = [
      call(2, ["kenv"]), call(3, ["asig"]), call(4, ["aleft", "aright"]), call(6, ["asig"]),
      call(8, ["iphase"]), call(9, ["fspec"]), call(10, ["kvalues"]), call(11), call(13), call(15),
    ]
    func replacement(_ line: Int) throws -> String {
      try LineRemoval(line: line, in: Self.code, statements: calls).replacement
    }
    #expect(try replacement(2) == "kenv init 1")
    #expect(try replacement(4) == "aleft, aright init 0dbfs / 10, 0dbfs / 10")
    #expect(try replacement(3) == "" && replacement(6) == "" && replacement(13) == "")
    for (line, reason) in [
      (5, "another file"), (8, "when notes begin"), (9, "'fspec'"), (10, "an array"),
      (11, "several lines"), (12, "another file"), (15, "'timout'"),
    ] {
      let refusal = #expect(throws: LineRemoval.Refusal.self) { try replacement(line) }
      #expect(refusal?.reason.contains(reason) == true, "\(line): \(refusal?.reason ?? "")")
    }
  }

  // MARK: What is saved

  @Test("The shortest time of each stretch counts, and rounds that differ make the margin wide")
  func savings() {
    let base = [[10.0, 20], [30, 20], [10, 0], [12, 21]]
    let variant = [[5.0, 20], [6, 10], [5, 11], [9, 10]]
    let saved = RemovalTrial.saving(base: base, variant: variant)
    #expect(abs(saved.middle - 0.5) < 1e-9 && saved.margin > 0)
    let same = RemovalTrial.saving(base: base, variant: base)
    #expect(same.middle == 0 && same.margin == 0)
  }

  @Test("A profile agrees with removal, and one that names the wrong line does not")
  func judged() throws {
    try anyOfThree {
      var profile = try profile(
        """
        instr 1
          asource rand 0.2
          aladder moogladder asource, 2000, 0.5
          aband butterbp asource, 700, 100
          out (aladder + aband) * 0.02
        endin
        """, ksmps: 32, score: (0..<4).map { _ in "i1 0 3" }.joined(separator: "\n"))
      let orchestra = Orchestra(path: path)
      let trial = try profiler().judge(profile, of: orchestra, limit: nil, top: 3, rounds: 4)
      // What the ladder takes is charged to the line after it.
      let ladder = try #require(profile.lines.firstIndex { $0.text!.hasPrefix("aladder") })
      let band = try #require(profile.lines.firstIndex { $0.text!.hasPrefix("aband") })
      let taken = profile.lines[ladder].total
      profile.lines[ladder].total = profile.lines[band].total
      profile.lines[band].total = taken
      let wrong = try profiler().judge(profile, of: orchestra, limit: nil, top: 2, rounds: 4)
      let isFound = wrong.rows.filter { $0.verdict == .differs }.count == 2
      return (
        trial.rows.allSatisfy { $0.verdict == .agrees } && isFound,
        "\(trial.rows), \(wrong.rows)"
      )
    }
  }

  @Test(
    "An opcode that waits for memory is charged with the wait, not what comes after it",
    .disabled(if: ProfileTests.hasSanitizer))
  func memory() throws {
    try anyOfThree {
      let profile = try profile(
        """
        instr 1
          ain oscili 0.1, 200 + p4
          amod rand 450, 0.3, 1
          adel vdelay3 ain, 500 + amod, 1000
          aout = ain + adel * 0.3
          out aout
        endin
        """, ksmps: 4, score: (0..<150).map { "i1 0 0.5 \($0)" }.joined(separator: "\n"))
      let delay = try row(profile, "adel").total
      let after = try row(profile, "aout").total
      return (
        delay > 0.5 * profile.wholeSeconds && after < 0.1 * profile.wholeSeconds,
        "\(delay), \(after) of \(profile.wholeSeconds)"
      )
    }
  }

  @Test(
    "The first opcode of a note is charged as much as the ones after it",
    .disabled(if: ProfileTests.hasSanitizer))
  func first() throws {
    try anyOfThree {
      let profile = try profile(
        """
        instr 1
          a1 oscili 0.1, 200
          a2 oscili 0.1, 200
          a3 oscili 0.1, 200
          a4 oscili 0.1, 200
          out a1
        endin
        """, ksmps: 1, score: (0..<24).map { _ in "i1 0 2" }.joined(separator: "\n"))
      let times = try ["a1", "a2", "a3", "a4"].map { try row(profile, $0 + " ").seconds }
      let others = times[1...].reduce(0, +) / 3
      return (
        times[0] > 0.6 * others && times[0] < 1.6 * others
          && profile.engine.notes < 0.2 * profile.wholeSeconds,
        "\(times), between notes \(profile.engine.notes) of \(profile.wholeSeconds)"
      )
    }
  }

  @Test(
    "Work that comes in few k-cycles is known by how many of them there are",
    .disabled(if: ProfileTests.hasSanitizer))
  func clusters() throws {
    try anyOfThree {
      let takes = try (0..<2).map { _ in
        try profile(
          """
          gisine ftgen 0, 0, 16384, 10, 1
          instr 1
            asource vco2 0.3, 220
            fspectrum, fphases pvsifd asource, 2048, 512, 1
            ftracks partials fspectrum, fphases, .003, 1, 3, 500
            aagain tradsyn ftracks, 1, 1, 500, gisine
            out aagain
          endin
          """, ksmps: 1, score: "i1 0 3")
      }
      let shares = takes.map { $0.accounted }
      return (shares.allSatisfy { $0 > 0.95 }, "\(shares)")
    }
  }
}
