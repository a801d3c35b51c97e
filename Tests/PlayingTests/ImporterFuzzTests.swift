import CsoundLive
import Foundation
import HarnessBase
import Panels
import Playing
import TestSupport
import Testing

/// Sections with faults at random become panels, or none: never a trap, and never a number that JSON lacks.
@Suite("Panels of spoilt sections")
struct ImporterFuzzTests {
  private static let cabbage = """
    form caption("Echo") size(400, 300), colour(10, 20, 30)
    rslider bounds(10, 5+5, 70, 2*35), channel("tone") text("Tone"), range(20, 20000, 1000, 0.5, 1), midictrl(1, 20)
    vslider bounds(0,0,10,100), channel("up"), range(-1, 1, 0), min(-2), max(3), value(1)
    nslider bounds(0,0,60,20), channel("n"), range(1, 8, 4, 1, 1), fontcolour(1, 2, 3, 200)
    hrange bounds(0,0,99,9), channel("lo", "hi"), range(20, 2000, 200:1200)
    xypad pos(0,0), size(99,99), channel("x", "y"), rangex(0, 1, 0.5), rangey(-1, 1, 0.25)
    button channel("hold"), text("Off", "On"), latched(0), value(1), radiogroup(3)
    checkbox channel("a"), radiogroup(3), value(1), colour:0(1, 2, 3)
    combobox channel("shape"), text("sine","saw"), value(2), items(1, 2)
    keyboard bounds(0, 0, 400, 80)
    gentable tablenumber(1, 2), tablenumbers(3), bounds(0, 0, 10, 10)
    label text("A; quoted text"), bounds(1, 2, 3, 4)
    vmeter channel("level"), range(0, 1, 0)
    image bounds(100, 50, 200, 100), plant("box") {
      groupbox bounds(5, (5 + 2) * 3, 90, 90), text("inner"), visible(0), popup(1)
      {
      rslider bounds(1, 2, 3, 4), channel("b")
      }
    }
    #define LOOK #colour(1, 2, 3), range(0, 9, 3)#
    encoder channel("c"), $LOOK
    texteditor channel("t"), text("words"), readonly(1)
    """

  private static let bsb = """
    <bsbPanel><label>Widgets</label><width>300</width><height>200</height><bgcolor mode="background"><r>10</r><g>20</g><b>30</b></bgcolor>
    <bsbObject type="BSBVSlider" version="2"><objectName>up</objectName><x>5</x><y>5</y><width>20</width><height>100</height><minimum>0</minimum><maximum>1</maximum><value>0.5</value><resolution>0.1</resolution><midichan>1</midichan><midicc>20</midicc><uuid>{1}</uuid></bsbObject>
    <bsbObject type="BSBDropdown" version="2"><objectName>choice</objectName><x>1</x><y>1</y><width>80</width><height>25</height><bsbDropdownItemList><bsbDropdownItem><name>a</name><value>0</value></bsbDropdownItem></bsbDropdownItemList><selectedIndex>1</selectedIndex></bsbObject>
    <bsbObject type="BSBDisplay" version="2"><objectName>shown</objectName><x>1</x><y>1</y><width>80</width><height>25</height><label>0</label><precision>3</precision><fontsize>12</fontsize></bsbObject>
    <bsbObject type="BSBButton" version="2"><objectName>go</objectName><x>1</x><y>1</y><width>80</width><height>25</height><type>event</type><pressedValue>1</pressedValue><latch>true</latch><eventLine>i1 0 -1</eventLine></bsbObject>
    <bsbObject type="BSBController" version="2"><objectName>x</objectName><objectName2>y</objectName2><width>50</width><height>90</height><xMin>0</xMin><xMax>1</xMax><yMin>0</yMin><yMax>1</yMax><xValue>0.2</xValue><yValue>0.3</yValue><type>llif</type></bsbObject>
    <bsbObject type="BSBGraph" version="2"><objectName>graph</objectName><x>1</x><y>1</y><width>80</width><height>25</height><value>1</value></bsbObject>
    </bsbPanel>
    <bsbPresets><preset name="one" number="0"><value id="{1}" mode="1">0.25</value></preset></bsbPresets>
    """

