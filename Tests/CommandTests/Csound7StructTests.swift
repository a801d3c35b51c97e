import Foundation
import HarnessBase
import PluginBuilding
import Rendering
import TestSupport
import Testing

/// Structs as arguments, in the opcodes of Tests/TestPlugin/Structs.swift.
extension Csound7Tests {
  /// What an orchestra put out.
  struct Heard {
    var exitCode: Int32
    var messages: String
    /// The samples of each channel.
    var channels: [[Double]]

    func good() throws -> Heard {
      try #require(exitCode == 0, "\(messages)")
      return self
    }
  }

  /// Plays an orchestra with the test opcodes.
  func hear(
    _ instruments: String, channels: Int, score: String = "i1 0 0.1", ksmps: Int = 32,
    options: [String] = [], plugins: [String] = []
  ) throws -> Heard {
    let csd = try instruments.csd(score: score, ksmps: ksmps, channels: channels).saved()
    let sound = csd + ".wav"
    let plugins = [try Csound7.testOpcodes.get()] + plugins
    let ending = try Csound7.play(
      ["-d"] + options + ["--opcode-lib=" + plugins.joined(separator: ",")]
        + ["-W", "--format=double", "-o", sound, csd])
    var heard = Heard(
      exitCode: ending.exitCode, messages: ending.output + ending.errors,
      channels: Array(repeating: [], count: channels))
    guard ending.exitCode == 0 else { return heard }
    for (index, sample) in try Sound(readingFrom: sound).samples.enumerated() {
      heard.channels[index % channels].append(sample)
    }
    return heard
  }

  @Test("Members that are numbers, arrays and a text, in two notes at once", arguments: [1, 37])
  func structNumbers(ksmps: Int) throws {
    let heard = try hear(
      """
      instr 1
        kcycle timeinstk
        p:KitPoint TEST_MAKEPOINT kcycle, p4
        kq TEST_POINT p
        v:KitVoice TEST_MAKEVOICE a(0), kcycle, "some text", p4
        aout, ksum, Sname TEST_VOICE v
        kwhole = (ksum == p4 + kcycle + 1 + kcycle + 2 + kcycle + 3 ? 1 : 0)
        ktext strlenk Sname
        outch p5, upsamp(kq - kcycle), p5 + 1, upsamp(kwhole * ktext)
      endin
      """, channels: 4, score: "i1 0 0.02 100 1\ni1 0 0.02 7 3", ksmps: ksmps
    ).good()
    // The first k-cycle of the second note and the last ones are like all others.
    let count = 960 / ksmps * ksmps
    for (channel, value) in zip(heard.channels, [1000.0, 9, 70, 9]) {
      #expect(channel.prefix(count).allSatisfy { $0 == value }, "\(channel.prefix(3)) \(value)")
    }
  }

  @Test("Signals in a struct, in what it holds, and in copies of it", arguments: [1, 37])
  func structSignals(ksmps: Int) throws {
    let heard = try hear(
      """
      opcode Through(v:KitVoice):(KitVoice)
        aout, ksum, Sname TEST_VOICE v
        w:KitVoice TEST_MAKEVOICE aout, 1, Sname, 5
        xout w
      endop
      instr 1
        aramp line 1, p3, 3
        v:KitVoice TEST_MAKEVOICE aramp, 4, "name", 5
        w:KitVoice = v
        aone, ksum, Sname TEST_VOICE w
        x:KitVoice Through v
        atwo, ksum, Sname TEST_VOICE x
        outch 1, aone, 2, aramp, 3, atwo, 4, x.signal
      endin
      """, channels: 4, ksmps: ksmps
    ).good()
    #expect(heard.channels[1].count > 4000 && heard.channels[1].contains { $0 > 2.9 })
    for (one, (ramp, (two, through))) in zip(
      heard.channels[0], zip(heard.channels[1], zip(heard.channels[2], heard.channels[3])))
    {
      // 4 + 1 + 2 + 1 + 1 signals, and 1 + 1 + 2 + 1 + 1 of those.
      #expect(abs(one - 9 * ramp) < 1e-12 && abs(through - one) < 1e-12)
      #expect(abs(two - 6 * one) < 1e-10)
    }
  }

