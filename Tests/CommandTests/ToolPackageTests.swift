import Foundation
import HarnessBase
import PluginBuilding
import Rendering
import TestSupport
import Testing

/// A folder as `package --tool` makes it, but with the tool of these tests, is called with nothing in its environment.
@Suite("The tool without Swift", .serialized)
struct ToolPackageTests {
  private static let folder = Result {
    let folder = try temporaryDirectory() + "/opcodekit"
    let plugin = try standalonePlugin.get()
    let level = plugin.hasSuffix("libopcodes.so") ? nil : Processor.playedLevel
    // Git ignores it: it is what a panel leaves beside a piece.
    let left = root + "/csd/left.values.json"
    try "{}".write(toFile: left, atomically: true, encoding: .utf8)
    defer { try? Files.remove(left) }
    try ToolPackage.fill(
      folder, programs: [.six: tool], targets: [BuildTarget(.six, .own, level: level)])
    return folder
  }
  private static let home = Result { try temporaryDirectory() }

  private static func contents(of folder: String) -> [String] {
    let all = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String }
    return (all ?? []).sorted()
  }

  private func installed(_ words: String...) throws -> Ending {
    try run(
      "/usr/bin/env",
      ["-i", "HOME=\(Self.home.get())", "PATH=/usr/bin:/bin", "OPCODEKIT_TESTS=brief"]
        + ["\(Self.folder.get())/opcodekit"] + words, directory: Self.home.get())
  }

  @Test(
    "It compares, times, checks, lists, explains and renders, and writes to the user's folder only")
  func commands() throws {
    let folder = try Self.folder.get(), home = try Self.home.get()
    let files = Self.contents(of: folder)
    #expect(files.contains("csd/ONEPOLE.csd") && !files.contains("csd/left.values.json"))
    let bench = try installed("bench", "ONEPOLE", "--ksmps", "64").good()
    // A rival in C was compiled before.
    #expect(bench.output.contains("onepole_c") && bench.output.contains("  tone  "))
    #expect(bench.errors == "")
    #expect(Files.exist(home + "/.local/state/opcodekit/build"))
    try installed("validate", "ONEPOLE", "--checks", "edges-before-start").good()
    #expect(try installed("list").good().output.contains("MOOGLADDER.kk"))
    #expect(try installed("man", "ONEPOLE").good().output.contains("One-pole lowpass"))
    try installed("render", "\(folder)/csd/ONEPOLE.csd", "-o", "one.wav").good()
    try installed("panels", "organ").good()
    let version = try installed("--version").good().output
    #expect(version.contains("OpcodeKit at commit") && version.contains("Swift"), "\(version)")
    let completed = try installed("completion", "words", "ben").good().output
    #expect(completed.contains("bench\t"))
    // An ordinary user may not write there.
    #expect(Self.contents(of: folder).filter { !files.contains($0) } == [])
  }

  @Test(
    "What needs a compiler says so, and makes nothing",
    arguments: ["new", "add", "build", "watch", "package", "port", "test", "dev docs"])
  func refused(command: String) throws {
    try run(
      "/usr/bin/env",
      ["-i", "HOME=\(Self.home.get())", "PATH=/usr/bin:/bin", "\(Self.folder.get())/opcodekit"]
        + command.split(separator: " ").map(String.init) + ["Made"], directory: Self.home.get()
    ).refused(69, "This is the tool without Swift", "--plugin FILE.so")
    #expect(try !Files.exist(Self.home.get() + "/Made"))
  }

  @Test("The tool is packaged for Debian alone, with every plugin")
  func options() throws {
    try opcodekit("package", "--tool", "--os", "web").refused(64, "--tool and --os exclude each")
  }
}
