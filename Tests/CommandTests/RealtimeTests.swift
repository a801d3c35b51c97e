import Comparing
import Foundation
import HarnessBase
import TestSupport
import Testing

/// Tests/Realtime, compiled with RealtimeSanitizer.
private enum Realtime {
  static let directory = try! temporaryDirectory()

  /// Whether there is a clang with RealtimeSanitizer.
  static let isAvailable =
    (try? compile("int main(void) { return 0; }", "empty", ["-fsanitize=realtime"])) != nil

  static let host = Result {
    try compile(
      source("host"), "host", ["-fsanitize=realtime", "-g", "-lcsound64", "-ldl"])
  }

  static func source(_ name: String) throws -> String {
    try String(file: "\(root)/Tests/Realtime/\(name).c")
  }

  /// Compiles C; returns the path of the result.
  static func compile(_ source: String, _ name: String, _ options: [String]) throws -> String {
    let clang = try #require(Clang.path)
    let (file, result) = ("\(directory)/\(name).c", "\(directory)/\(name)")
    try source.save(to: file)
    let ending = try run(
      clang, ["-O1", "-w", "-DUSE_DOUBLE", file, "-o", result] + options)
    guard ending.exitCode == 0 else { throw Failure.badInput(ending.errors) }
    return result
  }

  /// Plays 0.1 s of a CSD with a plugin's opcodes, whose performance passes are watched.
  static func play(_ csd: String, plugin: String, _ macros: [String: String]) throws -> Ending {
    let macros = macros.merging(["DURATION": "0.1"]) { $1 }
    return try run(
      host.get(), [plugin, csd] + macros.sorted { $0.key < $1.key }.map { "--omacro:\($0)=\($1)" },
      environment: ["OPCODE6DIR64": "/nonexistent"])
  }
}

@Suite(
  "Performance under RealtimeSanitizer", .serialized,
  .enabled(if: Realtime.isAvailable, "clang has no RealtimeSanitizer"),
  .onlyAmongAll)
struct RealtimeTests {
  @Test("No opcode of the standalone plugin allocates, locks or waits, at any rate")
  func ours() throws {
    let plugin = try standalonePlugin.get()
    let names = try Files.names(in: root + "/csd").sorted()
    var runs = names.filter { $0.hasSuffix(".csd") }.map { ("csd/" + $0, [String: String]()) }
    for pairing in try Pairing.all(in: root + "/Benchmarks").pairings {
      try pairing.writeOrchestra(root: root)
      runs += pairing.rates.map { (pairing.orchestra, $0.macros) }
    }
    var passes: [String: Int] = [:]
    for (csd, macros) in runs {
      let ending = try Realtime.play("\(root)/\(csd)", plugin: plugin, macros).good(
        "\(csd) \(macros)")
      let counted = ending.output.firstMatch(of: /(\d+) passes/).flatMap { Int($0.1) }
      passes[csd, default: 0] += counted ?? 0
    }
    #expect(passes.count >= 30)
    for (csd, count) in passes { #expect(count > 0, "\(csd) has no performance pass") }
  }

  @Test("An opcode that allocates is caught")
  func allocation() throws {
    let plugin = try Realtime.compile(
      Realtime.source("allocates"), "allocates.so", ["-shared", "-fPIC"])
    try Realtime.play(root + "/csd/ONEPOLE.csd", plugin: plugin, ["OPCODE": "ALLOCATES"]).refused(
      43, "RealtimeSanitizer", "malloc")
  }
}
