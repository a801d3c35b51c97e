import Foundation
import HarnessBase
import Profiling
import Rendering
import TestSupport
import Testing

@Suite("Profiling a piece", .serialized)
struct ProfileTests {
  /// Tests of times are left out under a sanitizer, whose own work is in all of them.
  static let hasSanitizer = ProcessInfo.processInfo.environment["OPCODEKIT_SANITIZER"] != nil

  let directory: String
  var path: String { directory + "/piece.csd" }

  init() throws { directory = try temporaryDirectory() }

  private let pool = WorkerPool([products + "/TestWorker"], jobsPerWorker: 1)

  func profile(
    _ orchestra: String, score: String, options: String = "", share: Double = 0, pairs: Int = 1,
    limit: Double? = nil, before: String = ""
  ) throws -> Profile {
    let whole = before + orchestra.csd(score: score, options: options)
    try (score.isEmpty ? whole.replacing(/<CsScore>(?s:.*)<\/CsScore>/, with: "") : whole).save(
      to: path)
    var profiler = Profiler(pool: pool)
    profiler.tracingShare = share
    profiler.pairs = pairs
    return try profiler.profile(Orchestra(path: path), limit: limit).profile
  }

  /// The first line of the CSD that holds `text`, from 1.
  func line(_ text: String) throws -> Int {
    let lines = try String(file: path)
      .split(separator: "\n", omittingEmptySubsequences: false)
    return try #require(lines.firstIndex { $0.contains(text) }) + 1
  }

  func row(_ profile: Profile, _ text: String) throws -> Profile.Row {
    let line = try line(text)
    return try #require(profile.lines.first { $0.line == line }, "no row for line \(line)")
  }

  func opcode(_ profile: Profile, _ name: String) throws -> Profile.Row {
    try #require(profile.opcodes.first { $0.name == name }, "no row for \(name)")
  }

  static let head = header(channels: 2)

  @Test(
    "Jumps, reinit, recursion, local ksmps, arrays, channels: calls, lines and samples are right")
  func everything() throws {
    let profile = try profile(
      Self.head + """

        opcode Deep, a, ai
          ain, ilevel xin
          setksmps 16
          ahalf = ain * 0.5
          if ilevel > 1 then
            adeeper Deep ahalf, ilevel - 1
            ahalf = ahalf + adeeper
          endif
          xout ahalf
        endop
        instr 1
          kcount init 0
          kcount += 1
          kstep init 0
          asig poscil 0.1, \\
            220
          kstep = 0
        again:
          kstep = kstep + 1
          if kstep < 3 kgoto again
          if kcount % 10 == 0 then
            reinit part
          endif
        part:
          iend random 1, 2
          kenv linseg 1, 0.1, iend
          rireturn
          adeep Deep asig, 3
          chnset kenv, "env"
          kread chnget "env"
          kloop = 0
          while kloop < 2 do
            kloop += 1
          od
          outs adeep * kread, asig ; not a comment's poscil
        endin
        """, score: "i1 0 0.4\ni1 0.1 0.2")
    let cycles = 300 + 150  // 0.4 s and 0.2 s of 750 k-cycles a second
    #expect(profile.tracing.isBitIdentical)
    #expect(try row(profile, "asig poscil").passes == cycles)
    #expect(try opcode(profile, "poscil").passes == cycles)
    #expect(try opcode(profile, "poscil").samples == 64 * cycles)
    #expect(try row(profile, "kstep = kstep + 1").passes == 3 * cycles)
    #expect(try row(profile, "kloop += 1").passes == 2 * cycles)
    // Three levels, the deeper ones called in each of four inner k-cycles.
    #expect(try row(profile, "adeep Deep").passes == cycles)
    #expect(try row(profile, "adeeper Deep").passes == 2 * 4 * cycles)
    #expect(try row(profile, "ahalf = ain * 0.5").passes == 3 * 4 * cycles)
    #expect(try row(profile, "ahalf = ain * 0.5").samples == 3 * 64 * cycles)
    #expect(try row(profile, "reinit part").passes == 30 + 15)
    #expect(try row(profile, "kenv linseg").inits == 2 + 30 + 15)
    #expect(try row(profile, "chnset kenv").passes == cycles)
    #expect(try row(profile, "kread chnget").passes == cycles)
    #expect(try row(profile, "outs adeep").passes == 2 * cycles)
    let deep = try #require(profile.instruments.first { $0.name == "opcode Deep" })
    let notes = try #require(profile.instruments.first { $0.name == "instr 1" })
    #expect(notes.notes == 2 && notes.mostNotes == 2)
    #expect(notes.total > deep.total && deep.total > 0.999 * deep.ownSeconds)
    // What is called is in its caller's total, once.
    #expect(try row(profile, "adeep Deep").total <= notes.total)
    for call in profile.calls where call.caller != nil {
      #expect(profile.calls[call.caller!].total >= call.total)
    }
  }

