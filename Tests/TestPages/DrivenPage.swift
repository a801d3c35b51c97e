import Foundation
package import HarnessBase
import TestSupport

/// A page that is tried by a pointer and by keys. Places are in pixels from the window's upper left corner.
package protocol TriedPage: AnyObject {
  func evaluate(_ expression: String) throws(Failure) -> Any?
  /// Presses the pointer and lets go of it, so many times.
  func press(_ place: (x: Double, y: Double), times: Int) throws(Failure)
  func key(_ letter: String, isDown: Bool) throws(Failure)
  func close()
}

extension TriedPage {
  /// Waits until an expression is true.
  package func wait(for expression: String) throws {
    guard try waits(until: { try evaluate("Boolean(\(expression))") as? Bool == true }) else {
      throw Browser.problem("Never true: \(expression)")
    }
  }

  /// The place at these fractions of an element's width from its left and of its height from its top. The element is
  /// where the pointer meets it, whatever the browser says.
  package func place(_ selector: String, _ x: Double, _ y: Double) throws -> (
    x: Double, y: Double
  ) {
    let edges =
      try evaluate(
        """
        (() => {
          const wanted = document.querySelector(`\(selector)`);
          wanted.scrollIntoView({ block: 'center' });
          const hits = (x, y) => wanted.contains(document.elementFromPoint(x, y));
          for (let y = 4; y < innerHeight; y += 8) for (let x = 4; x < innerWidth; x += 8) {
            if (!hits(x, y)) continue;
            let [left, right, top, bottom] = [x, x, y, y];
            while (hits(left - 1, y)) left--;
            while (hits(right + 1, y)) right++;
            const middle = (left + right) >> 1;
            while (hits(middle, top - 1)) top--;
            while (hits(middle, bottom + 1)) bottom++;
            return [left, top, right, bottom];
          }
        })()
        """) as? [NSNumber]
    guard let edges = edges?.map(\.doubleValue) else {
      throw Browser.problem("There is no place of \(selector).")
    }
    let (left, top, right, bottom) = (edges[0], edges[1], edges[2], edges[3])
    return ((left + x * (right - left)).rounded(), (top + y * (bottom - top)).rounded())
  }
}

extension BrowserPage: TriedPage {
  package func press(_ place: (x: Double, y: Double), times: Int) throws(Failure) {
    for count in 1...times {
      try mouse("mousePressed", place, clicks: count)
      try mouse("mouseReleased", place, clicks: count)
    }
  }

  package func key(_ letter: String, isDown: Bool) throws(Failure) {
    try isDown ? keyDown(letter) : keyUp(letter)
  }
}

/// The browsers in which the page is tried: one usually, all with `./opcodekit test --all`.
package enum BrowserKind: String, CaseIterable, Sendable {
  case chromium = "chromium-headless-shell"
  case firefox = "firefox-esr"
  case webKit = "WebKitWebDriver"

  /// Why it is not tried; nil if it is.
  package var lack: String? {
    guard self == .chromium || runsAllTests else { return "\(rawValue): \(onlyWithAll)" }
    let programs = self == .webKit ? [rawValue, "Xvfb"] : [rawValue]
    return programs.first { installedProgram($0) == nil }.map { "\($0) is not installed." }
  }

  /// Opens a page in a window of about `width` by 900 pixels.
  package func open(_ url: String, width: Int = 1280) throws -> any TriedPage {
    if self == .chromium { return try BrowserPage(url, width: width, waits: false) }
    let page = try (self == .firefox ? DrivenPage.firefox : DrivenPage.webKit).get()
    try page.open(url, width: width)
    return page
  }
}

/// A window of a browser that the WebDriver protocol controls: Firefox by Marionette, WebKit by HTTP.
final class DrivenPage: TriedPage, @unchecked Sendable {
  static let firefox = Result { try DrivenPage(.firefox) }
  static let webKit = Result { try DrivenPage(.webKit) }

  private typealias Object = [String: Any]
  private let kind: BrowserKind
  private let programs: [ChildProcess]
  private let client: RawClient
  private var number = 0
  private var session = ""

