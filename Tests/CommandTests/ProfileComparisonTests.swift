import Foundation
import Testing

@Suite("profile --against and --budget", .serialized)
struct ProfileComparisonTests {
  let directory: String

  init() throws { directory = try temporaryDirectory() }

  /// A piece most of whose work is a loop of `steps` steps.
  private func piece(_ name: String, steps: Int, above: String = "") throws -> String {
    try """
    \(above)
    instr Work
      kcount = 0
      amix = 0
      while kcount < \(steps) do
        amix = amix + 0.01
        kcount += 1
      od
      out amix
    endin
    """.csd(score: "i \"Work\" 0 0.4", ksmps: 64).save(to: directory + "/" + name)
    return name
  }

  private func profile(_ words: String...) throws -> (Int32, String) {
    let ending = try run(tool, ["profile"] + words, directory: directory)
    return (ending.exitCode, ending.output + ending.errors)
  }

  @Test(
    "A planted slowdown of 5 % is told by line, also against a file, and none is not",
    .enabled(if: SpeedTests.hasValgrind, "valgrind is not installed"),
    .disabled(if: hasSanitizer, "valgrind and sanitizers exclude each other"))
  func planted() throws {
    let before = try piece("before.csd", steps: 100)
    let slower = try piece("slower.csd", steps: 106, above: "; a comment moves all lines")
    let dearer = try profile(slower, "--against", before, "--counts")
    #expect(dearer.0 == 2)
    #expect(
      dearer.1.contains(/slower.csd against before.csd \(instructions\): \+[45]\.\d+ %, dearer/))
    #expect(dearer.1.contains(/dearer +\d+  amix = amix/))
    let copy = try profile(before, "--against", before, "--counts", "--json", "now.json")
    #expect(copy.0 == 0 && copy.1.contains("+0.00 %, within 2.0 %"))
    #expect(copy.1.contains("No line became dearer or cheaper."))
    #expect(try profile(before, "--counts", "--json", "before.json").0 == 0)
    let file = try profile(slower, "--against", "before.json", "--counts")
    #expect(file.0 == 2 && file.1.contains(/dearer +\d+  amix = amix/))
    #expect(try profile(before, "--against", "before.json").0 == 64)
    // A comparison is no profile.
    let wrong = try profile(before, "--against", "now.json", "--counts")
    #expect(wrong.0 == 65 && wrong.1.contains("is not a profile as profile --json writes it"))
  }

  @Test("Times are compared in turns, with a margin; a new line is new")
  func times() throws {
    let before = try piece("before.csd", steps: 100)
    let more = try piece("more.csd", steps: 1000)
    let ending = try profile(more, "--against", before, "--renders", "7", "--json", "times.json")
    #expect(ending.0 == 2 && ending.1.contains(/time, 7 rounds\): \+\d+\.\d+ % \(\+\d/))
    #expect(try profile(before, "--renders", "7", "--json", "before.json").0 == 0)
    #expect(try profile(more, "--against", "before.json", "--renders", "7").0 == 2)
  }

  @Test("A budget is kept or exceeded; options that need others say so")
  func budget() throws {
    let path = try piece("piece.csd", steps: 1000)
    let kept = try profile(path, "--budget", "10000", "--renders", "1")
    #expect(kept.0 == 0 && kept.1.contains("the budget of 10000.0 % is kept"))
    let exceeded = try profile(path, "--budget", "0.01", "--renders", "1")
    #expect(exceeded.0 == 2 && exceeded.1.contains("is exceeded"))
    for words in [
      ["--threshold", "5"], ["--counts", "--budget", "5"], ["--against", path, "--perf"],
    ] {
      #expect(try run(tool, ["profile", path] + words, directory: directory).exitCode == 64)
    }
  }
}
