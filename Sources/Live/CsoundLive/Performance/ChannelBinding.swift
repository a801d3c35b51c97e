public import HarnessBase
import Glibc
import Synchronization

/// Something that is tied to channels of a performance, through four moments.
///
/// `setUp` is called on the thread that calls `play` or `add`, `cleanUp` on the thread that closes the performance.
/// Between them the links that `setUp` returns are looked after on the audio thread, before and after every k-cycle.
/// Neither may call `play`; a listener may, once it is told of the end.
public protocol ChannelBinding: Sendable {
  /// Before the first cycle: the links, each a value to or from Csound, or functions around each cycle.
  func setUp(_ performance: Performance) throws(Failure) -> [ChannelLink]
  /// After the last cycle; the links are no longer used.
  func cleanUp()
}

extension ChannelBinding {
  public func cleanUp() {}
}

/// A value that any thread sets and Csound reads: before each cycle Csound's channel is given the last one, if it
/// is new.
public final class ControlValue: ChannelBinding {
  public let name: String
  private let link: NamedLink

  /// Until it is set the channel keeps what the orchestra gives it.
  public init(_ name: String) {
    self.name = name
    link = NamedLink(name, .send)
  }

  public var value: Double {
    get { link.value }
    set { link.set(newValue) }
  }

  public func setUp(_ performance: Performance) -> [ChannelLink] { [link.link] }
}

/// A button: each press is 1 for exactly one k-cycle, in order, whichever thread presses.
public final class Trigger: ChannelBinding {
  public let name: String
  private let link: NamedLink

  public init(_ name: String) {
    self.name = name
    link = NamedLink(name, .pulse)
  }

  public func press() { link.set(1) }

  public func setUp(_ performance: Performance) -> [ChannelLink] {
    // Presses from before are not made up for.
    [link.link]
  }
}

/// A value that Csound sets and any thread reads: the one after the last cycle.
public final class ObservedValue: ChannelBinding {
  public let name: String
  private let link: NamedLink

  public init(_ name: String) {
    self.name = name
    link = NamedLink(name, .receive)
  }

  public var value: Double { link.value }
  /// Cycles after which it has been read; 0 while nobody has declared the channel.
  public var cycles: Int { link.writes }

  public func setUp(_ performance: Performance) -> [ChannelLink] { [link.link] }
}

/// The memory behind a link: a name and a cell.
final class NamedLink: Sendable {
  nonisolated(unsafe) private let name: UnsafeMutablePointer<CChar>
  nonisolated(unsafe) private let cell: UnsafeMutablePointer<ValueCell>
  private let kind: ChannelLink.Kind

  init(_ name: String, _ kind: ChannelLink.Kind) {
    self.kind = kind
    self.name = strdup(name)
    cell = .allocate(capacity: 1)
    cell.initialize(to: ValueCell(0))
  }

  deinit {
    free(name)
    cell.deinitialize(count: 1)
    cell.deallocate()
  }

  var link: ChannelLink {
    let seen = kind == .pulse ? cell.pointee.writes.load(ordering: .acquiring) : 0
    return ChannelLink(kind: kind, name: name, cell: cell, seen: seen)
  }

  var value: Double { cell.pointee.value.load(ordering: .acquiring) }
  var writes: Int { cell.pointee.writes.load(ordering: .acquiring) }

  func set(_ value: Double) {
    cell.pointee.value.store(value, ordering: .relaxed)
    cell.pointee.writes.wrappingAdd(1, ordering: .releasing)
  }
}
