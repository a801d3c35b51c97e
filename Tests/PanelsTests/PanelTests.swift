import Foundation
import Panels
import Testing

@Suite("The panel's model")
struct PanelTests {
  @Test("A panel with everything left out but what it must have is read")
  func leastFile() throws {
    let text = """
      {"version": 1, "widgets": [{"id": "a", "kind": "slider", "channels": ["cutoff"], "ranges": [{"maximum": 9}]}]}
      """
    let panel = try JSONDecoder().decode(Panel.self, from: Data(text.utf8))
    #expect(panel.widgets[0].range(0) == ValueRange(0, 9))
    #expect(panel.source == .file)
  }

  @Test("What is written is read back")
  func thereAndBack() throws {
    var panel = Panel("All kinds", from: .cabbage)
    for kind in WidgetKind.allCases {
      var widget = PanelWidget(
        kind, channels: ["\(kind)"], ranges: [ValueRange(1, 2, initial: 1.5)])
      widget.color = PanelColor(1, 2, 3, alpha: 128.0 / 255)
      widget.keys = PanelKeys(instrument: 3)
      widget.options = [PanelOption("one", 1), PanelOption("two", text: "zwei")]
      panel.add(widget)
    }
    panel.groups = [PanelGroup(.box, id: "g", label: "Filter", bounds: PanelBounds(1, 2, 3, 4))]
    panel.leaveOut("image", reason: "No pictures.")
    panel.leaveOut("image", reason: "No pictures.")
    #expect(panel.leftOut == [LeftOut("image", count: 2, reason: "No pictures.")])
    #expect(Set(panel.widgets.map(\.id)).count == panel.widgets.count)
    let data = try JSONEncoder().encode(panel)
    #expect(try JSONDecoder().decode(Panel.self, from: data) == panel)
  }

  @Test(
    "A position gives a value and the value that position",
    arguments: [
      ValueRange(20, 20000, curve: .exponential), ValueRange(-5, 3), ValueRange(10, -10),
      ValueRange(0, 100, curve: .skew, skew: 0.4), ValueRange(1, 16, step: 1),
    ])
  func positions(_ range: ValueRange) {
    #expect(range.value(at: 0) == range.minimum)
    #expect(abs(range.value(at: 1) - range.maximum) < 1e-9 * abs(range.maximum))
    for step in 0...20 {
      let value = range.value(at: Double(step) / 20)
      #expect(abs(range.value(at: range.position(of: value)) - value) < 1e-9 * (1 + abs(value)))
    }
  }

  @Test("Half way up an exponential range is the geometric mean, up a skewed one what Cabbage has")
  func curves() {
    #expect(
      abs(ValueRange(20, 20000, curve: .exponential).value(at: 0.5) - 632.4555320336759) < 1e-9)
    #expect(ValueRange(0, 100, curve: .skew, skew: 0.5).value(at: 0.5) == 25)
    #expect(ValueRange(0, 1, step: 0.25).value(at: 0.6) == 0.5)
  }
}
