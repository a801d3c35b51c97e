import CsoundLive
public import HarnessBase
public import Panels
import Playing

/// Which controls of a panel a pointer reaches in the browser: those whose centre nothing covers.
public struct PanelReach: Codable, Equatable, Sendable {
  /// How many controls the page shows.
  public var controls = 0
  /// The identifiers of the controls whose centre something else covers, or that are less than a pixel wide or high.
  public var covered: [String] = []

  /// Shows the panel without a piece in a browser window of 1280 × 900 pixels and tests each control.
  public init(of panel: Panel) throws(Failure) {
    let server = try PanelServer(panel, SilentPiece(), PanelValues(panel), port: 0)
    defer { server.stop() }
    let page = try BrowserPage(server.url, width: 1280, height: 900)
    let kinds = Set(WidgetKind.allCases.filter(\.isControl).map(\.rawValue))
    let widgets = panel.widgets.filter { kinds.contains($0.kind.rawValue) && !$0.isReadOnly }
    controls = widgets.count
    let covered = try page.evaluate(Self.script) as? [String] ?? []
    self.covered = widgets.map(\.id).filter { covered.contains($0) }
  }

  // If a control lies on a tab, the tab is shown first.
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
  /// Whether a user can move it, press it or type into it.
  fileprivate var isControl: Bool {
    switch self {
    case .slider, .knob, .number, .range, .pad, .button, .momentary, .switch, .menu, .radio, .field,
      .file, .surface, .keyboard, .event:
      true
    case .label, .meter, .text, .table, .scope, .spectrum, .console, .panel: false
    }
  }
}

/// Stands for a piece where none plays: the panel shows its initial values.
struct SilentPiece: PanelledPiece {
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
  func endNotes() {}
}
