import CWebsockets
import PanelPage

extension WebsocketService {
  private static let headerLimit = 512

  /// A header of a request; nil where there is none, or where it is too long to be right.
  private func header(_ token: lws_token_indexes, of socket: OpaquePointer) -> String? {
    var buffer = [CChar](repeating: 0, count: Self.headerLimit)
    let count = lws_hdr_copy(socket, &buffer, Int32(buffer.count), token)
    guard count > 0 else { return nil }
    return String(decoding: buffer.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether a WebSocket may be opened: -1 if not.
  func admit(_ socket: OpaquePointer) -> Int32 {
    let verdict = admission.socket(
      host: header(WSI_TOKEN_HOST, of: socket), origin: header(WSI_TOKEN_ORIGIN, of: socket))
    if case .refused(let status, let reason) = verdict {
      lws_return_http_status(socket, status, reason)
      return -1
    }
    guard header(WSI_TOKEN_PROTOCOL, of: socket) == Self.protocolName else {
      lws_return_http_status(socket, 400, "The protocol is \(Self.protocolName).")
      return -1
    }
    return 0
  }

  /// Answers a request of a file.
  func answer(_ socket: OpaquePointer, _ input: UnsafeMutableRawPointer?) -> Int32 {
    if case .refused(let status, let reason) = admission.page(
      host: header(WSI_TOKEN_HOST, of: socket))
    {
      return refuse(socket, status, reason)
    }
    guard lws_hdr_total_length(socket, WSI_TOKEN_GET_URI) > 0 else {
      return refuse(socket, 405, "There is nothing but files to be read.")
    }
    guard let input,
      let file = PanelPage.file(String(cString: input.assumingMemoryBound(to: CChar.self)))
    else { return refuse(socket, 404, "There is no such file.") }
    return begin(socket, file)
  }

  private func refuse(_ socket: OpaquePointer, _ status: UInt32, _ reason: String) -> Int32 {
    if lws_return_http_status(socket, status, reason) != 0 { return -1 }
    return lws_http_transaction_completed(socket) == 0 ? 0 : -1
  }

  private func begin(_ socket: OpaquePointer, _ file: PanelPage.File) -> Int32 {
    let room = Int(websockets_room)
    var head = [UInt8](repeating: 0, count: room + 2048)
    let hasFailed = head.withUnsafeMutableBufferPointer { head in
      let start = head.baseAddress! + room
      var place: UnsafeMutablePointer<UInt8>? = start
      let end = head.baseAddress! + head.count - 1
      return lws_add_http_common_headers(
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
