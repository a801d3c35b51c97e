import TestPages
import Foundation
import Panels
import Playing
import TestSupport
import Testing

@Suite("Layouts kept from the page", .serialized)
struct LayoutTests {
  private static func stage(isPlaced: Bool = false) throws -> (Stage, PanelFile) {
    let file = PanelFile(forPiece: try temporaryDirectory() + "/layout.csd")
    var panel = Panel("Layout", from: .channels)
    panel.groups = [
      PanelGroup(.box, id: "box", label: "Box"), PanelGroup(.tabs, id: "tabs"),
      PanelGroup(.page, id: "one", label: "One", parent: "tabs"),
      PanelGroup(.page, id: "two", label: "Two", parent: "tabs"),
    ]
    for (index, (name, group)) in [("a", nil), ("b", "box"), ("c", "two")].enumerated() {
      var widget = PanelWidget(.slider, id: name, channels: [name])
      widget.group = group
      if isPlaced { widget.bounds = PanelBounds(20, 40 * Double(index), 200, 32) }
      panel.add(widget)
    }
    return (try Stage(panel, file: file), file)
  }

  /// What is in the file, once it is there.
  private static func kept(_ file: PanelFile) throws -> Panel {
    try waits { try file.read() != nil }
    return try #require(try file.read())
  }

  @Test("Where widgets lie is kept beside the piece and shown to all pages")
  func keeping() throws {
    let (stage, file) = try Self.stage()
    let (first, second) = (try stage.client(), try stage.client())
    #expect(second.message("hello") != nil)
    first.say(
      #"{"type":"layout","layout":{"widgets":{"a":[8,16,100,32]},"groups":{"box":[0,0,90,90]},"size":[300,200]}}"#
    )
    let panel = try #require(second.message("hello")?["panel"] as? [String: Any])
    #expect(panel["source"] as? String == "file")
    let kept = try #require(try file.read())
    #expect(kept.widgets[0].bounds == PanelBounds(8, 16, 100, 32))
    #expect(kept.widgets[1].bounds == nil && kept.groups[0].bounds == PanelBounds(0, 0, 90, 90))
    #expect(kept.size == PanelSize(300, 200) && kept.source == .file)
  }

  @Test(
    "A layout that is none is refused and changes nothing",
    arguments: [
      #"{"widgets":{"a":[8,16,100]},"groups":{}}"#, #"{"widgets":{"a":[8,16,0,5]},"groups":{}}"#,
      #"{"widgets":{"a":[8,16,1e9,5]},"groups":{}}"#, #"{"widgets":{},"groups":{},"size":[1]}"#,
    ])
  func refused(layout: String) throws {
    let (stage, file) = try Self.stage()
    let client = try stage.client()
    client.say(#"{"type":"layout","layout":\#(layout)}"#)
    let reason = client.message("refused")?["reason"] as? String
    #expect(reason?.hasPrefix("A place in a layout is x, y, width and height") == true)
    #expect(try file.read() == nil)
  }

  @Test("In the browser: drawn widgets are dragged, resized, moved by keys, and kept", .inBrowser)
  func arranging() throws {
    let (stage, file) = try Self.stage(isPlaced: true)
    let page = try BrowserPage(stage.server.url)
    let zoom = try #require(
      try page.number(
        "Number(document.querySelector('.canvas').style.getPropertyValue('--zoom'))"))
    try page.click("#arrange")
    let begin = try page.place("[data-id=a]")
    try page.mouse("mousePressed", begin)
    try page.mouse("mouseMoved", (begin.x + 40 * zoom, begin.y + 160 * zoom))
    try page.mouse("mouseReleased", (begin.x + 40 * zoom, begin.y + 160 * zoom))
    // Dragging has set nothing.
    try stage.expect("a", 0)
    let corner = try page.place("[data-id=b]", 0.99, 0.9)
    try page.mouse("mousePressed", corner)
    try page.mouse("mouseMoved", (corner.x + 20 * zoom, corner.y + 8 * zoom))
    try page.mouse("mouseReleased", (corner.x + 20 * zoom, corner.y + 8 * zoom))
    try page.key("ArrowRight")
    try page.click("#arrange")
    try page.wait(
      for: "document.querySelector('[data-id=a]').style.getPropertyValue('--y') === '160px'")
    let kept = try Self.kept(file)
    #expect(kept.widgets[0].bounds == PanelBounds(60, 160, 200, 32))
    #expect(kept.widgets[1].bounds == PanelBounds(24, 40, 220, 40))
    #expect(kept.widgets[2].bounds == PanelBounds(20, 80, 200, 32))
    // Afterwards a hand sets values again.
    try page.click("[data-id=a] .track", 0.5)
    try stage.expect("a", 0.5, within: 0.05)
    #expect(page.complaints.isEmpty, "\(page.complaints)")
  }

  @Test(
    "What was laid out automatically keeps its places when it is arranged, on hidden pages too",
    .inBrowser)
  func automatic() throws {
    let (stage, file) = try Self.stage()
    let page = try BrowserPage(stage.server.url)
    try page.click("#arrange")
    try page.key("Escape")
    #expect(try file.read() == nil)
    try page.click("#arrange")
    try page.click("#arrange")
    try page.wait(for: "document.querySelector('.canvas.has-places [data-id=a].placed') !== null")
    let kept = try Self.kept(file)
    let bounds = kept.widgets.compactMap(\.bounds)
    #expect(bounds.count == 3)
    #expect(bounds.allSatisfy { $0.width > 100 && $0.height > 20 })
    #expect(kept.groups[0].bounds != nil && kept.groups[1].bounds != nil)
    #expect((kept.size?.width ?? 0) > 200)
    // The one in the box lies in it, and the one on the page below its tabs.
    if let box = kept.groups[0].bounds, let tabs = kept.groups[1].bounds, bounds.count == 3 {
      #expect(bounds[1].y > box.y && bounds[1].y + bounds[1].height <= box.y + box.height + 1)
      #expect(bounds[2].y >= tabs.y + 20)
    }
    #expect(page.complaints.isEmpty, "\(page.complaints)")
  }
}
