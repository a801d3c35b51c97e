import CsoundHost
import CsoundLive
import Foundation
import HarnessBase
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
  /// The tempo map of the score that plays.
  private let map: Mutex<TempoMap?>
  private let state: Mutex<(panel: Panel, server: PanelServer?, osc: OscServer?)>

  /// Why no values of the last time are taken up, or none are kept; nil if there is nothing to say.
  private let remark: String?
  /// What has become of a file of presets that cannot be read; empty if there is nothing to say.
  private let presetRemark: String
  /// Where values are written, as the disk may take its time.
  private let keeper = DispatchQueue(label: "panel-values")
  private let isKeeping = Atomic<Bool>(false)
  /// Says something on the terminal; nil before the panel is opened.
  private let tell = Mutex<(@Sendable (String) -> Void)?>(nil)
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
    var keeping = page == nil ? nil : KeptValues(forPiece: csd)
    var last: PanelPreset?
    var remark: String?
    if keeping?.claim() == false {
      keeping = nil
      remark =
        "The piece is played elsewhere on this computer, where its panel's values are kept. This panel begins with"
        + " the piece's own, and keeps none.\n"
    } else if !isInitial {
      do throws(Failure) {
        last = try keeping?.read()
      } catch {
        remark =
          "The panel begins with the piece's own values, as those of the last time cannot be read. \(error.message)"
          + " The next change of a value replaces it.\n"
      }
    }
    self.remark = remark
    let (presets, presetRemark) = try Self.presets(PresetFile(forPiece: csd))
    self.presetRemark = presetRemark
    values = PanelValues(
      panel, presets: presets, file: PanelFile(forPiece: csd), keeping: keeping, takingUp: last)
    state = Mutex((panel, nil, nil))
    map = Mutex(Self.tempoMap(csd))
  }

  /// The saved presets, as far as they can be read, and what to say.
  private static func presets(_ file: PresetFile) throws(Failure) -> (Presets, String) {
    do throws(Failure) {
      return (try Presets(file), "")
    } catch {
      guard error.kind == .badInput else { throw error }
      let (presets, sentence) = try Presets.mending(file, error)
      return (presets, sentence + "\n")
    }
  }

  /// The panel as the piece's files describe it: its panel file, or else its text.
  static func read(_ csd: String, hints: [ChannelImporter.Hint] = []) throws(Failure)
    -> Panel
  {
    try requireReadableFile(csd)
    guard let text = PieceChannels.text(of: csd) else {
      throw Failure.missingInput("'\(csd)' cannot be read: \(String(cString: strerror(errno))).")
    }
    return try PiecePanel.panel(ofPiece: csd, text: text, hints: hints)
  }

  /// The tempo map of a piece's score; nil if it has none that counts for all of it.
  static func tempoMap(_ csd: String) -> TempoMap? {
    PieceChannels.text(of: csd).flatMap(TempoMap.init(csd:))
  }

  /// Says with which presets and which values of the last time the piece begins, and what of them was left; nil: there is
  /// nothing to say.
  /// Called when the panel is complete.
  func beginning() -> String? {
    values.endBeginning()
    let said = presetRemark + (beginningOfValues() ?? "")
    return said.isEmpty ? nil : said
  }

  private func beginningOfValues() -> String? {
    guard let taken = values.taken else { return remark }
    guard taken.count + taken.left.count > 0 else { return nil }
    func list(_ names: [String]) -> String {
      let shown = names.prefix(8).map { "'\($0)'" }.joined(separator: ", ")
      return names.count > 8 ? shown + " and \(names.count - 8) more" : shown
    }
    var text =
      "The panel begins with \(taken.count.counted("value")) of the last time (\(taken.time));"
      + " --initial begins with the piece's own."
    if !taken.limited.isEmpty {
      text += " Limited to the range that there is now: \(list(taken.limited))."
    }
    if !taken.left.isEmpty { text += " Left, as they no longer fit: \(list(taken.left))." }
    return text + "\n"
  }

  /// Notes the value of a channel that a MIDI controller or a typed line has set.
  func note(_ channel: String, _ value: Double) {
    values.note(channel, value)
    // A morph leaves it where it is.
    state.withLock { $0.server?.desk ?? $0.osc?.desk }?.mailbox.put(set: channel)
  }

  /// Sets the panel to the preset of a MIDI program, 0 to 127: program 0 is the first preset. False if the piece has no
  /// presets, or uses programs itself.
  func choose(program: Int) -> Bool {
    guard !usesPrograms else { return false }
    let desk = state.withLock { $0.server?.desk ?? $0.osc?.desk }
    do throws(Failure) {
      guard let name = try desk?.recallAny(program + 1) else { return false }
      tell.withLock { $0 }?("Program \(program + 1) sets the preset '\(name)'.\n")
    } catch {
      tell.withLock { $0 }?("Program \(program + 1): \(error.message)\n")
    }
    return true
  }

  /// Whether the piece's text does something of its own with MIDI programs, other than to ignore them.
  private var usesPrograms: Bool {
    let text = PieceChannels.text(of: csd) ?? ""
    let rest = text.replacing(/pgmassign\s*\(?\s*\d+\s*,\s*(-1|0)\b/, with: "")
    if ["pgmassign", "midiprogramchange"].contains(where: { rest.contains($0) }) { return true }
    // What `midiin` reads are other messages if the piece ignores programs and has no 192, their status.
    return rest.contains("midiin") && (rest == text || rest.contains(/\b192\b/))
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
    _ performance: Performance, _ controllers: Controllers?, _ transport: Transport,
    say: @escaping @Sendable (String) -> Void
  ) throws(Failure) -> String {
    tell.withLock { $0 = say }
    let panel = state.withLock { $0.panel }
    let piece = PerformancePort(performance)
    var sentences = ""
    var server: PanelServer?
    if let page {
      let new = try PanelServer(
        panel, piece, values, port: page.port, access: page.access, controllers: controllers,
        transport: transport)
      server = new
      state.withLock { $0.server = new }
      sentences +=
        "The panel is at \(new.url)\n" + Self.howToPlay(panel)
        + "It listens at \(new.address), TCP port \(new.port).\n"
        + (new.picture ?? "")
    }
    if let osc {
      let receiver = try OscServer(
        panel, piece, values, beside: server, port: osc.port, address: osc.address,
        transport: transport, say: say)
      state.withLock { $0.osc = receiver }
      sentences += "OSC is received at \(receiver.address), UDP port \(receiver.port).\n"
      if !receiver.address.hasPrefix("127."), receiver.address != "::1" {
        sentences += "Whoever can send to that address can play, as OSC has no passwords.\n"
      }
    }
    return sentences
  }

  /// What plays the panel's keys, if it has some.
  private static func howToPlay(_ panel: Panel) -> String {
    guard panel.widgets.contains(where: { $0.kind == .keyboard }) else { return "" }
    return "Open it in a browser: the mouse, fingers and the letters A W S E … play its keys.\n"
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
    map.withLock { $0 = Self.tempoMap(csd) }
    let (old, server, osc) = state.withLock { $0 }
    if let osc {
      let text = PieceChannels.text(of: csd) ?? ""
      osc.show(named: ChannelImporter.panel(of: text, title: "", hints: hints))
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
    // What FL opcodes have set themselves is set already.
    let own = panel.source == .fltk ? panel.initialNumbers : [:]
    for (channel, value) in values.add(panel) where own[channel] != value {
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

  func show(_ status: Status, _ instruments: [InstrumentLoad], _ lines: [Flight.Line]) {
    showChanges()
    keep()
    state.withLock { $0.server }?.show(
      PanelStatus(
        seconds: status.position, load: status.load, xruns: status.xruns, peaks: status.peaks,
        instruments: instruments, lines: lines, map: map.withLock { $0 }))
  }

  /// Keeps the values beside the piece, so that they are there after a crash. Does not wait for the disk.
  private func keep() {
    guard !isKeeping.exchange(true, ordering: .relaxed) else { return }
    keeper.async { [self] in
      keep(atOnce: false)
      isKeeping.store(false, ordering: .relaxed)
    }
  }

  /// Writes the values. Says once if that fails, until it works again.
  private func keep(atOnce: Bool) {
    do throws(Failure) {
      if try values.keep(atOnce: atOnce) { hasFailedToKeep.store(false, ordering: .relaxed) }
    } catch {
      guard !hasFailedToKeep.exchange(true, ordering: .relaxed) else { return }
      let sentence = "The panel's values are not kept. \(error.message)\n"
      say(sentence)
      tell.withLock { $0 }?(sentence)
    }
  }

  func say(_ text: String) { state.withLock { $0.server }?.say(text) }

  /// Shows why a new version of the piece does not play; nil: it does.
  func show(_ problem: String?) {
    let server = state.withLock { $0.server }
    server?.notify(problem)
    if let problem { server?.say(problem + "\n") } else { server?.beginAgain() }
  }

  /// Tells browsers that the piece has ended, and stops the server.
  func close() {
    let (server, osc) = state.withLock { state in
      defer { (state.server, state.osc) = (nil, nil) }
      return (state.server, state.osc)
    }
    osc?.stop()
    server?.stop()
    keeper.sync { keep(atOnce: true) }
  }
}
