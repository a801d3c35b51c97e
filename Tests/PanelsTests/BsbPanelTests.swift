import Panels
import Testing

@Suite("Panels from <bsbPanel>")
struct BsbPanelTests {
  static func object(_ type: String, _ fields: String) -> String {
    """
    <bsbObject type="\(type)" version="2"><x>10</x><y>20</y><width>80</width><height>30</height>
    <visible>true</visible><midichan>0</midichan><midicc>0</midicc>\(fields)</bsbObject>
    """
  }

  func panel(_ objects: String, orchestra: String = "", after: String = "") throws -> Panel {
    let panel = try BsbPanelImporter.panel(
      of: """
        \(orchestra.csd(score: "f 3 0 8 2 1\nf7 0 8 2 1"))
        <bsbPanel><label>Widgets</label><width>300</width><height>200</height>
        <bgcolor mode="background"><r>1</r><g>2</g><b>3</b></bgcolor>
        \(objects)
        </bsbPanel>
        \(after)
        """, title: "piece")
    return try #require(panel)
  }

  @Test("Valuators with their ranges, places and controllers")
  func valuators() throws {
    let range = "<minimum>-1</minimum><maximum>3</maximum><value>0.5</value>"
    let panel = try panel(
      Self.object("BSBHSlider", "<objectName>a</objectName>\(range)<resolution>-1</resolution>")
        + Self.object("BSBKnob", "<objectName>b</objectName>\(range)<resolution>0.25</resolution>")
        + Self.object(
          "BSBSpinBox", "<objectName>c</objectName>\(range)<resolution>1</resolution>"
        ).replacing(
          "<midichan>0</midichan><midicc>0</midicc>",
          with: "<midichan>2</midichan><midicc>7</midicc>"))
    #expect(panel.title == "piece" && panel.size == PanelSize(300, 200))
    #expect(panel.background == PanelColor(1, 2, 3))
    #expect(panel.widgets.map(\.kind) == [.slider, .knob, .number])
    #expect(panel.widgets[0].bounds == PanelBounds(10, 20, 80, 30))
    #expect(panel.widgets[0].ranges == [ValueRange(-1, 3, initial: 0.5)])
    #expect(panel.widgets[1].ranges == [ValueRange(-1, 3, initial: 0.5, step: 0.25)])
    #expect(panel.widgets[2].midi == PanelController(channel: 2, controller: 7))
  }

  @Test("Buttons: values, score lines, latches, notes without end")
  func buttons() throws {
    func button(_ type: String, _ name: String, _ line: String, latch: Bool) -> String {
      Self.object(
        "BSBButton",
        "<objectName>\(name)</objectName><type>\(type)</type><pressedValue>2</pressedValue>"
          + "<text>Go</text><eventLine>\(line)</eventLine><latch>\(latch)</latch><latched>false</latched>"
      )
    }
    let panel = try panel(
      button("value", "v", "", latch: false) + button("value", "w", "", latch: true)
        + button("event", "", "i1 0 10\ni2 0 1", latch: false)
        + button("event", "", "i1.1 0 -1 440", latch: true))
    #expect(panel.widgets.map(\.kind) == [.button, .switch, .event, .switch])
    #expect(panel.widgets[0].on == 2 && panel.widgets[0].label == "Go")
    #expect(panel.widgets[2].press == ["i1 0 10", "i2 0 1"] && panel.widgets[2].release == [])
    #expect(panel.widgets[3].press == ["i1.1 0 -1 440"])
    #expect(panel.widgets[3].release == ["i -1.1 0 0"])
  }

  @Test("A fill the orchestra writes to is a meter, another is moved; a cross has two channels")
  func controllers() throws {
    func controller(_ type: String, _ names: [String], size: String = "") -> String {
      Self.object(
        "BSBController",
        "<objectName>\(names[0])</objectName><objectName2>\(names[1])</objectName2><type>\(type)</type>"
          + "<xMin>0</xMin><xMax>1</xMax><yMin>-1</yMin><yMax>2</yMax><xValue>0.5</xValue><yValue>1</yValue>"
      )
    }
    let tall = controller("fill", ["", "vu"]).replacing("<height>30", with: "<height>300")
    let panel = try panel(
      controller("fill", ["hor", ""]) + tall + controller("crosshair", ["x", "y"]),
      orchestra: "outvalue \"vu\", k1")
    #expect(panel.widgets.map(\.kind) == [.slider, .meter, .pad])
    #expect(panel.widgets[1].channels == ["vu"] && panel.widgets[1].isVertical)
    #expect(panel.widgets[1].ranges == [ValueRange(-1, 2, initial: 1)])
    #expect(panel.widgets[2].channels == ["x", "y"])
  }

  @Test("Menus count from 0; displays, fields, graphs, check boxes, reserved channels")
  func others() throws {
    let panel = try panel(
      Self.object(
        "BSBDropdown",
        "<objectName>m</objectName><selectedIndex>1</selectedIndex><bsbDropdownItemList>"
          + "<bsbDropdownItem><name>A &amp; B</name><value>5</value></bsbDropdownItem>"
          + "<bsbDropdownItem><name>C</name><value>6</value></bsbDropdownItem></bsbDropdownItemList>"
      )
        + Self.object(
          "BSBDisplay", "<objectName>d</objectName><label>x</label><precision>2</precision>")
        + Self.object("BSBLineEdit", "<objectName>_Browse1</objectName><label>a.wav</label>")
        + Self.object("BSBGraph", "<value>1</value>")
        + Self.object(
          "BSBCheckBox",
          "<objectName>c</objectName><selected>true</selected><pressedValue>3</pressedValue>")
        + Self.object("BSBGraph", "<objectName>which</objectName><value>0</value>")
        + Self.object("BSBMarvel", ""))
    #expect(panel.widgets.map(\.kind) == [.menu, .label, .field, .table, .switch, .table])
    #expect(panel.widgets[0].options == [PanelOption("A & B", 0), PanelOption("C", 1)])
    #expect(panel.widgets[0].range(0).initial == 1)
    #expect(panel.widgets[2].text == "a.wav")
    #expect(panel.widgets[3].tables == [7])
    #expect(panel.widgets[5].channels == ["", "", "", "which"])
    #expect(panel.widgets[5].tables.count > 1 && panel.widgets[5].tables[1] == 7)
    #expect(panel.widgets[4].on == 3 && panel.widgets[4].range(0).initial == 3)
    #expect(panel.leftOut.map(\.name) == ["_Browse", "BSBMarvel"])
  }

  @Test("Presets give values to the channels of their objects")
  func presets() throws {
    let panel = try panel(
      Self.object(
        "BSBKnob",
        "<objectName>k</objectName><uuid>{1}</uuid><minimum>0</minimum><maximum>1</maximum>")
        + Self.object("BSBLineEdit", "<objectName>t</objectName><uuid>{2}</uuid>"),
      after: """
        <bsbPresets>
        <preset name="Soft" number="4"><value id="{1}" mode="1">0.25</value>
        <value id="{1}" mode="4">0.250</value><value id="{2}" mode="4">flute</value></preset>
        </bsbPresets>
        """)
    #expect(panel.presets == [PanelPreset("Soft", values: ["k": 0.25], texts: ["t": "flute"])])
  }

  @Test("What stops being XML is read up to there, and said")
  func broken() throws {
    let panel = try panel(
      Self.object("BSBKnob", "<objectName>k</objectName>") + "<bsbObject type=\"BSBKnob\"><x>1</y>")
    #expect(panel.widgets.count == 1)
    #expect(panel.leftOut.map(\.name) == ["bsbPanel"])
  }
}
