import Foundation
public import HarnessBase

/// A page in the browser, with mouse, touch and key input.
public final class BrowserPage {
  public typealias Object = [String: Any]
  private let browser: Browser
  private let target: String
  private let session: String

  /// Opens a page in a window of `width` by `height` pixels. If `waits`, the page is a panel, and this waits until its
  /// widgets are shown and it is connected to the server.
  public init(
    _ url: String, width: Int = 900, height: Int = 900, ignoresCertificate: Bool = false,
    waits: Bool = true, scheme: PageView.Scheme? = nil, isTouch: Bool = false
  ) throws(Failure) {
    browser = try Browser.shared.get()
    target = "\(try browser.call("Target.createTarget", ["url": "about:blank"])["targetId"] ?? "")"
    let attached = try browser.call(
      "Target.attachToTarget", ["targetId": target, "flatten": true])
    session = "\(attached["sessionId"] ?? "")"
    try call("Page.enable")
    try call("Emulation.setFocusEmulationEnabled", ["enabled": true])
    try call("Runtime.enable")
    try call("Log.enable")
    try call(
      "Emulation.setDeviceMetricsOverride",
      ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": isTouch])
    if isTouch {
      try call("Emulation.setTouchEmulationEnabled", ["enabled": true, "maxTouchPoints": 5])
    }
    if let scheme {
      try call(
        "Emulation.setEmulatedMedia",
        ["features": [["name": "prefers-color-scheme", "value": scheme.rawValue]]])
    }
    if ignoresCertificate { try call("Security.setIgnoreCertificateErrors", ["ignore": true]) }
    try call("Page.navigate", ["url": url])
    guard waits else { return }
    try wait(for: "document.querySelectorAll('.widget').length > 0 && panelConnection.isOpen")
  }

  /// Opens a panel in a window such as a phone's.
  public convenience init(_ url: String, in view: PageView) throws(Failure) {
    try self.init(
      url, width: view.width, height: view.height, scheme: view.scheme, isTouch: view.isTouch)
  }

  /// Writes a PNG of the whole page.
  public func picture(_ path: String) throws(Failure) {
    let shot = try call("Page.captureScreenshot", ["captureBeyondViewport": true])
    let data = Data(base64Encoded: shot["data"] as? String ?? "") ?? Data()
    guard FileManager.default.createFile(atPath: path, contents: data) else {
      throw .unwritableOutput("'\(path)' cannot be written.")
    }
  }

  deinit { close() }

  public func close() { _ = try? browser.call("Target.closeTarget", ["targetId": target]) }

  @discardableResult
  public func call(_ method: String, _ parameters: Object = [:]) throws(Failure) -> Object {
    try browser.call(method, parameters, session: session)
  }

  /// The value of a JavaScript expression, or what its promise gives.
  @discardableResult
  public func evaluate(_ expression: String) throws(Failure) -> Any? {
    let answer = try call(
      "Runtime.evaluate",
      [
        "expression": expression, "returnByValue": true, "awaitPromise": true, "userGesture": true,
      ])
    if let problem = answer["exceptionDetails"] {
      throw Browser.problem("\(expression): \(problem)")
    }
    return (answer["result"] as? Object)?["value"]
  }

  public func number(_ expression: String) throws(Failure) -> Double? {
    (try evaluate(expression) as? NSNumber)?.doubleValue
  }

  public func text(_ expression: String) throws(Failure) -> String? {
    try evaluate(expression) as? String
  }

  /// Waits until a JavaScript expression is true; throws if it is not within thirty seconds.
  public func wait(for expression: String) throws(Failure) {
    let end = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < end {
      if try evaluate("Boolean(\(expression))") as? Bool == true { return }
      usleep(10_000)
    }
    throw Browser.problem("Never true: \(expression)")
  }

  /// The page's uncaught exceptions, and the entries in its log, such as blocked requests.
  public var complaints: [String] {
    browser.events(of: session).filter {
      ["Runtime.exceptionThrown", "Log.entryAdded"].contains($0.method)
    }.map { "\($0.parameters)" }
  }

  // MARK: Mouse, keys and touch

  /// Scrolls to an element and returns a point in it, in pixels from the window's upper left corner. `x` and `y` are
  /// fractions of the element's width from its left and of its height from its top.
  public func place(_ selector: String, _ x: Double = 0.5, _ y: Double = 0.5) throws(Failure) -> (
    x: Double, y: Double
  ) {
    let place =
      try evaluate(
        """
        (() => { const found = document.querySelector(`\(selector)`); found.scrollIntoView({block: 'nearest'});
        const box = found.getBoundingClientRect();
        return [box.left + box.width * \(x), box.top + box.height * \(y)] })()
        """) as? [NSNumber] ?? []
    guard place.count == 2 else { throw Browser.problem("There is no place of \(selector).") }
    return (place[0].doubleValue, place[1].doubleValue)
  }

  public func mouse(
    _ type: String, _ place: (x: Double, y: Double), clicks: Int = 1, _ more: Object = [:]
  )
    throws(Failure)
  {
    var event: Object = [
      "type": type, "x": place.x, "y": place.y, "button": "left", "clickCount": clicks,
      "buttons": type == "mouseReleased" ? 0 : 1,
    ]
    event.merge(more) { $1 }
    try call("Input.dispatchMouseEvent", event)
  }

  public func click(_ selector: String, _ x: Double = 0.5, _ y: Double = 0.5, times: Int = 1)
    throws(Failure)
  {
    try press(try place(selector, x, y), times: times)
  }

  /// Drags from one point of an element to another, both given as for `place`.
  public func drag(_ selector: String, from: (Double, Double), to: (Double, Double)) throws(Failure)
  {
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

  public func wheel(_ selector: String, _ way: Double) throws(Failure) {
    let place = try place(selector)
    try mouse("mouseWheel", place, ["deltaX": 0, "deltaY": way, "button": "none", "buttons": 0])
  }

  public func focus(_ selector: String) throws(Failure) {
    try evaluate("document.querySelector(`\(selector)`).focus()")
  }

  /// Presses and releases a key of the computer's keyboard, such as `ArrowUp`, `Enter` or `5`, while others are held.
  public func key(_ key: String, control: Bool = false, shift: Bool = false) throws(Failure) {
    let modifiers = (control ? 2 : 0) + (shift ? 8 : 0)
    // With control a letter writes nothing.
    try dispatch(control ? "rawKeyDown" : "keyDown", key, modifiers)
    try dispatch("keyUp", key, modifiers)
  }

  /// Goes to an element by the Tab key.
  public func tab(to selector: String) throws(Failure) {
    for _ in 0..<80 {
      if try evaluate("document.activeElement.matches(`\(selector)`)") as? Bool == true { return }
      try key("Tab")
    }
    throw Browser.problem("The Tab key does not reach \(selector).")
  }

  public func keyDown(_ key: String) throws(Failure) { try dispatch("keyDown", key) }
  public func keyUp(_ key: String) throws(Failure) { try dispatch("keyUp", key) }

  private func dispatch(_ type: String, _ key: String, _ modifiers: Int = 0) throws(Failure) {
    var event: Object = ["type": type, "key": key, "modifiers": modifiers]
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
        "PageDown": 34, "End": 35, "Home": 36, "Delete": 46, "Backspace": 8, "Escape": 27, "Tab": 9,
      ]
      event["windowsVirtualKeyCode"] = codes[key] ?? 0
    }
    try call("Input.dispatchKeyEvent", event)
  }

  /// Sends a touch event such as `touchStart`. `fingers` are all that touch the page from then on: a finger that is
  /// left out is lifted.
  /// `time`, in seconds since 1970, is when the page is told that it was; nil: now.
  public func touch(
    _ type: String, _ fingers: [(id: Int, x: Double, y: Double)], at time: Double? = nil
  ) throws(Failure) {
    var event: Object = [
      "type": type, "touchPoints": fingers.map { ["x": $0.x, "y": $0.y, "id": $0.id] },
    ]
    event["timestamp"] = time
    try call("Input.dispatchTouchEvent", event)
  }
}
