import OpcodeKit

/// The coefficients of a filter of second order at one frame: its gain, and a and b of its recurrence.
package struct SecondOrderCoefficients: BitwiseCopyable {
  package let gain, feedback1, feedback2: Double
}

/// Those of several frames, side by side.
package struct SecondOrderVector<Numbers: Vector>: BitwiseCopyable {
  let gain, feedback1, feedback2: Numbers
}

extension SecondOrderVector<Pair> {
  @inline(__always)
  package subscript(place: Int) -> SecondOrderCoefficients {
    .init(gain: gain[place], feedback1: feedback1[place], feedback2: feedback2[place])
  }
}

/// The coefficients of sixteen frames, of which eight are filtered with while the other eight are made.
struct SecondOrderBuffer: BitwiseCopyable {
  private var lanes = LanesBuffer()

  /// Where the second eight frames are.
  static var second: Int { 24 }

  /// Eight frames, the first of them at a place, 0 or `second`.
  @inline(__always)
  mutating func set(_ c: SecondOrderVector<Lanes>, at place: Int) {
    lanes.set(c.gain, at: place)
    lanes.set(c.feedback1, at: place &+ 8)
    lanes.set(c.feedback2, at: place &+ 16)
  }

  /// One frame.
  @inline(__always)
  mutating func frame(at place: Int) -> SecondOrderCoefficients {
    .init(
      gain: lanes.number(at: place), feedback1: lanes.number(at: place &+ 8),
      feedback2: lanes.number(at: place &+ 16))
  }
}
