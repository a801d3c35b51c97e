import HarnessBase

/// An event for an engine, at one of the engine's frames.
struct LiveEvent: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    /// A score event of `letter` and `fields`.
    case score
    /// A line of the score, at `memory`, ended by a zero byte.
    case line
    /// A whole MIDI message in the first bytes of `word`, `count` of them.
    case midi
    /// `memory` is a `ChannelLink`, which is used in each cycle from now on.
    case link
    /// `memory` is a `TableCopy`.
    case table
    /// `memory` is a `ValueCell`, which belongs to a binding; it is set to the first of `fields`.
    case value
    /// Ends the notes of the instrument that is the first of `fields`, or whose name is at `memory`.
    case kill
  }

  static let fieldLimit = 12

  /// Frames since the engine began; `Int.min`: at once.
  var frame = Int.min
  /// The order among events of the same frame.
  var order = 0
  var kind: Kind
  var letter: UInt8 = 0
  var count: UInt16 = 0
  var word: UInt32 = 0
  /// Owned by the event unless it is a `value`; returned in `Retired.memory` when the event has been played.
  var memory: UnsafeMutableRawPointer?
  var fields = InlineArray<12, Double>(repeating: 0)

  /// The memory to free after the event; nil if there is none.
  @inline(__always) var ownedMemory: UnsafeMutableRawPointer? { kind == .value ? nil : memory }
}

extension LiveEvent {
  /// A score event at a frame, or at once if `frame` is nil.
  init(score letter: Character, _ fields: [Double], at frame: Int?) throws(Failure) {
    guard let code = letter.asciiValue, !fields.isEmpty else {
      throw .usage("An event needs a letter such as 'i', and p1.")
    }
    guard fields.count <= Self.fieldLimit else {
      throw .usage(
        "The event has \(fields.count) p-fields; at most \(Self.fieldLimit) fit,"
          + " lines of the score may have more.")
    }
    self.init(kind: .score)
    self.frame = frame ?? Int.min
    self.letter = code
    count = UInt16(fields.count)
    for (index, field) in fields.enumerated() { self.fields[index] = field }
  }
}

/// Pending events, earliest first, as a heap in memory of its own. [no allocation, no locks]
struct EventHeap: BitwiseCopyable {
  private let slots: UnsafeMutablePointer<LiveEvent>
  let capacity: Int
  private(set) var count = 0
  private var order = 0

  init(capacity: Int) {
    self.capacity = capacity
    slots = .allocate(capacity: capacity)
  }

  func deallocate() { slots.deallocate() }

  @inline(__always) var isFull: Bool { count == capacity }

  /// The frame at which the next event is due; nil if there is none.
  @inline(__always) var first: Int? { count == 0 ? nil : slots[0].frame }

  @inline(__always) private func precedes(_ a: Int, _ b: Int) -> Bool {
    slots[a].frame < slots[b].frame
      || slots[a].frame == slots[b].frame && slots[a].order < slots[b].order
  }

  @inline(__always) private func swap(_ a: Int, _ b: Int) {
    let event = slots[a]
    slots[a] = slots[b]
    slots[b] = event
  }

  /// Adds an event; there must be room.
  @inline(__always) mutating func insert(_ event: LiveEvent) {
    slots[count] = event
    slots[count].order = order
    order &+= 1
    var place = count
    count &+= 1
    while place > 0 {
      let parent = (place &- 1) >> 1
      guard precedes(place, parent) else { return }
      swap(place, parent)
      place = parent
    }
  }

  /// Removes and returns the earliest event; there must be one.
  @inline(__always) mutating func removeFirst() -> LiveEvent {
    let event = slots[0]
    count &-= 1
    slots[0] = slots[count]
    var place = 0
    while true {
      var least = place
      let left = 2 &* place &+ 1
      if left < count, precedes(left, least) { least = left }
      if left &+ 1 < count, precedes(left &+ 1, least) { least = left &+ 1 }
      guard least != place else { return event }
      swap(place, least)
      place = least
    }
  }
}
