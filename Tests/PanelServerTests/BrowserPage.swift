import Foundation
import Testing

/// A page in the browser, with a hand: a pointer, fingers, keys.
final class BrowserPage {
  typealias Object = Browser.Object
  private let browser = Browser.shared
  private let target: String
  let session: String

  /// Opens a panel and waits for its widgets.
  init(
    _ url: String, width: Int = 900, height: Int = 900, ignoresCertificate: Bool = false,
    waits: Bool = true
  ) throws {
    target = try #require(
      browser.call("Target.createTarget", ["url": "about:blank"])["targetId"] as? String)
    session = try #require(
      browser.call("Target.attachToTarget", ["targetId": target, "flatten": true])["sessionId"]
        as? String)
    try call("Page.enable")
    try call("Emulation.setFocusEmulationEnabled", ["enabled": true])
    try call("Runtime.enable")
    try call("Log.enable")
    try call(
      "Emulation.setDeviceMetricsOverride",
      ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false])
    if ignoresCertificate { try call("Security.setIgnoreCertificateErrors", ["ignore": true]) }
    try call("Page.navigate", ["url": url])
    guard waits else { return }
    try wait(for: "document.querySelectorAll('.widget').length > 0 && panelConnection.isOpen")
  }

  func close() { _ = try? browser.call("Target.closeTarget", ["targetId": target]) }

  @discardableResult
  func call(_ method: String, _ parameters: Object = [:]) throws -> Object {
    try browser.call(method, parameters, session: session)
  }

  /// The value of an expression of JavaScript.
  @discardableResult
  func evaluate(_ expression: String) throws -> Any? {
    let answer = try call(
      "Runtime.evaluate",
      [
        "expression": expression, "returnByValue": true, "awaitPromise": true, "userGesture": true,
      ])
    if let problem = answer["exceptionDetails"] {
      throw Browser.Problem(description: "\(expression): \(problem)")
    }
    return (answer["result"] as? Object)?["value"]
  }

  func number(_ expression: String) throws -> Double? {
    (try evaluate(expression) as? NSNumber)?.doubleValue
  }

  func text(_ expression: String) throws -> String? { try evaluate(expression) as? String }

  /// Waits until an expression is true, at most five seconds.
  func wait(for expression: String) throws {
    for _ in 0..<500 {
      if try evaluate("Boolean(\(expression))") as? Bool == true { return }
      usleep(10_000)
    }
    throw Browser.Problem(description: "never true: \(expression)")
  }

  /// What the page has complained of: uncaught errors, and what the browser refused it.
  var complaints: [String] {
    browser.events(of: session).filter {
      ["Runtime.exceptionThrown", "Log.entryAdded"].contains($0.method)
    }.map { "\($0.parameters)" }
  }

  // MARK: A hand

  /// A place in an element: parts of its width from the left and of its height from the top.
  func place(_ selector: String, _ x: Double = 0.5, _ y: Double = 0.5) throws -> (
    x: Double, y: Double
  ) {
    let place = try #require(
      try evaluate(
        """
        (() => { const found = document.querySelector(`\(selector)`); found.scrollIntoView({block: 'nearest'});
        const box = found.getBoundingClientRect();
        return [box.left + box.width * \(x), box.top + box.height * \(y)] })()
        """) as? [NSNumber])
    return (place[0].doubleValue, place[1].doubleValue)
  }

  func mouse(_ type: String, _ place: (x: Double, y: Double), clicks: Int = 1, _ more: Object = [:])
    throws
  {
    var event: Object = [
      "type": type, "x": place.x, "y": place.y, "button": "left", "clickCount": clicks,
      "buttons": type == "mouseReleased" ? 0 : 1,
    ]
    event.merge(more) { $1 }
    try call("Input.dispatchMouseEvent", event)
  }

  func click(_ selector: String, _ x: Double = 0.5, _ y: Double = 0.5) throws {
    let place = try place(selector, x, y)
    try mouse("mousePressed", place)
    try mouse("mouseReleased", place)
  }

  func doubleClick(_ selector: String, _ x: Double = 0.5, _ y: Double = 0.5) throws {
    let place = try place(selector, x, y)
    for clicks in 1...2 {
      try mouse("mousePressed", place, clicks: clicks)
      try mouse("mouseReleased", place, clicks: clicks)
    }
  }

  /// Drags from one place of an element to another.
  func drag(_ selector: String, from: (Double, Double), to: (Double, Double)) throws {
    let (start, end) = (
      try place(selector, from.0, from.1), try place(selector, to.0, to.1)
    )
    try mouse("mousePressed", start)
    for step in 1...4 {
      let part = Double(step) / 4
      try mouse(
        "mouseMoved", (start.x + part * (end.x - start.x), start.y + part * (end.y - start.y)))
    }
    try mouse("mouseReleased", end)
  }

  func wheel(_ selector: String, _ way: Double) throws {
    let place = try place(selector)
    try mouse("mouseWheel", place, ["deltaX": 0, "deltaY": way, "button": "none", "buttons": 0])
  }

  func focus(_ selector: String) throws {
    try evaluate("document.querySelector(`\(selector)`).focus()")
  }

  /// Presses and lifts a key of the computer's keyboard, such as `ArrowUp`, `Enter` or `5`.
  func key(_ key: String) throws {
    try keyDown(key)
    try keyUp(key)
  }

  func keyDown(_ key: String) throws { try dispatch("keyDown", key) }
  func keyUp(_ key: String) throws { try dispatch("keyUp", key) }

  private func dispatch(_ type: String, _ key: String) throws {
    var event: Object = ["type": type, "key": key]
    switch key {
    case "Enter":
      event["code"] = "Enter"
      event["windowsVirtualKeyCode"] = 13
      if type == "keyDown" { event["text"] = "\r" }
    case " ":
      event["code"] = "Space"
      event["windowsVirtualKeyCode"] = 32
      if type == "keyDown" { event["text"] = " " }
    case _ where key.count == 1:
      let isLetter = key.first!.isLetter
      event["code"] = isLetter ? "Key\(key.uppercased())" : "Digit\(key)"
      if type == "keyDown" { event["text"] = key }
    default:
      event["code"] = key
      let codes = [
        "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "PageUp": 33,
        "PageDown": 34, "End": 35, "Home": 36, "Delete": 46, "Backspace": 8, "Escape": 27,
      ]
      event["windowsVirtualKeyCode"] = codes[key] ?? 0
    }
    try call("Input.dispatchKeyEvent", event)
  }

  /// Puts fingers at places, moves them, or lifts all but those named.
  func touch(_ type: String, _ fingers: [(id: Int, x: Double, y: Double)]) throws {
    try call(
      "Input.dispatchTouchEvent",
      ["type": type, "touchPoints": fingers.map { ["x": $0.x, "y": $0.y, "id": $0.id] }])
  }
}
