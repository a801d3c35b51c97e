import OpcodeKit

/// The recurrence that filters of second order are made of, t[n] = x[n] - a t[n-1] - b t[n-2].
///
/// Where a and b last for a k-cycle, four frames are computed at once (`ButterworthLookahead`), so that
/// one product and two additions lie between the states of every fourth frame.
struct SecondOrder: BitwiseCopyable {
  /// t[n-1] and t[n-2].
  private var t1 = 0.0, t2 = 0.0

  /// Filters frames with coefficients that stand still. `taps` makes the output of two frames' t[n],
  /// t[n-1] and t[n-2]; the input is multiplied by `level` first.
  @inline(__always)
  mutating func hold(
    _ input: AudioInput, _ output: AudioOutput, _ frames: Range<Int>,
    _ c: ButterworthCoefficients.Single, level: Double = 1,
    _ taps: (_ now: Pair, _ before: Pair, _ earlier: Pair) -> Pair
  ) {
    var frame = frames.lowerBound
    if frames.count >= 8 {
      let ahead = ButterworthLookahead(c)
      let levels = Pair(level)
      // In order of time.
      var last = Pair(t2, t1)
      while frame &+ 4 <= frames.upperBound {
        let (near, far) = ahead.next(
          input.pair(at: frame) * levels, input.pair(at: frame &+ 2) * levels, after: last)
        output.setPair(taps(near, Pair(last[1], near[0]), last), at: frame)
        output.setPair(taps(far, Pair(near[1], far[0]), near), at: frame &+ 2)
        last = far
        frame &+= 4
      }
      (t2, t1) = (last[0], last[1])
    }
    while frame < frames.upperBound {
      output[frame] = next(input[frame] * level, c, taps)
      frame &+= 1
    }
  }

  /// One frame.
  @inline(__always)
  mutating func next(
    _ x: Double, _ c: ButterworthCoefficients.Single,
    _ taps: (_ now: Pair, _ before: Pair, _ earlier: Pair) -> Pair
  ) -> Double {
    advance((x - c.feedback2 * t2) - c.feedback1 * t1, taps)
  }

  /// One frame with a and b before they are divided by what makes `over`.
  @inline(__always)
  mutating func next(
    _ x: Double, over: Double, _ numerator1: Double, _ numerator2: Double,
    _ taps: (_ now: Pair, _ before: Pair, _ earlier: Pair) -> Pair
  ) -> Double {
    advance(x - over * (numerator2 * t2 + numerator1 * t1), taps)
  }

  @inline(__always)
  private mutating func advance(
    _ t: Double, _ taps: (_ now: Pair, _ before: Pair, _ earlier: Pair) -> Pair
  ) -> Double {
    let y = taps(Pair(t), Pair(t1), Pair(t2))[0]
    (t2, t1) = (t1, t)
    return y
  }

  /// At the end of a k-cycle: a NaN is heard until then and not for ever; decays end in zero, and so does
  /// what coefficients that jump about have made grow without bound.
  @inline(__always)
  mutating func settle() {
    let level = t1.magnitude + t2.magnitude
    if !(level >= 1e-30 && level < 1e100) { (t1, t2) = (0, 0) }
  }
}

/// A share of the sample rate from 0 to 0.5 for any frequency, where its cosine is the same; NaN counts
/// as 0.5.
@inline(__always) @_semantics("no_performance_analysis")
func folded<V: Vector>(_ cycles: V) -> V {
  let magic = V(0x1.8p52)
  return .minimum((cycles - ((cycles + magic) - magic)).magnitude, V(0.5))
}
