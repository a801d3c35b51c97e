import CsoundLive
import TestPages
import Foundation
import Panels
import Playing
import TestSupport
import Testing

/// Each widget in a real browser, by pointer, fingers and keyboard: its channel changes, and the sound.
@Suite(
  "Widgets in the browser", .serialized,
  .inBrowser)
final class WidgetTests {
  let stage: Stage
  let page: BrowserPage

  init() throws {
    stage = try Stage(AllWidgets.orchestra, AllWidgets.panel, midi: true)
    page = try BrowserPage(stage.server.url)
  }

  /// What is heard on a channel's output: the largest sample since the last look.
  private func expectHeard(
    _ channel: String, _ value: Double, within tolerance: Double = 0.01,
    location: SourceLocation = #_sourceLocation
  ) throws {
    let output = try #require(AllWidgets.heard.firstIndex(of: channel))
    var peak = -1.0
    let isHeard = waits {
      usleep(10_000)
      peak = stage.performance.status?.peaks[output] ?? -1
      return abs(peak - value) <= tolerance
    }
    if isHeard { return }
    #expect(abs(peak - value) <= tolerance, "heard of \(channel)", sourceLocation: location)
    try stage.expect(channel, value, within: tolerance / max(value, 0.01), location: location)
  }

  private func now(_ id: String, _ part: String = "[role=slider]") throws -> Double {
    try #require(
      try page.number(
        "Number(document.querySelector(`[data-id='\(id)'] \(part)`).getAttribute('aria-valuenow'))")
    )
  }

  @Test(
    "Channels begin with the panel's values, and so does the sound; the page complains of nothing")
  func beginning() throws {
    try expectHeard("slider", 0.25)
    try expectHeard("high", 0.8)
    try stage.expect("tone", 100)
    try page.wait(for: "panelConnection.value('tone') === 100")
    #expect(try now("tone") == 100)
    #expect(page.complaints.isEmpty, "\(page.complaints)")
    // The security headers keep scripts from elsewhere, and those in the document, from running.
    let inline = """
      (() => { const made = document.createElement('script'); made.textContent = 'window.ran = 1';
      document.body.append(made); return typeof window.ran })()
      """
    #expect(try page.text(inline) == "undefined")
  }

  @Test("A slider: pressed, dragged, turned, moved by keys, typed, double-clicked")
  func slider() throws {
    let track = "[data-id=slider] .track"
    try page.click(track, 0.75)
    try expectHeard("slider", 0.75)
    try page.drag(track, from: (0.75, 0.5), to: (0.4, 0.5))
    try expectHeard("slider", 0.4)
    try page.drag(track, from: (0.4, 0.5), to: (1.4, 0.5))
    try stage.expect("slider", 1)
    try page.wheel(track, 120)
    try stage.expect("slider", 0.99)
    try page.focus(track)
    for (key, value) in [
      ("ArrowLeft", 0.98), ("ArrowUp", 0.99), ("PageDown", 0.89), ("Home", 0), ("End", 1),
      ("Delete", 0.25),
    ] {
      try page.key(key)
      try stage.expect("slider", value)
    }
    for key in ["0", "Period", "3"] where key != "Period" { try page.key(key) }
    try page.evaluate("document.querySelector('input.typed').value = '0,375'")
    try page.key("Enter")
    try expectHeard("slider", 0.375)
    #expect(try page.evaluate("document.activeElement.getAttribute('role')") as? String == "slider")
    try page.click(track, 0.9, times: 2)
    try stage.expect("slider", 0.25)
  }

  @Test(
    "An exponential slider is at the geometric mean half way; a stepped one takes whole numbers")
  func curves() throws {
    try page.click("[data-id=tone] .track", 0.5)
    try stage.expect("tone", 632.455, within: 0.03)
    try page.focus("[data-id=tone] .track")
    try page.key("Home")
    try stage.expect("tone", 20)
    try page.key("ArrowUp")
    try stage.expect("tone", 20 * pow(1000, 0.01))
    try page.click("[data-id=steps] .track", 0.51)
    try stage.expect("steps", 8)
    try page.key("ArrowRight")
    try stage.expect("steps", 9)
    #expect(try now("steps") == 9)
  }

  @Test("A finger on a slider moves it; one that scrolls the page does not")
  func finger() throws {
    let track = "[data-id=slider] .track"
    let (start, end) = (try page.place(track, 0.3), try page.place(track, 0.6))
    try page.touch("touchStart", [(0, start.x, start.y)])
    try page.touch("touchMove", [(0, (start.x + end.x) / 2, start.y)])
    try page.touch("touchMove", [(0, end.x, end.y)])
    try page.touch("touchEnd", [])
    try expectHeard("slider", 0.6)
    // Straight down: the page would scroll.
    try page.touch("touchStart", [(0, start.x, start.y)])
    for way in stride(from: 20.0, through: 100, by: 20) {
      try page.touch("touchMove", [(0, start.x, start.y + way)])
    }
    try page.touch("touchEnd", [])
    usleep(100_000)
    try expectHeard("slider", 0.6)
  }

  @Test("A knob and a number: dragged, turned, moved by keys, double-clicked; a number typed")
  func knobAndNumber() throws {
    let dial = "[data-id=knob] .dial"
    let middle = try page.place(dial)
    try page.mouse("mousePressed", middle)
    try page.mouse("mouseMoved", (middle.x, middle.y - 40))
    try page.mouse("mouseReleased", (middle.x, middle.y - 40))
    try expectHeard("knob", 0.7)
    try page.wheel(dial, -120)
    try stage.expect("knob", 0.71, within: 0.002)
    try page.focus(dial)
    try page.key("End")
    try expectHeard("knob", 1)
    try page.click(dial, times: 2)
    try stage.expect("knob", 0.5)

    let box = "[data-id=number] .box"
    try page.click(box)
    try page.evaluate("document.querySelector('input.typed').value = '0.125'")
    try page.key("Enter")
    try expectHeard("number", 0.13)
    try page.key("ArrowUp")
    try stage.expect("number", 0.14)
    let place = try page.place(box)
    try page.mouse("mousePressed", place)
    try page.mouse("mouseMoved", (place.x, place.y - 80))
    try page.mouse("mouseReleased", (place.x, place.y - 80))
    try stage.expect("number", 0.34, within: 0.05)
    #expect(try page.evaluate("document.querySelector('input.typed') === null") as? Bool == true)
  }

  @Test("A range's low never rises above its high; a pad's two values follow the pointer and keys")
  func twoValues() throws {
    let track = "[data-id=range] .track"
    try page.drag(track, from: (0.2, 0.5), to: (0.4, 0.5))
    try expectHeard("low", 0.4)
    try page.drag(track, from: (0.4, 0.5), to: (0.95, 0.5))
    try expectHeard("low", 0.8)
    try stage.expect("high", 0.8)
    try page.focus("[data-id=range] .thumb:nth-of-type(3)")
    try page.key("End")
    try expectHeard("high", 1)

    let plane = "[data-id=pad] .plane"
    try page.drag(plane, from: (0.5, 0.5), to: (0.25, 0.2))
    try expectHeard("x", 0.25)
    try expectHeard("y", 0.8)
    try page.focus("[data-id=pad] .line.y")
    try page.key("Home")
    try stage.expect("y", 0)
    try stage.expect("x", 0.25, within: 0.02)
    try page.click(plane, 0.1, 0.1, times: 2)
    try stage.expect("x", 0.5)
    try stage.expect("y", 0.5)
  }

  @Test("A button is on while it is held, by pointer and by Space")
  func button() throws {
    let button = "[data-id=hold] button"
    let place = try page.place(button)
    try page.mouse("mousePressed", place)
    try expectHeard("hold", 1)
    try page.wait(
      for: "document.querySelector('[data-id=hold] button').ariaPressed === 'true'")
    try page.mouse("mouseReleased", place)
    try expectHeard("hold", 0)
    try page.focus(button)
    try page.keyDown(" ")
    try expectHeard("hold", 1)
    try page.keyUp(" ")
    try expectHeard("hold", 0)
    // Whoever looks elsewhere holds nothing.
    try page.mouse("mousePressed", place)
    try stage.expect("hold", 1)
    try page.evaluate("dispatchEvent(new Event('blur'))")
    try stage.expect("hold", 0)
  }

  @Test(
    "A momentary is 1 for exactly one k-cycle: so many taps, so many pulses, as the orchestra counts"
  )
  func pulses() throws {
    let button = "[data-id=go] button"
    for _ in 0..<5 { try page.click(button) }
    try page.focus(button)
    try page.key("Enter")
    try page.key(" ")
    // As fast as a page can.
    try page.evaluate(
      "for (let press = 0; press < 20; press++) panelConnection.ask('press', { widget: 'go' })")
    try stage.expect("pulses", 27)
    usleep(50_000)
    try stage.expect("cycles", 27)
    try stage.expect("pulses", 27)
  }

  @Test("A drawbar is pulled down")
  func reversed() throws {
    var panel = Panel("Drawbar", from: .file)
    var bar = PanelWidget(.slider, id: "bar", channels: ["slider"], ranges: [ValueRange(0, 8)])
    (bar.isVertical, bar.isReversed) = (true, true)
    panel.add(bar)
    let stage = try Stage(panel)
    let page = try BrowserPage(stage.server.url)
    try page.click("[data-id=bar] .track", 0.5, 0.75)
    try stage.expect("slider", 6, within: 0.02)
    let picture = try page.text(
      "getComputedStyle(document.querySelector('[data-id=bar] .fill')).transformOrigin")
    #expect(picture?.hasSuffix(" 0px") == true)
    try page.key("Home")
    try stage.expect("slider", 0)
  }

  @Test("Switch, menu, radio and field: chosen by pointer and by keys, and typed")
  func choices() throws {
    try page.click("[data-id=on] button")
    try expectHeard("on", 0.75)
    try page.wait(for: "document.querySelector('[data-id=on] button').ariaChecked === 'true'")
    try page.focus("[data-id=on] button")
    try page.key(" ")
    try expectHeard("on", 0)
    #expect(
      try page.text("document.querySelector('[data-id=on] button').ariaChecked") == "false")

    try page.focus("[data-id=wave] select")
    try page.key("ArrowDown")
    try expectHeard("wave", 0.125)
    try page.key("ArrowDown")
    try expectHeard("wave", 0.25)

    try page.click("[data-id=mode] label:nth-of-type(2) input")
    try expectHeard("mode", 0.625)
    try page.key("ArrowUp")
    try expectHeard("mode", 0.125)

    try page.click("[data-id=name] input")
    for letter in ["b", "a", "c", "h"] { try page.key(letter) }
    try page.key("Enter")
    try stage.expect("letters", 4)
    // Letters that are typed are no keys of the keyboard.
    try stage.expect("notes", 0)
  }

  @Test("Labels and meters show what the piece has, numbers and texts")
  func displays() throws {
    try page.click("[data-id=pad] .plane", 0.75, 0.5)
    try page.wait(
      for: "Math.abs(document.querySelector('[data-id=shown] output').value - 1.5) < 0.03")
    #expect(try page.text("document.querySelector('[data-id=shown] output').value")?.count == 5)
    try page.wait(for: "document.querySelector('[data-id=told] output').value === 'as told'")
    let meter = try #require(
      try page.number("Number(document.querySelector('[role=meter]').ariaValueNow)"))
    #expect(abs(meter - 1.5) < 0.03)
    // What is no finite number arrives as null.
    let label = "document.querySelector('[data-id=told]')"
    #expect(
      try page.text("(\(label).receive(null), \(label).querySelector('output').value)") == "–")
  }

  @Test(
    "A graph shows a table as it is, with its position; a surface's sliders follow a finger across")
  func tables() throws {
    let canvas = "document.querySelector('[data-id=wavetable] canvas')"
    try page.wait(for: "\(canvas).dataset.length === '4096'")
    #expect(try page.number("Number(\(canvas).dataset.high)") == 1)
    #expect(try page.number("Number(\(canvas).dataset.low)") == -1)
    // One sample among thousands is seen.
    var samples = [Double](repeating: 0, count: try stage.performance.table(1).count)
    samples[1234] = 3
    try stage.performance.setTable(1, to: samples)
    try page.wait(for: "\(canvas).dataset.high === '3' && \(canvas).dataset.low === '0'")
    try page.click("[data-id=wavetable] .plane", 0.25)
    try stage.expect("place", 0.25, within: 0.01)
    try page.focus("[data-id=wavetable] .line")
    try page.key("End")
    try stage.expect("place", 1)

    try page.drag("[data-id=bars] .bars", from: (0.1, 0.5), to: (0.9, 0.25))
    try stage.expect("bar 3", 0.75, within: 0.02)
    try stage.expect("bar 1", 0.5, within: 0.15)
    try stage.expect("bar 2", 0.6, within: 0.15)
    try page.focus("[data-id=bars] .bar:nth-child(2)")
    try page.key("Home")
    try stage.expect("bar 2", 0)
  }

  @Test("A score button sends its lines once, or plays while it is held")
  func events() throws {
    try page.click("[data-id=strike] button")
    try page.focus("[data-id=strike] button")
    try page.key("Enter")
    try stage.expect("strikes", 2)
    let place = try page.place("[data-id=drone] button")
    try page.mouse("mousePressed", place)
    try stage.expect("drones", 1)
    try page.mouse("mouseReleased", place)
    try stage.expect("drones", 0)
  }

  @Test("Keys: a chord of fingers, a glissando, letters, Space; as score events and as MIDI notes")
  func keyboard() throws {
    func key(_ number: Int) throws -> (x: Double, y: Double) {
      try page.place("[data-id=keys] [data-key='\(number)']", 0.5, 0.85)
    }
    let fingers = try [48, 52, 55].enumerated().map { ($0.0, try key($0.1).x, try key($0.1).y) }
    try page.touch("touchStart", fingers)
    try stage.expect("notes", 3)
    try page.touch("touchEnd", [])
    try stage.expect("notes", 0)

    try page.mouse("mousePressed", try key(60))
    try stage.expect("key", 60)
    for number in [62, 64, 65] {
      try page.mouse("mouseMoved", try key(number))
      try stage.expect("key", Double(number))
      try stage.expect("notes", 1)
    }
    try page.mouse("mouseReleased", try key(65))
    try stage.expect("notes", 0)

    try page.evaluate("document.activeElement.blur()")
    try page.keyDown("a")
    try page.keyDown("d")
    try stage.expect("notes", 2)
    try stage.expect("key", 52)
    try page.keyUp("a")
    try page.keyUp("d")
    try stage.expect("notes", 0)

    try page.focus("[data-id=piano] [data-key='60']")
    try page.key("ArrowRight")
    try page.keyDown(" ")
    try stage.expect("midi notes", 1)
    try stage.expect("midi key", 61)
    try page.keyUp(" ")
    try stage.expect("midi notes", 0)
  }
}
