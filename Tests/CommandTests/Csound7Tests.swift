import Foundation
import HarnessBase
import PluginBuilding
import Rendering
import TestSupport
import Testing

/// The release of Csound 7 from PyPI, fetched once for all tests.
enum Csound7 {
  static let player = Result { () throws(Failure) in try CsoundLibrary("7", kit: root) }

  /// Why Csound 7 cannot be had. If it is there but does not work, that is a failure of the tests.
  static let lack: String? = {
    guard runsAllTests else { return onlyWithAll }
    guard case .failure(let failure) = player, failure.kind == .unavailable else { return nil }
    return leftOut("The tests with Csound 7", failure)
  }()

  /// The kit's opcodes, and the opcodes for the kit's own tests.
  static let pack = plugin("opcodes")
  static let testOpcodes = plugin("testopcodes")

  private static func plugin(_ product: String) -> Result<String, Failure> {
    Result { () throws(Failure) in
      let build = PluginBuild(ofKit: product)
      return try build.renewed(for: BuildTarget(.seven, .x86_64))
    }
  }

  /// Runs Csound 7 with the arguments of the command `csound`.
  static func play(_ words: [String], _ environment: [String: String] = [:]) throws -> Ending {
    let player = try player.get()
    return try run(
      player.words[0], player.words.dropFirst() + words,
      environment: player.environment.merging(environment) { $1 })
  }
}

@Suite("Csound 7", .serialized, .unless(Csound7.lack))
struct Csound7Tests {
  @Test("Every orchestra and piece plays with the plugin for it")
  func orchestras() throws {
    let plugin = try Csound7.pack.get()
    let directory = try temporaryDirectory()
    var names: [String] = []
    for folder in ["csd", "csd/pieces"] {
      let files = try Files.names(in: root + "/" + folder)
      names += files.filter { $0.hasSuffix(".csd") }.map { folder + "/" + $0 }
    }
    #expect(names.count > 35)
    for name in names.sorted() {
      let sound = directory + "/out.wav"
      let ending = try Csound7.play(
        [
          "-d", "-m0", "--opcode-lib=\(plugin)", "--omacro:DURATION=1", "--until=2", "-W",
          "--format=double", "-o", sound, root + "/" + name,
        ], ["INCDIR": root + "/csd/pieces"]
      ).good("\(name)")
      #expect(!ending.errors.contains(/INIT ERROR|PERF ERROR/), "\(name): \(ending.errors)")
      let samples = try Sound(readingFrom: sound).samples
      let isHeard = samples.contains { abs($0) > 0.001 } && samples.allSatisfy { $0.isFinite }
      #expect(isHeard, "\(name)")
    }
  }

  @Test("From a recording every opcode makes the same samples as with Csound 6, to the last bit")
  func recorded() throws {
    let recording = try Recording()
    try run(
      "/usr/bin/csound", recording.words(try standalonePlugin.get(), "6.wav")
    ).good()
    try Csound7.play(recording.words(try Csound7.pack.get(), "7.wav")).good()
    try recording.requireSame("6.wav", "7.wav")
  }

  @Test("The kit's own tests of arguments, state, memory, deinit passes and errors pass with it")
  func kitsTests() throws {
    let player = try Csound7.player.get()
    let words = player.words + ["--opcode-lib=\(try Csound7.testOpcodes.get())"]
    let suites = "Lifecycle Memory Deinit Generator State Type Context Clock".split(separator: " ")
    let ending = try run(
      "/proc/self/exe",
      [
        "--testing-library", "swift-testing", "--filter",
        "OpcodeKitTests\\.(\(suites.joined(separator: "|")))Tests",
      ],
      environment: player.environment.merging([
        "OPCODEKIT_PLAYER": words.joined(separator: "\n")
      ]) { $1 })
    let said = ending.output + ending.errors
    #expect(ending.exitCode == 0, "\(said)")
    #expect(said.contains("in \(suites.count) suites passed"), "\(said.suffix(2000))")
  }

  /// The last sample of each channel.
  func last(_ instruments: String, channels: Int, score: String = "i1 0 0.1") throws -> [Double] {
    let heard = try hear(instruments, channels: channels, score: score).good()
    return heard.channels.compactMap(\.last)
  }

  @Test("A block may be larger than Csound 6 can keep")
  func largeBlock() throws {
    #expect(try last("instr 1\nk1 TEST_LARGE\nout upsamp(k1)\nendin", channels: 1) == [150])
  }

  @Test("A UDO with a sample rate of its own has it in its opcodes")
  func localSampleRate() throws {
    let values = try last(
      """
      opcode Finer, kkkk, 0
        oversample 2
        ksr, kkr, kksmps, kfull, ka4 TEST_CONTEXT
        kframe TEST_CLOCK
        xout ksr, kkr, kksmps, kframe
      endop
      instr 1
        ksr, kkr, kksmps, kframe Finer
        outch 1, upsamp(ksr), 2, upsamp(kkr), 3, upsamp(kksmps), 4, upsamp(kframe)
      endin
      """, channels: 4)
    // The UDO runs twice in each k-cycle; its output is that of the cycle before. In the 149th of 150 k-cycles it
    // starts at its own frames 9472 and 9504.
    #expect(values == [96_000, 3000, 32, 9504])
  }

