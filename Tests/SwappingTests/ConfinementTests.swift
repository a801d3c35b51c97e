import Foundation
import HarnessBase
import Rendering
import Swapping
import TestSupport
import Testing

@Suite("Other people's pieces are confined", .serialized)
struct ConfinementTests {
  func write(_ pieces: [HostilePiece], for victim: Victim, plugin: String? = nil) throws {
    for piece in pieces {
      try piece.csd(plugin: plugin).save(to: "\(victim.pieces)/\(piece.name).csd")
    }
  }

  static let subjects = ["oscili": "OSCILI"]

  /// What becomes of each piece when its oscillator is swapped, by its name.
  func findings(_ victim: Victim) throws -> [String: SwapFinding] {
    let paths = try PieceFiles.all([victim.pieces])
    return try Dictionary(
      uniqueKeysWithValues: paths.map {
        let name = URL(fileURLWithPath: $0).deletingPathExtension().lastPathComponent
        return (name, try SwapTrialTests.judge($0, Self.subjects))
      })
  }

  // MARK: Code of a piece's own

  /// The plugin with the opcode `HOSTILE`.
  static let plugin = Result { () throws -> String in
    let plugin = NSTemporaryDirectory() + "/opcodekit-hostile-\(getpid()).so"
    let source = root + "/Tests/FaultyPlugins/hostile.c"
    _ = try ChildProcess.run(
      Clang.path!, ["-shared", "-fPIC", "-w", "-DUSE_DOUBLE", source, "-o", plugin])
    return plugin
  }

  /// A harm of hostile.c, by its number there.
  struct Harm: CustomTestStringConvertible {
    var number: Int
    var testDescription: String
    var target: @Sendable (Victim) -> String

    init(_ number: Int, _ description: String, _ target: @escaping @Sendable (Victim) -> String) {
      (self.number, testDescription, self.target) = (number, description, target)
    }

    func piece(_ victim: Victim) -> HostilePiece {
      HostilePiece(
        name: "harm\(number)-\(testDescription.replacing(" ", with: "-"))",
        orchestra: "  idone HOSTILE \(number), \"\(target(victim))\"\n  kdone = idone")
    }
  }

  static let harms = [
    Harm(0, "reads another file") { $0.secret },
    Harm(0, "reads through a link") { $0.pieces + "/link.txt" },
    Harm(0, "reads a process") { "/proc/\($0.program.number)/environ" },
    Harm(1, "writes a file") { $0.unwritten },
    Harm(1, "writes beside itself") { $0.pieces + "/unwritten" },
    Harm(2, "has another thread read") { $0.secret },
    Harm(3, "empties a file") { $0.pieces + "/own.txt" },
    Harm(4, "changes permissions") { $0.secret },
    Harm(5, "forks") { _ in "" },
    Harm(6, "clones") { _ in "" },
    Harm(7, "runs a program") { _ in "" },
    Harm(8, "connects") { "\($0.tcpPort)" },
    Harm(9, "sends a datagram") { "\($0.udpPort)" },
    Harm(10, "connects to a local socket") { $0.socketPath },
    Harm(11, "sends a signal") { "\($0.program.number)" },
    Harm(12, "traces a process") { "\($0.program.number)" },
    Harm(13, "has the kernel send a signal") { "\($0.program.number)" },
    Harm(14, "takes much memory") { _ in "" },
    Harm(15, "fills the disk") { _ in "" },
    Harm(16, "slows a process down") { "\($0.program.number)" },
  ]

  @Test("Without confinement a piece's own plugin does each of the harms", arguments: harms)
  func unconfined(harm: Harm) throws {
    let victim = try Victim(in: temporaryDirectory())
    let piece = harm.piece(victim)
    try write([piece], for: victim, plugin: try Self.plugin.get())
    let said = try playUnconfined("\(victim.pieces)/\(piece.name).csd")
    #expect(said.contains("HARM 1"), "\(said)")
  }

  @Test("A piece's own plugin does none of the harms, and its own files it reads")
  func confined() throws {
    let victim = try Victim(in: temporaryDirectory())
    let own = Harm(0, "reads its own file") { $0.pieces + "/own.txt" }
    // Csound is to find it where pieces may read.
    let plugin = victim.pieces + "/hostile.so"
    try FileManager.default.copyItem(atPath: try Self.plugin.get(), toPath: plugin)
    try write(([own] + Self.harms).map { $0.piece(victim) }, for: victim, plugin: plugin)
    let found = try findings(victim)
    #expect(found.count == Self.harms.count + 1)
    for harm in Self.harms {
      let piece = try #require(found[harm.piece(victim).name])
      #expect(piece.verdict == .silent, "\(piece)")
    }
    #expect(found[own.piece(victim).name]?.verdict == .identical)
    #expect(!victim.program.hasEnded && victim.datagrams() == 0)
    #expect(!FileManager.default.fileExists(atPath: victim.unwritten))
    #expect(!FileManager.default.fileExists(atPath: victim.pieces + "/unwritten"))
    #expect(try String(file: victim.pieces + "/own.txt") == "0.5")
  }