  private init(_ kind: BrowserKind) throws {
    self.kind = kind
    let directory = try temporaryDirectory()
    var started: [ChildProcess] = []
    var environment = ProcessInfo.processInfo.environment
    environment["HOME"] = directory
    func start(_ program: String, _ arguments: [String], output: Int32? = nil) throws {
      guard let path = installedProgram(program) else { throw Browser.problem("No \(program).") }
      started.append(try ChildProcess(path, arguments, environment: environment, output: output))
    }
    /// The number in a file that a program writes.
    func number(_ file: String) throws -> Int {
      var found: Int?
      // A browser takes long to start beside others.
      for _ in 0..<4 where found == nil {
        waits {
          let text = try? String(file: "\(directory)/\(file)")
          found = text.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
          return found != nil
        }
      }
      guard let found else { throw Browser.problem("\(kind) writes no \(file).") }
      return found
    }
    if kind == .firefox {
      try "user_pref('marionette.port', 0);\n".save(to: directory + "/user.js")
      try start(
        kind.rawValue, ["--marionette", "--headless", "--no-remote", "--profile", directory])
      (client, programs) = (RawClient(port: try number("MarionetteActivePort")), started)
      _ = try message()
      _ = try send("WebDriver:NewSession", "", ["capabilities": Object()])
    } else {
      let display = Glibc.open(directory + "/display", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
      try start("Xvfb", ["-displayfd", "1", "-screen", "0", "1400x1100x24"], output: display)
      Glibc.close(display)
      environment["DISPLAY"] = ":\(try number("display"))"
      let port = freePort()
      try start(kind.rawValue, ["--port=\(port)", "--host=127.0.0.1"])
      (client, programs) = (RawClient(port: port), started)
      let answer = try send("", "", ["capabilities": Object()]) as? Object
      session = "/\(answer?["sessionId"] ?? "")"
    }
  }

  func open(_ url: String, width: Int) throws {
    _ = try send("WebDriver:SetWindowRect", "window/rect", ["width": width, "height": 1000])
    _ = try send("WebDriver:Navigate", "url", ["url": url])
  }

  func close() { _ = try? send("WebDriver:Navigate", "url", ["url": "about:blank"]) }

  func evaluate(_ expression: String) throws(Failure) -> Any? {
    try send(
      "WebDriver:ExecuteScript", "execute/sync",
      ["script": "return (\(expression));", "args": [Any]()])
  }

  func press(_ place: (x: Double, y: Double), times: Int) throws(Failure) {
    let press: [Object] = ["pointerDown", "pointerUp"].map { ["type": $0, "button": 0] }
    let move: Object = ["type": "pointerMove", "x": Int(place.x), "y": Int(place.y), "duration": 0]
    try act(
      "pointer", [move] + (0..<times).flatMap { _ in press },
      ["parameters": ["pointerType": "mouse"]])
  }

  func key(_ letter: String, isDown: Bool) throws(Failure) {
    try act("key", [["type": isDown ? "keyDown" : "keyUp", "value": letter]])
  }

  private func act(_ type: String, _ actions: [Object], _ more: Object = [:]) throws(Failure) {
    let source: Object = ["type": type, "id": type, "actions": actions]
    _ = try send("WebDriver:PerformActions", "actions", ["actions": [source.merging(more) { $1 }]])
  }

  /// Sends a command by its name in Marionette, or its path in WebDriver, and returns its value.
  private func send(_ name: String, _ path: String, _ body: Object) throws(Failure) -> Any? {
    let answer: Any?
    if kind == .firefox {
      number += 1
      let bytes = Self.bytes([0, number, name, body])
      client.send(Array("\(bytes.count):".utf8) + bytes)
      let parts = try message() as? [Any] ?? []
      answer = parts.count < 4 || parts[2] is NSNull ? parts.last : parts[2]
    } else {
      let bytes = Self.bytes(body)
      let status = client.request(
        "/session\(session)\(path.isEmpty ? "" : "/")\(path)",
        ["Host": "127.0.0.1", "Content-Length": "\(bytes.count)"],
        method: "POST", body: bytes)
      let length = client.headers["content-length"].flatMap { Int($0) } ?? 0
      answer = Self.value(client.read(length))
      guard status != 0 else { throw .internalFault("\(kind) has gone.") }
    }
    let value = answer as? Object
    if let value, let error = value["error"] ?? (value["value"] as? Object)?["error"] {
      throw .internalFault("\(kind), \(name): \(error), \(value)")
    }
    return value?["value"] ?? value
  }

  /// A message of Marionette: its length, a colon, JSON.
  private func message() throws(Failure) -> Any? {
    var length = 0
    while let digit = client.read(1).first, digit != UInt8(ascii: ":") {
      length = 10 * length + Int(digit) - 48
    }
    guard length > 0 else { throw .internalFault("\(kind) has gone.") }
    return Self.value(client.read(length))
  }

  private static func bytes(_ object: Any) -> [UInt8] {
    [UInt8]((try? JSONSerialization.data(withJSONObject: object)) ?? Data())
  }

  private static func value(_ bytes: [UInt8]) -> Any? {
    try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
  }
}
