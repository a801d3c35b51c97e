import Foundation
import HarnessBase
import TestPages
import TestSupport
import Testing

/// `play --panel` as a player meets it: the tool, its page on a phone, and the file that is recorded.
@Suite("A session at a panel", .serialized, .enabled(if: Browser.path != nil))
struct PanelSessionTests {
  /// A piece that puts out the channel `level` while `on` is 1, and a step for each key that is held.
  private static let piece = """
    <Cabbage>
    form caption("Session") size(400, 300)
    checkbox bounds(10, 10, 90, 30), channel("on"), text("Sound")
    hslider bounds(10, 50, 380, 40), channel("level"), range(0, 0.5, 0.25), text("Level")
    hslider bounds(10, 90, 380, 40), channel("held"), range(0, 127, 0), text("Held")
    keyboard bounds(10, 140, 380, 100)
    </Cabbage>

    """
      + """
      massign 0, 2
      instr 1
        kheld active 2
        chnset kheld, "held"
        out a(chnget:k("level") * chnget:k("on"))
      endin
      instr 2
        inote notnum
        out a(inote / 1024)
      endin
      """.csd(score: "i 1 0 3600", ksmps: 64)

  /// The piece while it plays, and its page.
  private static func play(_ words: String...) throws -> (
    tool: RunningTool, page: BrowserPage, csd: String
  ) {
    let csd = try piece.saved()
    let (tool, port) = try RunningTool.panel(csd, words)
    return (tool, try BrowserPage("http://localhost:\(port)", in: PageView(390, .light)), csd)
  }

  @Test(
    "By keys alone: sound, a control, a note, undo and redo, a MIDI controller; and the take, which the browser saves"
  )
  func keys() throws {
    let fifo = Rig.fifo()
    let (tool, page, csd) = try Self.play("--midi", fifo)
    defer { kill(tool.number, SIGKILL) }
    let controllers = try #require(FileHandle(forWritingAtPath: fifo))
    func has(_ channel: String, _ value: Double) throws {
      try page.wait(for: "Math.abs(panelConnection.value('\(channel)') - \(value)) < 1e-6")
    }
    func press(_ selector: String, _ key: String = "Enter") throws {
      try page.tab(to: selector)
      try page.key(key)
    }
    try press("#record")
    try page.wait(for: "document.getElementById('recording').textContent.includes('piece-')")
    try press("panel-switch button", " ")
    try has("on", 1)
    try press("[aria-label=Level]", "ArrowUp")
    try page.wait(for: "panelConnection.value('level') > 0.25")
    let level = try #require(try page.number("panelConnection.value('level')"))
    try page.keyDown("a")
    try has("held", 1)
    let key = try #require(
      try page.number("Number(document.querySelector('.key[aria-pressed=true]').dataset.key)"))
    try page.keyUp("a")
    try has("held", 0)
    try page.key("z", control: true)
    try has("level", 0.25)
    try page.key("y", control: true)
    try has("level", level)
    // What is seldom needed is behind a button on a phone.
    try press("#more")
    try press("#learn")
    try press("[aria-label=Level]")
    try page.wait(for: "document.querySelector('panel-slider.waiting')")
    controllers.write(Data([0xB0, 20, 1, 20, 127]))
    try page.wait(for: "document.querySelector('panel-slider').dataset.controllers === 'cc 20'")
    try has("level", 0.5)
    try press("#record")
    try page.tab(to: "#take")
    let name = try #require(try page.text("document.getElementById('take').download"))
    let folder = try temporaryDirectory()
    try page.call("Page.setDownloadBehavior", ["behavior": "allow", "downloadPath": folder])
    try page.key("Enter")
    let take = try Data(file: csd.replacing("piece.csd", with: name))
    let saved = "\(folder)/\(name)"
    #expect(waits { FileManager.default.contents(atPath: saved) == take })
    // As whole numbers of 24 bits and fewer, which a file may have.
    let samples = Set(try Sound(readingFrom: saved).samples.map { Int(($0 * 8192).rounded()) })
    for heard in [0, 0.25, level, level + key / 1024, 0.5] {
      #expect(samples.contains(Int((heard * 8192).rounded())), "\(heard)")
    }
    // There is no file of another name.
    #expect(try page.number("fetch('take/other.wav').then(one => one.status)") == 404)
  }

  @Test("An edit that does not compile is shown with its line, until it does")
  func edit() throws {
    let (tool, page, csd) = try Self.play()
    defer { kill(tool.number, SIGKILL) }
    let lines = Self.piece.split(separator: "\n", omittingEmptySubsequences: false)
    let line = try #require(lines.firstIndex { $0.contains("active 2") }) + 1
    try Self.piece.replacing("active 2", with: "actve 2").save(to: csd)
    let state = "document.getElementById('state').textContent"
    try page.wait(
      for: "['the old version plays on', 'line \(line)'].every(part => \(state).includes(part))")
    try Self.piece.replacing("/ 1024", with: "/ 512").save(to: csd)
    try page.wait(for: "\(state) === 'connected'")
    // It says so only when the panel is shown.
    try page.evaluate("panelConnection.dispatchEvent(new CustomEvent('open'))")
    #expect(try page.text(state) == "loading the panel")
  }
}
