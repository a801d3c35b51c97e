public import HarnessBase
public import Panels

/// Serves a panel to browsers.
///
/// Any thread may call it. What pages do reaches the piece before its next k-cycle; what the piece does reaches
/// pages 60 times a second, the latest value of each channel.
public final class PanelServer: Sendable {
  /// The port that is tried where none is asked for.
  public static let usualPort = 8642

  private let service: WebsocketService
  private let mailbox: Mailbox
  // Used by the server's thread alone, but for its end.
  nonisolated(unsafe) private let desk: PanelDesk
  private let access: PanelAccess

  /// Listens on `port`, nil: the usual one or any that is free, and serves until `stop`. Without `controllers`
  /// pages have no MIDI.
  public convenience init(
    _ panel: Panel, _ piece: any PanelledPiece, _ values: PanelValues, port: Int? = nil,
    access: PanelAccess = .thisComputer, controllers: (any PanelControllers)? = nil
  ) throws(Failure) {
    try self.init(
      panel, piece, values, port: port, access: access, controllers: controllers,
      limits: WebsocketLimits())
  }

  /// The same with limits of one's own.
  package init(
    _ panel: Panel, _ piece: any PanelledPiece, _ values: PanelValues, port: Int?,
    access: PanelAccess = .thisComputer, controllers: (any PanelControllers)? = nil,
    limits: WebsocketLimits
  ) throws(Failure) {
    let desk = PanelDesk(panel, piece, values, controllers)
    self.desk = desk
    mailbox = desk.mailbox
    self.access = access
    do throws(Failure) {
      service = try WebsocketService(
        access, port: port ?? Self.usualPort, limits: limits, handler: desk)
    } catch {
      guard port == nil else { throw error }
      service = try WebsocketService(access, port: 0, limits: limits, handler: desk)
    }
    service.start()
  }

  public var port: Int { service.port }

  /// What to open in a browser.
  public var url: String {
    let scheme = access.certificate == nil ? "http" : "https"
    return "\(scheme)://\(access.names[0]):\(port)/\(access.token.map { "?token=\($0)" } ?? "")"
  }

  /// The address as a picture for a terminal, which a phone's camera reads; nil where only this computer can
  /// connect.
  public var picture: String? { access.token == nil ? nil : QRCode.terminalText(url) }

  /// Shows another panel to all pages, such as one of a new version of the piece.
  public func show(_ panel: Panel) { mailbox.put(panel) }

  public func show(_ status: PanelStatus) { mailbox.put(status) }

  /// Shows something Csound has said on the console.
  public func say(_ text: String) { mailbox.put(text) }

  /// Tells pages that the piece has ended, and closes all connections; what they held down is let go.
  public func stop() {
    service.stop(saying: ServerMessage.ended)
    desk.stop()
  }
}
