import CWebsockets
import Glibc

/// The memory that libwebsockets reads for as long as it runs.
final class WebsocketMemory {
  typealias Callback =
    @convention(c) (
      OpaquePointer?, lws_callback_reasons, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, Int
    ) -> Int32

  var settings = lws_context_creation_info()
  /// Its owner is the service, once it exists; libwebsockets' user pointer points here, too.
  let timer: UnsafeMutablePointer<websockets_timer>
  private let protocols: UnsafeMutablePointer<lws_protocols>
  private let idle: UnsafeMutablePointer<lws_retry_bo_t>
  /// Headers of every answer, filled by `restrictPages` when the port is known.
  private let headers: UnsafeMutablePointer<lws_protocol_vhost_options>
  private var texts: [UnsafeMutablePointer<CChar>] = []
  /// The most bytes of all headers of a request. It is high, as browsers send the cookies of every service on a host
  /// with each request.
  private static let headersLimit: UInt16 = 32768

  init(
    _ access: PanelAccess, _ limits: WebsocketLimits, _ callback: @escaping Callback
  ) {
    lws_set_log_level(0, nil)
    timer = .allocate(capacity: 1)
    timer.initialize(to: websockets_timer())
    protocols = .allocate(capacity: 3)
    protocols.initialize(repeating: lws_protocols(), count: 3)
    idle = .allocate(capacity: 1)
    idle.initialize(to: lws_retry_bo_t())
    idle.pointee.secs_since_valid_ping = UInt16(limits.silence.ask)
    headers = .allocate(capacity: 4)
    headers.initialize(repeating: lws_protocol_vhost_options(), count: 4)
    idle.pointee.secs_since_valid_hangup = UInt16(limits.silence.cut)

    protocols[0].name = text("http")
    protocols[0].callback = callback
    protocols[1].name = text(WebsocketService.protocolName)
    protocols[1].callback = callback
    protocols[1].rx_buffer_size = limits.messageSize
    // The service has a listening socket of its own: libwebsockets may bind to other addresses than it is asked to.
    settings.port = CONTEXT_PORT_NO_LISTEN_SERVER
    settings.protocols = UnsafePointer(protocols)
    settings.options = websockets_options
    if let certificate = access.certificate {
      settings.options |= websockets_tls
      settings.ssl_cert_filepath = text(certificate.certificatePath)
      settings.ssl_private_key_filepath = text(certificate.keyPath)
    }
    // Over TLS browsers would choose HTTP/2, which has no header `Host`.
    settings.alpn = text("http/1.1")
    settings.user = UnsafeMutableRawPointer(timer)
    // Otherwise libwebsockets allocates memory for as many connections as the process may open files.
    settings.fd_limit_per_thread = UInt32(limits.connections + limits.waiting) + 16
    settings.max_http_header_data = Self.headersLimit
    settings.headers = UnsafePointer(headers)
    settings.retry_and_idle_policy = UnsafePointer(idle)
    settings.timeout_secs = 10
  }

  /// Sets the headers that tell browsers what a page of this server may do. Call it before the first request.
  func restrictPages(to contentPolicy: String) {
    let values = [
      ("content-security-policy:", contentPolicy), ("x-content-type-options:", "nosniff"),
      ("x-frame-options:", "deny"), ("referrer-policy:", "no-referrer"),
    ]
    for (place, (name, value)) in values.enumerated() {
      headers[place].name = text(name)
      headers[place].value = text(value)
      headers[place].next = place + 1 < values.count ? UnsafePointer(headers + place + 1) : nil
    }
  }

  private func text(_ string: String) -> UnsafePointer<CChar> {
    let copy = strdup(string)!
    texts.append(copy)
    return UnsafePointer(copy)
  }

  deinit {
    texts.forEach { free($0) }
    timer.deallocate()
    protocols.deallocate()
    idle.deallocate()
    headers.deallocate()
  }
}
