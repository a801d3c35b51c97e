import Foundation
import PanelServer
import Panels
import Testing

@Suite("Values of a panel that outlast a crash")
struct KeptValuesTests {
  private let file = KeptValues(
    forPiece: NSTemporaryDirectory() + "kept-\(UUID().uuidString).csd")

  private func panel(_ range: ValueRange = ValueRange(0, 2, initial: 1)) -> Panel {
    var panel = Panel("Kept", from: .file)
    panel.add(PanelWidget(.slider, channels: ["a"], ranges: [range]))
    panel.add(PanelWidget(.button, channels: ["pressed"]))
    panel.add(PanelWidget(.meter, channels: ["shown"]))
    panel.add(PanelWidget(.field, channels: ["word"]))
    return panel
  }

  @Test("What differs from the piece's own values is kept; buttons are not")
  func kept() throws {
    defer { unlink(file.path) }
    let values = PanelValues(panel(), keeping: file)
    try values.keep(atOnce: true)
    #expect(try file.read() == nil)
    values.set("a", to: 1.5)
    values.set("pressed", to: 1)
    values.set("word", to: "hm")
    try values.keep(atOnce: true)
    let kept = try #require(try file.read())
    #expect(kept.values == ["a": 1.5] && kept.texts == ["word": "hm"])

    values.set("a", to: 1)
    values.set("word", to: "")
    try values.keep(atOnce: true)
    #expect(try file.read()?.texts == ["word": ""])
  }

  @Test("Nothing is left of values that are the piece's own again")
  func removed() throws {
    let values = PanelValues(panel(), keeping: file)
    values.set("a", to: 0.5)
    try values.keep(atOnce: true)
    #expect(access(file.path, F_OK) == 0)
    values.set("a", to: 1)
    try values.keep(atOnce: true)
    #expect(access(file.path, F_OK) != 0)
  }

  @Test("Writings are half a second apart")
  func interval() throws {
    defer { unlink(file.path) }
    let values = PanelValues(panel(), keeping: file)
    values.set("a", to: 0.5)
    try values.keep(atOnce: true)
    values.set("a", to: 0.6)
    try values.keep()
    #expect(try file.read()?.values == ["a": 0.5])
    usleep(550_000)
    try values.keep()
    #expect(try file.read()?.values == ["a": 0.6])
  }

  @Test("They are taken up within the ranges that there are now; what cannot be set is left")
  func takenUp() throws {
    let last = PanelPreset(
      "", values: ["a": 1.5, "pressed": 1, "shown": 1, "gone": 1], texts: ["word": "hm"])
    let values = PanelValues(panel(ValueRange(0, 1, initial: 0.5)), takingUp: last)
    #expect(values.numbers["a"] == 1 && values.texts["word"] == "hm")
    #expect(values.numbers["pressed"] != 1 && values.numbers["shown"] != 1)
    #expect(values.numbers["gone"] == nil)

    // A channel that only a later version's panel has.
    var later = panel()
    later.add(PanelWidget(.knob, channels: ["gone"], ranges: [ValueRange(0, 2, initial: 0)]))
    #expect(values.add(later)["gone"] == 1)
  }

  @Test("A file that is none of ours is a sentence, not a beginning")
  func damaged() throws {
    try "{".write(toFile: file.path, atomically: true, encoding: .utf8)
    defer { unlink(file.path) }
    #expect(throws: (any Error).self) { try file.read() }
  }
}
