import CWebsockets

extension WebsocketService {
  /// A header of a request; nil if it was not sent. libwebsockets limits its length.
  private func header(_ token: lws_token_indexes, of socket: OpaquePointer) -> String? {
    // One byte more for the zero at the end of a C string.
    let length = Int(lws_hdr_total_length(socket, token)) + 1
    var buffer = [CChar](repeating: 0, count: length)
    return lws_hdr_copy(socket, &buffer, Int32(buffer.count), token) > 0 ? String(ofC: buffer) : nil
  }

  private func request(_ socket: OpaquePointer) -> Admission.Request {
    var buffer = [CChar](repeating: 0, count: 128)
    let token = lws_get_urlarg_by_name(socket, "token=", &buffer, Int32(buffer.count)).map {
      String(cString: $0)
    }
    return Admission.Request(
      host: header(WSI_TOKEN_HOST, of: socket), origin: header(WSI_TOKEN_ORIGIN, of: socket),
      cookies: header(WSI_TOKEN_HTTP_COOKIE, of: socket), token: token)
  }

  // MARK: Connections that wait

  /// Notes a new connection that has not become a WebSocket yet.
  ///
  /// Clients that only connect must not keep others out: if there are too many such connections, the one that has been
  /// idle longest is closed. That may be one that a browser keeps for its next request; the browser then makes a new
  /// one.
  func wait(for socket: OpaquePointer) {
    waiting.removeAll { $0 == socket }
    waiting.append(socket)
    guard waiting.count > limits.waiting else { return }
    let idle = waiting.firstIndex { answers[$0] == nil } ?? waiting.startIndex
    lws_set_timeout(
      waiting.remove(at: idle), PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC)
  }

  /// Decides whether a WebSocket may be opened: returns 0, or -1 if not.
  func admit(_ socket: OpaquePointer) -> Int32 {
    if case .refused(let status, let reason) = admission.socket(request(socket)) {
      lws_return_http_status(socket, status, reason)
      return -1
    }
    guard header(WSI_TOKEN_GET_URI, of: socket) == "/socket" else {
      lws_return_http_status(socket, 404, "The WebSocket is /socket.")
      return -1
    }
    guard header(WSI_TOKEN_PROTOCOL, of: socket) == Self.protocolName else {
      lws_return_http_status(socket, 400, "The protocol is \(Self.protocolName).")
      return -1
    }
    return 0
  }

  /// Answers a request for a file.
  func answer(_ socket: OpaquePointer, _ input: UnsafeMutableRawPointer?) -> Int32 {
    wait(for: socket)
    let request = request(socket)
    let path = input.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) } ?? ""
    guard lws_hdr_total_length(socket, WSI_TOKEN_GET_URI) > 0 else {
      return refuse(socket, 405, "There is nothing but files to be read.")
    }
    // Without a token, as a phone must have the certificate before it can trust this server.
    if path == "/certificate", let certificate, admission.isOwn(request) {
      return begin(socket, PanelPage.File(type: "application/x-x509-ca-cert", bytes: certificate))
    }
    switch admission.file(request) {
    case .refused(let status, let reason): return refuse(socket, status, reason)
    case .introduced(let cookie): return introduce(socket, cookie)
    case .granted: break
    }
    if let take = desk.transport?.state.take, path == "/take/" + take.split(separator: "/").last! {
      // libwebsockets sends the file in pieces. More than 0: it has been sent already.
      let result = lws_serve_http_file(socket, take, "audio/wav", nil, 0)
      return result > 0 ? lws_http_transaction_completed(socket) : result
    }
    guard let file = PanelPage.file(path) else {
      return refuse(socket, 404, "There is no such file.")
    }
    return begin(socket, file)
  }

  /// Sets the cookie and redirects to the page, whose address does not contain the token.
  private func introduce(_ socket: OpaquePointer, _ cookie: String) -> Int32 {
    let hasFailed = withHead { start, place, end in
      lws_add_http_header_status(socket, 303, &place, end) != 0
        || lws_add_http_header_by_token(
          socket, WSI_TOKEN_HTTP_LOCATION, "/", 1, &place, end) != 0
        || lws_add_http_header_by_token(
          socket, WSI_TOKEN_HTTP_SET_COOKIE, cookie, Int32(cookie.utf8.count), &place, end) != 0
        || lws_add_http_header_content_length(socket, 0, &place, end) != 0
        || lws_finalize_write_http_header(socket, start, &place, end) != 0
    }
    return hasFailed || lws_http_transaction_completed(socket) != 0 ? -1 : 0
  }

  /// Calls `body` with memory for the headers of an answer.
  private func withHead(
    _ body: (
      _ start: UnsafeMutablePointer<UInt8>, _ place: inout UnsafeMutablePointer<UInt8>?,
      _ end: UnsafeMutablePointer<UInt8>
    ) -> Bool
  ) -> Bool {
    let room = Int(websockets_room)
    var head = [UInt8](repeating: 0, count: room + 2048)
    return head.withUnsafeMutableBufferPointer { head in
      let start = head.baseAddress! + room
      var place: UnsafeMutablePointer<UInt8>? = start
      return body(start, &place, head.baseAddress! + head.count - 1)
    }
  }

  private func refuse(_ socket: OpaquePointer, _ status: UInt32, _ reason: String) -> Int32 {
    if lws_return_http_status(socket, status, reason) != 0 { return -1 }
    return lws_http_transaction_completed(socket) == 0 ? 0 : -1
  }

  private func begin(_ socket: OpaquePointer, _ file: PanelPage.File) -> Int32 {
    let hasFailed = withHead { start, place, end in
      lws_add_http_common_headers(
        socket, 200, file.type, lws_filepos_t(file.bytes.count), &place, end) != 0
        || lws_add_http_header_by_token(
          socket, WSI_TOKEN_HTTP_CACHE_CONTROL, "no-store", 8, &place, end) != 0
        || lws_finalize_write_http_header(socket, start, &place, end) != 0
    }
    if hasFailed { return -1 }
    answers[socket] = file.bytes
    lws_callback_on_writable(socket)
    return 0
  }

  func finishAnswer(_ socket: OpaquePointer) -> Int32 {
    guard let bytes = answers.removeValue(forKey: socket) else { return 0 }
    guard send(bytes, to: socket, LWS_WRITE_HTTP_FINAL) else { return -1 }
    return lws_http_transaction_completed(socket) == 0 ? 0 : -1
  }
}
