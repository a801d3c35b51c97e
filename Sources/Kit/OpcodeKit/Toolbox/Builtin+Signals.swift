extension Builtin {
  /// `phasor`: a ramp from 0 to 1.
  @frozen public struct Phasor: BitwiseCopyable {
    @usableFromInline let period: Double
    @usableFromInline var phase: Double

    /// A negative `phase` is 0.
    @inlinable @_semantics("no_performance_analysis")
    public init(rate: Double, phase: Double) {
      (period, self.phase) = (1 / rate, phase >= 0 ? phase - Math.trunc(phase) : 0)
    }
    /// The phase before this step; the frequency is in Hz, and below the rate.
    @inlinable @inline(__always)
    public mutating func next(_ frequency: Double) -> Double {
      let now = phase
      phase += frequency * period
      if phase >= 1 { phase -= 1 } else if phase < 0 { phase += 1 }
      return now
    }
  }

  /// `metro`: 1 at the beginning of each period, else 0.
  @frozen public struct Metro: BitwiseCopyable {
    @usableFromInline let period: Double
    @usableFromInline var phase: Double
    @usableFromInline var isFirst = true

    @inlinable @_semantics("no_performance_analysis")
    public init(rate: Double, phase: Double) {
      (period, self.phase) = (1 / rate, phase >= 0 ? phase - Math.trunc(phase) : 0)
    }
    @inlinable @inline(__always)
    public mutating func next(_ frequency: Double) -> Double {
      if phase == 0, isFirst {
        isFirst = false
        return 1
      }
      phase += frequency * period
      guard phase >= 1 else { return 0 }
      phase -= 1
      isFirst = false
      return 1
    }
  }

  /// `trigger`: 1 where a signal crosses a threshold, else 0; upwards with mode 0, downwards with 1, both with 2.
  @frozen public struct Trigger: BitwiseCopyable {
    @usableFromInline var last = 0.0

    @inlinable public init(rate: Double) {}
    @inlinable @inline(__always)
    public mutating func next(_ value: Double, _ threshold: Double, _ mode: Double) -> Double {
      let rises = mode != 1 && last <= threshold && value > threshold
      let falls = mode != 0 && last >= threshold && value < threshold
      last = value
      return rises || falls ? 1 : 0
    }
  }

  /// `line`: goes on at the same slope after its end.
  @frozen public struct Line: BitwiseCopyable {
    @usableFromInline let step: Double
    @usableFromInline var value: Double

    /// A control signal has a step for so many `frames`.
    @inlinable
    public init(rate: Double, frames: Int = 1, from: Double, seconds: Double, to: Double) {
      let isUsable = seconds > 0
      let frames = Double(frames)
      step = isUsable ? (to - from) / seconds * (1 / (rate * frames)) * frames : 0
      value = isUsable ? from : 0
    }
    @inlinable @inline(__always)
    public mutating func next() -> Double {
      let now = value
      value += step
      return now
    }
  }

  /// `expon`: goes on at the same ratio after its end.
  @frozen public struct Expon: BitwiseCopyable {
    @usableFromInline let ratio: Double
    @usableFromInline var value: Double

    /// Throws unless both values have the same sign.
    @_semantics("no_performance_analysis")
    public init(
      rate: Double, from: Double, seconds: Double, to: Double
    ) throws(OpcodeError) {
      guard seconds > 0 else {
        (ratio, value) = (1, 0)
        return
      }
      guard from * to > 0 else {
        throw OpcodeError("expon needs two values above 0, or two below.")
      }
      (ratio, value) = (Math.pow(to / from, 1 / rate / seconds), from)
    }
    @inlinable @inline(__always)
    public mutating func next() -> Double {
      let now = value
      value *= ratio
      return now
    }
  }

  /// `samphold`: takes its input while the gate is above 0.
  @frozen public struct SampleAndHold: BitwiseCopyable {
    @usableFromInline var value: Double

    @inlinable public init(rate: Double, start: Double) { value = start }
    @inlinable @inline(__always)
    public mutating func next(_ sample: Double, _ gate: Double) -> Double {
      if gate > 0 { value = sample }
      return value
    }
  }

  /// `integ`: the sum of all samples.
  @frozen public struct Integ: BitwiseCopyable {
    @usableFromInline var sum = 0.0

    @inlinable public init(rate: Double) {}
    @inlinable @inline(__always)
    public mutating func next(_ sample: Double) -> Double {
      sum += sample
      return sum
    }
  }

  /// `diff`: the difference from the sample before.
  @frozen public struct Diff: BitwiseCopyable {
    @usableFromInline var last = 0.0

    @inlinable public init(rate: Double) {}
    @inlinable @inline(__always)
    public mutating func next(_ sample: Double) -> Double {
      let difference = sample - last
      last = sample
      return difference
    }
  }

  /// `delay1`: the sample before.
  @frozen public struct Delay1: BitwiseCopyable {
    @usableFromInline var last = 0.0

    @inlinable public init(rate: Double) {}
    @inlinable @inline(__always)
    public mutating func next(_ sample: Double) -> Double {
      defer { last = sample }
      return last
    }
  }

  /// `delay`: a delay that is constant.
  @frozen public struct Delay: BitwiseCopyable {
    @usableFromInline let samples: Buffer<Double>
    @usableFromInline var place = 0

    /// Rounds to whole samples, of which there is at least one.
    public init(rate: Double, seconds: Double, _ context: Context) throws(OpcodeError) {
      let count = seconds * rate
      guard count >= 0.5, count < 0x1p29 else {
        throw OpcodeError(
          argument: "the delay time", is: seconds, mustBe: "at least one sample, and below 4 GB")
      }
      samples = try context.buffer(count: Int(Math.nearest(count)))
    }
    @inlinable @inline(__always)
    public mutating func next(_ sample: Double) -> Double {
      let delayed = samples[place]
      samples[place] = sample
      place = place &+ 1 == samples.count ? 0 : place &+ 1
      return delayed
    }
  }

  /// `interp` and `a()`: straight lines from each control value to the next, one k-cycle late.
  @frozen public struct Interp: BitwiseCopyable {
    @usableFromInline let share: Double
    @usableFromInline var value: Double
    @usableFromInline var step = 0.0
    @usableFromInline var beginsAtFirst: Bool

    /// The lines have that many frames. With `mode` 0 the first begins at `start`, otherwise it has the first value.
    @inlinable public init(rate: Double, frames: Int, mode: Double, start: Double) {
      share = 1 / Double(frames)
      (value, beginsAtFirst) = (mode == 0 ? start : 0, mode != 0)
    }
    /// Sets the value at the end of this k-cycle.
    @inlinable @inline(__always)
    public mutating func tune(_ end: Double) {
      if beginsAtFirst { (value, beginsAtFirst) = (end, false) }
      step = (end - value) * share
    }
    @inlinable @inline(__always)
    public mutating func next() -> Double {
      value += step
      return value
    }
  }
}
