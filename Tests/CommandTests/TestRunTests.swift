import Foundation
import Testing

@Suite("What ./opcodekit test asks the tool")
struct TestRunTests {
  @Test(
    "The tests that are about a file",
    arguments: [
      ("Opcodes/Ladders/MoogLadder.swift", "OpcodesTests\\.MoogLadderTests", "Phaser"),
      ("Sources/Kit/OpcodeKit/Passes.swift", "OpcodeKitTests\\.MemoryTests", "CommandTests"),
      ("Sources/Check/Validating/Goldens/Golden.swift", "ValidatingTests\\.GoldenTests", "Speed"),
      (
        "Sources/Compare/Comparing/Commands/BenchTable.swift", "CommandTests\\.OverviewTests",
        "LintTests"
      ),
      ("Tests/CommandTests/LintTests.swift", "CommandTests\\.LintTests", "LintingTests"),
      ("csd/MORPH.csd", "OpcodesTests\\.MorphTests", "CommandTests"),
      ("README.md", "CommandTests\\.DocumentationTests", "OpcodesTests"),
    ])
  func changed(file: String, expected: String, other: String) throws {
    let ending = try opcodekit("changed-tests", file).good()
    #expect(ending.output.contains(expected))
    #expect(!ending.output.contains(other))
  }

  @Test("No test is about a file that nothing knows")
  func unknown() throws {
    #expect(try opcodekit("changed-tests", "LICENSE").output == "\n")
  }

  @Test("Tests of what plays live are left out while what they are made of is as it was")
  func live() throws {
    let record = try temporaryDirectory() + "/live"
    func leftOut(_ size: String = "brief") throws -> [Substring] {
      let ending = try opcodekit(
        ["tests-left-out", record], environment: ["OPCODEKIT_TESTS": size])
      #expect(ending.errors == "")
      return ending.output.split(whereSeparator: \.isWhitespace)
    }
    #expect(try leftOut().isEmpty)
    let sums = try String(file: record + ".begun")
    for file in [
      "Sources/Live/CsoundLive/", "Sources/Kit/OpcodeKit/", "Sources/Live/Playing/", "csd/",
      "Tests/CsoundLiveTests/", "Tests/CommandTests/PlayTests.swift", "Tests/LiveWatch/",
    ] {
      #expect(sums.contains("  " + file), "\(file)")
    }
    for file in ["Opcodes/", "Sources/Check/Validating/", "Tests/CommandTests/LintTests.swift"] {
      #expect(!sums.contains("  " + file), "\(file)")
    }
    try sums.save(to: record)
    let names = try leftOut()
    #expect(names.contains("CsoundLiveTests") && names.contains("CommandTests.PlayTests"))
    for name in names {
      let place = "\(root)/Tests/\(name.replacing(".", with: "/"))"
      #expect(["", ".swift"].contains { Files.exist(place + $0) })
    }
    #expect(try leftOut("all").isEmpty)
    let end = try #require(sums.firstIndex(of: "\n"))
    try String(sums[end...]).save(to: record)
    #expect(try leftOut().isEmpty)
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
    let output = try summary(of: lines)
    #expect(output.contains("\n3.0  A.B/long(x:)\n2.0  A.B/short()\n"))
  }

  @Test(
    "What failed stands at the end, with its place and its words; warnings and known issues do not")
  func failed() throws {
    func issue(_ fields: String, _ words: String) -> String {
      #"{"payload":{"kind":"issueRecorded","testID":"A.B/c()/B.swift:1:1","issue":{\#(fields)},"#
        + #""messages":[{"text":"\#(words)"},{"text":"one\ntwo"}]}}"#
    }
    let place = #""sourceLocation":{"fileID":"A/B.swift","line":7}"#
    let lines = [
      issue(#""isKnown":false,"isFailure":true,\#(place)"#, "1 == 2"),
      issue(#""isKnown":true,"isFailure":true,\#(place)"#, "known"),
      issue(#""isKnown":false,"isFailure":false,\#(place)"#, "warned"),
      #"{"payload":{"kind":"runEnded"}}"#,
    ]
    let words = "What failed:\nA.B/c()\n  A/B.swift:7\n  1 == 2\n  one\n  two\n"
    #expect(try summary(of: lines) == words + "\n")
    #expect(try summary(of: [lines[3]]) == "\n")
  }

  @Test("Of a run that broke off the tests under way are told")
  func brokenOff() throws {
    func event(_ kind: String, _ test: String) -> String {
      #"{"payload":{"kind":"\#(kind)","testID":"\#(test)"}}"#
    }
    let (done, open) = ("A.B/done()/B.swift:1:1", "A.B/open()/B.swift:2:2")
    let lines = [
      event("testStarted", "A.B"), event("testStarted", done), event("testStarted", open),
      event("testEnded", done),
    ]
    #expect(
      try summary(of: lines) == "What failed:\nA.B/open()\n  had not ended when the run did\n\n")
  }

  private func summary(of lines: [String]) throws -> String {
    try opcodekit("test-summary", lines.joined(separator: "\n").saved("events")).output
  }
}
