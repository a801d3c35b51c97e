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
  package let performance: Performance
  private let controls = Mutex<[String: ControlValue]>([:])
  private let triggers = Mutex<[String: Trigger]>([:])
  private let observed = Mutex<[String: ObservedValue]>([:])

  public init(_ performance: Performance) { self.performance = performance }

  public var channels: [ChannelDescription] { performance.channels }

  public func set(_ channel: String, to value: Double) throws(Failure) {
    try binding(channel, among: controls, ControlValue.init) { $0.value = value }
  }

  /// Sets a control channel in the k-cycle that has this frame of the piece.
  public func set(_ channel: String, to value: Double, at frame: Int) throws(Failure) {
    let control = try binding(channel, among: controls, ControlValue.init)
    try performance.live().send(control.event(value, at: frame))
  }

  public func press(_ channel: String) throws(Failure) {
    try binding(channel, among: triggers, Trigger.init).press()
  }

  public func value(of channel: String) throws(Failure) -> Double? {
    let observed = try binding(channel, among: observed, ObservedValue.init)
    return observed.cycles > 0 ? observed.value : nil
  }

  public func set(_ channel: String, to text: String) throws(Failure) {
    try performance.setString(channel, to: text)
  }

  /// The binding of a channel, for which `prepare` is called before a new one is added to the performance.
  @discardableResult
  private func binding<Binding: ChannelBinding>(
    _ name: String, among known: borrowing Mutex<[String: Binding]>, _ make: (String) -> Binding,
    _ prepare: (Binding) -> Void = { _ in }
  ) throws(Failure) -> Binding {
    let (binding, isNew) = known.withLock { known in
      if let old = known[name] { return (old, false) }
      let new = make(name)
      known[name] = new
      return (new, true)
    }
    prepare(binding)
    if isNew { try performance.add(binding) }
    return binding
  }
}
