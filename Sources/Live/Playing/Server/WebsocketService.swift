import CWebsockets
import Foundation
import HarnessBase
import Synchronization

/// Serves the page's files and WebSockets, on a thread of its own.
///
/// Messages are not queued: the desk is asked for a message when a connection can send it, so a connection that is
/// stalled costs nothing.
final class WebsocketService: @unchecked Sendable {
  static let protocolName = "opcodekit-panel-1"
  static let ticksPerSecond = 60.0

  /// The listening socket, which libwebsockets closes.
  let bound: BoundSocket
  let limits: WebsocketLimits
  let desk: PanelDesk
  let admission: Admission
  /// The certificate without its key, which any client may read; nil without encryption.
  let certificate: [UInt8]?
  /// The WebSockets, by libwebsockets' pointers.
  var connections: [OpaquePointer: Connection] = [:]
  private var opened = 0
  /// Connections that are not a WebSocket, or not yet; the one that has been idle longest comes first.
  var waiting: [OpaquePointer] = []
  /// Answers to requests for files that have not been written yet.
  var answers: [OpaquePointer: [UInt8]] = [:]
  private let context, host: OpaquePointer
  private let memory: WebsocketMemory
  private let isStopping = Atomic<Bool>(false)
  private let farewell = Mutex("")
  private let over = DispatchSemaphore(value: 0)

  init(
    _ access: PanelAccess, port wanted: Int, limits: WebsocketLimits = WebsocketLimits(),
    desk: PanelDesk
  ) throws(Failure) {
    (self.limits, self.desk) = (limits, desk)
    certificate = access.certificate.flatMap {
      FileManager.default.contents(atPath: $0.certificatePath).map { [UInt8]($0) }
    }
    // Without a token only this computer may connect.
    let place = access.token == nil ? "127.0.0.1" : "0.0.0.0"
    do throws(BoundSocket.Refusal) {
      bound = try BoundSocket(place, port: wanted, SOCK_STREAM)
    } catch {
      throw .unavailable(
        "Port \(wanted) cannot be listened on at \(place): \(error.reason ?? place)."
          + " Choose another with --port.")
    }
    memory = WebsocketMemory(access, limits, serve)
    guard let context = lws_create_context(&memory.settings),
      let host = lws_get_vhost_by_name(context, "default"),
      // libwebsockets reports a raw file when it is readable, which here means that a connection waits.
      lws_adopt_descriptor_vhost(
        host, LWS_ADOPT_RAW_FILE_DESC, lws_sock_file_fd_type(filefd: bound.descriptor), "http", nil)
        != nil
    else { throw .unavailable("The panel's server cannot start: libwebsockets refuses to.") }
    (self.context, self.host) = (context, host)
    admission = Admission(
      names: access.names, port: bound.port, isSecure: access.certificate != nil,
      token: access.token)
    memory.restrictPages(to: admission.contentPolicy)
  }

  /// Begins to serve.
  func start() {
    memory.timer.pointee.owner = Unmanaged.passUnretained(self).toOpaque()
    schedule()
    let thread = Thread { [self] in
      while !isStopping.load(ordering: .acquiring), lws_service(context, 0) >= 0 {}
      sayFarewell()
      schedule(after: -1)
      lws_context_destroy(context)
      over.signal()
    }
    thread.name = "panel"
    thread.start()
  }

  /// Sends a last message to all connections that can take it, and closes all. The desk is not called afterwards.
  func stop(saying farewell: String) {
    self.farewell.withLock { $0 = farewell }
    isStopping.store(true, ordering: .releasing)
    lws_cancel_service(context)
    over.wait()
    over.signal()
  }

  // MARK: On the server's thread

  private func sayFarewell() {
    let bytes = Array(farewell.withLock { $0 }.utf8)
    for socket in connections.keys where lws_send_pipe_choked(socket) == 0 {
      _ = send(bytes, to: socket, LWS_WRITE_TEXT)
    }
  }

  /// Schedules the next tick after this many microseconds; −1 cancels it.
  private func schedule(after time: lws_usec_t = lws_usec_t(1_000_000 / ticksPerSecond)) {
    lws_sul_schedule(context, 0, &memory.timer.pointee.entry, tick, time)
  }

  fileprivate func tickOnce() {
    schedule()
    let waiting = Set(desk.inTurn { desk.lookAround() })
    for connection in connections.values where waiting.contains(connection.number) {
      lws_callback_on_writable(connection.socket)
    }
  }

  /// Takes the next connection that waits. libwebsockets closes it if it has too many.
  fileprivate func accept() {
    let client = Glibc.accept(bound.descriptor, nil, nil)
    guard client >= 0, fcntl(client, F_SETFD, FD_CLOEXEC) == 0 else { return }
    let kind = LWS_ADOPT_SOCKET.rawValue | LWS_ADOPT_HTTP.rawValue | LWS_ADOPT_ALLOW_SSL.rawValue
    lws_adopt_descriptor_vhost(
      host, lws_adoption_type(kind), lws_sock_file_fd_type(sockfd: client), nil, nil)
  }

