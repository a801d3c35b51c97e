extension Builtin {
  /// `delayr` to `delayw`: a ring that is read before it is written, at its oldest sample or between.
  @frozen public struct DelayRing: BitwiseCopyable {
    @usableFromInline let rate: Double
    @usableFromInline let samples: Buffer<Double>
    @usableFromInline var place = 0
    /// The frame for which the next sample is written.
    @usableFromInline var first = 0

    /// Throws where the time is shorter than `shortest` samples, which is Csound's ksmps.
    public init(
      rate: Double, shortest: Int, seconds: Double, _ context: Context
    ) throws(OpcodeError) {
      let count = seconds * rate
      guard count < 0x1p29, Builtin.nearest(count) >= shortest else {
        throw OpcodeError(
          argument: "the delay time", is: seconds,
          mustBe: "at least one k-cycle, and below 4 GB")
      }
      self.rate = rate
      samples = try context.buffer(count: Builtin.nearest(count))
    }
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    func wrapped(_ index: Int) -> Int {
      if _fastPath(index >= 0 && index < samples.count) { return index }
      let rest = index % samples.count
      return rest < 0 ? rest &+ samples.count : rest
    }
    /// Takes the first frame of this k-cycle, where frames are read before they are written.
    @inlinable @inline(__always)
    public mutating func find(_ context: Context) { first = context.frames.lowerBound }
    @inlinable @inline(__always)
    func place(of frame: Int?) -> Int { frame.map { place &+ $0 &- first } ?? place }
    /// The oldest sample. Without a `frame` it is that of the sample which is written next.
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    public func next(_ frame: Int? = nil) -> Double { samples[wrapped(place(of: frame))] }
    /// `deltap`: whole samples.
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    public func tap(_ seconds: Double, _ frame: Int? = nil) -> Double {
      samples[wrapped(place(of: frame) &- Builtin.nearest(seconds * rate))]
    }
    /// `deltapn`: a number of samples.
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    public func whole(_ count: Double, _ frame: Int? = nil) -> Double {
      samples[wrapped(place(of: frame) &- Math.truncated(count))]
    }
    /// `deltapi`: on a line between two samples.
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    public func linear(_ seconds: Double, _ frame: Int? = nil) -> Double {
      let delay = seconds * rate
      let whole = Math.truncated(delay)
      let newer = wrapped(place(of: frame) &- whole)
      let older = newer > 0 ? newer &- 1 : samples.count &- 1
      return samples[newer] + (samples[older] - samples[newer]) * (delay - Double(whole))
    }
    /// `deltap3`: on a cubic through four samples.
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    public func cubic(_ seconds: Double, _ frame: Int? = nil) -> Double {
      let delay = seconds * rate
      let whole = Math.truncated(delay)
      let second = wrapped(place(of: frame) &- whole)
      return Builtin.lagrange(
        samples[wrapped(second &+ 1)], samples[second], samples[wrapped(second &- 1)],
        samples[wrapped(second &- 2)], at: delay - Double(whole))
    }
    /// `delayw`.
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    public mutating func write(_ sample: Double) {
      samples[place] = sample
      place = place &+ 1 == samples.count ? 0 : place &+ 1
    }
  }

  /// The cubic of `deltap3` and `vdelay3`, with their sixth of ten digits.
  @inlinable @inline(__always)
  static func lagrange(
    _ before: Double, _ left: Double, _ right: Double, _ after: Double, at rest: Double
  ) -> Double {
    let z = (rest * rest - 1) * 0.1666666667
    let half = (rest + 1) * 0.5
    let x = 3 * z
    return ((half - 1 - z) * before + (x - rest) * left + (half - x) * right + z * after) * rest
      + left
  }

  /// `vdelay` and `vdelay3`: a delay that moves.
  @frozen public struct VDelay: BitwiseCopyable {
    @usableFromInline let perMillisecond: Double
    @usableFromInline let samples: Buffer<Double>
    @usableFromInline let count: Int
    @usableFromInline var place = 0

    /// The longest delay is in milliseconds.
    public init(rate: Double, longest: Double, _ context: Context) throws(OpcodeError) {
      perMillisecond = rate * 0.001
      let length = longest * perMillisecond
      guard length >= 0, length < 0x1p29 else {
        throw OpcodeError(
          argument: "the longest delay", is: longest, mustBe: "0 ms or more, and below 4 GB")
      }
      count = max(1, Int(length))
      samples = try context.buffer(count: count &+ 1)
    }
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    mutating func push(_ sample: Double) -> Int {
      let now = place
      samples[now] = sample
      place = now &+ 1 == count ? 0 : now &+ 1
      return now
    }
    /// The delay is in milliseconds. On a line between two samples.
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    public mutating func next(_ sample: Double, _ delay: Double) -> Double {
      var position = Double(push(sample)) - delay * perMillisecond
      let length = Double(count)
      // Csound would read outside, or never come to an end.
      if !(position.magnitude < 64 * length) {
        let rest = Math.fmod(position, length)
        position = rest.isFinite ? rest : 0
      }
      while position < 0 { position += length }
      while position >= length { position -= length }
      let left = Math.truncated(position)
      let right = position < length - 1 ? left &+ 1 : 0
      return samples[left] + (position - Double(left)) * (samples[right] - samples[left])
    }
    /// On a cubic through four samples.
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    public mutating func cubic(_ sample: Double, _ delay: Double) -> Double {
      let now = push(sample)
      var rest = -delay * perMillisecond
      var left = Math.truncated(rest)
      rest -= Double(left)
      left &+= now
      if left < 0 || rest < 0 {
        rest += 1
        left &-= 1
      }
      left %= count
      if left < 0 { left &+= count }
      let right = left &+ 1 == count ? 0 : left &+ 1
      if count < 4 { return samples[left] + rest * (samples[right] - samples[left]) }
      return Builtin.lagrange(
        samples[left == 0 ? count &- 1 : left &- 1], samples[left], samples[right],
        samples[right &+ 1 == count ? 0 : right &+ 1], at: rest)
    }
  }

  /// `alpass` and `comb`: a delay with feedback.
  @frozen public struct Comb: BitwiseCopyable {
    @usableFromInline let seconds: Double
    @usableFromInline let samples: Buffer<Double>
    @usableFromInline var (gain, reverberation) = (0.0, 0.0)
    @usableFromInline var place = 0

    /// Throws where the loop is shorter than half a sample.
    public init(rate: Double, seconds: Double, _ context: Context) throws(OpcodeError) {
      let count = seconds * rate
      guard count >= 0.5, count < 0x1p29 else {
        throw OpcodeError(
          argument: "the loop time", is: seconds, mustBe: "at least one sample, and below 4 GB")
      }
      self.seconds = seconds
      samples = try context.buffer(count: Builtin.nearest(count))
    }
    /// Sets the time in seconds in which the sound falls by 60 dB.
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    public mutating func tune(_ reverberation: Double) {
      guard reverberation != self.reverberation else { return }
      self.reverberation = reverberation
      gain = Math.exp(-6.9078 * seconds / reverberation)
    }
    /// The comb filter.
    @inlinable @inline(__always)
    public mutating func next(_ sample: Double) -> Double {
      let delayed = samples[place]
      samples[place] = delayed * (gain < 1e-16 ? 0 : gain) + sample
      place = place &+ 1 == samples.count ? 0 : place &+ 1
      return delayed
    }
    /// The allpass.
    @inlinable @inline(__always)
    public mutating func allpass(_ sample: Double) -> Double {
      let delayed = samples[place]
      let inner = gain * delayed + sample
      samples[place] = inner
      place = place &+ 1 == samples.count ? 0 : place &+ 1
      return delayed - gain * inner
    }
  }
}
