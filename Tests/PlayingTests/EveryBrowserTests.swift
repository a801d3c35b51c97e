import TestPages
import Panels
import TestSupport
import Testing

/// What browsers do differently: where a pointer is on a drawn panel, clicks that follow each other, and who gets keys.
@Suite("The page in every browser", .serialized)
struct EveryBrowserTests {
  private static let orchestra = """
    \(header())
    giwave ftgen 1, 0, 1024, 10, 1
    \(["drawbar", "slider", "low", "high", "x", "y", "place", "bar 1", "bar 2", "number", "mode"]
      .map { "chn_k \"\($0)\", 3" }.joined(separator: "\n"))
    instr 1
    endin
    instr 5
      chnset p4, "key"
    endin
    """

  /// The panel in a browser. Leaves the test out if there is no such browser.
  private static func open(_ stage: Stage, in kind: BrowserKind) throws -> any TriedPage {
    if let lack = kind.lack { try Test.cancel("\(lack)") }
    let page = try kind.open(stage.server.url)
    try page.wait(for: "document.querySelector('.widget') && panelConnection.isOpen")
    return page
  }

  /// A panel that is drawn this wide, in a source's pixels.
  private static func panel(_ width: Double) -> Panel {
    var panel = Panel("Every browser", from: .file)
    panel.size = PanelSize(width, 560)
    func add(
      _ kind: WidgetKind, _ channels: [String], _ bounds: PanelBounds, initial: Double? = nil,
      _ change: (inout PanelWidget) -> Void = { _ in }
    ) {
      let ranges = channels.map { _ in ValueRange(initial: initial) }
      var widget = PanelWidget(
        kind, id: kind.rawValue, channels: channels, ranges: ranges, bounds: bounds)
      change(&widget)
      panel.add(widget)
    }
    let right = width - 220
    add(.slider, ["drawbar"], PanelBounds(width - 260, 20, 34, 190)) {
      ($0.id, $0.isVertical, $0.isReversed) = ("drawbar", true, true)
    }
    add(.slider, ["slider"], PanelBounds(right, 20, 200, 30))
    add(.range, ["low", "high"], PanelBounds(right, 60, 200, 30))
    add(.pad, ["x", "y"], PanelBounds(right, 100, 200, 110))
    add(.table, ["place"], PanelBounds(right, 220, 200, 60)) { $0.tables = [1] }
    add(.surface, ["bar 1", "bar 2"], PanelBounds(right, 290, 200, 100))
    add(.number, ["number"], PanelBounds(20, 20, 100, 40), initial: 0.25)
    add(.radio, ["mode"], PanelBounds(20, 80, 100, 60)) {
      $0.options = [PanelOption("soft", 0), PanelOption("hard", 1)]
    }
    add(.keyboard, [], PanelBounds(right - 100, 420, 300, 100)) {
      $0.keys = PanelKeys(instrument: 5)
    }
    return panel
  }

  @Test(
    "A control is set where the pointer is, at every size in which a panel is drawn",
    arguments: BrowserKind.allCases, [600.0, 1250, 1900])
  func pointer(kind: BrowserKind, width: Double) throws {
    let stage = try Stage(Self.orchestra, Self.panel(width))
    let page = try Self.open(stage, in: kind)
    defer { page.close() }
    #expect(try page.evaluate("document.querySelector('main.list') === null") as? Bool == true)
    for (part, x, y, channel, value) in [
      ("drawbar] .track", 0.5, 0.3, "drawbar", 0.3), ("slider] .track", 0.7, 0.5, "slider", 0.7),
      ("range] .track", 0.3, 0.3, "high", 0.3), ("pad] .plane", 0.6, 0.8, "y", 0.2),
      ("pad] .plane", 0.8, 0.3, "x", 0.8), ("table] .plane", 0.4, 0.5, "place", 0.4),
      ("surface] .bars", 0.75, 0.4, "bar 2", 0.6),
      ("keyboard] [data-key='60']", 0.5, 0.9, "key", 60),
    ] {
      try page.press(try page.place("[data-id=\(part)", x, y), times: 1)
      var found = -1.0
      try waits {
        found = try stage.port.value(of: channel) ?? -1
        return abs(found - value) < 0.03
      }
      #expect(abs(found - value) < 0.03, "\(channel)")
    }
  }

  @Test(
    "A double click on a number returns to its first value, and letters play after a click anywhere",
    arguments: BrowserKind.allCases)
  func clicksAndLetters(kind: BrowserKind) throws {
    let stage = try Stage(Self.orchestra, Self.panel(1250))
    let page = try Self.open(stage, in: kind)
    defer { page.close() }
    let number = try page.place("[data-id=number] .box", 0.5, 0.5)
    try page.wait(for: "panelConnection.value('number') === 0.25")
    _ = try page.evaluate("panelConnection.set('number', 0.75)")
    try stage.expect("number", 0.75)
    try page.press(number, times: 2)
    try stage.expect("number", 0.25)
    // One click still opens a field, which takes letters and digits.
    try page.press(number, times: 1)
    try page.wait(for: "document.activeElement.className === 'typed'")
    try page.press(try page.place("[data-id=radio] input[value='1']", 0.5, 0.5), times: 1)
    try stage.expect("mode", 1)
    for (letter, key) in [("a", 48.0), ("s", 50)] {
      try page.key(letter, isDown: true)
      try stage.expect("key", key)
      try page.key(letter, isDown: false)
      // A list takes no letters either.
      _ = try page.evaluate("document.getElementById('morph').focus()")
    }
  }
}
