import Foundation
import Testing

/// `watch` in a package of an author's own.
extension MistakeTests {
  /// A `watch` that runs while the test acts.
  private final class Watching {
    private let process = Process()
    private let output: String
    private var seen = 0

    init(_ package: AuthorPackage, _ words: String...) throws {
      output = package.directory + "/watched.txt"
      _ = FileManager.default.createFile(atPath: output, contents: nil)
      process.executableURL = URL(fileURLWithPath: tool)
      process.arguments = ["watch"] + words
      process.currentDirectoryURL = URL(fileURLWithPath: package.directory)
      process.environment = ProcessInfo.processInfo.environment.merging(["OPCODEKIT_ROOT": root]) {
        $1
      }
      process.standardInput = FileHandle.nullDevice
      let file = try #require(FileHandle(forWritingAtPath: output))
      (process.standardOutput, process.standardError) = (file, file)
      try process.run()
    }

    /// Waits until it has printed these words after those of the last call.
    func said(_ words: String) throws -> Bool {
      let limit = Date(timeIntervalSinceNow: 240)
      while Date() < limit, process.isRunning {
        let text = try String(file: output)
        if let range = text.dropFirst(seen).firstRange(of: words) {
          seen = text.distance(from: text.startIndex, to: range.upperBound)
          return true
        }
        usleep(100_000)
      }
      return false
    }

    /// Interrupts it as Ctrl-C does, and returns its exit code.
    func interrupt() -> Int32 {
      kill(process.processIdentifier, SIGINT)
      process.waitUntilExit()
      return process.terminationStatus
    }

    deinit { process.terminate() }
  }

  /// Csound 7 only if it can be had.
  static let csounds = Csound7.lack == nil ? ["6", "7"] : ["6"]

  @Test(
    "watch tells of each save what the compiler says or how the sound has changed",
    arguments: csounds)
  func watch(csound: String) throws {
    let package = try Self.unlisted()
    try package.add("DIMMER", "a", "ak")
    let watching = try Watching(
      package, "csd/DIMMER.csd", "--csound", csound, "--duration", "0.5", "--picture", "seen.html")
    try #require(try watching.said("DIMMER_in_Csound has the same samples"))
    try #require(try watching.said("watching"))
    let source = "Sources/Echoes/Dimmer.swift"
    let text = try package.text(source)
    try package.write(text.replacing("let gain = ", with: "let gain = 0.5 * "), to: source)
    #expect(try watching.said("Dimmer.swift"))
    #expect(try watching.said("null to the last version -6.0 dB"))
    #expect(try watching.said("DIMMER_in_Csound null -6.0 dB"))
    try package.write(text.replacing("let gain = ", with: "let gain = nothing * "), to: source)
    #expect(try watching.said("cannot find 'nothing' in scope"))
    #expect(try watching.said("The last good version stays."))
    let page = try package.text("seen.html")
    #expect(page.contains("<svg") && page.contains("New minus last") && page.contains("-6.0 dB"))
    try FileManager.default.moveItem(
      atPath: package.directory + "/" + source, toPath: package.directory + "/away")
    try package.write(text, to: source)
    #expect(try watching.said("0.0 dB, most at"))
    #expect(watching.interrupt() == 0)
    for name in ["away", "seen.html"] {
      try FileManager.default.removeItem(atPath: package.directory + "/" + name)
    }
  }

  @Test(
    "watch --play: new code takes over in the notes, and what fails leaves the old one playing",
    arguments: csounds)
  func play(csound: String) throws {
    let package = try Self.unlisted()
    try package.add("FADER", "a", "ak")
    let piece = try package.text("csd/FADER.csd")
    try package.write(piece.replacing("i1 0 3", with: "i1 0 3600"), to: "csd/FADER.csd")
    let watching = try Watching(
      package, "csd/FADER.csd", "--csound", csound, "--play", "--device", "null")
    try #require(try watching.said("Watching"))
    let source = "Sources/Echoes/Fader.swift"
    let text = try package.text(source)
    try package.write(text.replacing("let gain = ", with: "let gain = 0.5 * "), to: source)
    #expect(try watching.said("1 opcode in notes went over with the old state."))
    try package.write(
      text.replacing("  init(", with: "  private var more = 0.0\n\n  init("), to: source)
    #expect(try watching.said("1 opcode in notes began with a new state."))
    try package.write(text.replacing("let gain = ", with: "let gain = nothing * "), to: source)
    #expect(try watching.said("The last good version plays on."))
    try package.write(
      text.replacing(
        "let control: ControlInput",
        with: "let control: ControlInput\n@Default(0) let more: ControlInput"), to: source)
    #expect(try watching.said("FADER is called in another way: the piece was compiled anew"))
    #expect(watching.interrupt() == 0)
  }
}