  @Test("What a struct's signals have outside the note is zero", arguments: [10, 37])
  func structRest(ksmps: Int) throws {
    // The second note has the memory of the first.
    let heard = try hear(
      """
      gkrest init 0
      gkcycles init 0
      instr 1
        v:KitVoice TEST_MAKEVOICE a(1), 1, "", 1
        k1, k2, k3, k4 TEST_REST v
        gkrest = gkrest + k1 + 10 * k2 + 100 * k3 + 1000 * k4
        aout, ksum, Sname TEST_VOICE v
        gkcycles += 1
        outch 1, aout
      endin
      instr 2
        outch 2, upsamp(gkrest), 3, upsamp(gkcycles)
      endin
      """, channels: 3, score: "i1 0.00013 0.00401\ni1 0.00613 0.00401\ni2 0.02 0.01", ksmps: ksmps,
      options: ["--sample-accurate"]
    ).good()
    #expect(heard.channels[1].max() == 0)
    #expect(try #require(heard.channels[2].max()) > 8)
    #expect(heard.channels[0].count { $0 != 0 } == 2 * 192)
  }

  @Test("A reinit writes members anew, and a member of another note is not touched")
  func structReinit() throws {
    let heard = try hear(
      """
      instr 1
        kcycle timeinstk
        inumber init p4
      again:
        inumber = inumber + 1
        v:KitVoice TEST_MAKEVOICE a(0), 1, "name", inumber
        aout, ksum, Sname TEST_VOICE v
        rireturn
        if p4 == 100 && kcycle == 20 then
          reinit again
        endif
        outch p5, upsamp(ksum)
      endin
      """, channels: 2, score: "i1 0 0.1 100 1\ni1 0 0.1 200 2"
    ).good()
    let (one, two) = (heard.channels[0], heard.channels[1])
    // The members' sum is the number and 1 + 1, 1 + 2, 1 + 3.
    #expect((one[0], one[4000]) == (110, 111))
    #expect((two[0], two[4000]) == (210, 210))
  }

  @Test("Arrays of structs are read, written, and made longer in a reinit")
  func structArrays() throws {
    let heard = try hear(
      """
      instr 1
        kcycle timeinstk
        icount init 0
      again:
        icount = icount + 4
        points:KitPoint[] TEST_MAKEPOINTS icount
        copy:KitPoint[] = points
        rireturn
        if kcycle == 20 then
          reinit again
        endif
        kx, ky TEST_SUMPOINTS points
        kcopied, kignored TEST_SUMPOINTS copy
        empty:KitPoint[] init 0
        kno, knone TEST_SUMPOINTS empty
        outch 1, upsamp(kx), 2, upsamp(ky - kcycle * lenarray(points)), 3, upsamp(kcopied - kx), 4, upsamp(kno + knone)
      endin
      """, channels: 4
    ).good()
    // The indices of 4, then of 8 elements.
    #expect((heard.channels[0][320], heard.channels[0][3200]) == (6, 28))
    #expect(heard.channels[1].prefix(19 * 32).allSatisfy { $0 == 0 })
    #expect(heard.channels[2].prefix(19 * 32).allSatisfy { $0 == 0 })
    #expect(heard.channels[3].allSatisfy { $0 == 0 })
  }

