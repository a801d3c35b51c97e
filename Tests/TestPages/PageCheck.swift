import Foundation
public import HarnessBase
public import Panels
import Playing

/// A window in which a panel's page is looked at.
public struct PageView: Sendable, CustomStringConvertible {
  public enum Scheme: String, CaseIterable, Sendable { case light, dark }

  /// In pixels; below 1000 the window is that of a touch device.
  public var width: Int
  public var scheme: Scheme

  public init(_ width: Int, _ scheme: Scheme) { (self.width, self.scheme) = (width, scheme) }

  public var isTouch: Bool { width < 1000 }
  /// In pixels.
  public var height: Int { isTouch ? 844 : 900 }
  public var description: String { "\(width) pixels, \(scheme.rawValue)" }

  /// A phone, a tablet and a desk, each with light and dark pages.
  public static let all = [390, 768, 1280].flatMap { width in
    Scheme.allCases.map { PageView(width, $0) }
  }
}

/// What of a panel's page can hardly be read, hit by a finger, or used by the keyboard or with a screen reader.
///
/// Each list has a line for each fault.
public struct PageCheck: Decodable, Sendable {
  /// The most stops of the Tab key that a page should have.
  public static let mostTabStops = 40
  /// The most screens that a page should be high.
  public static let mostScreens = 6.0

  /// How many texts and how many controls were seen.
  public var texts = 0, controls = 0
  /// Texts with a contrast below 4.5 to 1.
  public var faint: [String] = []
  /// On a touch device, controls that are less than 40 pixels wide or high.
  public var small: [String] = []
  /// Controls whose centre something else covers.
  public var covered: [String] = []
  /// Names and headings that are not seen whole.
  public var cut: [String] = []
  /// Names that several controls have.
  public var alike: [String] = []
  /// Controls without a value, and what axe-core finds serious or critical, where it is asked.
  public var wrong: [String] = []
  /// Controls that look the same with and without the focus.
  public var unfocused: [String] = []
  public var tabStops = 0
  /// The page's height divided by the window's.
  public var screens = 0.0
  /// How many pixels the page is wider than the window.
  public var sideways = 0.0

  /// All faults, a line each.
  public var lines: [String] {
    let lists = [
      ("faint", faint), ("small", small), ("covered", covered), ("cut", cut), ("alike", alike),
      ("wrong", wrong), ("unfocused", unfocused),
    ]
    var lines = lists.flatMap { name, list in list.map { "\(name): \($0)" } }
    if tabStops > Self.mostTabStops { lines.append("\(tabStops) stops of the Tab key") }
    if screens > Self.mostScreens { lines.append("\(screens) screens high") }
    if sideways > 1 { lines.append("\(Int(sideways)) pixels too wide") }
    return lines
  }

  /// Shows the panel without a piece and checks its page. `change` is JavaScript to run before. Writes a PNG of the
  /// whole page to `picture`. With `asksAxe` axe-core looks, too, where it can be had.
  public init(
    of panel: Panel, in view: PageView, after change: String? = nil, picture: String? = nil,
    asksAxe: Bool = false
  ) throws(Failure) {
    let server = try PanelServer(panel, SilentPiece(), PanelValues(panel), port: 0)
    defer { server.stop() }
    let page = try BrowserPage(server.url, in: view)
    if let picture { try page.picture(picture) }
    if let change { try page.evaluate("(() => { \(change) })()") }
    try self.init(of: page, asksAxe: asksAxe)
  }

  /// Checks a page that is open, of whatever kind.
  public init(of page: BrowserPage, asksAxe: Bool = false) throws(Failure) {
    let found = try page.text("\(Self.script).then(JSON.stringify)") ?? ""
    guard let check = try? JSONDecoder().decode(Self.self, from: Data(found.utf8)) else {
      throw Browser.problem("The page's check says nothing.")
    }
    self = check
    if asksAxe, Axe.lack == nil { wrong += try Axe.violations(of: page) }
  }
}