  @Test("Notes started by notes, subinstruments, tied, released and cut-off notes are counted")
  func lives() throws {
    let profile = try profile(
      Self.head + """

        instr 1
          schedkwhen metro(20), 0, 0, 2, 0, 0.05
          asub subinstr 3
          outs asub, asub
        endin
        instr 2
          kenv linsegr 0, 0.01, 1, 0.1, 0
          outs oscili(kenv * 0.1, 440), a(0)
          turnoff2 5, 0, 0
        endin
        instr 3
          out oscili(0.1, 330)
        endin
        instr 4
          tigoto tied
          istart = 1
        tied:
          asig oscili 0.1, p4
          outs asig, asig
        endin
        instr 5
          kcut = 1 + p4
        endin
        """, score: "i1 0 0.5\ni4 0 -0.2 300\ni4 0.2 -0.2 400\ni5 0 0.5")
    #expect(profile.tracing.isBitIdentical)
    let notes = Dictionary(uniqueKeysWithValues: profile.instruments.map { ($0.name, $0) })
    #expect(notes["instr 1"]?.notes == 1)
    #expect(notes["instr 2"]?.notes == 10)
    // The release keeps three of them alive at a time.
    #expect(notes["instr 2"]?.mostNotes == 3)
    #expect(notes["instr 4"]?.notes == 1)
    #expect(notes["instr 5"]?.notes == 1)
    #expect(try row(profile, "asub subinstr").passes == 375)
    #expect(try row(profile, "out oscili(0.1, 330)").passes == 2 * 375)
  }

