import HarnessBase
import Panels
import Testing

@Suite("Panels from <Cabbage>")
struct CabbageTests {
  func panel(_ section: String) throws -> Panel {
    let csd = "<Cabbage>\n\(section)\n</Cabbage>\n<CsoundSynthesizer>\n</CsoundSynthesizer>"
    let panel = try CabbageImporter.panel(of: csd, title: "piece")
    return try #require(panel)
  }

  @Test("A CSD without the section has no panel of it, one with an empty section neither")
  func none() throws {
    let (without, empty) = (
      try CabbageImporter.panel(of: "<CsoundSynthesizer>", title: "x"),
      try CabbageImporter.panel(of: "<Cabbage>; nothing\n</Cabbage>", title: "x")
    )
    #expect(without == nil && empty == nil)
  }

  @Test("The JSON of Cabbage 3 has the same widgets")
  func json() throws {
    let panel = try panel(
      """
      { "widgets": [
        { "type": "form", "caption": "Two", "size": {"width": 300, "height": 200} },
        { "type": "rotarySlider", "bounds": {"left": 10, "top": 20, "width": 80, "height": 70},
          "label": {"text": "Cutoff"}, "channels": [ { "id": "cutoff",
          "range": {"min": 100, "max": 8000, "defaultValue": 1200, "skew": 0.5, "increment": 1} } ] },
        { "type": "verticalSlider", "channels": [ { "id": "level", "range": {"defaultValue": 0.3} } ] },
        { "type": "xyPad", "channels": [ { "id": "x", "range": {"max": 2} }, { "id": "y", "range": {"max": 3} } ] },
        { "type": "button", "label": {"text": {"on": "On", "off": "Off"}},
          "channels": [ { "id": "gate", "range": {"defaultValue": 1} } ] },
        { "type": "comboBox", "items": ["Saw", "Square"], "indexOffset": true,
          "channels": [ { "id": "wave", "range": {"defaultValue": 2} } ] },
        { "type": "comboBox", "items": ["One", "Two"], "channels": [ { "id": "menu" } ] }
      ] }
      """)
    #expect(panel.title == "Two" && panel.size == PanelSize(300, 200))
    #expect(panel.widgets.map(\.kind) == [.knob, .slider, .pad, .switch, .menu, .menu])
    let knob = panel.widgets[0]
    #expect(knob.label == "Cutoff" && knob.bounds == PanelBounds(10, 20, 80, 70))
    #expect(knob.ranges == [ValueRange(100, 8000, initial: 1200, step: 1, curve: .skew, skew: 0.5)])
    #expect(panel.widgets[2].ranges.map(\.maximum) == [2, 3])
    #expect(panel.widgets[3].options.map(\.label) == ["Off", "On"])
    #expect(panel.widgets[4].options.map(\.value) == [1, 2])
    #expect(panel.widgets[5].options.map(\.value) == [0, 1])
    #expect(
      panel.initialNumbers == [
        "cutoff": 1200, "level": 0.3, "x": 0, "y": 0, "gate": 1, "wave": 2, "menu": 0,
      ])
    #expect(throws: Failure.self) { try self.panel("{ \"widgets\": [ }") }
  }

  @Test("Places, ranges, curves and texts of valuators; commas and case do not matter")
  func valuators() throws {
    let panel = try panel(
      """
      form caption("Echo") size(400, 300), colour(10, 20, 30)
      rslider bounds(10, 5+5, 70, 2*35), channel("tone") text("Tone"), RANGE(20, 20000, 1000, 0.5, 1) ; bright
      vslider BOUNDS(0,0,10,100), channel("up"), range(-1, 1, 0)
      hslider bounds(0,0,100,10), channel("along"), min(2), max(6), value(3)
      nslider bounds(0,0,60,20), channel("n"), range(1, 8, 4, 1, 1)
      hrange bounds(0,0,99,9), channel("lo", "hi"), range(20, 2000, 200:1200)
      xypad bounds(0,0,99,99), channel("x", "y"), rangex(0, 1, 0.5), rangeY(-1, 1, 0.25)
      """)
    #expect(panel.title == "Echo" && panel.size == PanelSize(400, 300))
    #expect(panel.background == PanelColor(10, 20, 30))
    #expect(panel.widgets.map(\.kind) == [.knob, .slider, .slider, .number, .range, .pad])
    let tone = panel.widgets[0]
    #expect(tone.label == "Tone" && tone.channels == ["tone"])
    #expect(tone.bounds == PanelBounds(10, 10, 70, 70))
    #expect(
      tone.ranges == [ValueRange(20, 20000, initial: 1000, step: 1, curve: .skew, skew: 0.5)])
    #expect(panel.widgets[1].isVertical && !panel.widgets[2].isVertical)
    #expect(panel.widgets[2].ranges == [ValueRange(2, 6, initial: 3)])
    #expect(panel.widgets[4].ranges.map(\.initial) == [200, 1200])
    #expect(
      panel.widgets[5].ranges == [ValueRange(0, 1, initial: 0.5), ValueRange(-1, 1, initial: 0.25)])
  }

  @Test("Buttons, menus, keyboards and displays")
  func others() throws {
    let panel = try panel(
      """
      button channel("hold"), text("Off", "On"), latched(0)
      button channel("toggle"), text("Go"), value(1)
      checkbox channel("a"), radioGroup(3), value(1)
      checkbox channel("b"), radioGroup(3)
      combobox channel("shape"), text("sine","saw"), value(2)
      combobox channel("file"), items("one","two"), channelType("string")
      keyboard bounds(0, 0, 400, 80)
      gentable tableNumber(1, 2)
      label text("A; \\"quoted\\" text")
      vmeter channel("level")
      """)
    #expect(
      panel.widgets.map(\.kind) == [
        .button, .switch, .switch, .switch, .menu, .menu, .keyboard, .table, .text, .meter,
      ])
    #expect(panel.widgets[0].options.map(\.label) == ["Off", "On"])
    #expect(panel.widgets[1].range(0).initial == 1)
    #expect(panel.widgets[2].exclusive == "3" && panel.widgets[3].exclusive == "3")
    #expect(panel.widgets[4].options == [PanelOption("sine", 1), PanelOption("saw", 2)])
    #expect(panel.widgets[4].range(0).initial == 2)
    #expect(panel.widgets[5].options.map(\.text) == ["one", "two"])
    #expect(panel.widgets[6].keys?.instrument == nil)
    #expect(panel.widgets[7].tables == [1, 2])
    #expect(panel.widgets[9].isReadOnly)
  }

  @Test("Children lie relative to their parents; what is hidden at first gets a window")
  func nesting() throws {
    let panel = try panel(
      """
      image bounds(100, 50, 200, 100), plant("box") {
        rslider bounds(10, 10, 50, 50), channel("a")
        groupbox bounds(5, 5, 90, 90), text("inner")
        {
        rslider bounds(1, 2, 3, 4), channel("b")
        }
      }
      groupbox bounds(300, 300, 80, 80), text("More"), visible(0) {
      rslider bounds(7, 8, 9, 9), channel("c")
      }
      rslider bounds(0, 0, 9, 9), channel("d")
      """)
    let places = Dictionary(
      uniqueKeysWithValues: panel.widgets.map { ($0.channels[0], $0.bounds.map { [$0.x, $0.y] }) })
    #expect(places["a"] == [110, 60])
    #expect(places["b"] == [106, 57])
    #expect(places["c"] == [7, 8])
    #expect(places["d"] == [0, 0])
    #expect(panel.groups.map(\.kind) == [.box, .box, .window])
    #expect(panel.groups[2].label == "More" && panel.groups[2].parent == nil)
    #expect(panel.widgets.last?.group == nil)
  }

  @Test("Macros, continued lines, comments over lines, quotes that are not closed")
  func text() throws {
    let panel = try panel(
      """
      #define LOOK #colour(1, 2, 3), range(0, 9, 3)#
      rslider channel("a"), $LOOK
      rslider channel("b"), \\
        $LOOK. text("C#4")
      /* rslider channel("gone")
      rslider channel("gone too") */
      rslider channel("c"), text("open, range(1, 2, 1.5)
      rslider channel("d"), range(1, 2, 1.5) // rslider channel("gone")
      """)
    #expect(panel.widgets.map { $0.channels[0] } == ["a", "b", "c", "d"])
    #expect(panel.widgets[0].ranges == [ValueRange(0, 9, initial: 3)])
    #expect(panel.widgets[1].ranges == [ValueRange(0, 9, initial: 3)])
    #expect(panel.widgets[1].label == "C#4")
    #expect(panel.widgets[3].ranges == [ValueRange(1, 2, initial: 1.5)])
  }

  @Test("What is not read is named and counted")
  func leftOut() throws {
    let panel = try panel(
      """
      rslider channel("a"), identchannel("i1")
      rslider channel("b"), identchannel("i2")
      soundfiler channel("begin", "end")
      unheardof bounds(1,2,3,4)
      """)
    #expect(panel.widgets.count == 2)
    #expect(panel.leftOut.map(\.name) == ["identchannel", "soundfiler", "unheardof"])
    #expect(panel.leftOut[0].count == 2)
  }
}
