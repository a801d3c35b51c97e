@testable import Comparing
import Foundation
import HarnessBase
import Rendering
import Testing

@Suite("build --cpu native")
struct NativeBuildTests {
  private static let flags = Set(
    "cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3 avx avx2 bmi1 bmi2 f16c fma abm movbe xsave avx512f avx512bw avx512cd avx512dq avx512vl"
      .split(separator: " ").map(String.init))

  @Test("A processor executes the levels whose instructions it has, up to the first that lacks one")
  func levels() {
    let all = Processor.x86_64.levels
    #expect(Processor.x86_64.levels(withFlags: Self.flags) == all)
    for (lacking, count) in [("avx512vl", 3), ("movbe", 2), ("pni", 1)] {
      let found = Processor.x86_64.levels(withFlags: Self.flags.subtracting([lacking]))
      #expect(found == Array(all.prefix(count)), "\(lacking)")
    }
    #expect(Processor.arm64.levels(withFlags: []) == ["armv8-a"])
  }

  private func row(_ value: Double, _ width: Double = 0.01, isIdentical: Bool = true)
    -> BuildStanding.Row
  {
    .init(
      title: "ROW\(value)", ratio: Estimate(value: value, low: value - width, high: value + width),
      isIdentical: isIdentical)
  }

  @Test("The fastest build wins that is slower in no row and sounds the same")
  func choice() {
    let plain = BuildStanding(level: "two", rows: [row(1.1), row(1.2)])
    let fast = BuildStanding(level: "three", rows: [row(1.3), row(0.975)])
    let slower = BuildStanding(level: "four", rows: [row(2), row(0.9)])
    let different = BuildStanding(level: "five", rows: [row(3), row(3, isIdentical: false)])
    let unclear = BuildStanding(
      level: "six", rows: [.init(title: "ROW", ratio: nil, isIdentical: true)])
    let choice = BuildChoice(plain: "one", [plain, fast, slower, different, unclear])
    #expect(choice.level == "two")
    #expect(choice.sentence(for: "lib.so").hasPrefix("lib.so is the build for two: "))
    let table = choice.table.split(separator: "\n")
    for (line, account) in zip(
      table.dropFirst(),
      ["faster", "faster", "slower: ROW0.9", "sounds different: ROW3.0", "not faster"])
    {
      #expect(line.hasSuffix("  " + account), "\(line)")
    }
    let none = BuildChoice(plain: "one", [slower, different, unclear])
    #expect(none.level == "one")
    #expect(none.sentence(for: "lib.so").hasPrefix("lib.so is the build for one: "))
  }

  @Test("A pair without a rival is measured in two builds, and is none for compare")
  func withoutRival() throws {
    let project = try temporaryDirectory()
    try Files.makeDirectories(project + "/Benchmarks")
    let call = #""call": "aout ONEPOLE ain, kcutoff", "controls": { "cutoff": [20, 8000] }"#
    try #"{ "subject": "ONEPOLE", \#(call) }"#.save(to: project + "/Benchmarks/ALONE.json")
    #expect(try Pairing.all(in: project + "/Benchmarks").pairings.isEmpty)
    let pairing = try #require(
      try Pairing.all(in: project + "/Benchmarks", withoutRivals: true).pairings.first)
    let (one, other) = (
      try FaultyPlugin.compile("speed", "1"), try FaultyPlugin.compile("speed", "2")
    )
    let grid = Grid(
      root: project, evidenceDirectory: project + "/evidence", plugin: one, otherBuild: other,
      worker: [tool, "worker"])
    let rows = try grid.benchmark(pairing, .overview(of: pairing), effort: .brief)
    #expect(rows.map(\.place.rates) == ["k"] && rows.allSatisfy { $0.measurement != nil })
    try linkPlugin(into: project)
    try opcodekit(["compare", "ALONE"], root: project, directory: project).refused(
      64, "No opcode paired with a rival")
  }
}
