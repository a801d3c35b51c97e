import CRealtime
import CsoundLive
import Foundation
public import HarnessBase
public import Panels
import Synchronization

/// Lets other programs play a piece by Open Sound Control 1.0 over UDP, and sends them its values.
///
/// Any thread may use it. What packets ask for goes the way that pages use, and is done on a thread of its own; the audio
/// thread only takes values and events from its queues.
public final class OscServer: @unchecked Sendable {
  let desk: PanelDesk
  let piece: PerformancePort
  let values: PanelValues
  /// Whether this thread, and not a panel's server, looks at the piece.
  private let looksItself: Bool
  private let socket: OscSocket
  let say: @Sendable (String) -> Void
  /// The port and the address that it listens on, read back from the socket.
  public var port: Int { socket.bound.port }
  public var address: String { socket.bound.address }

  /// The channels that the orchestra declares, by name. Used during a turn.
  var declared: [String: ChannelDescription] = [:]
  /// Seconds after which a subscriber is forgotten unless it subscribes again. Changed before the start only.
  package var lease = 60.0
  // Used on the thread of OSC only.
  var clock: OscClock
  var waiting: [OscWaiting] = []
  /// The panic that `waiting` has been emptied for.
  private var lastPanic = 0
  var subscribers: [OscSubscriber] = []
  var lastClient = 0
  private var reports = OscReports()
  private var answers = Allowance(perSecond: 20)
  private var events = Allowance(perSecond: OscServer.eventsPerSecond)
  private var nextTick = 0
  /// What other threads refuse, to be answered on that of OSC.
  private let late = Mutex<[(refusal: OscRefusal, address: String, peer: OscPeer)]>([])

  private let isStopping = Atomic<Bool>(false)
  private let alarm = eventfd(0, Int32(EFD_CLOEXEC))
  private let over = DispatchSemaphore(value: 0)
  private let isStarted = Atomic<Bool>(false)

  /// The most score events in a second; more could not be played.
  static let eventsPerSecond = 2000.0
  /// Nanoseconds from one look at the piece's values to the next.
  private static let tick = 1_000_000_000 / 60
  /// The most packets that are read before values are sent.
  private static let batch = 512

  /// Listens on a port, 0 for any free one, of a numeric address of this computer, without answering yet. `server` has
  /// the panel in the browser, and its transport; nil if there is none. `say` is called with sentences for the user.
  public init(
    _ panel: Panel, _ piece: PerformancePort, _ values: PanelValues,
    beside server: PanelServer?,
    port: Int, address: String, transport: (any PanelTransport)?,
    say: @escaping @Sendable (String) -> Void
  ) throws(Failure) {
    socket = try OscSocket(address, port: port)
    desk = server?.desk ?? PanelDesk(panel, piece, values, nil, transport)
    looksItself = server == nil
    (self.piece, self.values, self.say) = (piece, values, say)
    clock = OscClock(piece.performance)
  }

  deinit { close(alarm) }

  /// Begins to answer, once the piece plays. What has arrived before is done now.
  public func start() {
    guard !isStarted.exchange(true, ordering: .relaxed) else { return }
    let thread = Thread { [self] in
      serve()
      over.signal()
    }
    thread.name = "osc"
    thread.start()
  }

  /// Takes another panel, unless a panel's server has it.
  public func show(_ panel: Panel) { if looksItself { desk.mailbox.put(panel) } }

  /// Takes all channels that the piece's text names, as a panel.
  public func show(named panel: Panel) {
    let channels = piece.channels
    desk.inTurn {
      desk.show(named: panel)
      declared = Dictionary(channels.map { ($0.name, $0) }) { first, _ in first }
    }
  }

  /// Stops, at most a second later.
  public func stop() {
    guard !isStopping.exchange(true, ordering: .releasing) else { return }
    if looksItself { desk.stop() }
    guard isStarted.load(ordering: .relaxed) else { return }
    eventfd_write(alarm, 1)
    guard over.wait(timeout: .now() + 1) == .success else { return }
    if let rest = reports.rest { say(rest) }
  }

  // MARK: On the thread of OSC