  func open(_ socket: OpaquePointer) -> Int32 {
    guard connections.count < limits.connections else {
      return close(socket, LWS_CLOSE_STATUS_POLICY_VIOLATION, "There are too many clients already.")
    }
    waiting.removeAll { $0 == socket }
    opened += 1
    connections[socket] = Connection(opened, socket, limits)
    desk.inTurn { desk.open(opened) }
    lws_callback_on_writable(socket)
    return 0
  }

  /// Takes a part of a message, and handles the message when it is complete.
  func take(_ bytes: UnsafeRawBufferPointer, from socket: OpaquePointer) -> Int32 {
    guard let connection = connections[socket] else { return -1 }
    guard lws_frame_is_binary(socket) == 0 else {
      return close(socket, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE, "Messages are text.")
    }
    let remaining = Int(lws_remaining_packet_payload(socket))
    guard connection.partial.count + bytes.count + remaining <= limits.messageSize else {
      return close(
        socket, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE,
        "A message has at most \(limits.messageSize) bytes.")
    }
    connection.partial += bytes
    guard remaining == 0, lws_is_final_fragment(socket) != 0 else { return 0 }
    let message = Data(connection.partial)
    connection.partial.removeAll(keepingCapacity: true)
    guard connection.allowance.take(at: Double(lws_now_usecs()) * 1e-6) else {
      return close(
        socket, LWS_CLOSE_STATUS_POLICY_VIOLATION,
        "At most \(Int(limits.messagesPerSecond)) messages a second are taken.")
    }
    desk.inTurn { desk.receive(message, from: connection.number) }
    lws_callback_on_writable(socket)
    return 0
  }

  func write(to socket: OpaquePointer) -> Int32 {
    guard let connection = connections[socket],
      let message = desk.inTurn({ desk.nextMessage(for: connection.number) })
    else { return 0 }
    guard send(Array(message.utf8), to: socket, LWS_WRITE_TEXT) else { return -1 }
    lws_callback_on_writable(socket)
    return 0
  }

  func send(_ bytes: [UInt8], to socket: OpaquePointer, _ kind: lws_write_protocol) -> Bool {
    let room = Int(websockets_room)
    var buffer = [UInt8](repeating: 0, count: room) + bytes
    let sent = buffer.withUnsafeMutableBufferPointer {
      lws_write(socket, $0.baseAddress! + room, bytes.count, kind)
    }
    return Int(sent) >= bytes.count
  }

  func forget(_ socket: OpaquePointer) {
    answers[socket] = nil
    waiting.removeAll { $0 == socket }
    if let connection = connections.removeValue(forKey: socket) {
      desk.inTurn { desk.close(connection.number) }
    }
  }

  private func close(_ socket: OpaquePointer, _ status: lws_close_status, _ reason: String) -> Int32
  {
    var text = Array(reason.utf8.prefix(120))
    lws_close_reason(socket, status, &text, text.count)
    return -1
  }
}

/// The service to which a timer belongs.
private func owner(of timer: UnsafeRawPointer?) -> WebsocketService? {
  guard let timer, let owner = timer.load(as: websockets_timer.self).owner else { return nil }
  return Unmanaged<WebsocketService>.fromOpaque(owner).takeUnretainedValue()
}

/// Called by libwebsockets' timer.
private func tick(_ timer: UnsafeMutablePointer<lws_sorted_usec_list_t>?) {
  owner(of: timer)?.tickOnce()
}

/// Called by libwebsockets for all events.
private func serve(
  _ socket: OpaquePointer?, _ reason: lws_callback_reasons, _ user: UnsafeMutableRawPointer?,
  _ input: UnsafeMutableRawPointer?, _ length: Int
) -> Int32 {
  guard let socket, let context = lws_get_context(socket),
    let service = owner(of: lws_context_user(context))
  else { return 0 }
  switch reason {
  case LWS_CALLBACK_RAW_RX_FILE:
    service.accept()
    return 0
  case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED:
    service.wait(for: socket)
    return 0
  case LWS_CALLBACK_HTTP: return service.answer(socket, input)
  case LWS_CALLBACK_HTTP_WRITEABLE: return service.finishAnswer(socket)
  case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: return service.admit(socket)
  case LWS_CALLBACK_ESTABLISHED: return service.open(socket)
  case LWS_CALLBACK_RECEIVE:
    return service.take(UnsafeRawBufferPointer(start: input, count: length), from: socket)
  case LWS_CALLBACK_SERVER_WRITEABLE: return service.write(to: socket)
  case LWS_CALLBACK_CLOSED, LWS_CALLBACK_CLOSED_HTTP, LWS_CALLBACK_WSI_DESTROY:
    service.forget(socket)
    return 0
  default: return lws_callback_http_dummy(socket, reason, user, input, length)
  }
}
