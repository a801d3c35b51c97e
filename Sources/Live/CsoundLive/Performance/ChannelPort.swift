public import HarnessBase
import Synchronization

/// The channels of what plays, by their names and from any thread: for a panel, a keyboard or a remote control.
public protocol ChannelPort: Sendable {
  /// The channels the orchestra has declared.
  var channels: [ChannelDescription] { get }
  /// Sets a control channel before the next k-cycle; the last of several values wins.
  func set(_ channel: String, to value: Double) throws(Failure)
  /// Makes a control channel 1 for exactly one k-cycle.
  func press(_ channel: String) throws(Failure)
  /// The value of a control channel after the last k-cycle; nil while the channel does not exist.
  func value(of channel: String) throws(Failure) -> Double?
  /// Sets a string channel.
  func set(_ channel: String, to text: String) throws(Failure)
}

/// The channels of a performance by their names. Control values set while nothing plays are there when it begins.
public final class PerformancePort: ChannelPort {
  private struct Bindings {
    var controls: [String: ControlValue] = [:]
    var triggers: [String: Trigger] = [:]
    var observed: [String: ObservedValue] = [:]
  }

  package let performance: Performance
  private let bindings = Mutex(Bindings())

  public init(_ performance: Performance) { self.performance = performance }

  public var channels: [ChannelDescription] { performance.channels }

  public func set(_ channel: String, to value: Double) throws(Failure) {
    let (control, isNew) = bindings.withLock { bindings in
      Self.find(channel, in: &bindings.controls) { ControlValue(channel) }
    }
    control.value = value
    if isNew { try performance.add(control) }
  }

  /// Sets a control channel in the k-cycle that has this frame of the piece.
  public func set(_ channel: String, to value: Double, at frame: Int) throws(Failure) {
    let (control, isNew) = bindings.withLock { bindings in
      Self.find(channel, in: &bindings.controls) { ControlValue(channel) }
    }
    if isNew { try performance.add(control) }
    try performance.live().send(control.event(value, at: frame))
  }

  public func press(_ channel: String) throws(Failure) {
    let (trigger, isNew) = bindings.withLock { bindings in
      Self.find(channel, in: &bindings.triggers) { Trigger(channel) }
    }
    if isNew { try performance.add(trigger) }
    trigger.press()
  }

  public func value(of channel: String) throws(Failure) -> Double? {
    let (observed, isNew) = bindings.withLock { bindings in
      Self.find(channel, in: &bindings.observed) { ObservedValue(channel) }
    }
    if isNew { try performance.add(observed) }
    return observed.cycles > 0 ? observed.value : nil
  }

  public func set(_ channel: String, to text: String) throws(Failure) {
    try performance.setString(channel, to: text)
  }

  private static func find<Binding>(
    _ name: String, in bindings: inout [String: Binding], _ make: () -> Binding
  ) -> (Binding, isNew: Bool) {
    if let known = bindings[name] { return (known, false) }
    let new = make()
    bindings[name] = new
    return (new, true)
  }
}
