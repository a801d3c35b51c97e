/// Windows for transforms and grains: their values at `index` from 0 to `count` - 1. They are periodic (the value at
/// `count` would be that at 0), as overlapping frames need them. Compute them in the init pass into a `Buffer`.
///
/// Source: F. J. Harris, "On the use of windows for harmonic analysis with the discrete Fourier transform", Proceedings
/// of the IEEE 66(1), 1978; the Kaiser window: J. F. Kaiser, 1974.
public enum Window {
  /// Hann: side lobes from -31 dB; two overlapping halves add up to 1.
  public static func hann(_ index: Int, of count: Int) -> Double {
    sum(index, count, 0.5, 0.5, 0, 0)
  }

  /// Hamming: highest side lobe -43 dB.
  public static func hamming(_ index: Int, of count: Int) -> Double {
    sum(index, count, 0.54, 0.46, 0, 0)
  }

  /// Blackman: side lobes from -58 dB.
  public static func blackman(_ index: Int, of count: Int) -> Double {
    sum(index, count, 0.42, 0.5, 0.08, 0)
  }

  /// Blackman-Harris with four terms: side lobes below -92 dB.
  public static func blackmanHarris(_ index: Int, of count: Int) -> Double {
    sum(index, count, 0.35875, 0.48829, 0.14128, 0.01168)
  }

  /// Kaiser: `beta` trades the width of the main lobe for the level of the side lobes, about 6 - 8 `beta` dB
  /// for `beta` from 4 to 14.
  public static func kaiser(_ index: Int, of count: Int, beta: Double) -> Double {
    let x = 2 * Double(index) / Double(count) - 1
    return bessel(beta * Math.sqrt(max(0, 1 - x * x))) / bessel(beta)
  }

  private static func sum(
    _ index: Int, _ count: Int, _ a: Double, _ b: Double, _ c: Double, _ d: Double
  ) -> Double {
    let turn = 2 * Double.pi * Double(index) / Double(count)
    return (a - b * Math.cos(turn)) + (c * Math.cos(2 * turn) - d * Math.cos(3 * turn))
  }

  /// The modified Bessel function I0, by its power series.
  package static func bessel(_ x: Double) -> Double {
    var (sum, term, number) = (1.0, 1.0, 1.0)
    while term > 1e-18 * sum {
      let factor = x / (2 * number)
      term *= factor * factor
      sum += term
      number += 1
    }
    return sum
  }
}

/// Gains of two signals for a fade from the first to the second; `position` is from 0 to 1 and is limited to that.
public enum Fade {
  /// The sum of the gains is 1: for signals that are alike.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func linear(_ position: Double) -> (first: Double, second: Double) {
    let x = position > 0 ? min(position, 1) : 0
    return (1 - x, x)
  }

  /// The sum of the squares is 1: for signals that have nothing in common.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func equalPower(_ position: Double) -> (first: Double, second: Double) {
    let x = position > 0 ? min(position, 1) : 0
    let both = HalfTurn.sine(Pair(0.5 - 0.5 * x, 0.5 * x))
    return (both[0], both[1])
  }

  /// A rise from 0 to 1 that begins and ends without a corner: 3 x² - 2 x³.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func smooth(_ position: Double) -> Double {
    let x = position > 0 ? min(position, 1) : 0
    return x * x * (3 - (x + x))
  }
}
