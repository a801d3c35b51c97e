import CsoundHost
import CsoundLive
import Foundation
import HarnessBase
import Panels

/// Connects a piece with pages and OSC: carries out their requests, and has all changes for them.
///
/// The server's thread and the one of OSC take turns: what either does is done with `inTurn`.
final class PanelDesk: @unchecked Sendable {
  private let turn = NSRecursiveLock()
  let piece: any PanelledPiece
  let values: PanelValues
  let controllers: (any PanelControllers)?
  let transport: (any PanelTransport)?
  let recordings = DispatchQueue(label: "panel-recordings")
  /// How often there was a panic.
  var panics = 0
  /// What pages are sent whenever it has changed: MIDI bindings, what is recorded and paused, values that were taken up,
  /// values that the piece began with where the panel says others, what is to be said about the piece; and, after the
  /// changes of channels, the status, the instruments' loads and the last samples of the output.
  enum Topic: CaseIterable {
    case controllers, transport, taken, first, notice, status, loads, output
  }
  /// The last news of each topic, and its number.
  private var news: [Topic: (number: Int, message: () -> String)] = [:]
  private var bindings: PanelBindings?
  private var transportState: TransportState?
  private var taken: TakenUp?
  private var first: [String: Double] = [:]
  var beginning = Beginning()
  let mailbox = Mailbox()
  var panel: Panel
  var widgets: [String: PanelWidget] = [:]
  /// The switches that exclude others.
  var switches: [PanelWidget] = []
  private var panelNumber = 1
  /// The number of the last change of the channels in `state` and `others`.
  private(set) var channelsNumber = 1
  var presets: Presets
  var presetsNumber = 1
  var morph: Morph?
  /// The preset that was recalled or saved last; nil if there is none, or it has been deleted.
  var chosenPreset: String? { didSet { if chosenPreset != oldValue { presetsNumber += 1 } } }
  var state: PanelState
  /// The channels of momentary buttons.
  var momentary: Set<String> = []
  /// The channels that no widget of the panel has, as far as they are known; empty without OSC.
  var others = PanelState(Panel("", from: .channels))
  /// All channels that the text of the piece names, as a panel; without widgets if there is no OSC.
  private var named = Panel("", from: .channels)
  /// Whether OSC has subscribers, which are sent the piece's own changes.
  var isWatched = false
  var holds = Holds()
  private var clients: [Int: PanelClient] = [:]
  /// Channels of buttons that were released before the piece had read that they were down: their value when off, and
  /// the time in seconds at which it is set at the latest. By name, as the panel may be replaced before that.
  var pendingReleases: [String: (off: Double, until: Double)] = [:]
  private var status: PanelStatus?
  /// What is gathered for the next status, which is due at `statusDue`.
  private var gathered: PanelStatus?
  private var statusDue = 0.0
  private static let statusInterval = 0.1
  private var loads: ([InstrumentLoad], [Flight.Line]) = ([], [])
  private var seconds = 0.0
  private var ticks = 0
  private var lines: [(number: Int, text: String)] = []
  private var lastLine = 0
  /// The messages of the tables that are shown, with the number of their last change.
  private var tables: [Int: (change: Int, message: String)] = [:]
  private var lastTableChange = 0
  let tableWatch: TableWatch
  /// Whether the panel draws the output.
  private var drawsOutput = false
  private static let drawnSamples = 2048
  private let start = ContinuousClock.now

  init(
    _ panel: Panel, _ piece: any PanelledPiece, _ values: PanelValues,
    _ controllers: (any PanelControllers)?, _ transport: (any PanelTransport)?
  ) {
    (self.panel, self.piece, self.values) = (panel, piece, values)
    (self.controllers, self.transport) = (controllers, transport)
    presets = values.presets
    state = PanelState(panel)
    tableWatch = TableWatch(piece, mailbox)
    take(panel)
  }

  var now: Double { start.duration(to: .now) / .seconds(1) }

  private func take(_ panel: Panel) {
    self.panel = panel
    switches = panel.widgets.filter { $0.kind == .switch && $0.exclusive != nil }
    widgets = Dictionary(panel.widgets.map { ($0.id, $0) }) { first, _ in first }
    momentary = Set(
      panel.widgets.filter { $0.kind == .momentary }.flatMap { $0.channels.prefix(1) })
    state = filled(PanelState(panel))
    beginning.take(panel, values)
    takeOthers()
    watchTables()
  }

