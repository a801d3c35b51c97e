import TestPages
import Foundation
import HarnessBase
import TestSupport
import Testing

/// A piece whose panel is moved in a browser, and whose values come back to the page.
@Suite(
  "Panels in Csound 7", .serialized,
  .unless(Csound7.lack),
  .enabled(
    if: Browser.path != nil,
    "chromium-headless-shell is not installed; panels were tried in no browser."),
  .withoutSanitizer("the programs for Csound 7 are built without a sanitizer"))
struct Csound7PanelTests {
  @Test("FLTK: a slider and a button's note are heard, FLsetVal moves a slider")
  func widgets() throws {
    let piece = try """
    FLpanel "Levels", 600, 300
      ibox FLvalue "", 80, 20, 450, 10
      gklevel, ilevel FLslider "level", 0, 1, 0, 1, ibox, 400, 30, 10, 10
      gkhalf, gihalf FLslider "half", 0, 1, 0, 1, -1, 400, 30, 10, 60
      gkbank, ibank FLbutBank 2, 3, 1, 180, 30, 10, 110, -1
      gkstart, istart FLbutton "start", 1, 0, 1, 100, 30, 10, 160, 0, 2, 0, 0.2
    FLpanelEnd
    FLsetVal_i 0.25, ilevel
    FLrun
    instr 1
      FLsetVal changed(gklevel), gklevel / 2, gihalf
      out upsamp(gklevel + gkbank / 64)
    endin
    instr 2
      out upsamp(k(0.125))
    endin
    """.csd(score: "i 1 0 3600", ksmps: 64).saved()
    let recording = Rig.file() + ".wav"
    let (tool, port) = try RunningTool.panel(piece, ["--csound", "7", "--record", recording])
    defer { if tool.isRunning { kill(tool.number, SIGKILL) } }
    let page = try BrowserPage("http://localhost:\(port)")
    func waits(for value: Double) throws {
      try page.wait(for: "Math.abs(panelConnection.value('FL:half') - \(value)) <= 0.001")
    }
    // The panel comes again when the piece's widgets are known.
    try page.wait(for: "document.querySelectorAll('[role=slider]').length === 2")
    try waits(for: 0.125)
    try page.click("[role=slider][aria-label=level]", 0.75)
    let level = try #require(try page.number("panelConnection.value('FL:level')"))
    #expect(abs(level - 0.75) < 0.02)
    try waits(for: level / 2)
    let half =
      "Number(document.querySelector('[role=slider][aria-label=half]').getAttribute('aria-valuenow'))"
    try page.wait(for: "Math.abs(\(half) - \(level / 2)) < 0.001")
    try page.click("panel-button button, panel-momentary button")
    usleep(400_000)
    try page.click("[type=radio][aria-label='2']")
    usleep(300_000)
    #expect(page.complaints.isEmpty, "\(page.complaints)")
    page.close()
    tool.interrupt().refused(130)
    let samples = try Sound(readingFrom: recording).samples
    for heard in [0.25, level, level + 0.125, level + 2.0 / 64] {
      #expect(samples.contains { abs($0 - heard) < 1e-6 }, "\(heard)")
    }
  }
}
