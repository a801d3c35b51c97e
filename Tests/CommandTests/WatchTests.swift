import Foundation
import Testing

/// `watch` in a package of an author's own.
extension MistakeTests {
  @Test("watch tells of each save what the compiler says or how the sound has changed")
  func watch() throws {
    let package = try Self.unlisted()
    try package.add("DIMMER", "a", "ak")
    let watching = try package.watch(
      "csd/DIMMER.csd", "--duration", "0.5", "--picture", "seen.html")
    try #require(watching.goesOn("DIMMER_in_Csound has the same samples"))
    try #require(watching.goesOn("watching"))
    let source = "Sources/Echoes/Dimmer.swift"
    let text = try package.text(source)
    try package.write(text.replacing("let gain = ", with: "let gain = 0.5 * "), to: source)
    #expect(watching.goesOn("Dimmer.swift"))
    #expect(watching.goesOn("null to the last version -6.0 dB"))
    #expect(watching.goesOn("DIMMER_in_Csound null -6.0 dB"))
    try package.write(text.replacing("let gain = ", with: "let gain = nothing * "), to: source)
    #expect(watching.goesOn("cannot find 'nothing' in scope"))
    #expect(watching.goesOn("The last good version stays."))
    let page = try package.text("seen.html")
    #expect(page.contains("<svg") && page.contains("New minus last") && page.contains("-6.0 dB"))
    try Files.move(package.directory + "/" + source, to: package.directory + "/away")
    try package.write(text, to: source)
    #expect(watching.goesOn("0.0 dB, most at"))
    try watching.interrupt().good()
    for name in ["away", "seen.html"] {
      try Files.remove(package.directory + "/" + name)
    }
  }

  /// In Csound 7, if it can be had.
  @Test("watch --play: new code takes over in the notes, and what fails leaves the old one playing")
  func play() throws {
    let package = try Self.unlisted()
    try package.add("FADER", "a", "ak")
    let piece = try package.text("csd/FADER.csd")
    try package.write(piece.replacing("i1 0 3", with: "i1 0 3600"), to: "csd/FADER.csd")
    let watching = try package.watch(
      "csd/FADER.csd", "--csound", Csound7.lack == nil ? "7" : "6", "--play", "--device", "null")
    try #require(watching.goesOn("Watching"))
    let source = "Sources/Echoes/Fader.swift"
    let text = try package.text(source)
    try package.write(text.replacing("let gain = ", with: "let gain = 0.5 * "), to: source)
    #expect(watching.goesOn("1 opcode in notes went over with the old state."))
    try package.write(
      text.replacing("  mutating", with: "  private var more = 0.0\n\n  mutating"), to: source)
    #expect(watching.goesOn("1 opcode in notes began with a new state."))
    try package.write(text.replacing("let gain = ", with: "let gain = nothing * "), to: source)
    #expect(watching.goesOn("The last good version plays on."))
    try package.write(
      text.replacing(
        "let control: ControlInput",
        with: "let control: ControlInput\n@Default(0) let more: ControlInput"), to: source)
    #expect(watching.goesOn("FADER is called in another way: the piece was compiled anew"))
    try watching.interrupt().good()
  }
}

extension AuthorPackage {
  fileprivate func watch(_ words: String...) throws -> RunningTool {
    try RunningTool(["watch"] + words, directory: directory, isMerged: true)
  }
}
