import CsoundLive
import TestPages
import Foundation
import Panels
import Playing
import TestSupport
import Testing

/// What concerns all widgets of a page.
extension WidgetTests {
  @Test("Undo takes back a gesture at a time")
  func undo() throws {
    try page.drag("[data-id=slider] .track", from: (0.3, 0.5), to: (0.6, 0.5))
    try page.drag("[data-id=slider] .track", from: (0.6, 0.5), to: (0.9, 0.5))
    try stage.expect("slider", 0.9, within: 0.01)
    try page.click("#undo")
    try stage.expect("slider", 0.6, within: 0.01)
    try page.click("#undo")
    try stage.expect("slider", 0.25)
    #expect(try page.evaluate("document.getElementById('undo').disabled") as? Bool == true)
    // By keys it is made again, until something else is changed.
    try page.key("y", control: true)
    try stage.expect("slider", 0.6, within: 0.01)
    try page.key("Z", control: true, shift: true)
    try stage.expect("slider", 0.9, within: 0.01)
    try page.key("z", control: true)
    try stage.expect("slider", 0.6, within: 0.01)
    try page.drag("[data-id=slider] .track", from: (0.6, 0.5), to: (0.3, 0.5))
    try stage.expect("slider", 0.3, within: 0.01)
    try page.key("y", control: true)
    try page.key("z", control: true)
    try stage.expect("slider", 0.6, within: 0.01)
    try page.key("z", control: true)
    try stage.expect("slider", 0.25)
  }

  @Test("Undo takes back what was done last: a text, a choice of a list, a radio button, a switch")
  func undoOfChoices() throws {
    try page.click("[data-id=on] button")
    try stage.expect("on", 0.75)
    for (choice, value) in [(1, 0.125), (2, 0.625)] {
      try page.click("[data-id=mode] label:nth-of-type(\(choice)) input")
      try stage.expect("mode", value)
    }
    for value in [0.25, 0.5] {
      try page.focus("[data-id=wave] select")
      try page.evaluate(
        """
        (() => { const list = document.activeElement; list.selectedIndex = \(value * 4);
        list.dispatchEvent(new Event('change')); })()
        """)
      try stage.expect("wave", value)
    }
    try page.click("[data-id=name] input")
    for letter in ["b", "a"] { try page.key(letter) }
    try page.key("Enter")
    try stage.expect("letters", 2)
    for (channel, value) in [("letters", 0), ("wave", 0.25), ("wave", 0.125), ("mode", 0.125)] {
      try page.click("#undo")
      try stage.expect(channel, value)
    }
    try page.click("#undo")
    try page.click("#undo")
    try stage.expect("on", 0)
    #expect(try page.evaluate("document.getElementById('undo').disabled") as? Bool == true)
  }

  @Test("A finger that swipes over a drawbar scrolls the page; one that rests on it first moves it")
  func swipe() throws {
    var panel = Panel("Drawbar", from: .file)
    var bar = PanelWidget(
      .slider, id: "bar", channels: ["bar"], ranges: [ValueRange(0, 8, initial: 4)])
    bar.isVertical = true
    panel.add(bar)
    let stage = try Stage(panel)
    let page = try BrowserPage(stage.server.url, width: 390, height: 190, isTouch: true)
    #expect(
      try page.evaluate("document.documentElement.scrollHeight > innerHeight") as? Bool == true)
    try stage.expect("bar", 4)
    var time = Date().timeIntervalSince1970
    for (rest, isMoved) in [(0.02, false), (0.3, true)] {
      let place = try page.place("[data-id=bar] .track", 0.5, 0.6)
      time += 1
      try page.touch("touchStart", [(0, place.x, place.y)], at: time)
      time += rest
      for way in [20.0, 40, 60] {
        time += 0.02
        try page.touch("touchMove", [(0, place.x, place.y - way)], at: time)
      }
      try page.touch("touchEnd", [], at: time)
      #expect(try page.evaluate("panelConnection.value('bar') !== 4") as? Bool == isMoved)
    }
  }

  @Test("A screen reader finds every widget by its role and name, and its value")
  func accessibility() throws {
    try page.wait(for: "panelConnection.value('tone') === 100")
    let answer = try page.call("Accessibility.getFullAXTree")
    let nodes = try #require(answer["nodes"] as? [BrowserPage.Object])
    func field(_ node: BrowserPage.Object, _ name: String) -> String {
      ((node[name] as? BrowserPage.Object)?["value"]).map { "\($0)" } ?? ""
    }
    let found = Set(nodes.map { "\(field($0, "role")) \(field($0, "name"))" })
    for expected in [
      "slider The slider", "slider The tone", "slider The knob", "spinbutton The number",
      "slider The range, low", "slider The range, high", "slider The pad, x", "slider The pad, y",
      "button The hold", "button The go", "switch The on", "combobox The wave",
      "radiogroup The mode", "radio soft", "textbox The name", "meter The meter",
      "button The strike", "group The keys, keys", "button C3", "log The console",
    ] {
      #expect(found.contains(expected), "\(expected) is missing of \(found.sorted())")
    }
    let tone = try #require(
      nodes.first { field($0, "role") == "slider" && field($0, "name") == "The tone" })
    #expect(field(tone, "value") == "100" || field(tone, "value").hasPrefix("100"))
  }
}
