public import CsoundLive
public import HarnessBase

/// MIDI controllers that set the channels of a panel, and learn new ones. Called on the server's thread.
public protocol PanelControllers: Sendable {
  var bindings: PanelBindings { get }
  /// Binds a channel to the controller that is moved next; nil gives up an earlier wish.
  func learn(_ wish: ChannelWish?) throws(Failure)
  /// Frees a channel from its controller.
  func forget(_ channel: String) throws(Failure)
}

/// Which controller sets which channel.
public struct PanelBindings: Sendable, Equatable {
  /// Controllers, 0 to 127, by channel.
  public var controllers: [String: Int]
  /// The channel that waits for a controller to be moved.
  public var waiting: String?

  public init(_ controllers: [String: Int], waiting: String?) {
    (self.controllers, self.waiting) = (controllers, waiting)
  }
}