  @Test("A piece is confined when its sound is compared and when it is timed")
  func verbs() throws {
    let victim = try Victim(in: temporaryDirectory())
    let plugin = victim.pieces + "/hostile.so"
    try FileManager.default.copyItem(atPath: try Self.plugin.get(), toPath: plugin)
    let piece = HostilePiece(
      name: "piece",
      orchestra: """
          idone1 HOSTILE 1, "\(victim.unwritten)"
          idone2 HOSTILE 9, "\(victim.udpPort)"
          idone3 HOSTILE 0, "\(victim.secret)"
          idone4 HOSTILE 17, "\(victim.unwritten)"
          kdone = 0.5
          if idone1 + idone2 + idone3 > 0 then
            kdone = 0
          endif
          chnset kdone, "level"
        """)
    try write([piece], for: victim, plugin: plugin)
    let path = victim.pieces + "/piece.csd"
    let text = try String(file: path)
    try ("<Cabbage>\nrslider channel(\"level\"), range(0, 1)\n</Cabbage>\n" + text).save(to: path)

    #expect(try findings(victim)["piece"]?.verdict == .identical)
    var acceleration = Acceleration(
      Counterparts(subjects: Self.subjects, own: try AccelerationTests.own.get()),
      SwapTrialTests.settings)
    (acceleration.fewestSets, acceleration.patience) = (6, 0)
    let faster = try acceleration.accelerate(path)
    #expect(faster.seconds > 0 && faster.reason == nil)

    #expect(!FileManager.default.fileExists(atPath: victim.unwritten))
    #expect(victim.datagrams() == 0)
  }

  // MARK: Csound's opcodes

  /// A piece of Csound's own opcodes, and whether its harm is seen outside it.
  struct Attempt: CustomTestStringConvertible {
    var testDescription: String
    var orchestra: @Sendable (Victim) -> String
    var isSeen: @Sendable (Victim) -> Bool

    init(
      _ description: String, _ orchestra: @escaping @Sendable (Victim) -> String,
      seen: @escaping @Sendable (Victim) -> Bool = { _ in false }
    ) {
      (testDescription, self.orchestra, isSeen) = (description, orchestra, seen)
    }

    func piece(_ victim: Victim) -> HostilePiece {
      HostilePiece(
        name: testDescription.replacing(" ", with: "-"), orchestra: orchestra(victim))
    }
  }

  private static func isWritten(_ victim: Victim) -> Bool {
    FileManager.default.fileExists(atPath: victim.unwritten)
  }

  static let attempts = [
    // Compiled when it plays, so that nothing is known of it before.
    Attempt(
      "system_i",
      {
        """
          kdone init 0
          ires compilestr {{
            instr 2
              ires system_i 1, "touch \($0.unwritten)"
            endin
            schedule 2, 0, 0.1
          }}
        """
      }, seen: isWritten),
    Attempt("fout", { "  kdone init 0\n  fout \"\($0.unwritten)\", 4, a(kdone)" }, seen: isWritten),
    Attempt(
      "fprints", { "  kdone init 0\n  fprints \"\($0.unwritten)\", \"x\"" }, seen: isWritten),
    Attempt(
      "OSCsend", { "  kdone init 0\n  OSCsend 1, \"127.0.0.1\", \($0.udpPort), \"/x\", \"i\", 1" },
      seen: { $0.datagrams() > 0 }),
    Attempt(
      "socksend", { "  kdone init 0\n  socksend a(kdone), \"127.0.0.1\", \($0.udpPort), 64" },
      seen: { $0.datagrams() > 0 }),
    Attempt("readfi", { "  Sline, i0 readfi \"\($0.secret)\"\n  kdone = 2 * strtod:i(Sline)" }),
    Attempt(
      "fini", { "  idone init 0\n  fini \"\($0.secret)\", 0, 0, idone\n  kdone = 2 * idone" }),
    Attempt(
      "GEN23",
      { "  i1 ftgen 0, 0, 4, -23, \"\($0.secret)\"\n  idone tab_i 0, i1\n  kdone = 2 * idone" }),
    Attempt(
      "diskin2", { "  a2 diskin2 \"\($0.sound)\", 1\n  kdone = 1" }),
  ]

