import TestPages
import Foundation
import HarnessBase
import TestSupport
import Testing

/// Pieces whose panels are moved in a browser, and whose values come back to the page. Each plays in both Csounds.
@Suite(
  "Panels in Csound 7", .serialized,
  .enabled(if: Csound7.lack == nil, "Csound 7: \(Csound7.lack ?? "")"),
  .enabled(
    if: Browser.path != nil,
    "chromium-headless-shell is not installed; panels were tried in no browser."),
  .disabled(
    if: ProcessInfo.processInfo.environment["OPCODEKIT_SANITIZER"] != nil,
    "the programs for Csound 7 are built without a sanitizer"))
struct Csound7PanelTests {
  /// A piece that plays with its panel on a page.
  final class Played {
    let tool: RunningTool
    let page: BrowserPage
    let recording = Rig.file() + ".wav"

    init(_ piece: String, csound: String) throws {
      tool = try RunningTool([
        "play", piece, "--csound", csound, "--panel", "--device", "null", "--port",
        "\(freePort())", "--record", recording,
      ])
      let address = try #require(
        tool.says(/The panel is at (http:\/\/localhost:[0-9]+\/?)/, atMost: 300), "no panel")
      page = try BrowserPage(String(address.1))
    }

    /// Ends it, and returns the samples of its recording.
    func end() throws -> [Double] {
      #expect(page.complaints.isEmpty, "\(page.complaints)")
      page.close()
      kill(tool.number, SIGINT)
      let ending = tool.end()
      #expect(ending.exitCode == 130, "\(ending.errors)")
      return try Sound(readingFrom: recording).samples
    }

    deinit {
      if tool.isRunning { kill(tool.number, SIGKILL) }
    }

    /// Waits until the page has this value of a channel, which the piece has sent.
    func waits(for channel: String, _ value: Double, within tolerance: Double = 0.001) throws {
      try page.wait(
        for: "Math.abs(panelConnection.value('\(channel)') - \(value)) <= \(tolerance)")
    }
  }
  static let csounds = Csound7CommandTests.csounds

  /// Whether a recording has a level, which the piece plays as it is.
  static func has(_ level: Double, _ samples: [Double]) -> Bool {
    samples.contains { abs($0 - level) < 1e-6 }
  }

  /// Writes a piece in which every instrument plays a level.
  static func write(
    _ orchestra: String, before: String = ""
  ) throws -> String {
    let csd = try temporaryDirectory() + "/piece.csd"
    try (before + "\n" + orchestra.csd(score: "i 1 0 3600", ksmps: 64)).save(to: csd)
    return csd
  }

  @Test("Cabbage: a slider and keys are heard, a meter follows the piece", arguments: csounds)
  func cabbage(csound: String) throws {
    let piece = try Self.write(
      """
      massign 0, 2
      instr 1
        klevel chnget "level"
        chnset klevel / 2, "half"
        out upsamp(klevel)
      endin
      instr 2
        ikey notnum
        out upsamp(k(ikey / 1024))
      endin
      """,
      before: """
        <Cabbage>
        form caption("Levels"), size(600, 300)
        hslider bounds(10, 10, 400, 30), channel("level"), range(0, 1, 0.25), text("Level")
        hmeter bounds(10, 50, 400, 20), channel("half")
        keyboard bounds(10, 100, 580, 100)
        </Cabbage>
        """)
    let played = try Played(piece, csound: csound)
    let page = played.page
    try played.waits(for: "half", 0.125)
    try page.click("[role=slider]", 0.75)
    let level = try #require(try page.number("panelConnection.value('level')"))
    #expect(abs(level - 0.75) < 0.02)
    try played.waits(for: "half", level / 2)
    let meter = "Number(document.querySelector('[role=meter]').getAttribute('aria-valuenow'))"
    try page.wait(for: "Math.abs(\(meter) - \(level / 2)) < 0.001")
    let key = try page.place("[data-key='64']", 0.5, 0.85)
    try page.mouse("mousePressed", key)
    usleep(300_000)
    try page.mouse("mouseReleased", key)
    let samples = try played.end()
    #expect(Self.has(0.25, samples) && Self.has(level, samples))
    #expect(Self.has(level + 64.0 / 1024, samples))
  }

  @Test("FLTK: a slider and a button's note are heard, FLsetVal moves a slider", arguments: csounds)
  func widgets(csound: String) throws {
    let piece = try Self.write(
      """
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
      """)
    let played = try Played(piece, csound: csound)
    let page = played.page
    // The panel comes again when the piece's widgets are known.
    try page.wait(for: "document.querySelectorAll('[role=slider]').length === 2")
    try played.waits(for: "FL:half", 0.125)
    try page.click("[role=slider][aria-label=level]", 0.75)
    let level = try #require(try page.number("panelConnection.value('FL:level')"))
    #expect(abs(level - 0.75) < 0.02)
    try played.waits(for: "FL:half", level / 2)
    let half =
      "Number(document.querySelector('[role=slider][aria-label=half]').getAttribute('aria-valuenow'))"
    try page.wait(for: "Math.abs(\(half) - \(level / 2)) < 0.001")
    try page.click("panel-button button, panel-momentary button")
    usleep(400_000)
    try page.click("[type=radio][aria-label='2']")
    usleep(300_000)
    let samples = try played.end()
    #expect(Self.has(0.25, samples) && Self.has(level, samples))
    #expect(Self.has(level + 0.125, samples))
    #expect(Self.has(level + 2.0 / 64, samples))
  }

  @Test(
    "Organ: a key is heard, a drawbar is heard, a registration moves drawbars", arguments: csounds)
  func organ(csound: String) throws {
    let played = try Played("organ", csound: csound)
    let page = played.page
    try page.wait(for: "document.querySelectorAll('#presets option').length > 2")
    let key = try page.place("[data-id=upperKeys] [data-key='60']", 0.5, 0.85)
    try page.mouse("mousePressed", key)
    usleep(800_000)
    try page.focus("[data-id=upper4] .track")
    try page.key("End")
    let pulled = try #require(try page.number("panelConnection.value('upper4')"))
    #expect(pulled == 8)
    usleep(800_000)
    try page.mouse("mouseReleased", key)
    try page.focus("#presets")
    try page.key("ArrowDown")
    try played.waits(for: "upper4", 0)
    let samples = try played.end()
    // Two channels; one window is 0.1 s. The 4' of this key is at 523 Hz.
    let left = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
    let windows = stride(from: 0, to: left.count - 4800, by: 4800).map { start in
      Array(left[start..<start + 4800])
    }.filter { ($0.map(abs).max() ?? 0) > 0.01 }
    try #require(windows.count > 10)
    func share(_ window: [Double]) -> Double {
      let turn = 2 * Double.pi * 523.25 / 48000
      var (real, imaginary, all) = (0.0, 0.0, 0.0)
      for (index, sample) in window.enumerated() {
        real += sample * cos(turn * Double(index))
        imaginary += sample * sin(turn * Double(index))
        all += sample * sample
      }
      return 2 * (real * real + imaginary * imaginary) / (all * Double(window.count))
    }
    let before = windows.prefix(4).map(share).max()!
    let after = windows.suffix(5).prefix(4).map(share).max()!
    #expect(after > 4 * before, "\(before), \(after)")
  }
}