  private func serve() {
    while !isStopping.load(ordering: .acquiring) {
      wait()
      let now = Int(realtime_now())
      if now >= nextTick {
        nextTick = max(nextTick + Self.tick, now)
        desk.inTurn {
          if looksItself { _ = desk.lookAround() }
          tellSubscribers()
        }
      }
      var count = 0
      while count < Self.batch, socket.receive({ take($0, from: $1) }) { count += 1 }
      lose(socket.takeUnreachable())
      dropAfterPanic()
      carryOutDue()
      let refused = late.withLock { late in
        defer { late = [] }
        return late
      }
      for (refusal, address, peer) in refused { answer(refusal, address, peer) }
    }
  }

  /// Waits for a packet, for what is due, or for the next look at the values if anyone is to be told of them.
  private func wait() {
    let now = Int(realtime_now())
    let isLooking =
      !subscribers.isEmpty
      || looksItself && desk.inTurn { !desk.pendingReleases.isEmpty || desk.morph != nil }
    let next = min(isLooking ? nextTick : now + 500_000_000, waiting.first?.wakes ?? .max)
    var pollers = [
      pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: alarm, events: Int16(POLLIN), revents: 0),
    ]
    poll(&pollers, 2, CInt(max(0, next - now + 999_999) / 1_000_000))
    var count: eventfd_t = 0
    if pollers[1].revents != 0 { eventfd_read(alarm, &count) }
  }

  /// Drops what waits if there was a panic, of a page or of OSC.
  func dropAfterPanic() {
    let panics = desk.inTurn { desk.panics }
    if panics != lastPanic { (lastPanic, waiting) = (panics, []) }
  }

  private func take(_ packet: UnsafeRawBufferPointer, from peer: OscPeer) {
    guard let messages = OscMessage.read(packet) else {
      return refuse(
        OscRefusal(
          "A packet of \(packet.count) bytes is no message or bundle of OSC 1.0, or has a blob.",
          .malformed), "", peer)
    }
    for message in messages {
      attempt(message.address, peer) { try take(message, from: peer) }
    }
  }

  private func take(_ message: OscMessage, from peer: OscPeer) throws {
    let request = try OscRequest(message)
    if request.isEvent, !events.take(at: seconds) {
      throw OscRefusal(
        "More than \(Int(Self.eventsPerSecond)) events came in a second; some are left out.",
        .tooMany)
    }
    guard message.time != OscMessage.now else { return try carryOut(request, by: peer, .now) }
    let due = clock.time(of: message.time)
    let left = due - Int(realtime_now())
    guard left > 0 else { return try carryOut(request, by: peer, .now) }
    guard left <= OscWaiting.horizon else {
      throw OscRefusal(
        "A bundle is due in more than a minute, so it is left out; is the sender's clock right?",
        .tooFar)
    }
    guard waiting.count < OscWaiting.limit else {
      throw OscRefusal(
        "\(OscWaiting.limit) messages wait for their time; further ones are left out.", .tooMany)
    }
    queue(OscWaiting(due: due, address: message.address, request: request, peer: peer))
  }

  var seconds: Double { Double(realtime_now()) * 1e-9 }

  /// Does something that may be refused, and says so.
  func attempt(_ address: String, _ peer: OscPeer, _ body: () throws -> Void) {
    do { try body() } catch { refuse(OscRefusal(error), address, peer) }
  }

  private func refuse(_ refusal: OscRefusal, _ address: String, _ peer: OscPeer) {
    if let text = reports.note(refusal, at: seconds) { say(text) }
    answer(refusal, address, peer)
  }

  /// Refuses a request that another thread has tried, and says so at once. May be called on any thread.
  func refuseLater(_ failure: Failure, _ address: String, _ peer: OscPeer) {
    say("OSC: \(failure.message)\n")
    late.withLock { $0.append((OscRefusal(failure.message, .refused), address, peer)) }
    eventfd_write(alarm, 1)
  }

  private func answer(_ refusal: OscRefusal, _ address: String, _ peer: OscPeer) {
    guard answers.take(at: seconds) else { return }
    _ = send(
      OscMessage(address: "/error", arguments: [.text(address), .text(refusal.sentence)]), to: peer)
  }

  func send(_ message: OscMessage, to peer: OscPeer) -> OscSocket.Sending {
    message.packet().map { socket.send($0, to: peer) } ?? .sent
  }
}
