// The key contacts of a Hammond organ and the wheels and drawbars that they connect.

import OpcodeKit

/// By how much a frame changes the gain of contacts that are closing and of those that are opening: 1 gives a click,
/// less gives a ramp.
struct ContactSpeeds: BitwiseCopyable {
  var closing, opening: Double
}

/// A contact under a key; each key has one for each drawbar.
struct OrganContact: BitwiseCopyable {
  /// Index of the tone generator's terminal that its wire comes from, from 0.
  var terminal = 0
  /// The gain of the wire (taper).
  var taper = 0.0
  var drawbar = 0
  /// The position in the key's travel, 0 to 1, at which the contact closes. On release the contacts open in the reverse
  /// order.
  var way = 0.0
  var isClosing = false
  /// Frames until the contact begins to close or open.
  var wait = 0
  /// The gain of the contact, 0 to 1.
  var amount = 0.0
  /// Whether it is in the list of moving contacts.
  var isMoving = false

  /// The gains at eight frames, counted from now.
  @inline(__always) @_semantics("no_performance_analysis")
  func amounts(_ frames: Lanes, _ speeds: ContactSpeeds) -> Lanes {
    let progress = Lanes.maximum(frames - Lanes(Double(wait &- 1)), Lanes(0))
    let moved = Lanes(amount) + progress * Lanes(isClosing ? speeds.closing : -speeds.opening)
    return .maximum(Lanes(0), .minimum(Lanes(1), moved))
  }

  /// Advances by a number of frames.
  @inline(__always)
  mutating func advance(by frames: Int, _ speeds: ContactSpeeds) {
    if frames <= wait {
      wait -= frames
      return
    }
    let moved = Double(frames - wait)
    amount =
      isClosing
      ? min(1, amount + speeds.closing * moved) : max(0, amount - speeds.opening * moved)
    wait = 0
  }

  /// Whether it is fully open or fully closed.
  var isSettled: Bool { wait == 0 && amount == (isClosing ? 1 : 0) }
}

/// The state of the keys, and the list of contacts that are moving.
struct OrganContacts: BitwiseCopyable {
  private let keys: Buffer<Bool>
  private let contacts: Buffer<OrganContact>
  private let moving: Buffer<Int>
  private(set) var movingCount = 0
  /// Number of keys held on the upper manual.
  private(set) var upperCount = 0
  /// Frames a key takes to pass all of its contacts.
  private let keyFrames: Double
  private let sampleRate: Double
  private var speeds: ContactSpeeds

  init(_ context: Context) throws(OpcodeError) {
    keys = try context.buffer(4, of: Bool.self, count: OrganManual.allKeys)
    contacts = try context.buffer(5, of: OrganContact.self, count: OrganManual.allContacts)
    moving = try context.buffer(6, of: Int.self, count: OrganManual.allContacts)
    sampleRate = context.sampleRate
    keyFrames = 0.003 * sampleRate
    speeds = ContactSpeeds(closing: 1, opening: 1 / max(1, 0.005 * sampleRate))
    wire(.upper)
    wire(.lower)
    wire(.pedals)
  }

  private func wire(_ manual: OrganManual) {
    for key in 0..<manual.keyCount {
      for drawbar in 0..<manual.contactCount {
        let number = manual.firstContact + key * manual.contactCount + drawbar
        var contact = OrganContact()
        contact.terminal = OrganWiring.wheel(manual, key: key, drawbar: drawbar) - 1
        contact.taper =
          manual == .pedals ? 1 : OrganWiring.taper(key: key, drawbar: drawbar)
        contact.drawbar = manual.firstDrawbar + drawbar
        contact.way = Math.fraction(0.618_033_988_749_894_9 * Double(number))
        contacts[number] = contact
      }
    }
  }

  /// Sets how contacts close: instantly at 1, within 5 ms at 0. They always open within 5 ms.
  mutating func setClick(_ click: Double) {
    let bounded = click > 0 ? min(click, 1) : 0
    speeds.closing = 1 / max(1, (1 - bounded) * 0.005 * sampleRate)
  }

  /// Moves the keys whose element in the table has changed; returns whether contacts were added to the list of moving
  /// ones.
  mutating func follow(_ table: FunctionTable) -> Bool {
    let before = movingCount
    follow(table, .upper)
    follow(table, .lower)
    follow(table, .pedals)
    return movingCount != before
  }

  @inline(__always)
  private mutating func follow(_ table: FunctionTable, _ manual: OrganManual) {
    let first = manual.firstElement + OrganManual.lowestNote
    for key in 0..<manual.keyCount {
      let isHeld = table[first + key] > 0
      if _slowPath(isHeld != keys[manual.firstKey + key]) { move(key, of: manual, isHeld) }
    }
  }

  private mutating func move(_ key: Int, of manual: OrganManual, _ isHeld: Bool) {
    keys[manual.firstKey + key] = isHeld
    if manual == .upper { upperCount += isHeld ? 1 : -1 }
    let first = manual.firstContact + key * manual.contactCount
    for number in first..<(first + manual.contactCount) {
      var contact = contacts[number]
      contact.isClosing = isHeld
      contact.wait = Int((isHeld ? contact.way : 1 - contact.way) * keyFrames)
      if !contact.isMoving {
        contact.isMoving = true
        moving[movingCount] = number
        movingCount += 1
      }
      contacts[number] = contact
    }
  }

  /// Moving contact number `index`, from 0, and its gains at frames counted from now.
  @inline(__always) @_semantics("no_performance_analysis")
  func moving(_ index: Int, _ frames: Lanes) -> (contact: OrganContact, amounts: Lanes) {
    let contact = contacts[moving[index]]
    return (contact, contact.amounts(frames, speeds))
  }

  /// Advances all moving contacts by a number of frames.
  func advance(by frames: Int) {
    for index in 0..<movingCount {
      contacts[moving[index]].advance(by: frames, speeds)
    }
  }

  /// Removes contacts that have come to rest from the list; returns whether there were any.
  mutating func settle() -> Bool {
    var kept = 0
    for index in 0..<movingCount {
      let number = moving[index]
      if contacts[number].isSettled {
        contacts[number].isMoving = false
      } else {
        moving[kept] = number
        kept += 1
      }
    }
    defer { movingCount = kept }
    return kept != movingCount
  }

  /// Calls `body` for every contact that is closed and at rest.
  @inline(__always)
  func forEachClosed(_ body: (OrganContact) -> Void) {
    forEachClosed(.upper, body)
    forEachClosed(.lower, body)
    forEachClosed(.pedals, body)
  }

  @inline(__always)
  private func forEachClosed(_ manual: OrganManual, _ body: (OrganContact) -> Void) {
    for key in 0..<manual.keyCount where keys[manual.firstKey + key] {
      let first = manual.firstContact + key * manual.contactCount
      for number in first..<(first + manual.contactCount) where !contacts[number].isMoving {
        body(contacts[number])
      }
    }
  }
}
