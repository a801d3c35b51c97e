/// Several numbers in vector registers: `Pair`, `Quad` or `Lanes`.
///
/// Write a function once for any vector; process eight frames at a time with `Lanes` and the last few with `Pair`. In a
/// performance pass such a generic function needs `@_semantics("no_performance_analysis")`, because the compiler cannot
/// prove calls through the protocol.
public protocol Vector: BitwiseCopyable {
  /// One number in every place.
  init(_ value: Double)

  /// The number at a place, from 0 on.
  subscript(place: Int) -> Double { get }

  static func + (_ a: Self, _ b: Self) -> Self
  static func - (_ a: Self, _ b: Self) -> Self
  static func * (_ a: Self, _ b: Self) -> Self
  static func / (_ a: Self, _ b: Self) -> Self

  /// The smaller number in each place; `b` where either is NaN.
  static func minimum(_ a: Self, _ b: Self) -> Self
  /// The larger number in each place; `b` where either is NaN.
  static func maximum(_ a: Self, _ b: Self) -> Self

  var magnitude: Self { get }
  /// The square root of each number; NaN below 0.
  var squareRoot: Self { get }
  /// The magnitude of each number with the sign of the number in `other`.
  func withSigns(of other: Self) -> Self

  /// 2^n for each number n + 1.5 · 2^52, for whole n from -1022 to 1023.
  var lowBitsPowerOfTwo: Self { get }

  /// How many times each positive number `to` must be halved to be from 2/3 to 3/2 of the number in `from`.
  static func octaves(from: Self, to: Self) -> Self
  /// Each number `from` after that many halvings.
  static func near(_ to: Self, from: Self) -> Self
}

extension Vector {
  /// Each number clamped to the range -limit to limit; NaN stays NaN.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func clamped(to limit: Double) -> Self {
    .maximum(Self(-limit), .minimum(Self(limit), self))
  }

  /// e to the power of each number, with an error of at most 2 ulp. Arguments are clamped to ±700, so that results are
  /// finite and not subnormal; NaN stays NaN.
  @inlinable public var exp: Self {
    @inline(__always) @_semantics("no_performance_analysis") get {
      let (scale, y) = clamped(to: 700).split
      return scale + scale * y.rest
    }
  }

  /// e to the power of each number, minus 1, with an error of at most 2.5 ulp, also for small arguments. Arguments
  /// are clamped to ±700; NaN stays NaN.
  @inlinable public var expMinusOne: Self {
    @inline(__always) @_semantics("no_performance_analysis") get { clamped(to: 700).powerMinusOne }
  }

  /// Like `exp`, with a relative error of at most 3e-10, in three quarters of the time.
  @inlinable public var shortExp: Self {
    @inline(__always) @_semantics("no_performance_analysis") get {
      let (scale, y) = clamped(to: 700).split
      return scale + scale * y.shortRest
    }
  }

  /// tanh of each number, with an error of at most 4 ulp; exactly ±1 beyond ±20. NaN stays NaN.
  ///
  /// tanh x = m / (m + 2) with m = e^2x - 1.
  @inlinable public var tanh: Self {
    @inline(__always) @_semantics("no_performance_analysis") get {
      let m = Self.minimum(Self(40), magnitude + magnitude).powerMinusOne
      return (m / (m + Self(2))).withSigns(of: self)
    }
  }

  /// e to the power of each number, minus 1, for numbers within ±700.
  @inlinable var powerMinusOne: Self {
    @inline(__always) @_semantics("no_performance_analysis") get {
      let (scale, y) = split
      return scale * y.rest + (scale - Self(1))
    }
  }

  /// e^x = s e^y: the power of two s, and y with |y| at most log(2) / 2.
  @inlinable var split: (scale: Self, rest: Self) {
    @inline(__always) @_semantics("no_performance_analysis") get {
      let magic = Self(0x1.8p52)
      let shifted = self * Self(0x1.71547652b82fep+0) + magic
      let n = shifted - magic
      // log 2 as a sum of two numbers; the first ends in zero bits, so that its product with n is exact.
      let y = (self - n * Self(0x1.62e42fee00000p-1)) - n * Self(0x1.a39ef35793c76p-33)
      return (shifted.lowBitsPowerOfTwo, y)
    }
  }

  /// e^y - 1 = y + y² p(y). The polynomial p interpolates at Chebyshev points, with a relative error of 4.1e-17.
  @inlinable var rest: Self {
    @inline(__always) @_semantics("no_performance_analysis") get {
      let y = self
      let y2 = y * y
      let y4 = y2 * y2
      let p01 = Self(0.5000000000000001) + y * Self(0.16666666666666669)
      let p23 = Self(0.041666666666624164) + y * Self(0.008333333333330065)
      let p45 = Self(0.0013888888917196719) + y * Self(0.00019841269863040545)
      let p67 = Self(2.4801521322368668e-05) + y * Self(2.7557268480310007e-06)
      let p89 = Self(2.762007587999593e-07) + y * Self(2.5100375832570895e-08)
      let high = (p45 + y2 * p67) + y4 * p89
      return y + y2 * ((p01 + y2 * p23) + y4 * high)
    }
  }

  /// `rest` with a relative error of 5.4e-10.
  @inlinable var shortRest: Self {
    @inline(__always) @_semantics("no_performance_analysis") get {
      let y = self
      let y2 = y * y
      let p01 = Self(0.5000000013457727) + y * Self(0.16666666681614256)
      let p23 = Self(0.04166646500603997) + y * Self(0.00833331093444886)
      let p45 = Self(0.0013933641031995665) + y * Self(0.0001989098086976028)
      return y + y2 * (p01 + y2 * (p23 + y2 * p45))
    }
  }
}
