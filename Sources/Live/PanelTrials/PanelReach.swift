import CsoundLive
public import HarnessBase
import PanelServer
public import Panels

/// Which controls of a panel a pointer reaches in the browser: those that lie on top at their own middle.
public struct PanelReach: Codable, Equatable, Sendable {
  /// How many controls the page shows.
  public var controls = 0
  /// The identifiers of those that something else covers, or that have no size.
  public var covered: [String] = []

  /// Shows a panel that nothing plays, in a window of 1280 × 900 pixels, and asks the browser.
  public init(of panel: Panel) throws(Failure) {
    let server = try PanelServer(panel, SilentPiece(), PanelValues(panel), port: 0)
    defer { server.stop() }
    let page = try BrowserPage(server.url, width: 1280, height: 900)
    defer { page.close() }
    let kinds = Set(WidgetKind.allCases.filter(\.isControl).map(\.rawValue))
    let widgets = panel.widgets.filter { kinds.contains($0.kind.rawValue) && !$0.isReadOnly }
    controls = widgets.count
    let covered = try page.evaluate(Self.script) as? [String] ?? []
    self.covered = widgets.map(\.id).filter { covered.contains($0) }
  }

  // A control on a page of tabs is looked at with its page shown.
  private static let script = """
    [...document.querySelectorAll('#panel .widget')].filter(widget => {
      for (let page = widget.parentElement; page; page = page.parentElement) {
        if (page.hidden) document.getElementById(page.getAttribute('aria-labelledby'))?.click();
      }
      widget.scrollIntoView({ block: 'center', inline: 'center' });
      const box = widget.getBoundingClientRect();
      const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      return box.width < 1 || box.height < 1 || !widget.contains(top);
    }).map(widget => widget.dataset.id)
    """
}

extension WidgetKind {
  /// Whether a hand moves it.
  fileprivate var isControl: Bool {
    switch self {
    case .slider, .knob, .number, .range, .pad, .button, .momentary, .switch, .menu, .radio, .field,
      .file, .surface, .keyboard, .event:
      true
    case .label, .meter, .text, .table, .scope, .spectrum, .console, .panel: false
    }
  }
}

/// A piece that does not play: its channels are as the panel has them.
private struct SilentPiece: PanelledPiece {
  var channels: [ChannelDescription] { [] }
  var sampleRate: Double { 0 }
  func set(_ channel: String, to value: Double) {}
  func set(_ channel: String, to text: String) {}
  func press(_ channel: String) {}
  func value(of channel: String) -> Double? { nil }
  func text(of channel: String) -> String? { nil }
  func table(_ number: Int) throws(Failure) -> [Double] {
    throw Failure(.unavailable, "Nothing plays that has tables.")
  }
  func setTable(_ number: Int, to samples: [Double]) {}
  func output(_ count: Int) -> [Double] { [] }
  func send(line: String) {}
  func send(midi message: MIDIMessage) {}
}
