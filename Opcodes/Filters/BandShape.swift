import OpcodeKit

/// A polynomial of second degree, `square` x² + `linear` x + `constant`.
struct Quadratic: BitwiseCopyable {
  var square, linear, constant: Double

  /// The square of its magnitude at an imaginary x, given -x².
  @inline(__always) @_semantics("no_performance_analysis")
  func power(at negativeSquare: Lanes) -> Lanes {
    let real = Lanes(constant) - Lanes(square) * negativeSquare
    return real * real + Lanes(linear * linear) * negativeSquare
  }

  /// The polynomial whose power is `p.constant + p.linear t + p.square t²` at t = -x²; nil if that is not above 0
  /// everywhere.
  init?(power p: Quadratic) {
    guard p.constant > 0, p.square > 0 else { return nil }
    let (constant, square) = (Math.sqrt(p.constant), Math.sqrt(p.square))
    let linear = p.linear + 2 * constant * square
    guard linear > 0 else { return nil }
    self.init(square, Math.sqrt(linear), constant)
  }

  @inline(__always)
  init(_ square: Double, _ linear: Double, _ constant: Double) {
    (self.square, self.linear, self.constant) = (square, linear, constant)
  }
}

/// What a second-order section computes: a fraction of two polynomials in u = (1 - z^-1) / (1 + z^-1), which is
/// j tan(π f / sr).
struct SectionShape: BitwiseCopyable {
  var zeros = Quadratic(1, 0, 0), poles = Quadratic(1, 0, 0)
}

/// A kind of equalizer band, by its analog prototype in s = j f / frequency. With A = 10^(gain / 40), the prototypes are
/// those of R. Bristow-Johnson's "Audio EQ Cookbook" (W3C note, 2021).
enum BandKind: Int, BitwiseCopyable {
  case peak, lowShelf, highShelf, lowCut, highCut, bandpass, notch, allpass

  func prototype(gain: Double, q: Double) -> SectionShape {
    let a = Math.exp10(gain / 40)
    let (damping, root) = (1 / q, Math.sqrt(a))
    let plain = Quadratic(1, damping, 1)
    switch self {
    case .peak: return .init(zeros: .init(1, a * damping, 1), poles: .init(1, damping / a, 1))
    case .lowShelf:
      return .init(
        zeros: .init(a, a * root * damping, a * a), poles: .init(a, root * damping, 1))
    case .highShelf:
      return .init(
        zeros: .init(a * a, a * root * damping, a), poles: .init(1, root * damping, a))
    case .lowCut: return .init(zeros: .init(1, 0, 0), poles: plain)
    case .highCut: return .init(zeros: .init(0, 0, 1), poles: plain)
    case .bandpass: return .init(zeros: .init(0, damping, 0), poles: plain)
    // The least bit of damping: without, the fit below would divide 0 by 0 at the frequency.
    case .notch: return .init(zeros: .init(1, 1e-9, 1), poles: plain)
    case .allpass: return .init(zeros: .init(1, -damping, 1), poles: plain)
    }
  }
}

/// Designs the sections of a band.
struct EqualizerDesign: BitwiseCopyable {
  /// The angles at which the exact shape is fitted, in radians per sample, and what belongs to each.
  private let angles, cosines, tangents: Lanes

  /// Chebyshev's nodes in the cosine of the angle, from 0 to 0.46 of the sample rate.
  init() {
    var (angles, cosines, tangents) = (Lanes(0), Lanes(0), Lanes(0))
    let lowest = Math.cos(2 * .pi * 0.46)
    for place in 0..<Lanes.count {
      let node = Math.cos(Double.pi * (Double(place) + 0.5) / Double(Lanes.count))
      let cosine = 0.5 * ((1 + lowest) + (1 - lowest) * node)
      (angles[place], cosines[place]) = (Math.acos(cosine), cosine)
      tangents[place] = (1 - cosine) / (1 + cosine)
    }
    (self.angles, self.cosines, self.tangents) = (angles, cosines, tangents)
  }

  /// The prototype through the bilinear transform, which meets it at the frequency: close to half the sample rate the
  /// band is narrower. `frequency` is in units of the sample rate.
  static func bilinear(_ prototype: SectionShape, _ frequency: Double) -> SectionShape {
    let tangent = Math.tan(Double.pi * frequency)
    let part = 1 / prototype.poles.square
    func moved(_ p: Quadratic) -> Quadratic {
      .init(p.square * part, p.linear * tangent * part, p.constant * tangent * tangent * part)
    }
    return .init(zeros: moved(prototype.zeros), poles: moved(prototype.poles))
  }

  /// The prototype's shape up to 0.45 of the sample rate, by two sections.
  ///
  /// The first has the prototype's poles and zeros, each at z = exp(s / sr). What is then missing is smooth: the share of
  /// the images beyond half the sample rate. The second is fitted to it, as a fraction of two polynomials in the cosine of
  /// the angle, by least squares of its relative error at eight frequencies; a small weight on the distance from a
  /// denominator without effect keeps poles and zeros that cancel each other away.
  func exact(_ prototype: SectionShape, _ kind: BandKind, _ frequency: Double)
    -> (SectionShape, SectionShape)
  {
    let angle = 2 * Double.pi * frequency
    let zeros: Quadratic =
      switch kind {
      case .highCut: .init(1, 2, 1)
      case .lowCut: .init(1, 0, 0)
      case .bandpass: .init(1, 1, 0)
      default: Self.matched(prototype.zeros, angle)
      }
    let first = SectionShape(zeros: zeros, poles: Self.matched(prototype.poles, angle))
    let squares = (angles * angles) * Lanes(1 / (angle * angle))
    let missing =
      (prototype.zeros.power(at: squares) * first.poles.power(at: tangents))
      / (prototype.poles.power(at: squares) * first.zeros.power(at: tangents))
    return (first, fitted(missing, level: missing[0]))
  }

