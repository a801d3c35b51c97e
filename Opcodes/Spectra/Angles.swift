import OpcodeKit

/// Conversion of angles to points in the plane.
package enum Angles {
  /// Cosine and sine of angles given in turns, -1/2 to 1/2.
  @inline(__always) @_semantics("no_performance_analysis")
  package static func point<V: Vector>(turns: V) -> (cosine: V, sine: V) {
    let half = turns.magnitude + turns.magnitude
    let x = V.maximum(.minimum(half, V(1) - half), V(0))
    return (
      HalfTurn.cosine(x).withSigns(of: V(0.5) - half), HalfTurn.sine(x).withSigns(of: turns)
    )
  }
}
