import CsoundLive
import Foundation
import HarnessBase
import Panels

/// Between pages and a piece: carries out what pages ask for, and tells them what there is.
///
/// All on the server's thread.
final class PanelDesk: WebsocketHandler {
  private let piece: any PanelledPiece
  private let values: PanelValues
  let mailbox = Mailbox()
  private var panel: Panel
  private var widgets: [String: PanelWidget] = [:]
  /// Those that exclude others.
  private var switches: [PanelWidget] = []
  private var panelNumber = 1
  private var presets: Presets
  private var presetsNumber = 1
  private var state: PanelState
  private var holds = Holds()
  private var clients: [Int: PanelClient] = [:]
  /// Buttons that were let go before the piece had noticed they were down.
  private var pendingReleases: [(place: Int, off: Double, until: Double)] = []
  private var status: PanelStatus?
  /// What is gathered for the next status, and when that is due.
  private var gathered: PanelStatus?
  private var statusDue = 0.0
  private static let statusInterval = 0.1
  private var statusNumber = 0
  private var seconds = 0.0
  private var ticks = 0
  private var lines: [(number: Int, text: String)] = []
  private var lastLine = 0
  /// Tables that are shown, with the number of their last change.
  private var tables: [Int: (change: Int, message: String)] = [:]
  private var lastTableChange = 0
  private let tableWatch: TableWatch
  /// Whether the panel draws the output, and what of it is drawn, by its number.
  private var drawsOutput = false
  private var output: (number: Int, message: String) = (0, "")
  private static let drawnSamples = 2048
  private let start = ContinuousClock.now

  init(_ panel: Panel, _ piece: any PanelledPiece, _ values: PanelValues) {
    (self.panel, self.piece, self.values) = (panel, piece, values)
    presets = values.presets
    state = PanelState(panel)
    tableWatch = TableWatch(piece, mailbox)
    take(panel)
  }

  private var now: Double { start.duration(to: .now) / .seconds(1) }

  private func take(_ panel: Panel) {
    self.panel = panel
    switches = panel.widgets.filter { $0.kind == .switch && $0.exclusive != nil }
    widgets = Dictionary(panel.widgets.map { ($0.id, $0) }) { first, _ in first }
    var state = PanelState(panel)
    for (name, value) in values.numbers {
      if let place = state.place(of: name), !state.channels[place].isText {
        state.set(place, to: .number(value), by: 0, at: now)
      }
    }
    for (name, text) in values.texts {
      if let place = state.place(of: name), state.channels[place].isText {
        state.set(place, to: .text(text), by: 0, at: now)
      }
    }
    self.state = state
    watchTables()
  }

  /// Tables are looked at while somebody sees them.
  private func watchTables() {
    drawsOutput = panel.widgets.contains { $0.kind == .scope || $0.kind == .spectrum }
    let shown = Set(panel.widgets.flatMap(\.tables).filter { $0 > 0 })
    tables = tables.filter { shown.contains($0.key) }
    tableWatch.watch(clients.isEmpty ? [] : shown)
  }

  /// What looks at tables ends.
  func stop() { tableWatch.stop() }

  // MARK: Clients

  func opened(_ connection: Int) {
    clients[connection] = PanelClient()
    watchTables()
  }

  func closed(_ connection: Int) {
    letGo(of: connection)
    clients[connection] = nil
    watchTables()
  }

  private func letGo(of client: Int) {
    for thing in holds.held(by: client) { try? change(thing, isDown: false, by: client) }
  }

  func received(_ message: Data, from connection: Int) -> String? {
    guard let client = clients[connection] else { return "This client is unknown." }
    guard let numbered = ClientMessage.read(message) else {
      client.refusal = "The message was no message of the protocol."
      return nil
    }
    do throws(Failure) {
      try carryOut(numbered.message, by: connection)
      if let id = numbered.id { client.done = id }
    } catch {
      client.refusal = error.message
    }
    return nil
  }

  // MARK: What pages ask for

  private func carryOut(_ message: ClientMessage, by client: Int) throws(Failure) {
    switch message {
    case .set(let channel, let value):
      let place = try place(of: channel)
      guard let bounds = state.channels[place].bounds, !state.channels[place].isText else {
        throw Failure(.usage, "'\(channel)' is shown only; no widget sets its number.")
      }
      let admitted = min(bounds.upperBound, max(bounds.lowerBound, value))
      try set(place, to: admitted, by: admitted == value ? client : 0)
    case .text(let channel, let text):
      let place = try place(of: channel)
      guard state.channels[place].isText else {
        throw Failure(.usage, "'\(channel)' is no channel of a text that can be set.")
      }
      try set(place, to: text, by: client)
    case .press(let id):
      let widget = try widget(id, [.momentary, .event])
      if let channel = widget.channels.first, !channel.isEmpty { try piece.press(channel) }
      try send(widget.press)
    case .hold(let id, let isDown):
      _ = try widget(id, [.button, .event])
      try change(.widget(id), isDown: isDown, by: client)
    case .choose(let id, let choice): try choose(choice, of: id, by: client)
    case .key(let id, let key, let isDown):
      let keys = try widget(id, [.keyboard]).keys ?? PanelKeys()
      guard key >= keys.low, key < keys.low + keys.count, (0...127).contains(key) else {
        throw Failure(.usage, "'\(id)' has no key \(key).")
      }
      try change(.key(widget: id, key: key), isDown: isDown, by: client)
    case .sample(let id, let index, let value):
      let surface = try widget(id, [.surface])
      guard let table = surface.tables.first, table > 0, surface.channels.isEmpty else {
        throw Failure(.usage, "'\(id)' shows no table.")
      }
      let bounds = surface.bounds(ofChannel: 0) ?? 0...1
      tableWatch.set(table, index, to: min(bounds.upperBound, max(bounds.lowerBound, value)))
    case .preset(let name, .recall): try recall(name)
    case .preset(let name, .save):
      try presets.save(state.preset(name))
      presetsNumber += 1
    case .preset(let name, .delete):
      try presets.delete(name)
      presetsNumber += 1
    case .release: letGo(of: client)
    }
  }

