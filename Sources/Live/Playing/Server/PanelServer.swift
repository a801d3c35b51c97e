import HarnessBase
public import Panels

/// Serves a panel to browsers.
///
/// Any thread may use it. What pages do reaches the piece before its next k-cycle. Pages get the latest value of each
/// channel of the piece 60 times a second.
public final class PanelServer: Sendable {
  /// The port that is tried first if none is asked for.
  public static let usualPort = 8642

  private let service: WebsocketService
  let desk: PanelDesk
  private let access: PanelAccess

  /// Listens on `port` and serves until `stop`. If `port` is nil, this is the usual port, or any free one if that is
  /// taken. Without `controllers` pages cannot learn MIDI controllers; without `transport` they can neither record nor
  /// pause.
  package init(
    _ panel: Panel, _ piece: any PanelledPiece, _ values: PanelValues, port: Int? = nil,
    access: PanelAccess = .thisComputer, controllers: (any PanelControllers)? = nil,
    transport: (any PanelTransport)? = nil, limits: WebsocketLimits = WebsocketLimits()
  ) throws(Failure) {
    let desk = PanelDesk(panel, piece, values, controllers, transport)
    self.desk = desk
    self.access = access
    do throws(Failure) {
      service = try WebsocketService(
        access, port: port ?? Self.usualPort, limits: limits, desk: desk)
    } catch {
      guard port == nil else { throw error }
      service = try WebsocketService(access, port: 0, limits: limits, desk: desk)
    }
    service.start()
  }

  public var port: Int { service.bound.port }
  /// The address that it listens at, read back from the socket: 127.0.0.1, or 0.0.0.0 if other computers can connect.
  public var address: String { service.bound.address }

  /// The address to open in a browser, with the token if there is one.
  public var url: String {
    let scheme = access.certificate == nil ? "http" : "https"
    return "\(scheme)://\(access.names[0]):\(port)/\(access.token.map { "?token=\($0)" } ?? "")"
  }

  /// The address as a QR code for a terminal; nil if only this computer can connect.
  public var picture: String? { access.token == nil ? nil : QRCode.terminalText(url) }

  /// Shows another panel on all pages, such as that of a new version of the piece.
  public func show(_ panel: Panel) { desk.mailbox.put(panel) }

  public func show(_ status: PanelStatus) { desk.mailbox.put(status) }

  /// Shows a message of Csound on the pages' console.
  public func say(_ text: String) { desk.mailbox.put(text) }

  /// Tells pages that the piece has ended, and closes all connections. Buttons and keys that they held down are
  /// released.
  public func stop() {
    service.stop(saying: ServerMessage.ended)
    desk.stop()
    access.keptToken?.forget()
  }
}