  @Test(
    "Code compiled in performance, and instruments defined anew, are told apart from the file's")
  func late() throws {
    let profile = try profile(
      Self.head + """

        instr 1
          kcount init 0
          kcount += 1
          if kcount % 50 == 0 then
            kresult evalstr {{
              instr 2
                asig oscili 0.1, 440
                outs asig, asig
              endin
              schedule 2, 0, 0.05
            }}, kcount
          endif
        endin
        """, score: "i1 0 0.4")
    #expect(profile.tracing.isBitIdentical)
    #expect(profile.instruments.first { $0.name == "instr 2" }?.notes ?? 0 >= 5)
    let late = profile.lines.filter { $0.file == nil }
    #expect(
      late.contains { $0.passes > 100 } && late.allSatisfy { $0.text == "compiled in performance" })
    #expect(try row(profile, "kresult evalstr").passes == 6)
  }

  @Test("Lines of a file that is included are that file's")
  func included() throws {
    try makeDirectory(directory + "/parts")
    try """
    opcode Deep, a, a
      ain xin
      adeep = ain * 0.25
      xout adeep
    endop

    """.save(to: directory + "/parts/deep.inc")
    try """
    #include "deep.inc"
    opcode Half, a, a
      ain xin
      ain Deep ain
      aout = ain * 0.5
      xout aout
    endop

    """.save(to: directory + "/parts/half.inc")
    let profile = try profile(
      Self.head + """

        #include "parts/half.inc"
        instr 1
          asig oscili 0.1, 440
          ahalf Half asig
          outs ahalf, ahalf
        endin
        """, score: "i1 0 0.1")
    let half = try #require(profile.lines.first { $0.text == "aout = ain * 0.5" })
    #expect(half.file?.hasSuffix("/half.inc") == true && half.line == 5 && half.passes == 75)
    #expect(try row(profile, "ahalf Half").passes == 75)
    let deep = try #require(profile.lines.first { $0.text == "adeep = ain * 0.25" })
    #expect(deep.file?.hasSuffix("/deep.inc") == true && deep.line == 3 && deep.passes == 75)
  }

  @Test("A variable that is assigned in line after line, and c ? x : y, have their own lines")
  func assignments() throws {
    let profile = try profile(
      Self.head + """

        instr 1
          asig = oscili:a(0.1, 440)
          asig += moogladder(asig, 900, 0.3)
          asig = tone(asig, 1000)
          asig = asig * 2 + asig * 3 + asig
          asig = limit(asig, -1, 1)
          kmode = lfo(1, 2)
          ahigh = kmode > 5 ? reverb(asig, 1) : moogladder(asig, 500, 0.2)
          ahigh = ahigh * 2
          kvalues[] init 2
          kvalues[0] = kmode > 5 ? 1 : 2
          kvalues[1] = (kmode > 5 ? 1 : 2)
          ahigh[3] = 0.5

          outs ahigh, ahigh
        endin
        """, score: "i1 0 0.1", before: "presets/*.txt\n")
    for (text, passes) in [
      ("asig = osc", 1), ("asig +=", 2), ("asig = tone", 1), ("* 3", 4), ("asig = limit", 1),
      ("kmode =", 1), ("? reverb", 6), ("ahigh * 2", 1), ("outs", 1),
      ("kvalues[0]", 7), ("kvalues[1]", 7), ("ahigh[3]", 2),
    ] { #expect(try row(profile, text).passes == 75 * passes, "\(text)") }
  }

  /// Many notes of cheap opcodes, where tracing costs most.
  static let cheap =
    head + """

      instr 1
        k1 = p4
        k2 = k1 * 0.5
        k3 = k2 + k1
        k4 = k3 * k2
        k5 = k4 - k1
        a1 oscili 0.001, 200 + k5
        outs a1, a1
      endin
      """
  static func notes(_ seconds: Int) -> String {
    (0..<40).map { "i1 0 \(seconds) \($0)" }.joined(separator: "\n")
  }

  @Test(
    "The parts add up to the whole, with every call timed and with k-cycles drawn at random",
    .disabled(if: hasSanitizer))
  func sum() throws {
    for (share, seconds) in [(0.0, 2), (0.08, 20)] {
      let profile = try profile(Self.cheap, score: Self.notes(seconds), share: share)
      #expect(profile.tracing.isBitIdentical)
      #expect(
        profile.accounted > 0.95 && profile.accounted <= 1,
        "\(share): \(profile.accounted), \(profile.tracing)")
      #expect(profile.tracing.unrecorded == 0)
      let parts = profile.lines.reduce(profile.engine.seconds) { $0 + $1.ownSeconds }
      let stacks = profile.stacks.folded.split(separator: "\n").reduce(0.0) {
        $0 + (Double($1.split(separator: " ").last!) ?? .nan) * 1e-9
      }
      #expect(abs(stacks - parts) < 1e-3 * parts)
      let passes = Double(try row(profile, "a1 oscili").passes)
      if share == 0 {
        #expect(profile.tracing.timedShare == 1)
        #expect(profile.tracing.passes == 40 * 8 * 1500)
        #expect(passes == 2 * 40 * 1500)
      } else {
        // The share is an aim: what a pass costs is known to a factor of two.
        #expect(profile.tracing.timedShare < 0.5)
        #expect(profile.tracing.overhead > 0 && profile.tracing.overhead < 2 * share)
        #expect(abs(passes / (2 * 40 * 15_000) - 1) < 0.02)
      }
    }
  }

  @Test("k-cycles drawn often where calls are few, and seldom where they are many, count alike")
  func changing() throws {
    let profile = try profile(
      Self.cheap + """

        instr 2
          a1 rand 0.1
          kstep = 0
          while kstep < 4 do
            kstep += 1
            a1 moogladder a1, 1000, 0.2
          od
          outs a1, a1
        endin
        """,
      score: Self.notes(20) + "\ni2 20 20\n"
        + (0..<40).map { "i1 40 10 \($0)" }.joined(separator: "\n"), share: 0.08)
    // One kind is drawn several times as often as the other. Where one gives way to the other within
    // a stratum, chance decides how much of each is drawn.
    let many = Double(try row(profile, "k1 = p4").passes) / (40 * 30 * 750)
    let few = Double(try row(profile, "a1 moogladder").passes) / (4 * 20 * 750)
    #expect(abs(many - 1) < 0.08 && abs(few - 1) < 0.08, "\(many), \(few)")
  }

  @Test("What takes ten times as long has ten times the time", .disabled(if: hasSanitizer))
  func proportion() throws {
    let failures = try tenTries {
      let profile = try profile(
        Self.head + """

          opcode Work, 0, i
            icount xin
            kstep = 0
            while kstep < icount do
              kstep += 1
            od
          endop
          instr 1
            Work 300
            Work 3000
          endin
          """, score: "i1 0 2", pairs: 3)
      let ratio = try row(profile, "Work 3000").total / row(profile, "Work 300").total
      return ((7...13).contains(ratio), "\(ratio)")
    }
    #expect(failures.isEmpty)
  }

  @Test("With threads the time of all of them is told, and nothing crashes")
  func threads() throws {
    let profile = try profile(Self.cheap, score: Self.notes(2), options: "-j2")
    #expect(profile.tracing.threads == 2)
    #expect(try row(profile, "a1 oscili").passes == 2 * 40 * 1500)
    #expect(profile.accounted > 0.9)
  }

  @Test("Additions to a global variable may run side by side; what reads it must wait")
  func sideBySide() throws {
    func take(_ statement: String, threads: Int = 1) throws -> ThreadsTake {
      try "gaBus init 0\ninstr 1\n\(statement)\nendin".csd(score: Self.notes(4), ksmps: 32)
        .save(to: path)
      var orchestra = Orchestra(path: path)
      orchestra.threads = threads
      return try pool.run([ThreadsJob(orchestra: orchestra, limit: 0.3)])[0].reply(of: "it")
    }
    let work = "a1 moogladder oscili(0.1, 220), 900, 0.5\n"
    let apart = try take(work + "gaBus += a1")
    // Of four notes alike the chain has the one that other work on the machine held up longest.
    #expect(apart.notes > 1.05 * apart.chain && apart.shared.isEmpty, "\(apart)")
    let ordered = try take(work + "gaBus = gaBus + a1")
    #expect((0.99...1.01).contains(ordered.notes / ordered.chain))
    #expect(ordered.shared.map(\.name) == ["gaBus"])
    #expect(ordered.shared[0].instruments == ["1"])
    #expect(try #require(ordered.lines.first).name == "moogladder")
    // An opcode that writes its inputs.
    let written = try take(work + "vincr gaBus, a1")
    #expect((0.99...1.01).contains(written.notes / written.chain))
    // Of two threads one has nothing to do.
    let two = try take(work + "gaBus = gaBus + a1", threads: 2)
    #expect(two.notes < 0.7 * 2 * two.cycles)
  }

  @Test("A piece without an end needs a duration; one that plays nothing says why")
  func refused() throws {
    func failure(_ orchestra: String, score: String, limit: Double? = nil) -> Failure? {
      TestSupport.failure { _ = try profile(orchestra, score: score, limit: limit) }
    }
    let endless = Self.head + "\ninstr 1\nouts a(0.1), a(0.1)\nendin\nschedule 1, 0, 10000"
    #expect(failure(endless, score: "")?.message.contains("--duration") == true)
    #expect(failure(endless, score: "", limit: 0.2) == nil)
    let missing = Self.head + "\ninstr 1\na1 diskin2 \"none.wav\"\nout a1\nendin"
    let failure = failure(missing, score: "i1 0 1")
    #expect(failure?.kind == .missingInput && failure?.message.contains("none.wav") == true)
  }
}