  /// Takes all channels that the text of the piece names, as a panel.
  func show(named: Panel) {
    self.named = named
    takeOthers()
    channelsNumber += 1
  }

  private func takeOthers() {
    var rest = named
    rest.widgets.removeAll { $0.channels.allSatisfy { state.place(of: $0) != nil } }
    others = filled(PanelState(rest))
  }

  /// A state with the values that its channels were last set to.
  private func filled(_ state: PanelState) -> PanelState {
    var state = state
    for (name, value) in values.all {
      if let place = state.place(of: name, for: value) {
        state.set(place, to: value, by: 0, at: now)
      }
    }
    return state
  }

  /// Watches the panel's tables while there are clients.
  private func watchTables() {
    drawsOutput = panel.widgets.contains { $0.kind == .scope || $0.kind == .spectrum }
    let shown = Set(panel.widgets.flatMap(\.tables).filter(Self.isTable))
    tables = tables.filter { shown.contains($0.key) }
    tableWatch.watch(clients.isEmpty ? [] : shown)
  }

  /// Whether Csound can have a table of this number.
  static func isTable(_ number: Int) -> Bool { number > 0 && Int32(exactly: number) != nil }

  /// Stops watching tables.
  func stop() { tableWatch.stop() }

  // MARK: Clients

  func open(_ connection: Int) {
    clients[connection] = PanelClient()
    watchTables()
  }

  func close(_ connection: Int) {
    letGo(of: connection)
    clients[connection] = nil
    watchTables()
  }

  /// Releases everything that any client holds.
  func releaseAll() { for client in clients.keys { letGo(of: client) } }

  func letGo(of client: Int) {
    for thing in holds.held(by: client) { try? change(thing, isDown: false, by: client) }
  }

  /// Takes a whole message.
  func receive(_ message: Data, from connection: Int) {
    guard let client = clients[connection] else { return }
    do throws(Failure) {
      guard let message = try? JSONDecoder().decode(ClientMessage.self, from: message) else {
        throw ClientMessage.isNone
      }
      try carryOut(message, by: connection)
      if let id = message.id { client.done = id }
    } catch {
      client.answer = ServerMessage.refused(error.message)
    }
  }

  // MARK: Messages to pages

  /// Takes what other threads have left, and looks at the piece. Called 60 times a second. Returns the pages for which
  /// there are messages.
  func lookAround() -> [Int] {
    let left = mailbox.take()
    if let panel = left.panel { show(panel) }
    if let new = left.status { gathered = gathered.map { new.merged(with: $0) } ?? new }
    if let gathered, now >= statusDue {
      (status, self.gathered, statusDue) = (gathered, nil, now + Self.statusInterval)
      publish(.status) { ServerMessage.status(gathered) }
      if (gathered.instruments, gathered.lines) != loads {
        loads = (gathered.instruments, gathered.lines)
        publish(.loads) { [loads] in ServerMessage.loads(loads.0, loads.1) }
      }
    }
    for (table, picture) in left.tables {
      lastTableChange += 1
      tables[table] = (lastTableChange, ServerMessage.table(table, picture))
    }
    lastLine += left.lost
    for line in left.lines {
      lastLine += 1
      lines.append((lastLine, line))
    }
    lines.removeFirst(max(0, lines.count - Mailbox.lineLimit))
    if !clients.isEmpty || !pendingReleases.isEmpty || isWatched || morph != nil { observe() }
    if let bindings = controllers?.bindings, bindings != self.bindings {
      self.bindings = bindings
      publish(.controllers) { ServerMessage.controllers(bindings) }
    }
    if let state = transport?.state, state != transportState {
      transportState = state
      publish(.transport) { ServerMessage.transport(state) }
    }
    watchBeginning()
    if values.taken != taken {
      taken = values.taken
      publish(.taken) { [taken] in ServerMessage.taken(taken) }
    }
    if let text = left.notice { publish(.notice) { ServerMessage.notice(text) } }
    return clients.filter { hasNews(for: $0.value) }.map(\.key)
  }

