import PanelTrials
import Foundation
import Panels
import Testing

/// Texts of panels against what is behind them, in the browser: at least 4.5 to 1, as WCAG 2 asks for.
@Suite("Texts can be read", .serialized, .inBrowser)
struct ContrastTests {
  /// All texts that are shown, and how far their colour is from what is behind them: the colours of all elements
  /// below a text's middle are laid over one another.
  private static let script = """
    (() => {
      const parse = color => {
        const [red, green, blue, alpha = 1] = color.match(/[\\d.]+/g).map(Number);
        // What color-mix gives is written in parts of 1.
        const unit = color.startsWith('color(') ? 255 : 1;
        return { parts: [red, green, blue].map(part => part * unit), alpha };
      };
      const over = (top, below) => top.parts.map((part, index) => part * top.alpha + below[index] * (1 - top.alpha));
      const luminance = parts => parts.map(part => part / 255)
        .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
        .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
      const canvas = getComputedStyle(document.body).colorScheme.includes('dark') ? [0, 0, 0] : [255, 255, 255];
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const found = [];
      while (texts.nextNode()) {
        const node = texts.currentNode;
        const element = node.parentElement;
        if (!node.textContent.trim() || !element.checkVisibility() || element.closest('option, script, noscript')) continue;
        element.scrollIntoView({ block: 'center', inline: 'center' });
        const range = document.createRange();
        range.selectNodeContents(node);
        const box = range.getBoundingClientRect();
        if (box.width < 1 || box.height < 1) continue;
        const all = document.elementsFromPoint(box.left + Math.min(box.width / 2, 8), box.top + box.height / 2);
        const chain = [];
        for (let one = element; one; one = one.parentElement) chain.push(one);
        // What lies above the text hides nothing of it unless it is opaque, which panels' reach tells.
        const first = all.findIndex(one => chain.includes(one));
        const below = first < 0 ? chain : all.slice(first);
        let parts = canvas;
        for (const one of [...below].reverse()) {
          const style = getComputedStyle(one);
          const color = parse(style.backgroundColor);
          parts = over({ parts: color.parts, alpha: color.alpha * Number(style.opacity) }, parts);
        }
        const style = getComputedStyle(element);
        const [light, dark] = [luminance(over(parse(style.color), parts)), luminance(parts)].sort((a, b) => b - a);
        found.push([node.textContent.trim().slice(0, 24), (light + 0.05) / (dark + 0.05)]);
      }
      return found;
    })()
    """

  struct View: CustomStringConvertible {
    let panel: String
    let width: Int
    let scheme: String
    var description: String { "\(panel) at \(width) pixels, \(scheme)" }

    static let all = ["organ", "vcs3"].flatMap { panel in
      [390, 1280].flatMap { width in
        ["light", "dark"].map { View(panel: panel, width: width, scheme: $0) }
      }
    }
  }

  private static func faint(
    _ panel: Panel, width: Int, scheme: String, picture: String? = nil
  ) throws -> (texts: Int, faint: [String]) {
    let stage = try Stage("sr = 48000\nksmps = 64\ninstr 1\nendin", panel)
    defer { stage.close() }
    let page = try BrowserPage("about:blank", width: width, height: 844, waits: false)
    defer { page.close() }
    try page.call(
      "Emulation.setEmulatedMedia",
      ["features": [["name": "prefers-color-scheme", "value": scheme]]])
    try page.call("Page.navigate", ["url": stage.server.url])
    try page.wait(for: "document.querySelectorAll('.widget').length > 0 && panelConnection.isOpen")
    let found = try #require(try page.evaluate(script) as? [[Any]])
    if let folder = ProcessInfo.processInfo.environment["OPCODEKIT_PICTURES"], let picture {
      let shot = try page.call("Page.captureScreenshot", ["captureBeyondViewport": true])
      try Data(base64Encoded: shot["data"] as? String ?? "")?
        .write(to: URL(fileURLWithPath: "\(folder)/\(picture).png"))
    }
    let faint = found.filter { ($0[1] as? NSNumber)?.doubleValue ?? 0 < 4.5 }
    return (found.count, faint.map { "\($0[0]): \($0[1])" })
  }

  @Test("Of the instruments' panels, on a telephone and on a desk", arguments: View.all)
  func instruments(view: View) throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("csd/instruments/\(view.panel).panel.json")
    let panel = try JSONDecoder().decode(Panel.self, from: Data(contentsOf: file))
    let (texts, faint) = try Self.faint(
      panel, width: view.width, scheme: view.scheme,
      picture: "\(view.panel)-\(view.width)-\(view.scheme)")
    #expect(texts > 40)
    #expect(faint.isEmpty, "\(faint.count) of \(texts)")
  }

  @Test("A text that cannot be read is found", arguments: ["light", "dark"])
  func unreadable(scheme: String) throws {
    var panel = Panel("Grey", from: .file)
    panel.size = PanelSize(300, 100)
    panel.background = PanelColor(120, 120, 120)
    var text = PanelWidget(.text, bounds: PanelBounds(10, 10, 200, 30))
    text.text = "Grey on grey"
    text.color = PanelColor(140, 140, 140)
    panel.add(text)
    let (_, faint) = try Self.faint(panel, width: 1280, scheme: scheme)
    #expect(faint.contains { $0.hasPrefix("Grey on grey") })
  }

  @Test(
    "On a dark box of a light panel and on a light one of a dark panel",
    arguments: ["light", "dark"])
  func boxes(scheme: String) throws {
    for (back, box) in [(UInt8(255), UInt8(20)), (20, 250)] {
      var panel = Panel("Boxes", from: .file)
      panel.size = PanelSize(400, 200)
      panel.background = PanelColor(back, back, back)
      var rectangle = PanelWidget(.panel, bounds: PanelBounds(10, 10, 300, 150))
      rectangle.background = PanelColor(box, box, box)
      panel.add(rectangle)
      panel.add(
        PanelWidget(.knob, label: "Knob", channels: ["a"], bounds: PanelBounds(20, 20, 60, 80)))
      panel.add(
        PanelWidget(.switch, label: "Switch", channels: ["b"], bounds: PanelBounds(90, 20, 90, 30)))
      panel.add(
        PanelWidget(.number, label: "Number", channels: ["c"], bounds: PanelBounds(190, 20, 90, 50))
      )
      var text = PanelWidget(.text, bounds: PanelBounds(20, 120, 100, 20))
      text.text = "Words"
      panel.add(text)
      panel.add(
        PanelWidget(.knob, label: "Outside", channels: ["d"], bounds: PanelBounds(320, 20, 60, 80)))
      for width in [390, 1280] {
        let (_, faint) = try Self.faint(panel, width: width, scheme: scheme)
        #expect(faint.isEmpty, "\(back) \(width): \(faint)")
      }
    }
  }
}
