import CsoundLive
import Foundation
import HarnessBase
import PanelServer
import Panels
import Synchronization

/// The panel of a piece that `play` plays: on a page, for OSC, or both.
final class PlayPanel: Sendable {
  /// Where OSC is received.
  struct Network {
    var port: Int
    var address: String
  }

  private let csd: String
  let values: PanelValues
  /// The port and the access of the page; nil if there is none.
  private let page: (port: Int?, access: PanelAccess)?
  private let osc: Network?
  private let widgets: PieceWidgets
  /// The revision of the FL opcodes' panel that is shown.
  private let revision = Atomic<Int>(0)
  private let state: Mutex<(panel: Panel, server: PanelServer?, osc: OscServer?)>

  /// Says with which values of the last time the piece begins; nil: with its own.
  let beginning: String?
  /// Whether it has been said that values cannot be kept.
  private let hasFailedToKeep = Atomic<Bool>(false)

  /// Reads the panel of a piece, and the values of the last time unless the piece is to begin with its own.
  init(
    _ csd: String, _ widgets: PieceWidgets, page: (port: Int?, access: PanelAccess)?, osc: Network?,
    isInitial: Bool
  ) throws(Failure) {
    (self.csd, self.widgets, self.page, self.osc) = (csd, widgets, page, osc)
    let panel = try Self.read(csd)
    // Without a page the piece begins with its own values.
    let keeping = page == nil ? nil : KeptValues(forPiece: csd)
    let last = isInitial ? nil : try keeping?.read()
    let count = (last?.values.count ?? 0) + (last?.texts.count ?? 0)
    beginning = last.map {
      "The panel begins with \(count) \(count == 1 ? "value" : "values") of the last time"
        + " (\($0.name)); --initial begins with the piece's own.\n"
    }
    values = PanelValues(
      panel, presets: try Presets(PresetFile(forPiece: csd)), file: PanelFile(forPiece: csd),
      keeping: keeping, takingUp: last)
    state = Mutex((panel, nil, nil))
  }

  /// The panel as the piece's files describe it: its panel file, or else its text.
  static func read(_ csd: String, hints: [ChannelImporter.Hint] = []) throws(Failure)
    -> Panel
  {
    try requireReadableFile(csd)
    guard let data = FileManager.default.contents(atPath: csd) else {
      throw Failure(.missingInput, "'\(csd)' cannot be read: \(String(cString: strerror(errno))).")
    }
    let title = URL(fileURLWithPath: csd).deletingPathExtension().lastPathComponent
    if let panel = try PanelFile(forPiece: csd).read() { return panel }
    return try PiecePanel.panel(
      of: String(decoding: data, as: UTF8.self), title: title, hints: hints)
  }

  /// Whether it has a keyboard whose keys play MIDI notes.
  var needsMIDI: Bool {
    page != nil
      && state.withLock { state in
        state.panel.widgets.contains { $0.kind == .keyboard && $0.keys?.instrument == nil }
      }
  }

  /// Starts the server, and takes the port of OSC. Returns what to tell the user: the panel's address, with a picture of
  /// it if other computers can reach it, and where OSC is received.
  func open(
    _ performance: Performance, _ controllers: Controllers?,
    recording: @escaping OscServer.Recording,
    say: @escaping @Sendable (String) -> Void
  ) throws(Failure) -> String {
    let panel = state.withLock { $0.panel }
    let piece = PanelledPerformance(performance)
    var sentences = ""
    var server: PanelServer?
    if let page {
      let new = try PanelServer(
        panel, piece, values, port: page.port, access: page.access, controllers: controllers)
      server = new
      state.withLock { $0.server = new }
      if let beginning { new.say(beginning) }
      sentences += "The panel is at \(new.url)\n\(new.picture ?? "")"
    }
    if let osc {
      let receiver = try OscServer(
        panel, piece, values, beside: server, port: osc.port, address: osc.address,
        record: recording, say: say)
      state.withLock { $0.osc = receiver }
      sentences += "OSC is received at \(osc.address), UDP port \(receiver.port).\n"
      if !osc.address.hasPrefix("127."), osc.address != "::1" {
        sentences += "Whoever can send to that address can play, as OSC has no passwords.\n"
      }
    }
    return sentences
  }

  /// Updates the panel once the piece plays. Csound then knows what the text does not tell: computed ranges, and
  /// channels made by macros.
  func refine(_ performance: Performance) throws(Failure) {
    let hints = performance.channels.filter { $0.kind == .control }.compactMap { channel in
      channel.range.map { range in
        ChannelImporter.Hint(
          channel.name,
          ValueRange(
            range.lowerBound, range.upperBound, initial: channel.initial,
            step: channel.isWhole ? 1 : 0, curve: channel.isExponential ? .exponential : .linear),
          isInput: channel.isInput, isOutput: channel.isOutput)
      }
    }
    let (old, server, osc) = state.withLock { $0 }
    if let osc {
      let text = FileManager.default.contents(atPath: csd) ?? Data()
      osc.show(
        named: ChannelImporter.panel(
          of: String(decoding: text, as: UTF8.self), title: "", hints: hints))
      osc.start()
    }
    var panel =
      old.source == .channels || old.source == .fltk
      ? try Self.read(csd, hints: hints) : try Self.read(csd)
    if panel.source == .channels, let made = widgets.panel {
      panel = made.panel
      revision.store(made.revision, ordering: .relaxed)
    }
    guard panel != old else { return }
    for (channel, value) in values.add(panel) {
      try PerformancePort(performance).set(channel, to: value)
    }
    state.withLock { $0.panel = panel }
    server?.show(panel)
    osc?.show(panel)
  }

  /// Shows what the FL opcodes of notes have changed since the last call.
  private func showChanges() {
    guard state.withLock({ $0.panel.source }) == .fltk, let made = widgets.panel,
      revision.exchange(made.revision, ordering: .relaxed) != made.revision
    else { return }
    let (server, osc) = state.withLock { state in
      state.panel = made.panel
      return (state.server, state.osc)
    }
    server?.show(made.panel)
    osc?.show(made.panel)
  }

  func show(_ status: Status, _ instruments: [InstrumentLoad]) {
    showChanges()
    keep()
    state.withLock { $0.server }?.show(
      PanelStatus(
        seconds: status.seconds, load: status.load, xruns: status.xruns, peaks: status.peaks,
        instruments: instruments))
  }

  /// Keeps the values beside the piece, so that they are there after a crash. Says once if that fails.
  private func keep(atOnce: Bool = false) {
    do throws(Failure) {
      try values.keep(atOnce: atOnce)
    } catch {
      guard !hasFailedToKeep.exchange(true, ordering: .relaxed) else { return }
      say("The panel's values are not kept. \(error.message)\n")
    }
  }

  func say(_ text: String) { state.withLock { $0.server }?.say(text) }

  /// Tells browsers that the piece has ended, and stops the server.
  func close() {
    let (server, osc) = state.withLock { state in
      defer { (state.server, state.osc) = (nil, nil) }
      return (state.server, state.osc)
    }
    osc?.stop()
    server?.stop()
    keep(atOnce: true)
  }
}
