extension Vector {
  /// log2(a / b) of positive numbers, with an error of at most 5 ulp; exact where the quotient is a power of two.
  /// Infinity counts as 2^1024, and subnormal numbers as numbers from 2^-1023 up. For 0 and negative numbers the result
  /// is meaningless.
  ///
  /// a is halved e times, until the result a' is from 2/3 to 3/2 of b, so that a' - b is exact. With s = (a' - b) / (a'
  /// + b), log2(a / b) = e + s p(s²). The polynomial p interpolates 2 artanh(s) / (s log 2) at Chebyshev points, with a
  /// relative error of 1.5e-17.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func log2(_ a: Self, over b: Self) -> Self {
    let octaves = Self.octaves(from: b, to: a)
    let near = Self.near(b, from: a)
    let s = (near - b) / (near + b)
    let w = s * s
    let w2 = w * w
    let p01 = Self(2.8853900817779268) + w * Self(0.9617966939259741)
    let p23 = Self(0.5770780163565514) + w * Self(0.4121985828637024)
    let p45 = Self(0.32059892967610687) + w * Self(0.26230591228287725)
    let p67 = Self(0.22204883748823107) + w * Self(0.19002752911400006)
    let high = (p45 + w2 * p67) + (w2 * w2) * Self(0.1998640476445417)
    return octaves + s * ((p01 + w2 * p23) + (w2 * w2) * high)
  }

  /// The logarithm to base 2 of each positive number, with an error of at most 5 ulp, as `log2(_:over:)` with 1.
  @inlinable public var log2: Self {
    @inline(__always) @_semantics("no_performance_analysis") get { .log2(self, over: Self(1)) }
  }

  /// The natural logarithm of each positive number, with an error of at most 6 ulp.
  @inlinable public var log: Self {
    @inline(__always) @_semantics("no_performance_analysis") get { log2 * Self(0.6931471805599453) }
  }

  /// The level in dB of each positive amplitude: 20 log10, with an error of at most 6 ulp.
  @inlinable public var decibels: Self {
    @inline(__always) @_semantics("no_performance_analysis") get { log2 * Self(6.020599913279624) }
  }

  /// The amplitude for each level in dB: 10^(x / 20), with a relative error below 1e-14 within ±600 dB.
  @inlinable public var amplitude: Self {
    @inline(__always) @_semantics("no_performance_analysis") get {
      (self * Self(0.16609640474436813)).exp2
    }
  }

  /// 2 to the power of each number, with an error of at most 2 ulp. Arguments are clamped to ±1000, so that results are
  /// finite and not subnormal; NaN stays NaN.
  @inlinable public var exp2: Self {
    @inline(__always) @_semantics("no_performance_analysis") get {
      let x = clamped(to: 1000)
      let shifted = x + Self(0x1.8p52)
      let y = (x - (shifted - Self(0x1.8p52))) * Self(0.6931471805599453)
      let scale = shifted.lowBitsPowerOfTwo
      return scale + scale * y.rest
    }
  }

  /// sin(2 π x) of each number: a sine for a phase in cycles. The error is at most 6.5e-14 of the result for phases
  /// within ±0.5, and grows with the size of the phase, up to 2^51: by the rounding of x itself.
  @inlinable public var sineOfCycles: Self {
    @inline(__always) @_semantics("no_performance_analysis") get {
      let r = self - ((self + Self(0x1.8p52)) - Self(0x1.8p52))
      let size = r.magnitude
      let fold = Self.minimum(size, Self(0.5) - size)
      return HalfTurn.sine(fold + fold).withSigns(of: r)
    }
  }

  /// cos(2 π x) of each number, for a phase in cycles, with an error of at most 7e-14 for phases within ±0.5.
  @inlinable public var cosineOfCycles: Self {
    @inline(__always) @_semantics("no_performance_analysis") get {
      let r = self - ((self + Self(0x1.8p52)) - Self(0x1.8p52))
      let quarter = Self(0.25) - r.magnitude
      let fold = quarter.magnitude
      return HalfTurn.sine(fold + fold).withSigns(of: quarter)
    }
  }
}