  /// Sets what a preset has values for and this panel can set.
  private func recall(_ name: String) throws(Failure) {
    guard let preset = presets.all(beside: panel).first(where: { $0.name == name }) else {
      throw Failure(.usage, "There is no preset '\(name)'.")
    }
    for (channel, value) in preset.values.sorted(by: { $0.key < $1.key }) {
      guard let place = state.place(of: channel), !state.channels[place].isText,
        let bounds = state.channels[place].bounds
      else { continue }
      try set(place, to: min(bounds.upperBound, max(bounds.lowerBound, value)), by: 0)
    }
    for (channel, text) in preset.texts.sorted(by: { $0.key < $1.key }) {
      guard let place = state.place(of: channel), state.channels[place].isText else { continue }
      try set(place, to: text, by: 0)
    }
  }

  private func place(of channel: String) throws(Failure) -> Int {
    guard let place = state.place(of: channel) else {
      throw Failure(.usage, "The panel has no channel '\(channel)'.")
    }
    return place
  }

  private func widget(_ id: String, _ kinds: Set<WidgetKind>) throws(Failure) -> PanelWidget {
    guard let widget = widgets[id], kinds.contains(widget.kind), !widget.isReadOnly else {
      throw Failure(.usage, "The panel has no widget '\(id)' that can do this.")
    }
    return widget
  }

  private func set(_ place: Int, to value: Double, by client: Int) throws(Failure) {
    let name = state.channels[place].name
    try piece.set(name, to: value)
    values.set(name, to: value)
    state.set(place, to: .number(value), by: client, at: now)
    try switchOffOthers(of: name, at: value)
  }

  /// Of switches that exclude one another, one that goes on switches the others off.
  private func switchOffOthers(of channel: String, at value: Double) throws(Failure) {
    let switched = switches.first { $0.channels.first == channel && $0.on == value }
    guard let switched else { return }
    for other in switches where other.exclusive == switched.exclusive && other.id != switched.id {
      guard let name = other.channels.first, name != channel, let place = state.place(of: name),
        state.channels[place].value != .number(other.off)
      else { continue }
      try set(place, to: other.off, by: 0)
    }
  }

  private func set(_ place: Int, to text: String, by client: Int) throws(Failure) {
    let name = state.channels[place].name
    try piece.set(name, to: text)
    values.set(name, to: text)
    state.set(place, to: .text(text), by: client, at: now)
  }

  private func choose(_ choice: Int, of id: String, by client: Int) throws(Failure) {
    let widget = try widget(id, [.menu, .radio, .switch])
    let isSwitch = widget.kind == .switch
    guard choice >= 0, choice < (isSwitch ? 2 : widget.options.count) else {
      throw Failure(.usage, "'\(id)' has no choice \(choice).")
    }
    if let channel = widget.channels.first, let place = state.place(of: channel) {
      if isSwitch {
        try set(place, to: choice == 0 ? widget.off : widget.on, by: client)
      } else if let text = widget.options[choice].text {
        try set(place, to: text, by: client)
      } else {
        try set(place, to: widget.options[choice].value, by: client)
      }
    }
    try send(isSwitch && choice == 0 ? widget.release : widget.press)
  }

  /// Something is held, or let go, by a client; the first and the last of several change it.
  private func change(_ thing: Holds.Thing, isDown: Bool, by client: Int) throws(Failure) {
    guard isDown ? holds.hold(thing, by: client) : holds.letGo(thing, by: client) else { return }
    switch thing {
    case .widget(let id):
      guard let widget = widgets[id] else { return }
      try send(isDown ? widget.press : widget.release)
      guard widget.kind == .button, let channel = widget.channels.first,
        let place = state.place(of: channel)
      else { return }
      pendingReleases.removeAll { $0.place == place }
      if isDown {
        try set(place, to: widget.on, by: 0)
      } else if let value = try piece.value(of: channel), value != widget.on {
        pendingReleases.append((place, widget.off, now + 0.5))
      } else {
        try set(place, to: widget.off, by: 0)
      }
    case .key(let id, let key):
      let keys = widgets[id]?.keys ?? PanelKeys()
      if let instrument = keys.instrument {
        let number = "\(instrument).\(String(key + 1000).dropFirst())"
        try piece.send(
          line: isDown ? "i \(number) 0 -2 \(key) \(keys.velocity)" : "i -\(number) 0 0 \(key) 0")
      } else {
        let velocity = UInt8(min(127, max(1, keys.velocity)))
        try piece.send(
          midi: isDown
            ? .noteOn(UInt8(key), velocity: velocity, channel: keys.channel)
            : .noteOff(UInt8(key), channel: keys.channel))
      }
    }
  }

