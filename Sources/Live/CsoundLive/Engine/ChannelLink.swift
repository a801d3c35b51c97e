import Synchronization

/// A function that a binding can have called before or after each k-cycle, on the audio thread. It must be a C function
/// that the compiler proves, as it does opcodes (`@c @_noLocks @_noAllocation func`). Its argument is the binding's own
/// memory.
public typealias CycleFunction = @convention(c) (UnsafeMutableRawPointer?) -> Void

/// A value that is passed between the audio thread and other threads: the reader gets the last value written.
struct ValueCell: ~Copyable {
  let value: Atomic<Double>
  /// Counts the values written, or how often a button was pressed.
  let writes = Atomic<Int>(0)

  init(_ value: Double) { self.value = Atomic(value) }

  @inline(__always) func set(_ new: Double) {
    value.store(new, ordering: .relaxed)
    writes.wrappingAdd(1, ordering: .releasing)
  }
}

/// The link between a control channel and a value, or functions that are called each cycle.
public struct ChannelLink: BitwiseCopyable, @unchecked Sendable {
  enum Kind: UInt8, BitwiseCopyable {
    /// The cell's value is copied to Csound before each cycle, if it is new.
    case send
    /// The channel is 1 for one cycle each time the cell is written, then 0.
    case pulse
    /// Csound's value is copied to the cell after each cycle.
    case receive
    /// Only functions are called.
    case functions
  }

  var kind: Kind
  /// The channel's name, ended by a zero byte; valid as long as the engine.
  var name: UnsafePointer<CChar>?
  var cell: UnsafeMutablePointer<ValueCell>?
  var before: CycleFunction?
  var after: CycleFunction?
  var context: UnsafeMutableRawPointer?
  /// The channel's memory in Csound; nil while the channel does not exist.
  var place: UnsafeMutablePointer<Double>?
  /// How many of `writes` have been passed to Csound.
  var seen = 0
  var isPulsing = false
  /// Whether the channel is not a control channel; the link is not used then.
  var isOfAnotherType = false

  init(
    kind: Kind, name: UnsafePointer<CChar>? = nil, cell: UnsafeMutablePointer<ValueCell>? = nil,
    seen: Int = 0
  ) {
    (self.kind, self.name, self.cell, self.seen) = (kind, name, cell, seen)
  }

  /// Functions that are called before and after each cycle with `context`, which must outlive the performance.
  public init(
    before: CycleFunction?, after: CycleFunction?, context: UnsafeMutableRawPointer?
  ) {
    kind = .functions
    (self.before, self.after, self.context) = (before, after, context)
  }

  /// Looks whether the channel exists by now. Does not create it, as that could give it the wrong type.
  @inline(__always) mutating func resolve(_ engine: EngineVoice.Pointer) {
    guard place == nil, !isOfAnotherType, let name, Vouched.size(of: name, engine) > 0 else {
      return
    }
    var found: UnsafeMutablePointer<Double>?
    let status = withUnsafeMutablePointer(to: &found) { Vouched.find(name, engine, $0) }
    if status == 0 { place = found } else { isOfAnotherType = true }
  }

  @inline(__always) mutating func beforeCycle() {
    if let before { Vouched.call(before, context) }
    guard let cell, let place else { return }
    switch kind {
    case .send:
      let writes = cell.pointee.writes.load(ordering: .acquiring)
      guard writes != seen else { return }
      seen = writes
      place.pointee = cell.pointee.value.load(ordering: .relaxed)
    case .pulse:
      let writes = cell.pointee.writes.load(ordering: .acquiring)
      // Two presses are two pulses, with a cycle between them.
      if isPulsing {
        place.pointee = 0
        isPulsing = false
      } else if writes != seen {
        seen &+= 1
        place.pointee = 1
        isPulsing = true
      }
    case .receive, .functions: return
    }
  }

  @inline(__always) mutating func afterCycle() {
    if let after { Vouched.call(after, context) }
    guard kind == .receive, let cell, let place else { return }
    cell.pointee.value.store(place.pointee, ordering: .relaxed)
    cell.pointee.writes.store(
      cell.pointee.writes.load(ordering: .relaxed) &+ 1, ordering: .releasing)
  }
}