  /// Replaces the panel on all pages.
  func show(_ panel: Panel) {
    for client in clients.keys { letGo(of: client) }
    morph = nil
    take(panel)
    panelNumber += 1
    noteFirst(isNew: true)
    channelsNumber += 1
    presetsNumber += 1
    for client in clients.values { (client.change, client.table) = (0, 0) }
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
        let message = ServerMessage.output(samples, sampleRate: piece.sampleRate)
        publish(.output) { message }
      }
    }
    observe(&state, at: time, hasAdvanced: hasAdvanced)
    if isWatched { observe(&others, at: time, hasAdvanced: hasAdvanced) }
    carryOutReleases(at: time)
    carryOutMorph(at: time)
  }

  private func observe(_ state: inout PanelState, at time: Double, hasAdvanced: Bool) {
    for (place, channel) in state.channels.enumerated() {
      if !channel.isText, let value = try? piece.value(of: channel.name) {
        state.observe(place, value, at: time, hasAdvanced: hasAdvanced)
      } else if channel.isText || channel.bounds == nil, ticks % 6 == 0,
        let text = try? piece.text(of: channel.name)
      {
        // Ten times a second is enough for texts.
        state.observe(place, text, at: time)
      }
    }
  }

  /// Sets the channels of released buttons to off once the piece has read that they were on, or after 2 seconds.
  private func carryOutReleases(at time: Double) {
    for (name, release) in pendingReleases {
      guard let place = state.place(of: name), !state.channels[place].isText else {
        // The button is no longer on the panel, but the piece may still have its channel.
        pendingReleases[name] = nil
        if (try? piece.value(of: name)) != nil { try? piece.set(name, to: release.off) }
        continue
      }
      let channel = state.channels[place]
      guard time >= release.until || channel.observed.map({ .number($0) }) == channel.value
      else { continue }
      pendingReleases[name] = nil
      try? set(place, to: .number(release.off), by: 0)
    }
  }

  /// Has pages told with which values the piece began. A page forgets them with a new panel.
  func noteFirst(isNew: Bool) {
    let new = values.firstNumbers(beside: panel)
    guard isNew || new != first else { return }
    first = new
    publish(.first) { ServerMessage.first(new) }
  }

  private func publish(_ topic: Topic, _ message: @escaping () -> String) {
    news[topic] = ((news[topic]?.number ?? 0) + 1, message)
  }

  /// The first of these topics of which a client has not been sent the last news.
  private func topic(for client: PanelClient, among topics: [Topic] = Topic.allCases) -> Topic? {
    topics.first { client.seen[$0, default: 0] < news[$0]?.number ?? 0 }
  }

  private func nextNews(for client: PanelClient, among topics: [Topic]) -> String? {
    guard let topic = topic(for: client, among: topics), let next = news[topic] else { return nil }
    client.seen[topic] = next.number
    return next.message()
  }

  /// Tells a client why its request was refused, if it is still there.
  func refuse(_ client: Int, _ failure: Failure) {
    answer(client, ServerMessage.refused(failure.message))
  }

  func answer(_ client: Int, _ message: String) { clients[client]?.answer = message }

  private func hasNews(for client: PanelClient) -> Bool {
    client.panel != panelNumber || client.presets < presetsNumber
      || client.change < state.lastChange || client.line < lastLine
      || client.table < lastTableChange || client.answer != nil || client.done != nil
      || topic(for: client) != nil
  }

  /// The next message for a connection, asked for when the connection can send it; nil: there is none.
  func nextMessage(for connection: Int) -> String? {
    guard let client = clients[connection] else { return nil }
    if client.panel != panelNumber {
      client.panel = panelNumber
      return ServerMessage.hello(panel)
    }
    if client.presets < presetsNumber {
      client.presets = presetsNumber
      return ServerMessage.presets(presets.all(beside: panel).map(\.name), chosen: chosenPreset)
    }
    let early: [Topic] = [.controllers, .transport, .taken, .first, .notice]
    if let message = nextNews(for: client, among: early) { return message }
    if let done = client.done {
      client.done = nil
      return ServerMessage.done(done)
    }
    if let answer = client.answer {
      client.answer = nil
      return answer
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
    return nextNews(for: client, among: [.status, .loads, .output])
  }

  private func changedValues(for client: PanelClient, _ connection: Int) -> String? {
    // Once in a tick, however many changes there are.
    guard client.change < state.lastChange, client.tick != ticks else { return nil }
    let changed = state.news(since: client.change, for: connection)
    client.change = state.lastChange
    guard !changed.isEmpty else { return nil }
    client.tick = ticks
    return ServerMessage.values(PanelState.values(of: changed))
  }
}

extension PanelDesk {
  /// Calls `body` when no other thread uses the desk.
  func inTurn<Result, Reason>(_ body: () throws(Reason) -> Result) throws(Reason) -> Result {
    turn.lock()
    defer { turn.unlock() }
    return try body()
  }
}
