import Foundation
import HarnessBase
import Rendering
import Testing

/// A packaged plugin in programs other than the tool, loaded together with the kit's plugin and Debian's plugins.
extension PackagingTests {
  /// A directory with a piece and a folder of plugins, and the samples that `csound` makes of the piece.
  struct Hosted {
    let directory: String
    /// Interleaved samples of three channels.
    let samples: [Double]

    var environment: [String: String] { ["CS_USER_PLUGINDIR": directory + "/plugins"] }

    func start(_ program: String, _ words: [String]) throws -> Ending {
      try run(program, words, environment: environment, directory: directory)
    }

    /// Expects a file to hold the samples of `csound`, repeated `times` times.
    func expect(_ name: String, times: Int) throws {
      let data = try Data(file: directory + "/" + name)
      let found = data.withUnsafeBytes { Array($0.bindMemory(to: Double.self)) }
      #expect(found.count == times * samples.count)
      #expect(found == Array(repeatElement(samples, count: times).joined()))
    }
  }

  static let debiansPlugins = systemLibraries + "/csound/plugins64-6.0"
  static let hasDebiansPlugins = Files.exist(debiansPlugins + "/liblinear_algebra.so")

  /// The opcode multiplies; the third channel has the same product without the opcode. An opcode of Debian's plugins is
  /// called, too, which is not heard.
  static let hostedPiece = """
    instr 1
      \(hasDebiansPlugins ? "ivector la_i_vr_create 4" : "")
      anoise rand 0.5, 0.5, 1
      alater LATER anoise, 0.25
      afiltered ONEPOLE alater, 1000
      outch 1, alater, 2, afiltered, 3, 0.25 * anoise
    endin
    """.csd(score: "i1 0 0.5", ksmps: 64, channels: 3)

  static let hosted = Result { () throws -> Hosted in
    let package = try released()
    try package.command(
      "package", "--csound", "6", "--arch", ownProcessor.rawValue
    ).good()
    let directory = try temporaryDirectory()
    let plugins = directory + "/plugins"
    try Files.makeDirectories(plugins)
    let given = BuildTarget.tools.plugin(givenAwayOf: "echoes")
    try Files.copy("\(package.directory)/build/package/\(given)", to: plugins + "/libechoes.so")
    try Files.copy(standalonePlugin.get(), to: plugins + "/libopcodes.so")
    try hostedPiece.save(to: directory + "/piece.csd")
    try Hosted(directory: directory, samples: []).start(
      "/usr/bin/csound", ["piece.csd", "-o", "csound.wav", "--format=double"]
    ).good()
    let samples = try Sound(readingFrom: directory + "/csound.wav").samples
    try #require(samples.count == 3 * 24_000)
    let isMeant = stride(from: 0, to: 72_000, by: 3).allSatisfy { place in
      samples[place] == samples[place + 2] && samples[place] != 0
    }
    try #require(isMeant)
    return Hosted(directory: directory, samples: samples)
  }

  @Test(
    "Debian's own plugins are loaded beside it",
    .enabled(if: hasDebiansPlugins, "csound-plugins is not installed"))
  func besideDebians() throws {
    let hosted = try Self.hosted.get()
    let listed = try hosted.start("/usr/bin/csound", ["-z"])
    let names = Set((listed.output + listed.errors).split(whereSeparator: \.isWhitespace))
    #expect(names.isSuperset(of: ["LATER", "ONEPOLE", "la_i_vr_create", "chuap"]))
  }

  @Test("A C program plays the same samples, after resets, too")
  func inC() throws {
    let hosted = try Self.hosted.get()
    try hosted.start(
      try #require(Clang.path),
      ["-DUSE_DOUBLE", "-o", "player", root + "/Tests/Hosts/player.c", "-lcsound64"]
    ).good()
    try hosted.start(hosted.directory + "/player", ["piece.csd", "c.raw", "3"]).good()
    try hosted.expect("c.raw", times: 3)
  }

  @Test(
    "Python's ctcsound plays the same samples, after resets, too",
    .enabled(
      if: Files.exist("/usr/lib/python3/dist-packages/ctcsound.py"),
      "python3-csound is not installed"))
  func inPython() throws {
    let hosted = try Self.hosted.get()
    try hosted.start(
      "/usr/bin/python3", [root + "/Tests/Hosts/player.py", "piece.csd", "python.raw", "3"]
    ).good()
    try hosted.expect("python.raw", times: 3)
  }

  @Test(
    "Pure Data's csound6~ plays the same samples, after a reset, too",
    .enabled(if: Files.exist("/usr/lib/pd/extra/csound6~"), "pd-csound is not installed"))
  func inPureData() throws {
    let hosted = try Self.hosted.get()
    // A patch uses short names, relative to its own directory.
    try Files.copy(root + "/Tests/Hosts/player.pd", to: hosted.directory + "/player.pd")
    let ending = try hosted.start(
      "/usr/bin/pd",
      [
        "-batch", "-nogui", "-noprefs", "-noaudio", "-nomidi", "-r", "48000", "-path",
        "/usr/lib/pd/extra/csound6~", "player.pd",
      ]
    ).good()
    // Pure Data's signals have single precision. They start one or two blocks after the clock tick that resets Csound.
    let expected = hosted.samples.map { Double(Float($0)) }
    let found = try Sound(readingFrom: hosted.directory + "/pd.wav").samples
    let beginnings = stride(from: 0, through: found.count - expected.count, by: 3 * 64).filter {
      found[$0..<$0 + expected.count] == expected[...]
    }
    #expect(
      beginnings.count == 2, "\(beginnings) of \(found.count)\n\(ending.output)\(ending.errors)")
  }
}