  @Test("Without confinement Csound's opcodes do harm, confined they do not", arguments: attempts)
  func opcodes(attempt: Attempt) throws {
    let victim = try Victim(in: temporaryDirectory())
    let piece = attempt.piece(victim)
    try write([piece], for: victim)
    let said = try playUnconfined("\(victim.pieces)/\(piece.name).csd")
    #expect(said.contains("HARM 1") || attempt.isSeen(victim), "\(said)")
    let other = try Victim(in: temporaryDirectory())
    try write([attempt.piece(other)], for: other)
    let found = try findings(other)
    let verdict = try #require(found.values.first?.verdict)
    #expect([.silent, .originalFails, .skipped].contains(verdict))
    #expect(!attempt.isSeen(other))
  }

  // MARK: Where pieces read

  @Test("Named folders and those of Csound's variables may be read, no hidden file of the home")
  func folders() throws {
    let victim = try Victim(in: temporaryDirectory())
    let piece = HostilePiece(
      name: "a",
      orchestra: "  Sline, i0 readfi \"\(victim.secret)\"\n  kdone = 2 * strtod:i(Sline)")
    try write([piece], for: victim)
    let path = victim.pieces + "/a.csd"
    func verdict(_ folders: [String]) throws -> SwapVerdict? {
      var settings = SwapTrialTests.settings
      settings.folders = folders
      return try SwapTrialTests.judge(path, Self.subjects, settings).verdict
    }
    #expect(try verdict([]) != .identical)
    #expect(try verdict([victim.directory]) == .identical)
    setenv("SSDIR", victim.directory, 1)
    #expect(try verdict([]) == .identical)
    unsetenv("SSDIR")
    // Where the folder is the home directory.
    let home = ProcessInfo.processInfo.environment["HOME"]
    setenv("HOME", victim.directory, 1)
    defer { if let home { setenv("HOME", home, 1) } else { unsetenv("HOME") } }
    #expect(try verdict([victim.directory]) == .identical)
    try FileManager.default.moveItem(
      atPath: victim.secret, toPath: victim.directory + "/.secret.txt")
    try HostilePiece(
      name: "a", orchestra: piece.orchestra.replacing("secret.txt", with: ".secret.txt")
    ).csd().save(to: path)
    #expect(try verdict([victim.directory]) != .identical)
  }

  // MARK: Programs

  @Test("A piece that starts programs or uses the network is skipped, with the reason")
  func programs() throws {
    let victim = try Victim(in: temporaryDirectory())
    try write(
      [
        HostilePiece(name: "system", orchestra: "  kdone = 1\n  ires system_i 1, \"true\""),
        HostilePiece(name: "score", orchestra: "  kdone = 1"),
        HostilePiece(
          name: "network",
          orchestra: "  kdone = 1\n  OSCsend 1, \"127.0.0.1\", 9, \"/x\", \"i\", 1"),
      ], for: victim)
    let path = victim.pieces + "/score.csd"
    let text = try String(file: path)
    try text.replacing("<CsScore>", with: "<CsScore bin=\"cp\">").save(to: path)
    let found = try findings(victim)
    #expect(found["system"]?.verdict == .skipped && found["score"]?.verdict == .skipped)
    #expect(found["system"]?.reason?.contains("'system_i'") == true)
    #expect(found["score"]?.reason?.contains("the program 'cp'") == true)
    #expect(found["network"]?.verdict == .skipped)
    #expect(found["network"]?.reason?.contains("network with 'OSCsend'") == true)
    #expect(!SwapVerdict.skipped.isMiss)
    let faster = try Acceleration(
      Counterparts(subjects: Self.subjects), SwapTrialTests.settings
    ).accelerate(path)
    #expect(faster.outcome == .skipped && faster.reason == found["score"]?.reason)
  }

  @Test("A kernel without a guard is told in one sentence")
  func missing() {
    #expect(Confinement.missingGuards(landlock: true, seccomp: true) == nil)
    let both = Confinement.missingGuards(landlock: false, seccomp: false)
    #expect(both?.contains("Landlock") == true && both?.contains("seccomp") == true)
    let one = Confinement.missingGuards(landlock: true, seccomp: false)
    #expect(one?.contains("Landlock") == false && one?.contains("network") == true)
  }
}
