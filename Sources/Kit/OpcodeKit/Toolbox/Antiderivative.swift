/// A curve whose antiderivative is known, for antialiasing without oversampling.
public protocol IntegrableCurve: BitwiseCopyable {
  /// f(x).
  func value(_ x: Double) -> Double
  /// An antiderivative of f: its derivative is f. Any constant.
  func integral(_ x: Double) -> Double
}

/// A curve whose second antiderivative is known, too.
public protocol TwiceIntegrableCurve: IntegrableCurve {
  /// An antiderivative of `integral`.
  func secondIntegral(_ x: Double) -> Double
}

/// A memoryless curve with antiderivative antialiasing of first order: the mean of the curve over the straight line from
/// the last sample to this one,
///
///     y[n] = (F(x[n]) - F(x[n-1])) / (x[n] - x[n-1])
///
/// (J. D. Parker, V. Zavalishin, E. Le Bivic, "Reducing the aliasing of nonlinear waveshaping using continuous-time
/// convolution", DAFx-16, 2016). Aliases fall by about 6 dB per octave more than the harmonics do. The signal is delayed
/// by half a sample, and loses treble: -3.9 dB at half the sample rate for a straight line.
@frozen
public struct Antiderivative<Curve: IntegrableCurve>: BitwiseCopyable {
  public var curve: Curve
  @usableFromInline var last = 0.0
  @usableFromInline var lastIntegral: Double

  @inlinable
  public init(_ curve: Curve) {
    self.curve = curve
    lastIntegral = curve.integral(0)
  }

  /// The output for a sample. NaN and infinity count as 0. After a change of `curve` the next sample makes a click of its
  /// own: change it only at the beginning of a note.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func next(_ input: Double) -> Double {
    let sample = input.magnitude < .infinity ? input : 0
    let integral = curve.integral(sample)
    let step = sample - last
    // Nearer than that the difference of the integrals has lost its digits.
    let y =
      step.magnitude > 1e-5 * (1 + sample.magnitude)
      ? (integral - lastIntegral) / step : curve.value(0.5 * (sample + last))
    (last, lastIntegral) = (sample, integral)
    return y
  }
}

/// Antiderivative antialiasing of second order, from three samples: aliases fall by about 12 dB per octave more than the
/// harmonics do. The signal is delayed by one sample.
///
///     y[n] = 2 (D(x[n], x[n-1]) - D(x[n-1], x[n-2])) / (x[n] - x[n-2]),   D(a, b) = (F2(a) - F2(b)) / (a - b)
///
/// Source: S. Bilbao, F. Esqueda, J. D. Parker, V. Välimäki, "Antiderivative antialiasing for memoryless nonlinearities",
/// IEEE Signal Processing Letters 24(7), 2017, DOI 10.1109/LSP.2017.2675541.
@frozen
public struct SecondAntiderivative<Curve: TwiceIntegrableCurve>: BitwiseCopyable {
  public var curve: Curve
  @usableFromInline var x1 = 0.0
  @usableFromInline var x2 = 0.0
  @usableFromInline var lastSecond: Double
  @usableFromInline var lastQuotient: Double

  @inlinable
  public init(_ curve: Curve) {
    self.curve = curve
    lastSecond = curve.secondIntegral(0)
    lastQuotient = curve.integral(0)
  }

  /// The output for a sample. NaN and infinity count as 0.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func next(_ input: Double) -> Double {
    let sample = input.magnitude < .infinity ? input : 0
    let second = curve.secondIntegral(sample)
    let near = 1e-4 * (1 + sample.magnitude)
    let quotient =
      (sample - x1).magnitude > near
      ? (second - lastSecond) / (sample - x1) : curve.integral(0.5 * (sample + x1))
    let y: Double
    if (sample - x2).magnitude > near {
      y = 2 * (quotient - lastQuotient) / (sample - x2)
    } else {
      let middle = 0.5 * (sample + x2)
      let way = middle - x1
      y =
        way.magnitude > near
        ? 2 / way
          * (curve.integral(middle) + (lastSecond - curve.secondIntegral(middle)) / way)
        : curve.value(0.5 * (middle + x1))
    }
    (x2, x1, lastSecond, lastQuotient) = (x1, sample, second, quotient)
    return y
  }
}

/// The hyperbolic tangent: soft saturation. Its antiderivative is log cosh x.
@frozen
public struct TanhSaturation: IntegrableCurve {
  @inlinable public init() {}
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func value(_ x: Double) -> Double { Fraction.tanh(x) }
  /// log cosh x = |x| + log((1 + e^(-2 |x|)) / 2).
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func integral(_ x: Double) -> Double {
    let size = x.magnitude
    let fall = Pair(-2 * size).exp
    return size + (Pair(0.5) + Pair(0.5) * fall).log[0]
  }
}

/// Clipping at ±limit.
@frozen
public struct HardClip: TwiceIntegrableCurve {
  @usableFromInline let limit: Double
  /// `limit` is above 0.
  @inlinable public init(limit: Double = 1) { self.limit = limit }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func value(_ x: Double) -> Double { max(-limit, min(limit, x)) }
  /// x² / 2 inside the limits, a straight line outside.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func integral(_ x: Double) -> Double {
    let size = x.magnitude
    return size < limit ? 0.5 * x * x : limit * (size - 0.5 * limit)
  }
  /// x³ / 6 inside the limits, a parabola outside.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func secondIntegral(_ x: Double) -> Double {
    let size = x.magnitude
    if size < limit { return x * x * x / 6 }
    let outside = limit * (0.5 * size * (size - limit) + limit * limit / 6)
    return x < 0 ? -outside : outside
  }
}
