import Testing

/// The clock against the only truth there is: where in the output a sample comes out.
@Suite("The performance clock", .serialized)
struct ClockTests {
  /// Checks that what sounds is, in each block of `ksmps`, the block's first frame plus 1.
  func check(
    _ orchestra: String, score: String = "i1 0.01 0.05\ni1 0.1 0.05", ksmps: Int = 64,
    localKsmps: Int = 0, options: [String] = [], from first: Int = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let performance = try perform(orchestra, score: score, ksmps: ksmps, options: options)
    let local = localKsmps == 0 ? ksmps : localKsmps
    let heard = performance.channels[0].enumerated().filter {
      $0.element != 0 && $0.offset >= first
    }
    #expect(heard.count > 1000, sourceLocation: sourceLocation)
    let wrong = heard.first { $0.element != Double($0.offset / local * local + 1) }
    #expect(wrong == nil, sourceLocation: sourceLocation)
  }

  static let plain = """
    instr 1
      kframe TEST_CLOCK
      out upsamp(kframe + 1)
    endin
    """

  @Test("Notes at any time, in any section", arguments: [1, 7, 64])
  func notes(ksmps: Int) throws {
    try check(
      Self.plain, score: "i1 0 0.03\ni1 0.05 0.05\ns\ni1 0.02 0.05\ns\nf0 0.1\ns\ni1 0 0.1",
      ksmps: ksmps)
  }

  @Test("An instrument with its own ksmps", arguments: [[], ["-j2"]])
  func instrumentKsmps(options: [String]) throws {
    for local in [1, 16] {
      try check(
        "instr 1\nsetksmps \(local)\nkframe TEST_CLOCK\nout upsamp(kframe + 1)\nendin",
        score: "i1 0.01 0.05", localKsmps: local, options: options,
        // With threads Csound's count is another, and at one sample a cycle it does not show it.
        from: options.isEmpty ? 0 : 640)
    }
  }

  /// A line that sets ksmps, where it is not 0.
  static func setting(_ ksmps: Int) -> String { ksmps == 0 ? "" : "setksmps \(ksmps)" }

  static func udo(_ ksmps: Int) -> String {
    """
    opcode Clocked, a, 0
      \(setting(ksmps))
      kframe TEST_CLOCK
      xout upsamp(kframe + 1)
    endop
    """
  }

  @Test("A user-defined opcode, with the caller's ksmps or its own", arguments: [0, 1, 16])
  func userDefined(local: Int) throws {
    try check(
      Self.udo(local) + "\ninstr 1\naout Clocked\nout aout\nendin", localKsmps: local)
  }

  @Test("A user-defined opcode inside another, both with their own ksmps")
  func nested() throws {
    try check(
      Self.udo(8) + """

        opcode Outer, a, 0
          setksmps 32
          aout Clocked
          xout aout
        endop
        instr 1
          aout Outer
          out aout
        endin
        """, localKsmps: 8)
  }

  /// What an instrument can do with a user-defined opcode.
  static let uses = [
    "sometimes does not run": """
    kcycle timeinstk
    aout = 0
    if kcycle % 5 < 3 then
      aout Clocked
    endif
    """,
    "called several times in a k-cycle": """
    kround = 0
    while kround < 3 do
      aout Clocked
      kround += 1
    od
    """,
    "after a reinit": """
    kcycle timeinstk
    if kcycle % 4 == 0 then
      reinit again
    endif
    again:
    aout Clocked
    rireturn
    """,
  ]

  @Test("A user-defined opcode", arguments: uses.keys.sorted(), [0, 1, 16])
  func used(use: String, local: Int) throws {
    try check(
      Self.udo(local) + "\ninstr 1\n\(Self.uses[use]!)\nout aout\nendin", localKsmps: local)
  }

  @Test("A subinstrument, with the caller's ksmps or its own", arguments: [0, 16])
  func subinstrument(local: Int) throws {
    try check(
      """
      instr 2
        \(Self.setting(local))
        kframe TEST_CLOCK
        out upsamp(kframe + 1)
      endin
      instr 1
        aout subinstr 2
        out aout
      endin
      """, localKsmps: local)
  }

  @Test("A note that starts inside a block: right in an instrument, and one block later in a UDO")
  func sampleAccurate() throws {
    let score = "i1 [1001/48000] 0.05"
    try check(Self.plain, score: score, options: ["--sample-accurate"])
    try check(
      Self.udo(1) + "\ninstr 1\naout Clocked\nout aout\nendin", score: score,
      localKsmps: 1, options: ["--sample-accurate"], from: 1024)
  }
}