  @Test("What an opcode writes to an array or a text is not seen by a copy made before")
  func copies() throws {
    let values = try last(
      """
      instr 1
        kcycle timeinstk
        kin[] init 2
        kin[0] = kcycle
        kout[] TEST_REVERSE kin
        if kcycle == 1 then
          kcopy[] = kout
        endif
        outch 1, upsamp(kout[1]), 2, upsamp(kcopy[1])
        Stexts[] fillarray "a", "bb"
        kwhich = (kcycle > 1 ? 1 : 0)
        Sin = Stexts[kwhich]
        Sout TEST_ECHO Sin
        Scopy = ""
        if kcycle == 1 then
          Scopy strcpyk Sout
        endif
        outch 3, upsamp(strlenk(Sout)), 4, upsamp(strlenk(Scopy))
      endin
      """, channels: 4)
    #expect(values == [150, 1, 2, 1])
  }

  @Test("After resets, and beside another engine in one process: the same samples")
  func engines() throws {
    let directory = try temporaryDirectory()
    let plugin = try Csound7.pack.get()
    func words(_ name: String) -> [String] {
      [
        "-d", "-m0", "--opcode-lib=\(plugin)", "--omacro:DURATION=0.3", "-h", "--format=double",
        "-o", "\(directory)/\(name)", root + "/csd/VOICES.csd",
      ]
    }
    try Csound7.play(
      words("1") + ["--then"] + words("2") + ["--then", "--until=0.1"] + words("cut")
        + ["--then"] + words("3") + ["--beside"] + words("4") + ["--beside"] + words("5")
    ).good()
    let sounds = try (1...5).map {
      try Data(file: "\(directory)/\($0)")
    }
    #expect(sounds[0].contains { $0 != 0 })
    for sound in sounds {
      let isSame = sound == sounds[0]
      #expect(isSame)
    }
  }

  @Test("Each Csound refuses the other's plugin, and the tool says which one to take")
  func otherPlugin() throws {
    let (six, seven) = (try standalonePlugin.get(), try Csound7.pack.get())
    let csd = root + "/csd/ONEPOLE.csd"
    try Csound7.play(["-n", "-d", "--opcode-lib=\(six)", csd]).refused(
      65, "incompatible with this version of Csound (4.0/7.0)")
    let bySix = try run("/usr/bin/csound", ["-n", "-d", "--opcode-lib=\(seven)", csd])
    #expect(bySix.exitCode != 0)
    #expect(bySix.errors.contains("incompatible with this version of Csound (7.0/4.0)"))
    let out = try temporaryDirectory() + "/out.wav"
    let asSix = try opcodekit("render", csd, "-o", out, "--plugin", seven).refused(65)
    #expect(
      asSix.errors.contains(
        #/It is for Csound 7\.0; take 'libopcodes[-\w]*\.so' for Csound 6\.18, which '\./opcodekit build --csound 6' makes\./#
      ), "\(asSix.errors)")
    try opcodekit("render", csd, "-o", out, "--plugin", six, "--csound", "7").refused(
      65, "is not for Csound 7.0; './opcodekit build --csound 7' makes")
  }

  @Test("compare plays with it, and render says what it cannot")
  func tools() throws {
    _ = try Csound7.pack.get()
    try opcodekit("compare", "PORTK", "--csound", "7", "--ksmps", "64").good()
    try opcodekit(
      "render", "csd/PORTK.csd", "--csound", "7", "--arch",
      ownProcessor == .arm64 ? "x86-64" : "arm64", "-o", "/tmp/x.wav"
    ).refused(69, "Nothing here plays plugins for Csound 7 on")
  }
}

@Suite("Plugins for each Csound")
struct CsoundTargetTests {
  @Test(
    "What build cannot do for a Csound, in a sentence",
    arguments: [
      (["--csound", "8"], 64, "--csound is '8'; it takes 6, 7 or both."),
      (["--csound", "both", "--csound-include", "/usr/include"], 64, "has the headers of one"),
      (
        ["--csound", "7", "--csound-include", "/usr/include"], 65,
        "whose headers are of Csound 6.18; --csound 7 takes those of 7.0."
      ),
      (["--csound", "7", "--csound-include", "/usr"], 66, "where there is no csound/version.h"),
      (["--all", "--csound", "7"], 64, "--all and --csound exclude each other"),
    ])
  func refusals(words: [String], code: Int32, sentence: String) throws {
    try opcodekit(["build"] + words).told(code, sentence)
  }

  @Test("Headers of a beta, which calls itself 7.0, are refused")
  func beta() throws {
    let directory = try temporaryDirectory()
    try Files.makeDirectories(directory + "/csound")
    let files = try Files.names(in: "/usr/include/csound")
    for name in files where name.hasSuffix(".h") && name != "version.h" {
      try Files.copy("/usr/include/csound/" + name, to: "\(directory)/csound/\(name)")
    }
    let version = try String(file: "/usr/include/csound/version.h")
    try version.replacing("(6)", with: "(7)").replacing("(18)", with: "(0)").save(
      to: directory + "/csound/version.h")
    try opcodekit("build", "--csound-include", directory).told(65, "are not those of Csound 7.0")
  }

  @Test("A Csound 7 that cannot be fetched is missing with a sentence, and nothing is left")
  func missing() throws {
    let kit = try temporaryDirectory()
    for name in ["Sources/Kit/OpcodeKit", "Sources/Kit/CCsound"] {
      try Files.makeDirectories(kit + "/" + name)
    }
    try Files.link(kit + "/Sources/Host", to: root + "/Sources/Host")
    let ending = try opcodekit(
      ["build", "--csound", "7"], root: kit,
      environment: ["PIP_NO_INDEX": "1", "PIP_FIND_LINKS": kit, "PIP_NO_CACHE_DIR": "1"]
    ).refused(69)
    #expect(
      ending.errors.contains("in which PyPI has Csound 7, cannot be fetched")
        || ending.errors.contains("'pip3', which is missing"), "\(ending.errors)")
    let left = try? Files.names(in: kit + "/.build/csound7")
    #expect(left ?? [] == [])
  }
}
