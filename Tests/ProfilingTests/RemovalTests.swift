import Foundation
import HarnessBase
import Profiling
import Rendering
import TestSupport
import Testing

@Suite("A profile against what is saved when lines are taken out", .serialized)
struct RemovalTests {
  let directory: String
  var path: String { directory + "/piece.csd" }

  init() throws { directory = try temporaryDirectory() }

  private func profiler(share: Double = 0.08) -> Profiler {
    var profiler = Profiler(
      pool: WorkerPool([products + "/TestWorker"], jobsPerWorker: 1))
    profiler.tracingShare = share
    profiler.pairs = 1
    return profiler
  }

  private func profile(_ body: String, ksmps: Int, score: String) throws -> Profile {
    try body.csd(score: score, ksmps: ksmps).save(to: path)
    return try profiler().profile(Orchestra(path: path), limit: nil).profile
  }

  private func row(_ profile: Profile, _ text: String) throws -> Profile.Row {
    try #require(profile.lines.first { $0.text?.hasPrefix(text) == true }, "no row for '\(text)'")
  }

  // MARK: What can be left out

  @Test("Lines that direct what runs, begin notes or make spectra cannot be left out, and say why")
  func refusals() throws {
    try "aincluded butterlp gasound, 900\n".save(to: directory + "/filter.inc")
    let profile = try profile(
      """
      gasound init 0
      instr 1
        kenv linseg 0, 1, 1
        asig oscili kenv, 440
        if kenv > 0.01 then
          asig = asig * 2
        endif
        iphase = 0.3
        fspec pvsanal asig, 512, 128, 512, 1
        aspec pvsynth fspec
        kpulse metro 10
        kcount = 0
      again: kcount += 1
        if kcount < 3 kgoto again
        kvalues[] fillarray 1, 2
        gasound = asig + aspec * kvalues[1] + kpulse
        #include "filter.inc"
        out aincluded
      endin
      """, ksmps: 16, score: "i1 0 1\ni1 0.2 0.5")
    let orchestra = Orchestra(path: path)
    let trial = try profiler().judge(profile, of: orchestra, limit: nil, top: 100, renders: 1)
    func row(_ text: String) throws -> RemovalTrial.Row {
      try #require(trial.rows.first { $0.text.hasPrefix(text) }, "no row for '\(text)'")
    }
    for (text, reason) in [
      ("if kenv", "'if'"), ("iphase", "when notes begin"), ("fspec", "'fspec'"),
      ("kpulse", "'metro'"), ("again:", "a label"), ("kvalues", "when notes begin"),
      ("kenv", "'kenv'"),
    ] {
      let row = try row(text)
      #expect(row.verdict == .notRemovable && row.saved == nil)
      #expect(row.reason?.contains(reason) == true, "\(text): \(row.reason ?? "")")
    }
    for text in ["asig oscili", "aspec", "gasound =", "aincluded", "out"] {
      let row = try row(text)
      #expect(row.saved != nil, "\(text): \(row.reason ?? "")")
    }
    #expect(try row("aincluded").file?.hasSuffix("filter.inc") == true)
    #expect(trial.turns > 0)
  }