  private func send(_ lines: [String]) throws(Failure) {
    for line in lines { try piece.send(line: line) }
  }

  // MARK: What pages are told

  func tick() -> [Int] {
    let news = mailbox.take()
    if let panel = news.panel {
      for client in clients.keys { letGo(of: client) }
      take(panel)
      panelNumber += 1
      presetsNumber += 1
      for client in clients.values { (client.change, client.table) = (0, 0) }
    }
    if let new = news.status { gathered = gathered.map { new.merged(with: $0) } ?? new }
    if let gathered, now >= statusDue {
      (status, self.gathered, statusDue) = (gathered, nil, now + Self.statusInterval)
      statusNumber += 1
    }
    for (table, picture) in news.tables {
      lastTableChange += 1
      tables[table] = (lastTableChange, ServerMessage.table(table, picture))
    }
    lastLine += news.lost
    for line in news.lines {
      lastLine += 1
      lines.append((lastLine, line))
    }
    lines.removeFirst(max(0, lines.count - Mailbox.lineLimit))
    if !clients.isEmpty { observe() }
    return clients.filter { hasNews(for: $0.value, $0.key) }.map(\.key)
  }

  private func observe() {
    let time = now
    let latest = (gathered ?? status)?.seconds
    let hasAdvanced = latest.map { $0 > seconds } ?? true
    seconds = latest ?? seconds
    ticks += 1
    // Twenty times a second.
    if drawsOutput, ticks % 3 == 0 {
      let samples = piece.output(Self.drawnSamples)
      if !samples.isEmpty {
        output = (output.number + 1, ServerMessage.output(samples, sampleRate: piece.sampleRate))
      }
    }
    for (place, channel) in state.channels.enumerated() {
      if !channel.isText, let value = try? piece.value(of: channel.name) {
        state.observe(place, value, at: time, hasAdvanced: hasAdvanced)
      } else if channel.isText || channel.bounds == nil, ticks % 6 == 0,
        let text = try? piece.text(of: channel.name)
      {
        // Texts are rarely heard, and looked at ten times a second.
        state.observe(place, text, at: time)
      }
    }
    let due = pendingReleases.filter { release in
      time >= release.until
        || state.channels[release.place].observed.map { .number($0) }
          == state.channels[release.place].value
    }
    guard !due.isEmpty else { return }
    pendingReleases.removeAll { release in due.contains { $0.place == release.place } }
    for release in due { try? set(release.place, to: release.off, by: 0) }
  }

  private func hasNews(for client: PanelClient, _ number: Int) -> Bool {
    client.panel != panelNumber || client.presets < presetsNumber
      || client.change < state.lastChange || client.line < lastLine
      || client.table < lastTableChange || client.status < statusNumber || client.refusal != nil
      || client.done != nil || client.output < output.number
  }

  func message(for connection: Int) -> String? {
    guard let client = clients[connection] else { return nil }
    if client.panel != panelNumber {
      client.panel = panelNumber
      return ServerMessage.hello(panel)
    }
    if client.presets < presetsNumber {
      client.presets = presetsNumber
      return ServerMessage.presets(presets.all(beside: panel).map(\.name))
    }
    if let done = client.done {
      client.done = nil
      return ServerMessage.done(done)
    }
    if let refusal = client.refusal {
      client.refusal = nil
      return ServerMessage.refused(refusal)
    }
    if let values = changedValues(for: client, connection) { return values }
    if let next = tables.values.filter({ $0.change > client.table }).min(by: {
      $0.change < $1.change
    }) {
      client.table = next.change
      return next.message
    }
    client.table = lastTableChange
    if client.line < lastLine {
      let new = lines.filter { $0.number > client.line }
      let lost = lastLine - client.line - new.count
      client.line = lastLine
      return ServerMessage.console(new.map(\.text).joined(), lost: lost)
    }
    if client.status < statusNumber, let status {
      client.status = statusNumber
      return ServerMessage.status(status)
    }
    if client.output < output.number {
      client.output = output.number
      return output.message
    }
    return nil
  }

  private func changedValues(for client: PanelClient, _ connection: Int) -> String? {
    guard client.change < state.lastChange else { return nil }
    let changed = state.news(since: client.change, for: connection)
    client.change = state.lastChange
    var numbers: [(String, Double)] = []
    var texts: [(String, String)] = []
    for channel in changed {
      switch channel.value {
      case .number(let value): numbers.append((channel.name, value))
      case .text(let text): texts.append((channel.name, text))
      case nil: break
      }
    }
    return numbers.isEmpty && texts.isEmpty ? nil : ServerMessage.values(numbers, texts)
  }
}
