import OpcodeKit

/// The coefficients of a second-order filter for one frame: the gain, and a and b of the recurrence.
package struct SecondOrderCoefficients: BitwiseCopyable {
  package let gain, feedback1, feedback2: Double

  /// An upper bound of the magnitude of both poles; at most 1 when the filter is stable.
  @inline(__always)
  package var stay: Double { 0.5 + 0.5 * max(feedback2, feedback1.magnitude - feedback2) }
}

/// The coefficients of several frames. a and b are stored with their common division left out:
///
///     a = near1 + turn feedback1 over        b = near2 + feedback2 over
///
/// For a single frame, `SecondOrder.next` computes as much as possible without waiting for the division.
package struct SecondOrderVector<Numbers: Vector>: BitwiseCopyable {
  let gain, over, feedback1, feedback2: Numbers
  var turn = Numbers(1)
  var near1 = Self.nothing, near2 = Self.nothing

  /// Negative zero: adding it changes no number, and the compiler removes the addition.
  static var nothing: Double { @inline(__always) get { -0.0 } }

  @inline(__always)
  var feedbacks: (a: Numbers, b: Numbers) {
    @_semantics("no_performance_analysis") get {
      (turn * (feedback1 * over) + Numbers(near1), feedback2 * over + Numbers(near2))
    }
  }
}

extension SecondOrderVector<Pair> {
  @inline(__always)
  package subscript(place: Int) -> SecondOrderCoefficients {
    let (a, b) = feedbacks
    return .init(gain: gain[place], feedback1: a[place], feedback2: b[place])
  }
}

/// The coefficients of sixteen frames: eight in use and the next eight being computed.
struct SecondOrderBuffer: BitwiseCopyable {
  private var lanes = LanesBuffer()

  /// The place of the second eight frames.
  static var second: Int { 24 }

  /// Stores the coefficients of eight frames at a place, 0 or `second`; returns what those frames with these inputs add
  /// to the filter's reach.
  @inline(__always) @_semantics("no_performance_analysis")
  mutating func set<Design: SecondOrderDesign>(
    _ c: SecondOrderVector<Lanes>, at place: Int, _ input: Lanes, _ design: Design
  ) -> SecondOrderReach.Step {
    let (a, b) = c.feedbacks
    lanes.set(c.gain, at: place)
    lanes.set(a, at: place &+ 8)
    lanes.set(b, at: place &+ 16)
    let sum = (Design.scalesInput ? input * c.gain : input).magnitude.sum
    return .init(sum: sum, stay: 0.5 + 0.5 * Lanes.maximum(b, a.magnitude - b).largest)
  }

  /// One frame.
  @inline(__always)
  mutating func frame(at place: Int) -> SecondOrderCoefficients {
    .init(
      gain: lanes.number(at: place), feedback1: lanes.number(at: place &+ 8),
      feedback2: lanes.number(at: place &+ 16))
  }
}
