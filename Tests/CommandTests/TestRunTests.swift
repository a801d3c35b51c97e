import Foundation
import Testing

@Suite("What ./opcodekit test asks the tool")
struct TestRunTests {
  @Test(
    "The tests that are about a file",
    arguments: [
      ("Opcodes/Filters/MoogLadder.swift", "OpcodesTests\\.MoogLadderTests", "Phaser"),
      ("Sources/OpcodeKit/Passes.swift", "OpcodeKitTests\\.MemoryTests", "CommandTests"),
      ("Sources/Goldens/Golden.swift", "GoldensTests\\.GoldenTests", "Speed"),
      ("Sources/SpeedCommands/BenchTable.swift", "CommandTests\\.OverviewTests", "LintTests"),
      ("Tests/CommandTests/LintTests.swift", "CommandTests\\.LintTests", "LintingTests"),
      ("csd/MORPH.csd", "OpcodesTests\\.MorphTests", "CommandTests"),
      ("README.md", "CommandTests\\.DocumentationTests", "OpcodesTests"),
    ])
  func changed(file: String, expected: String, other: String) throws {
    let ending = try opcodekit("changed-tests", file)
    #expect(ending.exitCode == 0)
    #expect(ending.output.contains(expected))
    #expect(!ending.output.contains(other))
  }

  @Test("No test is about a file that nothing knows")
  func unknown() throws {
    #expect(try opcodekit("changed-tests", "LICENSE").output == "\n")
  }

  @Test("The slowest tests, slowest first, cases added up")
  func slowest() throws {
    func event(_ kind: String, _ test: String, _ time: Double) -> String {
      #"{"kind":"event","payload":{"kind":"\#(kind)","testID":"\#(test)","instant":{"absolute":\#(time)}}}"#
    }
    let (short, long) = ("A.B/short()/B.swift:1:1", "A.B/long(x:)/B.swift:2:2")
    let lines = [
      #"{"kind":"event","payload":{"kind":"runStarted"}}"#,
      event("testCaseStarted", long, 1), event("testCaseEnded", long, 2.5),
      event("testCaseStarted", short, 3), event("testCaseEnded", short, 5),
      event("testCaseStarted", long, 5), event("testCaseEnded", long, 6.5),
    ]
    let path = try temporaryDirectory() + "/events"
    try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
    let output = try opcodekit("slowest-tests", path).output
    #expect(output.hasSuffix("\n3.0  A.B/long(x:)\n2.0  A.B/short()\n"))
  }
}