  private static let piece = """
    <CsoundSynthesizer><CsInstruments>
    chn_k "tone", 3, 2, 0.5, 0, 1
    instr 1
    k1 chnget "tone"
    outvalue "shown", k1
    endin
    </CsInstruments><CsScore>
    f 1 0 8 10 1
    f 2 0 8 10 1
    </CsScore></CsoundSynthesizer>
    """

  private static func run(_ name: String, of whole: String) throws {
    let lines = whole.split(separator: "\n", omittingEmptySubsequences: false)
    var panels = 0
    var numbers: Set<String> = []
    try FuzzRun(name, usually: 600).run { seed in
      var mutator = TextMutator(SeededGenerator(seed: UInt64(seed)))
      // A few lines at a time, so that each fault counts.
      let first = Int.random(in: 0..<max(1, lines.count - 8), using: &mutator.generator)
      let part =
        seed.isMultiple(of: 8) ? lines[...] : lines[0..<1] + lines[max(1, first)...].prefix(8)
      defer { numbers.formUnion(mutator.used) }
      return mutator.mutated(part.joined(separator: "\n") + "\n" + piece)
    } _: { text in
      let panel = try PiecePanel.panel(of: text, title: "spoilt")
      if panel.source != .channels { panels += 1 }
      try Self.expectServable(panel)
    }
    // Else nothing was tried.
    #expect(panels > 300)
    #expect(numbers.count == TextMutator<SeededGenerator>.numbers.count)
  }

  /// What the server does with every panel that is shown.
  private static func expectServable(_ panel: Panel) throws {
    // Fails on numbers that are infinite or none.
    let data = try JSONEncoder().encode(panel)
    #expect(try JSONDecoder().decode(Panel.self, from: data) == panel)
    let state = PanelState(panel)
    _ = ControllerMap(panel)
    #expect(panel.initialNumbers.values.allSatisfy { $0.isFinite })
    #expect(state.channels.allSatisfy { $0.bounds?.lowerBound.isFinite != false })
    for range in panel.widgets.flatMap(\.ranges) { _ = range.value(at: range.position(of: 0.3)) }
  }

  @Test("<Cabbage>")
  func cabbage() throws { try Self.run("cabbage", of: "<Cabbage>\n\(Self.cabbage)\n</Cabbage>") }

  @Test("<bsbPanel>")
  func bsbPanel() throws { try Self.run("bsb", of: Self.bsb) }

  @Test("Brackets, signs, braces and elements nested without end")
  func deep() throws {
    func many(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
    for section in [
      "<Cabbage>\nrslider channel(\"a\"), range(\(many("(", 100_000))1)\n</Cabbage>",
      "<Cabbage>\nrslider channel(\"a\"), value(\(many("-", 100_000))1)\n</Cabbage>",
      "<Cabbage>\n\(many("image bounds(0,0,9,9) {\n", 20_000))\n</Cabbage>",
      "<bsbPanel>\(many("<bsbObject>", 100_000))</bsbPanel>",
    ] {
      try Self.expectServable(PiecePanel.panel(of: section, title: ""))
    }
  }

  @Test("A panel's file with numbers that MIDI and Csound do not have")
  func file() throws {
    let text = """
      {"version": 1, "widgets": [
        {"id": "k", "kind": "keyboard", "keys": {"low": 9223372036854775807, "count": 9223372036854775807, "channel": -5, "velocity": 1000}},
        {"id": "t", "kind": "table", "tables": [99999999999, -1]},
        {"id": "s", "kind": "slider", "channels": ["a"], "ranges": [{"minimum": 1e308, "maximum": -1e308}], "midi": {"channel": 99, "controller": 9999}}
      ]}
      """
    let panel = try JSONDecoder().decode(Panel.self, from: Data(text.utf8))
    #expect(panel.widgets[0].keys == PanelKeys(low: 127, count: 128, channel: 1, velocity: 127))
    try Self.expectServable(panel)
    let stage = try Stage(panel)
    let client = try stage.client()
    client.say(#"{"type":"key","widget":"k","key":127,"down":true}"#)
    client.say(#"{"type":"release","id":1}"#)
    #expect(client.message("done") != nil)
  }
}