  /// Each note has structs of its own; a shared one would be another's memory. Csound 7.0 does not order instruments
  /// by the global variables they use, so these notes share none.
  @Test("With two threads every note has the samples it has with one")
  func structThreads() throws {
    func channels(_ threads: Int) throws -> [[Double]] {
      let heard = try hear(
        """
        opcode Through(v:KitVoice):(KitVoice)
          aout, ksum, Sname TEST_VOICE v
          w:KitVoice TEST_MAKEVOICE aout, 1, Sname, 5
          xout w
        endop
        instr 1
          aramp line p4, p3, 10
          v:KitVoice TEST_MAKEVOICE aramp, p4, "name", p4
          x:KitVoice Through v
          copy:KitVoice = x
          aout, ksum, Sname TEST_VOICE copy
          outch p4, aout + ksum + strlenk(Sname)
        endin
        instr 2
          icount init p4
          kcycle timeinstk
        again:
          icount += 4
          points:KitPoint[] TEST_MAKEPOINTS icount
          copy:KitPoint[] = points
          rireturn
          ; In one note only: Csound's init passes do not run in two threads at once.
          if p4 == 7 && kcycle % 20 == 10 then
            reinit again
          endif
          kx, ky TEST_SUMPOINTS copy
          outch p4, upsamp(kx + ky)
        endin
        """, channels: 8,
        score: (1...6).map { "i1 0 1 \($0)" }.joined(separator: "\n") + "\ni2 0 1 7\ni2 0 1 8",
        options: ["-j\(threads)"]
      ).good()
      #expect(!heard.messages.contains("ERROR"), "\(heard.messages)")
      #expect(heard.messages.contains("multicore performance") == (threads > 1))
      return heard.channels
    }
    let one = try channels(1)
    for channel in one { #expect(Set(channel).count > 100) }
    for _ in 1...3 {
      let two = try channels(2)
      for index in one.indices { #expect(one[index] == two[index], "channel \(index + 1)") }
    }
  }

  @Test("An f-signal in a struct is read")
  func structSpectrum() throws {
    let heard = try hear(
      """
      instr 1
        fsignal pvsinit 64
        s:KitSpectrum init fsignal
        ibins TEST_BINS s
        outch 1, upsamp(k(ibins))
      endin
      """, channels: 1, score: "i1 0 0.01"
    ).good()
    #expect(heard.channels[0].prefix(480).allSatisfy { $0 == 33 })
  }

  /// The orchestra's declaration that TEST_OWN takes.
  static let own = "KitOwn level:k, place:KitPoint, inner:KitInner"
  static let otherMembers =
    "TEST_OWN: the orchestra's struct has other members; this opcode takes 'struct \(own)'."

  @Test("A struct that the orchestra declares is taken, also without an init pass")
  func structOfOrchestra() throws {
    func heard(_ inner: String, _ field: Int) throws -> Heard {
      try hear(
        """
        struct KitInner \(inner)
        struct \(Self.own)
        instr 1
          p:KitPoint init 3, 4
          inner:KitInner init 2
          o:KitOwn init 5, p, inner
          if p4 == 1 igoto skip
          kown TEST_OWN o
        skip:
          outch 1, upsamp(kown)
        endin
        instr 2
          outch 1, a(0)
        endin
        """, channels: 1, score: "i1 0 0.01 \(field)\ni2 0 0.01")
    }
    for field in [0, 1] {
      let good = try heard("size:k", field).good()
      #expect(good.channels[0].prefix(480).allSatisfy { $0 == 11 }, "\(good.messages)")
    }
    for (field, error) in [(0, "INIT ERROR"), (1, "PERF ERROR")] {
      let wrong = try heard("size:i", field)
      #expect(wrong.messages.contains(Self.otherMembers), "\(wrong.messages)")
      #expect(wrong.messages.contains(error), "\(wrong.messages)")
    }
  }

  @Test(
    "Other members, in number, order, name or type, are refused in the init pass",
    arguments: [
      ("level:k, place:KitPoint, inner:KitInner, more:k", "5, p, q, 1"),
      ("level:k, place:KitPoint", "5, p"), ("place:KitPoint, level:k, inner:KitInner", "p, 5, q"),
      ("other:k, place:KitPoint, inner:KitInner", "5, p, q"),
      ("level:a, place:KitPoint, inner:KitInner", "a(5), p, q"),
      ("level:k, place:KitInner, inner:KitInner", "5, q, q"),
      ("level:k[], place:KitPoint, inner:KitInner", "ks, p, q"),
      ("level:k, place:KitPoint[], inner:KitInner", "5, ps, q"),
    ])
  func otherMembers(members: String, values: String) throws {
    let heard = try hear(
      """
      struct KitInner size:k
      struct KitOwn \(members)
      instr 1
        p:KitPoint init 3, 4
        q:KitInner init 1
        ps:KitPoint[] init 2
        ks[] fillarray 1, 2
        o:KitOwn init \(values)
        kown TEST_OWN o
        outch 1, upsamp(kown)
      endin
      instr 2
        outch 2, a(1)
      endin
      """, channels: 2, score: "i1 0 0.01\ni2 0 0.01")
    #expect(heard.messages.contains(Self.otherMembers), "\(heard.messages)")
    #expect(heard.channels[0].allSatisfy { $0 == 0 })
    // Other notes go on.
    #expect(heard.channels[1].contains { $0 != 0 })
  }

  @Test("A struct whose name another plugin has is not registered, which a message says")
  func structNamedTwice() throws {
    let copy = try temporaryDirectory() + "/libcopy.so"
    try Files.copy(Csound7.testOpcodes.get(), to: copy)
    let heard = try hear("instr 1\nendin", channels: 1, plugins: [copy])
    expectWords(
      heard.messages, "OpcodeKit cannot register the struct 'KitPoint x:k, y:k': its name is in use"
    )
  }

  @Test("For Csound 6 an opcode with a struct is refused with a sentence, as is a large block")
  func onlyInCsound7() throws {
    let build = PluginBuild(ofKit: "testopcodes")
    try build.standalone(for: .tools)
    let ending = try opcodekit("lint", build.path(for: .tools))
    for (opcode, number) in [("TEST_POINT", 2), ("TEST_MAKEPOINT", 1), ("TEST_SUMPOINTS", 3)] {
      ending.says(
        "\(opcode): argument \(number) is a struct, and Csound 6 has none; build with --csound 7.")
    }
    #expect(
      ending.output.contains(/TEST_LARGE: its block is \d+ bytes and Csound allows 65530/),
      "\(ending.output)\(ending.errors)")
  }

  @Test("lint and validate know struct arguments in Csound 7")
  func structsInTool() throws {
    let plugin = try Csound7.testOpcodes.get()
    try opcodekit("lint", "--csound", "7", plugin).says("2 GENs, 0 faults, 0 notes")
    try opcodekit("validate", "TEST_POINT", "--csound", "7", "--plugin", plugin).says(
      "no test orchestra has an input of type ':KitPoint;'")
  }
}

extension OutsidePackageTests {
  @Test(
    "The page about structs: its library is built and heard in Csound 7, and refused for Csound 6",
    .unless(Csound7.lack))
  func structs() throws {
    let package = try Self.empty()
    let page = Page.named("Structs")
    _ = try package.follow(page)
    for block in page.blocks where block.language == "console" && block.text.contains("build") {
      for line in block.text.split(separator: "\n") {
        try package.command(line.split(separator: " ").dropFirst().map(String.init)).good()
      }
    }
    // The sound begins on the right, is on the left after half a second of each two, and comes back.
    let samples = try Sound(readingFrom: package.directory + "/spots.wav").samples
    func peak(_ channel: Int, _ seconds: Double) -> Double {
      let first = Int(seconds * 48000)
      return (first..<first + 480).map { abs(samples[2 * $0 + channel]) }.max()!
    }
    #expect(peak(0, 0) < 0.01 && peak(1, 0) > 0.2)
    #expect(peak(0, 0.99) > 0.2 && peak(1, 0.99) < 0.01)
    #expect(peak(0, 2) < 0.01 && peak(1, 2) > 0.2)
    try package.write(
      page.file("Sources/Echoes/Library.swift").replacing("if csoundHasStructs {", with: "do {"),
      to: "Sources/Echoes/Library.swift")
    try package.command("build", "--csound", "6").refused(
      1, "PLACE: argument 4 is a struct, and Csound 6 has none; build with --csound 7.")
  }
}
