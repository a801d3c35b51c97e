// The wiring from the keys of a Hammond organ to its tone generator.

import OpcodeKit

/// One of the three keyboards.
package enum OrganManual: Int, BitwiseCopyable {
  case upper, lower, pedals

  /// Number of keys; the lowest is a C, MIDI note 36.
  package var keyCount: Int { self == .pedals ? 25 : 61 }
  /// Number of contacts of each key, one for each drawbar.
  package var contactCount: Int { self == .pedals ? 2 : 9 }
  /// First index of the manual's keys, contacts and drawbars when those of all three manuals are numbered together.
  var firstKey: Int { rawValue * 61 }
  var firstContact: Int { rawValue * 549 }
  var firstDrawbar: Int { rawValue * 9 }
  /// Index of MIDI note 0 of the manual in the table of keys.
  var firstElement: Int { rawValue * 128 }

  static let lowestNote = 36
  static let allKeys = 147
  static let allContacts = 1148
  static let allDrawbars = 20
}

package enum OrganWiring {
  /// The wheel that a key and a drawbar (both from 0) sound, 1 to 91.
  ///
  /// The manuals do not use the lowest octave. Wheels above the highest one do not exist. In both cases the wheel in
  /// the nearest octave sounds instead (foldback). The pedals use the lowest octave.
  package static func wheel(_ manual: OrganManual, key: Int, drawbar: Int) -> Int {
    var wheel = key + 13 + semitones(drawbar == 1 && manual == .pedals ? 2 : drawbar)
    while wheel > ToneWheel.count { wheel -= 12 }
    if manual != .pedals && wheel < 13 { wheel += 12 }
    return wheel
  }

  /// Semitones of a drawbar above the key: 16', 5 1/3', 8', 4', 2 2/3', 2', 1 3/5', 1 1/3', 1'.
  private static func semitones(_ drawbar: Int) -> Int {
    switch drawbar {
    case 0: -12
    case 1: 7
    case 2: 0
    case 3: 12
    case 4: 19
    case 5: 24
    case 6: 28
    case 7: 31
    default: 36
    }
  }

  /// The gain of a drawbar setting: 1 at 8, and 3 dB less for each step down; linear between 1 and 0.
  package static func drawbarGain(_ setting: Double) -> Double {
    guard setting > 0 else { return 0 }
    let gain = Math.pow(10, 0.15 * (min(max(setting, 1), 8) - 8))
    return setting < 1 ? setting * gain : gain
  }

  /// The gain of the wire from the generator to a key's contact (taper).
  ///
  /// The wires have six different resistances, which even out the loudness across the keyboard: steps of 3.5 dB from
  /// -10 to 7 dB, changing at the keys given by setBfree's model of a B-3.
  package static func taper(key: Int, drawbar: Int) -> Double {
    let step: Int
    switch drawbar {
    case 0: step = Self.step(key, from: -3, at: 12, 17, 24, 36, 48)
    case 1: step = Self.step(key, from: -1, at: 15, 38, 50)
    case 2: step = Self.step(key, from: -2, at: 17, 22, 37, 49)
    case 3: step = key >= 17 && key < 39 ? 0 : -1
    case 4: step = -Self.step(key, from: -2, at: 14, 20, 40, 50)
    case 5: step = -Self.step(key, from: -2, at: 12, 15, 41, 54)
    case 6: step = -Self.step(key, from: -1, at: 14, 42, 50)
    case 7: step = -Self.step(key, from: 0, at: 43, 48)
    default: step = key < 43 ? 0 : -2
    }
    return Math.pow(10, step == -3 ? -0.5 : 0.175 * Double(step))
  }

  /// A step number that increases by 1 at each of the given keys.
  private static func step(
    _ key: Int, from first: Int, at one: Int, _ two: Int, _ three: Int = 61, _ four: Int = 61,
    _ five: Int = 61
  ) -> Int {
    var step = first
    if key >= one { step += 1 }
    if key >= two { step += 1 }
    if key >= three { step += 1 }
    if key >= four { step += 1 }
    if key >= five { step += 1 }
    return step
  }
}
