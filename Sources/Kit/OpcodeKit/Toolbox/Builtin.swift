/// What Csound's own opcodes of these names compute, for opcodes that `opcodekit port` makes of user-defined ones: the same
/// equations, limits and first values, so that both sound the same. A part's `rate` is the sample rate, or the control
/// rate for the opcode's k-rate form.
public enum Builtin {
  // ---- Without state

  /// `limit`: the middle of the bounds where `low` is not below `high`.
  @inlinable @inline(__always)
  public static func limit(_ x: Double, _ low: Double, _ high: Double) -> Double {
    if x <= high && x >= low { return x }
    if low >= high { return (low + high) * 0.5 }
    return x > high ? high : low
  }

  /// `wrap`: leaves at one bound and enters at the other.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func wrap(_ x: Double, _ low: Double, _ high: Double) -> Double {
    if low >= high { return (low + high) * 0.5 }
    let width = (low - high).magnitude
    return x >= low ? low + Math.fmod(x - low, width) : high - Math.fmod(high - x, width)
  }

  /// `mirror`: reflected at the bounds as often as it takes, at most a million times.
  @inlinable
  public static func mirror(_ x: Double, _ low: Double, _ high: Double) -> Double {
    if low >= high { return (low + high) * 0.5 }
    var value = x
    var count = 0
    while value > high || value < low, count < 1_000_000 {
      value = value > high ? high + high - value : low + low - value
      count &+= 1
    }
    return value
  }

  /// `%`: has the sign of x; 0 where y is 0.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func remainder(_ x: Double, _ y: Double) -> Double { y == 0 ? 0 : Math.fmod(x, y) }

  /// `round`: halves to the even number.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func round(_ x: Double) -> Double { Double(Math.nearest(x)) }

  /// The nearest whole number, halves to the even one.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  static func nearest(_ x: Double) -> Int { Int(truncatingIfNeeded: Math.nearest(x)) }

  /// `&`, `|`, `<<` and `>>`, of numbers rounded to whole ones of 32 bits.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func and(_ x: Double, _ y: Double) -> Double { Double(nearest(x) & nearest(y)) }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func or(_ x: Double, _ y: Double) -> Double { Double(nearest(x) | nearest(y)) }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func shiftLeft(_ x: Double, _ y: Double) -> Double {
    Double(Int32(truncatingIfNeeded: nearest(x)) &<< Int32(truncatingIfNeeded: nearest(y)))
  }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func shiftRight(_ x: Double, _ y: Double) -> Double {
    Double(Int32(truncatingIfNeeded: nearest(x)) &>> Int32(truncatingIfNeeded: nearest(y)))
  }

  /// `signum`: -1, 0 or 1.
  @inlinable @inline(__always)
  public static func sign(_ x: Double) -> Double { x == 0 ? 0 : x < 0 ? -1 : 1 }

  /// `ampdb`: the amplitude of decibels; 1 is 0 dB.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func amplitude(_ decibels: Double) -> Double {
    Math.exp(decibels * 0.11512925464970228)
  }

  /// `dbamp`: the decibels of an amplitude.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func decibels(_ amplitude: Double) -> Double {
    Math.log(amplitude.magnitude) / 0.11512925464970228
  }

  // ---- Filters

  /// `tone`: y[n] = (1 - c) x[n] + c y[n-1], c = b - sqrt(b² - 1), b = 2 - cos(2 π cutoff / rate).
  @frozen public struct Tone: BitwiseCopyable {
    @usableFromInline var pole = Pole()
    @usableFromInline var last = 0.0

    @inlinable public init(rate: Double) { pole = Pole(rate: rate) }
    /// Sets the cutoff in Hz.
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    public mutating func tune(_ cutoff: Double) { pole.tune(cutoff) }
    @inlinable @inline(__always)
    public mutating func next(_ sample: Double) -> Double {
      last = (1 - pole.value) * sample + pole.value * last
      return last
    }
  }

  /// `atone`: y[n] = c (y[n-1] + x[n] - x[n-1]) with the c of `tone`.
  @frozen public struct Atone: BitwiseCopyable {
    @usableFromInline var pole = Pole()
    @usableFromInline var rest = 0.0

    @inlinable public init(rate: Double) { pole = Pole(rate: rate) }
    /// Sets the cutoff in Hz.
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    public mutating func tune(_ cutoff: Double) { pole.tune(cutoff) }
    @inlinable @inline(__always)
    public mutating func next(_ sample: Double) -> Double {
      let output = pole.value * (rest + sample)
      rest = output - sample
      return output
    }
  }

  @frozen @usableFromInline struct Pole: BitwiseCopyable {
    @usableFromInline var value = 1.0
    @usableFromInline var cutoff = 0.0
    @usableFromInline let angle: Double

    @inlinable init() { angle = 0 }
    @inlinable init(rate: Double) { angle = 2 * Double.pi / rate }
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    mutating func tune(_ cutoff: Double) {
      guard cutoff != self.cutoff else { return }
      self.cutoff = cutoff
      let b = 2 - Math.cos(cutoff * angle)
      value = b - Math.sqrt(b * b - 1)
    }
  }

  /// `reson`: a resonance at a centre, with a bandwidth in Hz.
  @frozen public struct Reson: BitwiseCopyable {
    @usableFromInline let angle, scale: Double
    @usableFromInline var (centre, bandwidth) = (-100.0, -100.0)
    @usableFromInline var (gain, first, second) = (0.0, 0.0, 0.0)
    @usableFromInline var (last, before) = (0.0, 0.0)

    /// `scale` 1 gives a gain of 1 at the centre, 2 a mean power of 1, 0 leaves the gain as it comes.
    @inlinable public init(rate: Double, scale: Double) {
      (angle, self.scale) = (2 * Double.pi / rate, scale)
    }
    @inlinable @_semantics("no_performance_analysis")
    public mutating func tune(_ centre: Double, _ bandwidth: Double) {
      guard centre != self.centre || bandwidth != self.bandwidth else { return }
      (self.centre, self.bandwidth) = (centre, bandwidth)
      second = Math.exp(-bandwidth * angle)
      first = 4 * second * Math.cos(centre * angle) / (second + 1)
      let square = first * first
      gain =
        scale == 1
        ? (1 - second) * Math.sqrt(1 - square / (4 * second))
        : scale == 2
          ? Math.sqrt(((second + 1) * (second + 1) - square) * (1 - second) / (second + 1)) : 1
    }
    @inlinable @inline(__always)
    public mutating func next(_ sample: Double) -> Double {
      let output = gain * sample + first * last - second * before
      (before, last) = (last, output)
      return output
    }
  }

  /// `butterlp`, `butterhp`, `butterbp` and `butterbr`: Butterworth filters of second order, by the bilinear transform.
  @frozen public struct Butter: BitwiseCopyable {
    /// Whether low frequencies pass, high ones, or those in a band, or all but these.
    public enum Kind: BitwiseCopyable { case low, high, band, allButBand }

    @usableFromInline let kind: Kind
    @usableFromInline let angle: Double
    @usableFromInline var (frequency, bandwidth) = (0.0, 0.0)
    @usableFromInline var (b0, b1, b2, a1, a2) = (0.0, 0.0, 0.0, 0.0, 0.0)
    @usableFromInline var (last, before) = (0.0, 0.0)
    /// Whether cutoff or bandwidth is 0 or less: silence, or all passes.
    @usableFromInline var isIdle = true

    @inlinable public init(rate: Double, kind: Kind) {
      (angle, self.kind) = (Double.pi / rate, kind)
    }
    /// Sets the cutoff in Hz. At 0 or less the lowpass is silent, and the highpass passes all.
    @inlinable @_semantics("no_performance_analysis")
    public mutating func tune(_ cutoff: Double) {
      guard cutoff != frequency else { return }
      (frequency, isIdle) = (cutoff, !(cutoff > 0))
      if isIdle { return }
      let tangent = Math.tan(angle * cutoff)
      let c = kind == .low ? 1 / tangent : tangent
      let root = 1.4142135623730951
      b0 = 1 / (1 + root * c + c * c)
      b1 = kind == .low ? b0 + b0 : -(b0 + b0)
      b2 = b0
      a1 = 2 * (kind == .low ? 1 - c * c : c * c - 1) * b0
      a2 = (1 - root * c + c * c) * b0
    }
    /// Sets centre and bandwidth in Hz.
    @inlinable @_semantics("no_performance_analysis")
    public mutating func tune(_ centre: Double, _ bandwidth: Double) {
      guard centre != frequency || bandwidth != self.bandwidth else { return }
      (frequency, self.bandwidth, isIdle) = (centre, bandwidth, !(bandwidth > 0))
      if isIdle { return }
      let tangent = Math.tan(angle * bandwidth)
      let c = kind == .band ? 1 / tangent : tangent
      let d = 2 * Math.cos(2 * angle * centre)
      b0 = 1 / (1 + c)
      if kind == .band {
        (b1, b2) = (0, -b0)
        a1 = -c * d * b0
        a2 = (c - 1) * b0
      } else {
        (b1, b2) = (-d * b0, b0)
        a1 = b1
        a2 = (1 - c) * b0
      }
    }
    @inlinable @inline(__always)
    public mutating func next(_ sample: Double) -> Double {
      if isIdle { return kind == .low || kind == .band ? 0 : sample }
      let inner = sample - a1 * last - a2 * before
      let output = inner * b0 + b1 * last + b2 * before
      (before, last) = (last, inner)
      return output
    }
  }

  /// `dcblock`: y[n] = x[n] - x[n-1] + gain y[n-1].
  @frozen public struct DCBlock: BitwiseCopyable {
    @usableFromInline let gain: Double
    @usableFromInline var (input, output) = (0.0, 0.0)

    /// A gain of 0, or not between -1 and 1, is 0.99.
    @inlinable public init(rate: Double, gain: Double) {
      self.gain = gain == 0 || gain >= 1 || gain <= -1 ? 0.99 : gain
    }
    @inlinable @inline(__always)
    public mutating func next(_ sample: Double) -> Double {
      output = sample - input + gain * output
      input = sample
      return output
    }
  }

  /// `port`: moves half of the distance in each half-time.
  @frozen public struct Port: BitwiseCopyable {
    @usableFromInline let decay: Double
    @usableFromInline var value: Double

    /// `halfTime` in seconds. A negative `start` is 0.
    @inlinable @_semantics("no_performance_analysis")
    public init(rate: Double, halfTime: Double, start: Double) {
      decay = Math.pow(0.5, 1 / rate / halfTime)
      value = start >= 0 ? start : 0
    }
    @inlinable @inline(__always)
    public mutating func next(_ target: Double) -> Double {
      value = (1 - decay) * target + decay * value
      return value
    }
  }

  /// `portk`: `port` with a half-time that may change.
  @frozen public struct PortK: BitwiseCopyable {
    @usableFromInline let rate: Double
    @usableFromInline var (decay, halfTime) = (0.0, Double.nan)
    @usableFromInline var value: Double

    @inlinable public init(rate: Double, start: Double) {
      (self.rate, value) = (rate, start >= 0 ? start : 0)
    }
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    public mutating func next(_ target: Double, _ halfTime: Double) -> Double {
      if halfTime != self.halfTime {
        self.halfTime = halfTime
        decay = Math.pow(0.5, 1 / rate / halfTime)
      }
      value = (1 - decay) * target + decay * value
      return value
    }
  }
}
