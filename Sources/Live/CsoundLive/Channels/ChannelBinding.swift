import Glibc
public import HarnessBase
import Synchronization

/// Something that exchanges values with channels of a performance.
///
/// `setUp` is called on the thread that calls `play` or `add`, `cleanUp` on the thread that closes the performance.
/// In between, the audio thread handles the links that `setUp` returned, before and after every k-cycle.
/// Neither function may call `play`; a listener may, once it is told of the end.
public protocol ChannelBinding: Sendable {
  /// Called before the first cycle. Returns the links: each sends a value to Csound or receives one, or calls functions
  /// before and after each cycle.
  func setUp(_ performance: Performance) throws(Failure) -> [ChannelLink]
  /// Called after the last cycle, when the links are no longer used.
  func cleanUp()
}

extension ChannelBinding {
  public func cleanUp() {}
}

/// A channel by its name, and the memory behind its link: a name and a cell.
public class NamedChannel: ChannelBinding, @unchecked Sendable {
  public let name: String
  private let text: UnsafeMutablePointer<CChar>
  private let cell: UnsafeMutablePointer<ValueCell>
  private let kind: ChannelLink.Kind

  fileprivate init(_ name: String, _ kind: ChannelLink.Kind) {
    (self.name, self.kind) = (name, kind)
    text = strdup(name)
    cell = .allocate(capacity: 1)
    cell.initialize(to: ValueCell(0))
  }

  deinit {
    free(text)
    cell.deinitialize(count: 1)
    cell.deallocate()
  }

  public func setUp(_ performance: Performance) -> [ChannelLink] {
    // Presses before this moment are ignored.
    let seen = kind == .pulse ? writes : 0
    return [ChannelLink(kind: kind, name: text, cell: cell, seen: seen)]
  }

  fileprivate var stored: Double { cell.pointee.value.load(ordering: .acquiring) }
  fileprivate var writes: Int { cell.pointee.writes.load(ordering: .acquiring) }

  fileprivate func store(_ value: Double) { cell.pointee.set(value) }

  /// An event that sets the value at a frame of the piece.
  func event(_ value: Double, at frame: Int) -> LiveEvent {
    var event = LiveEvent(kind: .value)
    event.frame = frame
    event.memory = UnsafeMutableRawPointer(cell)
    event.fields[0] = value
    return event
  }
}

/// A value that any thread sets and Csound reads: before each cycle the channel is set to the last value, if it is new.
public final class ControlValue: NamedChannel, @unchecked Sendable {
  /// Until `value` is set, the channel keeps what the orchestra gives it.
  public init(_ name: String) { super.init(name, .send) }

  public var value: Double {
    get { stored }
    set { store(newValue) }
  }
}

/// A button: each press sets the channel to 1 for exactly one k-cycle. Any thread may press.
public final class Trigger: NamedChannel, @unchecked Sendable {
  public init(_ name: String) { super.init(name, .pulse) }

  public func press() { store(1) }
}

/// A value that Csound sets and any thread reads: the channel's value after the last cycle.
public final class ObservedValue: NamedChannel, @unchecked Sendable {
  public init(_ name: String) { super.init(name, .receive) }

  public var value: Double { stored }
  /// The number of cycles after which the channel was read; 0 while the channel does not exist.
  public var cycles: Int { writes }
}
