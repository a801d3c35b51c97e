import CsoundLive
import TestPages
import Foundation
import Panels
import Playing
import Testing

/// A piece that reads a phone's motion and plays a table, and does no more.
private let csd = """
  <CsoundSynthesizer>
  <CsInstruments>
  sr = 48000
  ksmps = 32
  nchnls = 1
  0dbfs = 1
  gitable ftgen 7, 0, -8, -2, 0, 0, 0, 0, 0, 0, 0, 0
  instr 1
    kz chnget "accelerometerZ"
    kturn chnget "gyroY"
    kyaw chnget "attitudeYaw"
    k3 table 3, 7
    chnset k3, "third"
  endin
  </CsInstruments>
  </CsoundSynthesizer>
  """

@Suite(
  "Motion and tables from the browser", .serialized,
  .inBrowser)
struct MotionTests {
  private static func page() throws -> (Stage, BrowserPage) {
    var panel = try PiecePanel.panel(of: csd, title: "Motion")
    var surface = PanelWidget(.surface, id: "bars", ranges: [ValueRange(-1, 1)])
    surface.tables = [7]
    panel.add(surface)
    let orchestra = csd.split(separator: "\n").dropFirst(2).dropLast(2).joined(separator: "\n")
    let stage = try Stage(orchestra, panel)
    return (stage, try BrowserPage(stage.server.url))
  }

  @Test(
    "A piece that reads motion has its ranges; the page hands motion out after a click, in the seed's units"
  )
  func motion() throws {
    let (stage, page) = try Self.page()
    #expect(
      stage.panel.widgets.first { $0.channels == ["accelerometerZ"] }?.ranges
        == [ValueRange(-8, 8, initial: 0)])
    try page.call("Browser.grantPermissions", ["permissions": ["sensors"]])
    let move = """
      dispatchEvent(new DeviceOrientationEvent('deviceorientation', { alpha: 90, beta: 0, gamma: 0 }));
      dispatchEvent(new DeviceMotionEvent('devicemotion', {
        accelerationIncludingGravity: { x: 0, y: 0, z: 9.80665 },
        rotationRate: { alpha: 0, beta: 0, gamma: 180 } }));
      """
    // Before the click nothing is handed out.
    try page.evaluate(move)
    try page.click("#motion")
    try page.wait(
      for: "document.querySelector('#motion').getAttribute('aria-pressed') === 'true'")
    try stage.expect("accelerometerZ", 0)
    try page.evaluate(move)
    try stage.expect("accelerometerZ", -1)
    try stage.expect("gyroY", Double.pi)
    try stage.expect("attitudeYaw", Double.pi / 2)
    // A browser that counts gravity the other way gives the same.
    try page.evaluate(move.replacing("z: 9.80665", with: "z: -9.80665"))
    try page.evaluate(
      move.replacing("gamma: 180", with: "gamma: 90").replacing("z: 9.80665", with: "z: -9.80665")
    )
    try stage.expect("gyroY", Double.pi / 2)
    try stage.expect("accelerometerZ", -1)
    // A phone without the sensors says null.
    try page.evaluate(
      """
      dispatchEvent(new DeviceOrientationEvent('deviceorientation'));
      dispatchEvent(new DeviceMotionEvent('devicemotion', { accelerationIncludingGravity: {}, rotationRate: {} }));
      """)
    usleep(50_000)
    try stage.expect("gyroY", Double.pi / 2)
    try stage.expect("attitudeYaw", Double.pi / 2)
    try page.click("#motion")
    try page.evaluate(move)
    usleep(50_000)
    try stage.expect("gyroY", Double.pi / 2)
  }

  @Test("A surface shows the samples of its table, and a drag over it writes them")
  func surface() throws {
    let (stage, page) = try Self.page()
    try page.wait(for: "document.querySelectorAll('[data-id=bars] .bar').length === 8")
    try page.click("[data-id=bars] .bars", (3 + 0.5) / 8, 0.25)
    try stage.expect("third", 0.5, within: 0.05)
    #expect(try stage.performance.table(7)[2] == 0)
    // What the piece writes is seen.
    try stage.performance.setTable(7, to: [0, 0, -0.5, 0, 0, 0, 0, 0])
    try page.wait(
      for:
        "Math.abs(document.querySelectorAll('[data-id=bars] .bar')[2].getAttribute('aria-valuenow') - -0.5) < 1e-6"
    )
    try stage.expect("third", 0)
  }

  @Test("Samples of a table that the panel does not show, or beyond its end, change nothing")
  func refused() throws {
    let (stage, page) = try Self.page()
    try page.evaluate("panelConnection.sample('bars', 99, 1)")
    try page.evaluate("panelConnection.sample('accelerometerZ', 0, 1)")
    try page.wait(for: "document.querySelector('#state').textContent.includes('accelerometerZ')")
    let table = try stage.performance.table(7)
    #expect(table == [0, 0, 0, 0, 0, 0, 0, 0])
  }
}