  /// A polynomial in s = j angle / `angle` with its roots moved to those of z = exp(s), as one in u.
  private static func matched(_ p: Quadratic, _ angle: Double) -> Quadratic {
    let half = 0.5 * angle * p.linear / p.square
    let product = angle * angle * p.constant / p.square
    let rest = product - half * half
    guard rest >= 0 else {
      // Two real roots; the farther one has no effect below half the sample rate.
      let far = half + Math.sqrt(-rest)
      let (one, other) = (Math.tanh(0.5 * min(far, 40)), Math.tanh(0.5 * product / far))
      return .init(1, one + other, one * other)
    }
    let damping = min(half, 40)
    let turn = min(0.5 * Math.sqrt(rest), 1.65)
    let (decay, sine, cosine) = (Math.sinh(0.5 * damping), Math.sin(turn), Math.cos(turn))
    let over = 1 / (decay * decay + cosine * cosine)
    return .init(1, Math.sinh(damping) * over, (decay * decay + sine * sine) * over)
  }

  /// The section whose power at the eight frequencies is close to `target`.
  private func fitted(_ target: Lanes, level: Double) -> SectionShape {
    let inverse = Lanes(level) / target
    let (x, square) = (cosines, cosines * cosines)
    let (weighted, weightedSquare) = (x * inverse, square * inverse)
    let (cross3, cross4) = ((weightedSquare * x).sum, (weightedSquare * square).sum)
    let middle = (weighted * weighted).sum
    let third = (weighted * weightedSquare).sum
    let plain = (square * x).sum
    // The prior denominator is (1 + 0.15 x)².
    let prior = (linear: 0.3, square: 0.0225)
    var weight = 9e-6
    // Ten times heavier each time the fit is not positive; in the end only the numerator is fitted.
    for _ in 0..<12 {
      var equations = NormalEquations()
      equations.set(
        0, (inverse * inverse).sum, (weighted * inverse).sum, middle, -weighted.sum,
        -weightedSquare.sum, inverse.sum)
      equations.set(
        1, (weighted * inverse).sum, middle, third, -weightedSquare.sum, -cross3, weighted.sum)
      equations.set(
        2, middle, third, (weightedSquare * weightedSquare).sum, -cross3, -cross4,
        weightedSquare.sum)
      equations.set(
        3, -weighted.sum, -weightedSquare.sum, -cross3, square.sum + weight, plain,
        weight * prior.linear - x.sum)
      equations.set(
        4, -weightedSquare.sum, -cross3, -cross4, plain, (square * square).sum + weight,
        weight * prior.square - square.sum)
      equations.solve()
      let zeros = Quadratic(power: Self.moved(equations[0], equations[1], equations[2], level))
      let poles = Quadratic(power: Self.moved(1, equations[3], equations[4], 1))
      if let zeros, let poles {
        let part = 1 / poles.square
        return .init(
          zeros: .init(zeros.square * part, zeros.linear * part, zeros.constant * part),
          poles: .init(1, poles.linear * part, poles.constant * part))
      }
      weight *= 9
    }
    return SectionShape()
  }

  /// c0 + c1 x + c2 x² as a polynomial in t = (1 - x) / (1 + x), times (1 + t)² and `level`.
  private static func moved(_ c0: Double, _ c1: Double, _ c2: Double, _ level: Double) -> Quadratic
  {
    .init(level * (c0 - c1 + c2), level * 2 * (c0 - c2), level * (c0 + c1 + c2))
  }
}

/// Five linear equations with a symmetric positive matrix.
private struct NormalEquations: BitwiseCopyable {
  /// Each row has five coefficients and the right side.
  private var numbers = InlineArray<30, Double>(repeating: 0)

  /// The solution's number at a place, after `solve`.
  subscript(place: Int) -> Double { numbers[6 &* place &+ 5] }

  mutating func set(
    _ row: Int, _ a: Double, _ b: Double, _ c: Double, _ d: Double, _ e: Double, _ right: Double
  ) {
    let start = 6 &* row
    (numbers[start], numbers[start &+ 1], numbers[start &+ 2]) = (a, b, c)
    (numbers[start &+ 3], numbers[start &+ 4], numbers[start &+ 5]) = (d, e, right)
  }

  /// By elimination, without pivots.
  mutating func solve() {
    for row in 0..<5 {
      let part = 1 / numbers[7 &* row]
      for column in row..<6 { numbers[6 &* row &+ column] *= part }
      for other in 0..<5 where other != row {
        let share = numbers[6 &* other &+ row]
        for column in row..<6 {
          numbers[6 &* other &+ column] -= share * numbers[6 &* row &+ column]
        }
      }
    }
  }
}