  @Test(
    "Notes that jump, are begun anew, end and call user-defined opcodes of one sample survive that lines leave",
    arguments: [1, 64])
  func survives(_ ksmps: Int) throws {
    let profile = try profile(
      """
      opcode Steps, a, ak
        setksmps 1
        ain, kgain xin
        alast init 0
        alast = alast * 0.5 + ain * kgain
        aout tanh alast
        xout aout
      endop
      instr 1
        kcount = 0
      again:
        asound oscili 0.1, 200 + 100 * kcount
        kcount = kcount + 1
        if kcount < 3 kgoto again
        ksecond metro 20
        if ksecond == 1 then
          reinit Anew
        endif
      Anew:
        kline linseg 0, 0.05, 1
      rireturn
        aout Steps asound, kline
        out aout * linsegr(0, 0.01, 1, 0.01, 0)
      endin
      """, ksmps: ksmps,
      score: (0..<20).map { "i1 \(Double($0) * 0.03) 0.05" }.joined(separator: "\n"))
    let trial = try profiler().judge(
      profile, of: Orchestra(path: path), limit: nil, top: 100, renders: 2)
    // A loop without the line that counts would have no end.
    let count = try #require(trial.rows.first { $0.text.hasPrefix("kcount = kcount") })
    #expect(count.reason?.contains("'kcount' decides") == true)
    for text in ["asound", "aout tanh", "aout Steps", "out"] {
      let row = try #require(trial.rows.first { $0.text.hasPrefix(text) }, "no row for '\(text)'")
      #expect(row.saved != nil, "\(text): \(row.reason ?? "")")
    }
    #expect(trial.renders >= 1 && trial.turns > 0)
  }

  // MARK: What is saved

  @Test("What variants save counts by the length of turns; turns that differ make the margin wide")
  func savings() {
    func turns(_ ticks: [(Double?, Double?)]) -> [VariantsTake.Turn] {
      ticks.map { VariantsTake.Turn(cycles: 8, ticks: [$0.0, $0.1]) }
    }
    let same = RemovalTrial.saving(
      turns(Array(repeating: (10, 4), count: 20) + [(nil, 9), (10, nil)]), variant: 0)
    #expect(abs(same.middle - 0.6) < 1e-12 && same.margin < 1e-12)
    let scattered = RemovalTrial.saving(
      turns((0..<20).map { (10, $0.isMultiple(of: 2) ? 3 : 5) }), variant: 0)
    #expect(abs(scattered.middle - 0.6) < 1e-12)
    #expect(abs(scattered.margin - 2 * 0.1 / 19.0.squareRoot()) < 1e-9)
    let few = RemovalTrial.saving(turns([(10, 4), (10, 4)]), variant: 0)
    #expect(few.margin == 1)
    #expect(RemovalTrial.saving([], variant: 0).margin == 1)
  }

  @Test("A profile agrees with removal, and one that names the wrong line does not")
  func judged() throws {
    let failures = try tenTries {
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
      let trial = try profiler().judge(profile, of: orchestra, limit: nil, top: 3)
      // What the ladder takes is charged to the line after it.
      let ladder = try #require(profile.calls.firstIndex { $0.opcode == "moogladder" })
      let band = try #require(profile.calls.firstIndex { $0.opcode == "butterbp" })
      let taken = profile.calls[ladder].total
      profile.calls[ladder].total = profile.calls[band].total
      profile.calls[band].total = taken
      let wrong = try profiler().judge(profile, of: orchestra, limit: nil, top: 2)
      let isFound = wrong.rows.filter { $0.verdict == .differs }.count == 2
      return (
        trial.rows.allSatisfy { $0.verdict == .agrees } && isFound,
        "\(trial.rows), \(wrong.rows)"
      )
    }
    #expect(failures.isEmpty)
  }

  @Test(
    "An opcode that waits for memory is charged with the wait, not what comes after it",
    .disabled(if: ProfileTests.hasSanitizer))
  func memory() throws {
    let failures = try tenTries {
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
    #expect(failures.isEmpty)
  }

  @Test(
    "The first opcode of a note is charged as much as the ones after it",
    .disabled(if: ProfileTests.hasSanitizer))
  func first() throws {
    let failures = try tenTries {
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
          && profile.engine.notes < 0.16 * profile.wholeSeconds,
        "\(times), between notes \(profile.engine.notes) of \(profile.wholeSeconds)"
      )
    }
    #expect(failures.isEmpty)
  }

  @Test(
    "Work that comes in few k-cycles is known by how many of them there are",
    .disabled(if: ProfileTests.hasSanitizer))
  func clusters() throws {
    let failures = try tenTries {
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
    #expect(failures.isEmpty)
  }
}
