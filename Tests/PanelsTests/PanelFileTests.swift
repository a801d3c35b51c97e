import Foundation
import HarnessBase
import Panels
import TestSupport
import Testing

@Suite("A panel in a file of its own")
struct PanelFileTests {
  private static func withPiece(_ text: String?, _ body: (String) throws -> Void) throws {
    let directory = try ScratchDirectory("panel-file")
    defer { directory.remove() }
    let csd = directory.path + "/piece.csd"
    if let text {
      try text.save(to: directory.path + "/piece.panel.json")
    }
    try body(csd)
  }

  @Test("It is read, and what is written is read back; where there is none there is none")
  func reading() throws {
    try Self.withPiece(nil) { csd in
      #expect(try PanelFile(forPiece: csd).read() == nil)
      var panel = Panel("Mine", from: .file)
      panel.add(PanelWidget(.slider, channels: ["a"]))
      try PanelFile(forPiece: csd).write(panel)
      #expect(try PanelFile(forPiece: csd).read() == panel)
    }
  }

  @Test(
    "What cannot be read is told with its place",
    arguments: [
      ("{}", "'version' is missing"), ("{\"version\": 2}", "version 2"),
      ("nonsense", "is not valid JSON"),
      (#"{"version": 1, "widgets": [{"id": "a", "kind": "wheel"}]}"#, "'widgets.[0].kind'"),
      (
        #"{"version": 1, "widgets": [{"id": "a", "kind": "slider", "channels": "x"}]}"#,
        "'widgets.[0].channels'"
      ),
      (#"{"version": 1, "background": "red"}"#, "'red' is no colour"),
    ])
  func problems(text: String, expected: String) throws {
    try Self.withPiece(text) { csd in
      do {
        _ = try PanelFile(forPiece: csd).read()
        #expect(Bool(false), "it was read")
      } catch let failure as Failure {
        #expect(failure.message.contains(expected), "\(failure.message)")
        #expect(failure.kind == .badInput)
      }
    }
  }
}
