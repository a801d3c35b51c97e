import DevCommands
import Foundation
import HarnessBase
import TestSupport
import Testing

@Suite("Faults of Csound's own opcodes")
struct FindingTests {
  static let directory = root + "/Benchmarks/builtins/findings"

  static func sight(_ ending: Sight.Ending, _ printed: String...) -> Sight {
    Sight(ending: ending, printed: printed)
  }

  @Test(
    "An expectation is met or not",
    arguments: [
      ("no crash", Self.sight(.played), true),
      ("no crash", Self.sight(.error), true),
      ("no crash", Self.sight(.refused), true),
      ("no crash", Self.sight(.crash), false),
      ("no crash", Self.sight(.noEnd), false),
      ("no crash", Self.sight(.noOpcode), false),
      ("v1 = v2", Self.sight(.played, "0.5", "0.5"), true),
      ("v1 = v2", Self.sight(.played, "0.5", "0.51"), false),
      ("v1 = v2 within 0.02", Self.sight(.played, "0.5", "0.51"), true),
      ("v1 = v2", Self.sight(.played, "0.5"), false),
      ("v1 = v2", Self.sight(.played, "-nan", "-nan"), false),
      ("v1 = v2", Self.sight(.error), false),
      ("v1 = v2 or an error", Self.sight(.error), true),
      ("v1 = v2 or an error", Self.sight(.refused), true),
      ("v1 = v2 or an error", Self.sight(.crash, "1", "1"), false),
      ("v1 = -1, v2 < 3", Self.sight(.played, "-1", "2"), true),
      ("v1 = -1, v2 < 3", Self.sight(.played, "-1", "inf"), false),
      ("v1 = -1, v2 < 3", Self.sight(.played, "-1", "nan"), false),
    ])
  func expectations(text: String, sight: Sight, isMet: Bool) throws {
    #expect(try #require(Expectation(text)).holds(sight) == isMet)
  }

  @Test(
    "What is no expectation is refused",
    arguments: [
      "", "an error", "v1", "v1 > 2", "v0 = 1", "w1 = 2", "v1 = v2 within x", "or an error",
    ])
  func noExpectation(text: String) {
    #expect(Expectation(text) == nil)
  }

  @Test("A finding without a key, or with one of a wrong value, is refused with its name")
  func incomplete() throws {
    let path = Self.directory + "/mediank-not-reset.csd"
    let text = try String(file: path)
    _ = try BuiltinFinding(path: path, text: text)
    for (line, sentence) in [
      ("; Seen: wrong values\n", "'; Seen: …' is missing"),
      ("; Expected: v1 = v2\n", "'; Expected: …' is missing"), ("Right: ", "'Right: '"),
    ] {
      let failure = #expect(throws: Failure.self) {
        try BuiltinFinding(path: path, text: text.replacing(line, with: ""))
      }
      #expect(failure?.message.contains(sentence) == true, "\(failure?.message ?? "")")
    }
    let wrong = #expect(throws: Failure.self) {
      try BuiltinFinding(path: path, text: text.replacing("wrong values", with: "noise"))
    }
    #expect(wrong?.message.contains("'Seen' is 'noise'; it takes crash, no end") == true)
  }

  @Test("A fault is there, has changed, is fine or has no opcode")
  func standings() throws {
    func standings(_ name: String, _ six: Sight, _ seven: Sight) throws -> [String] {
      let path = "\(Self.directory)/\(name).csd"
      let finding = try BuiltinFinding(
        path: path, text: String(file: path))
      return FindingTrial(finding, [("6.18", six), ("7.0", seven)]).results
        .map(\.standing.rawValue)
    }
    let crash = Self.sight(.crash)
    #expect(try standings("tonex-skip-crash", crash, crash) == ["there", "there"])
    #expect(try standings("tonex-skip-crash", crash, Self.sight(.noEnd)) == ["there", "changed"])
    #expect(try standings("tonex-skip-crash", crash, Self.sight(.error)) == ["there", "fine"])
    #expect(
      try standings("tonex-skip-crash", crash, Self.sight(.noOpcode)) == [
        "there", "no such opcode",
      ])
    // Both conditions are broken in the one, the second alone in the other.
    #expect(
      try standings(
        "svfilter-in-place", Self.sight(.played, "1", "0", "1", "0"),
        Self.sight(.played, "1", "1", "1", "0")) == ["there", "changed"])
  }

  /// One that crashes, one with wrong values, one that is only in Csound 7.
  static let some = ["syncloop-skip-crash", "svfilter-not-reset", "score-events-leak"]

  @Test("The page says of some faults what the Csounds do")
  func page() throws {
    let json = try temporaryDirectory() + "/findings.json"
    try opcodekit(["dev", "findings", "--check", "--json", json] + Self.some).good()
    let run = try DataFile.read(FindingRun.self, from: json, as: "results")
    #expect(run.trials.map(\.name) == Self.some.sorted())
    #expect(run.trials.allSatisfy { !$0.results.isEmpty })
    // Other results must be noticed.
    var other = run
    for index in other.trials.indices {
      for number in other.trials[index].results.indices {
        let was = other.trials[index].results[number].standing
        other.trials[index].results[number].standing = was == .fine ? .there : .fine
      }
    }
    let count = run.trials.reduce(0) { $0 + $1.results.count }
    #expect(run.differences(from: other).count == count)
    #expect(run.differences(from: run).isEmpty)
  }

  @Test(
    "The page says of every fault what the Csounds do",
    .enabled(if: runsAllTests, Comment(rawValue: onlyWithAll)))
  func wholePage() throws {
    try opcodekit("dev", "findings", "--check", "--time-limit", "20").good()
  }

  @Test("A finding that is not there is named, with one that is alike")
  func unknown() throws {
    try opcodekit("dev", "findings", "tonex-skip-crush").refused(64, "tonex-skip-crash")
  }
}
