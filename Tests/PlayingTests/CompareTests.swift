import CsoundLive
import TestPages
import Foundation
import Panels
import Playing
import TestSupport
import Testing

@Suite("A and B, the search in the console, and the tempo", .serialized)
struct CompareTests {
  private static let orchestra = """
    \(header(ksmps: 32))
    chn_k "level", 3
    chn_k "on", 3
    chn_S "word", 1
    instr 1
      chnset chnget:k("level") * 2, "twice"
    endin
    """

  private static var panel: Panel {
    var panel = Panel("Compare", from: .file)
    panel.add(PanelWidget(.slider, id: "level", channels: ["level"]))
    panel.add(PanelWidget(.switch, id: "on", label: "on", channels: ["on"]))
    panel.add(PanelWidget(.field, id: "word", channels: ["word"]))
    panel.add(PanelWidget(.meter, id: "twice", channels: ["twice"], ranges: [ValueRange(0, 2)]))
    panel.presets = [
      PanelPreset("Loud", values: ["level": 1, "on": 1]),
      PanelPreset("Soft", values: ["level": 0.25]),
    ]
    return panel
  }

  private func withPage(_ body: (Stage, BrowserPage) throws -> Void) throws {
    let stage = try Stage(Self.orchestra, Self.panel)
    let page = try BrowserPage(stage.server.url)
    try page.wait(for: "panelConnection.value('twice') !== undefined")
    try body(stage, page)
    #expect(page.complaints.isEmpty)
  }

  @Test("A/B switches between two states as they were left; undo takes a switch back", .inBrowser)
  func compare() throws {
    try withPage { stage, page in
      func press(_ letter: String) throws {
        // Longer than a press takes to settle.
        usleep(250_000)
        try page.click("#compare")
        try page.wait(for: "document.getElementById('compare').textContent === 'A/B: \(letter)'")
      }
      func set(_ preset: String) throws {
        try page.evaluate(
          """
          (() => { const list = document.getElementById('presets'); list.value = '\(preset)';
            list.dispatchEvent(new Event('change')); })()
          """)
      }
      try set("Loud")
      try stage.expect("level", 1)
      try page.wait(
        for: "panelConnection.value('level') === 1 && panelConnection.value('on') === 1")
      // B begins as A.
      try press("B")
      try stage.expect("level", 1)
      try set("Soft")
      try stage.expect("level", 0.25)
      try page.evaluate("panelConnection.setText('word', 'soft'); panelConnection.set('on', 0)")
      try page.wait(for: "panelConnection.value('level') === 0.25")
      try press("A")
      try stage.expect("level", 1)
      try stage.expect("on", 1)
      try page.wait(
        for: "panelConnection.value('level') === 1 && panelConnection.value('word') === ''")
      // What is set here stays with A.
      try page.evaluate("panelConnection.set('level', 0.75)")
      try stage.expect("level", 0.75)
      try press("B")
      try stage.expect("level", 0.25)
      try stage.expect("on", 0)
      try page.wait(for: "panelConnection.value('word') === 'soft'")
      try press("A")
      try stage.expect("level", 0.75)
      try page.wait(for: "panelConnection.value('level') === 0.75")
      try page.click("#undo")
      try stage.expect("level", 0.25)
      try page.wait(for: "document.getElementById('compare').textContent === 'A/B: B'")
      // So does the list of presets.
      try page.wait(for: "panelConnection.value('level') === 0.25")
      try set("Loud")
      try page.wait(for: "panelConnection.value('level') === 1")
      try page.click("#undo")
      try page.wait(for: "document.getElementById('presets').value === 'Soft'")
      try stage.expect("level", 0.25)
    }
  }

  @Test("Two quick presses of A/B change nothing", .inBrowser)
  func quick() throws {
    try withPage { stage, page in
      try page.evaluate("panelConnection.set('level', 0.5)")
      try page.click("#compare")
      usleep(250_000)
      try page.evaluate("panelConnection.set('level', 0.125)")
      try stage.expect("level", 0.125)
      try page.wait(for: "panelConnection.value('twice') === 0.25")
      try page.evaluate(
        "(() => { const button = document.getElementById('compare'); button.click(); button.click(); })()"
      )
      // Both presses have reached the piece.
      try page.wait(for: "panelConnection.value('level') === 0.125")
      usleep(300_000)
      try stage.expect("level", 0.125)
      try page.click("#compare")
      try stage.expect("level", 0.5)
    }
  }

  @Test(
    "The search shows the lines that have the text, marked, and the end of the log again",
    .inBrowser)
  func search() throws {
    try withPage { stage, page in
      func lines() throws -> [String] {
        let text = try page.text("document.querySelector('#console pre').textContent") ?? ""
        return text.split(separator: "\n").map(String.init).filter {
          $0.contains("Said") || $0.contains("<b>")
        }
      }
      try page.evaluate("document.getElementById('console').open = true")
      stage.server.say("Said one\nSaid TWO <b>bold</b>\n")
      try page.wait(for: "document.querySelector('#console pre').textContent.includes('bold')")
      #expect(try lines().count == 2)
      try page.click("#search")
      for letter in ["t", "w", "o"] { try page.key(letter) }
      try page.wait(for: "document.getElementById('found').textContent === '1 line'")
      #expect(try lines() == ["Said TWO <b>bold</b>"])
      #expect(try page.text("document.querySelector('#console mark').textContent") == "TWO")
      // What comes meanwhile is searched, too.
      stage.server.say("Said two more\nSaid three\n")
      try page.wait(for: "document.getElementById('found').textContent === '2 lines'")
      try page.key("Escape")
      try page.wait(for: "document.getElementById('found').textContent === ''")
      #expect(try lines().count == 4)
    }
  }

  @Test("Where the score has a tempo, the bar shows beat and tempo", .inBrowser)
  func tempo() throws {
    try withPage { stage, page in
      func shown() throws -> String? {
        try page.text(
          "(() => { const one = document.getElementById('tempo'); return one.hidden ? '' : one.textContent; })()"
        )
      }
      let map = try TempoMap([.init(at: 0, tempo: 60), .init(at: 2, tempo: 90.5)])
      stage.server.show(PanelStatus(seconds: 1.5, load: 0, xruns: 0, peaks: [], map: map))
      try page.wait(for: "!document.getElementById('tempo').hidden")
      #expect(try shown() == "beat 2  60 a minute")
      stage.server.show(PanelStatus(seconds: 2.1, load: 0, xruns: 0, peaks: [], map: map))
      try page.wait(for: "document.getElementById('tempo').textContent.includes('90.5')")
      #expect(try shown() == "beat 3  90.5 a minute")
      stage.server.show(PanelStatus(seconds: 2.2, load: 0, xruns: 0, peaks: []))
      try page.wait(for: "document.getElementById('tempo').hidden")
    }
  }
}
