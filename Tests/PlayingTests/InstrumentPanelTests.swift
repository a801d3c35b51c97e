import TestPages
import Foundation
import Panels
import TestSupport
import Testing

/// The panels of csd/instruments in a browser, on a piece that has their channels and counts keys.
@Suite("The instruments' panels in the browser", .serialized, .inBrowser)
struct InstrumentPanelTests {
  private func onPage(
    of name: String, _ body: (BrowserPage, Stage) throws -> Void
  ) throws {
    let panel = try PageTests.instrument(name)
    let channels = panel.widgets.flatMap(\.channels).map { "chn_k \"\($0)\", 3" }
    let keys = (1...3).map { manual in
      """
      instr \(manual)
        chnset p4, "key"
        chnset \(manual), "manual"
      endin
      """
    }
    let stage = try Stage(
      """
      \(header())
      \(channels.joined(separator: "\n"))
      chn_k "held", 3
      chn_k "key", 3
      chn_k "manual", 3
      \(keys.joined(separator: "\n"))
      instr 10
        kone active 1
        ktwo active 2
        kthree active 3
        chnset kone + ktwo + kthree, "held"
      endin
      """, score: "i 10 0 3600", panel)
    let page = try BrowserPage(stage.server.url)
    try page.wait(for: "document.querySelectorAll('#presets option').length > 12")
    try body(page, stage)
    #expect(page.complaints.isEmpty, "\(page.complaints)")
  }

  private func strike(
    _ key: Int, of keyboard: String, manual: Double, _ page: BrowserPage, _ stage: Stage
  ) throws {
    try page.mouse(
      "mousePressed", page.place("[data-id=\(keyboard)] [data-key='\(key)']", 0.5, 0.85))
    try stage.expect("key", Double(key))
    try stage.expect("manual", manual)
    try stage.expect("held", 1)
    try page.mouse(
      "mouseReleased", page.place("[data-id=\(keyboard)] [data-key='\(key)']", 0.5, 0.85))
    try stage.expect("held", 0)
  }

  @Test("VCS3: a pin is set and taken out, keys play, the stick moves, patches set pins and knobs")
  func vcs3() throws {
    try onPage(of: "vcs3") { page, stage in
      try stage.expect("H2", 1)
      try page.click("[data-id=B1] button")
      try stage.expect("B1", 1)
      try page.click("[data-id=B1] button")
      try stage.expect("B1", 0)
      try strike(60, of: "keyboard", manual: 1, page, stage)
      try page.drag("[data-id=stick] .plane", from: (0.5, 0.5), to: (0.75, 0.25))
      try stage.expect("stickX", 0.5, within: 0.1)
      try stage.expect("stickY", 0.5, within: 0.1)
      // The first patch is the panel's own state, the second the bass.
      try page.focus("#presets")
      try page.key("ArrowDown")
      try page.key("ArrowDown")
      try stage.expect("cutoff", 90)
      try stage.expect("H4", 1)
      try stage.expect("H3", 0)
    }
  }

  @Test("Organ: three keyboards play their manuals, a drawbar is pulled, registrations set all")
  func organ() throws {
    try onPage(of: "organ") { page, stage in
      try strike(60, of: "upperKeys", manual: 1, page, stage)
      try strike(48, of: "lowerKeys", manual: 2, page, stage)
      try strike(36, of: "pedalKeys", manual: 3, page, stage)
      try stage.expect("upper4", 0)
      let names = try page.text(
        "[...document.querySelectorAll('[role=slider]')].map(one => one.ariaLabel).join('|')")
      let all = try #require(names).split(separator: "|")
      #expect(Set(all).count == all.count)
      #expect(all.contains("8', Upper manual") && all.contains("8', Lower manual"))
      try page.focus("[data-id=lower4] .track")
      try page.key("ArrowUp")
      try stage.expect("lower4", 0.1)
      try page.drag("[data-id=upper4] .track", from: (0.5, 0.1), to: (0.5, 0.98))
      #expect(try stage.value("upper4", about: 8, within: 0.25) > 6)
      try page.focus("#presets")
      try page.key("ArrowDown")
      try stage.expect("upper4", 0)
      try stage.expect("percussion", 1)
      try page.key("ArrowDown")
      try stage.expect("percussionSoft", 1)
      // A digit chooses the manual that letters play, and a question mark shows what keys do.
      try page.evaluate("document.activeElement.blur()")
      for (digit, manual) in [("3", 3.0), ("1", 1), ("2", 2)] {
        try page.key(digit)
        try page.key("a")
        try stage.expect("manual", manual)
      }
      try page.key("?")
      try page.wait(for: "document.getElementById('help').open")
    }
  }
}
