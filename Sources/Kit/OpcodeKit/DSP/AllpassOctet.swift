/// Eight equal first-order allpasses in series, y[n] = b (x[n] + y[n-1]) - x[n-1], arranged so that a sample passes
/// through all eight with one multiplication and one addition of latency.
///
/// With v_0 the input and v_j the output of allpass j, v_j[n] = b v_{j-1}[n] + c_j, where c_j = b v_j[n-1] -
/// v_{j-1}[n-1] is known one sample earlier. So v_j[n] = b^j v_0[n] + r_j with r_j = b r_{j-1} + c_j, and only b^8 v_0
/// + r_8 has to wait for the input. For |b| <= 1 no factor exceeds 1. Each `Pair` holds a value of the first four
/// allpasses and the same value of the second four.
///
/// While b is constant, the outputs in between are not needed: with k = b^2 - 1,
///
///     s_j = b r_j + k (r_{j-1} + b r_{j-2} + ... + b^(j-2) r_1),   r_j <- j b^(j-1) k v_0 + s_j
///
/// A `Run` uses these equations. The s_j do not depend on each other.
@frozen @usableFromInline
package struct AllpassOctet: BitwiseCopyable {
  /// b, b^2, b^3, b^4 and b^8.
  @frozen @usableFromInline
  package struct Coefficient: BitwiseCopyable {
    @usableFromInline let one, two, three: Pair
    @usableFromInline let four, eight: Double

    /// `b` is the allpass coefficient, -1 to 1.
    @inlinable @inline(__always)
    package init(_ b: Double) {
      let square = b * b
      one = Pair(b)
      two = Pair(square)
      three = Pair(square * b)
      four = square * square
      eight = four * four
    }
  }

  /// v_0 to v_4 at the last sample, each paired with v_4 to v_8.
  @usableFromInline var v0 = Pair(0), v1 = Pair(0), v2 = Pair(0), v3 = Pair(0), v4 = Pair(0)

  /// Eight silent allpasses.
  @inlinable @inline(__always)
  package init() {}

  /// Processes one sample; `output` then returns the outputs of all eight allpasses. The coefficient may change with
  /// every sample.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  package mutating func take(_ input: Double, _ b: Coefficient) {
    take(input, b, run(b))
  }

  /// Processes the last sample of a run, and ends the run.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  package mutating func take(_ input: Double, _ b: Coefficient, _ run: Run) {
    let first = run.r4[0]
    let fourth = b.four * input + first
    let eighth = b.eight * input + (b.four * first + run.r4[1])
    v0 = Pair(input, fourth)
    v1 = b.one * v0 + run.r1
    v2 = b.two * v0 + run.r2
    v3 = b.three * v0 + run.r3
    v4 = Pair(fourth, eighth)
  }

  /// Begins a run of samples with a constant coefficient. Process its last sample with `take`.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  package func run(_ b: Coefficient) -> Run {
    let r1 = b.one * v1 - v0
    let c2 = b.one * v2 - v1
    let c3 = b.one * v3 - v2
    let r2 = b.one * r1 + c2
    let r3 = b.one * r2 + c3
    let r4 = b.two * r2 + (b.one * c3 + (b.one * v4 - v3))
    return Run(r1: r1, r2: r2, r3: r3, r4: r4)
  }

  /// r_1 to r_4, each paired with r_5 to r_8.
  @frozen @usableFromInline
  package struct Run: BitwiseCopyable {
    @usableFromInline var r1, r2, r3, r4: Pair

    @inlinable @inline(__always)
    init(r1: Pair, r2: Pair, r3: Pair, r4: Pair) {
      (self.r1, self.r2, self.r3, self.r4) = (r1, r2, r3, r4)
    }

    /// k, k b and k b^2, and the factors of v_0 in the updates of r_2 to r_4.
    @frozen @usableFromInline
    package struct Coefficient: BitwiseCopyable {
      @usableFromInline let k, kb, kbb, second, third, fourth: Pair

      /// For the coefficient `b` of an octet.
      @inlinable @inline(__always) @_semantics("no_performance_analysis")
      package init(_ b: AllpassOctet.Coefficient) {
        k = b.two - Pair(1)
        kb = k * b.one
        kbb = k * b.two
        second = Pair(2) * b.one * k
        third = Pair(3) * b.two * k
        fourth = Pair(4) * b.three * k
      }
    }

    /// Processes one sample and returns the output of allpass `number`, 1 to 8.
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    package mutating func next(
      _ input: Double, _ b: AllpassOctet.Coefficient, _ more: Coefficient, output number: Int
    ) -> Double {
      let first = r4[0]
      let fourth = b.four * input + first
      let output: Double
      switch number {
      case 1: output = b.one[0] * input + r1[0]
      case 2: output = b.two[0] * input + r2[0]
      case 3: output = b.three[0] * input + r3[0]
      case 4: output = fourth
      case 5: output = b.one[0] * fourth + r1[1]
      case 6: output = b.two[0] * fourth + r2[1]
      case 7: output = b.three[0] * fourth + r3[1]
      default: output = b.eight * input + (b.four * first + r4[1])
      }
      let v0 = Pair(input, fourth)
      let s1 = b.one * r1
      let s2 = b.one * r2 + more.k * r1
      let s3 = (b.one * r3 + more.k * r2) + more.kb * r1
      let s4 = (b.one * r4 + more.k * r3) + (more.kb * r2 + more.kbb * r1)
      r1 = more.k * v0 + s1
      r2 = more.second * v0 + s2
      r3 = more.third * v0 + s3
      r4 = more.fourth * v0 + s4
      return output
    }
  }

  /// The last output of allpass `number`, 1 to 8.
  @inlinable @inline(__always)
  package func output(_ number: Int) -> Double {
    switch number {
    case 1: v1[0]
    case 2: v2[0]
    case 3: v3[0]
    case 4: v4[0]
    case 5: v1[1]
    case 6: v2[1]
    case 7: v3[1]
    default: v4[1]
    }
  }

  /// The sum of the magnitudes of all states: 0 when silent, NaN or infinite when a state is.
  @inlinable @inline(__always)
  package var level: Double {
    var sum = v0[0].magnitude
    sum += (v1[0].magnitude + v1[1].magnitude) + (v2[0].magnitude + v2[1].magnitude)
    return sum + (v3[0].magnitude + v3[1].magnitude) + (v4[0].magnitude + v4[1].magnitude)
  }
}
