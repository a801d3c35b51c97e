public import CsoundLive
public import HarnessBase

/// The MIDI controllers of a panel's channels, which can be learned. Called on the server's thread.
public protocol PanelControllers: Sendable {
  var bindings: PanelBindings { get }
  /// Binds a channel to the controller that is moved next; nil stops waiting for one.
  func learn(_ wish: ChannelWish?) throws(Failure)
  /// Removes the binding of a channel to its controller.
  func forget(_ channel: String) throws(Failure)
}

/// Which controller sets which channel.
public struct PanelBindings: Sendable, Equatable {
  /// The controller, 0 to 127, of each channel.
  public var controllers: [String: Int]
  /// The channel that waits for a controller to be moved; nil if none does.
  public var waiting: String?

  public init(_ controllers: [String: Int], waiting: String?) {
    (self.controllers, self.waiting) = (controllers, waiting)
  }
}
