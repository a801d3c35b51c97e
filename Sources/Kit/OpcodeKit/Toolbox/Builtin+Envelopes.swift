extension Builtin {
  /// `linseg`: straight lines through values.
  @frozen public struct Linseg<let count: Int>: BitwiseCopyable {
    @usableFromInline let values: InlineArray<count, Double>
    @usableFromInline let lengths: InlineArray<count, Int>
    @usableFromInline var (value, step) = (0.0, 0.0)
    /// The line being drawn, -1 before the first, and how many are left with it.
    @usableFromInline var (place, left) = (-1, 0)
    @usableFromInline var rest = 0

    /// Lines of so many `seconds` to `values`. Without a length of the first it is silent.
    @inlinable @_semantics("no_performance_analysis")
    public init(
      rate: Double, from: Double, seconds: InlineArray<count, Double>,
      values: InlineArray<count, Double>
    ) {
      self.values = values
      var lengths = InlineArray<count, Int>(repeating: 0)
      for index in 0..<count {
        lengths[index] = max(0, Math.truncated(seconds[index] * rate + 0.5))
      }
      self.lengths = lengths
      if seconds[0] > 0 { (value, left) = (from, count &+ 1) }
    }
    /// The next value of an audio signal.
    @inlinable @inline(__always)
    public mutating func next() -> Double {
      guard left > 0 else { return value }
      rest &-= 1
      while rest <= 0 {
        left &-= 1
        if left == 0 {
          value = values[place]
          return value
        }
        place &+= 1
        rest = lengths[place]
        if rest > 0 { step = (values[place] - value) / Double(rest) } else { value = values[place] }
      }
      defer { value += step }
      return value
    }
    /// The next value of a control signal, which meets each value of the curve.
    @inlinable
    public mutating func control() -> Double {
      let now = value
      guard left > 0 else { return now }
      rest &-= 1
      if rest <= 0 {
        left &-= 1
        if left == 0 {
          value = values[place]
          return now
        }
        place &+= 1
        rest = lengths[place]
        if rest == 0 {
          value = values[place]
        } else {
          step = (values[place] - value) / Double(rest)
        }
        if rest == 0 { return now }
      } else if rest < 10 {
        step = (values[place] - value) / Double(rest)
      }
      value += step
      return now
    }
  }

  /// `expseg`: exponential curves through values.
  @frozen public struct Expseg<let count: Int>: BitwiseCopyable {
    @usableFromInline let starts, ratios: InlineArray<count, Double>
    @usableFromInline let lengths: InlineArray<count, Int>
    @usableFromInline var (value, place, rest) = (0.0, 0, 0)

    /// Throws unless all values have the same sign, and the first curve has a length.
    @_semantics("no_performance_analysis")
    public init(
      rate: Double, from: Double, seconds: InlineArray<count, Double>,
      values: InlineArray<count, Double>
    ) throws(OpcodeError) {
      guard seconds[0] > 0 else {
        throw OpcodeError(
          argument: "the first time of expseg", is: seconds[0], mustBe: "above 0 seconds")
      }
      var starts = InlineArray<count, Double>(repeating: from)
      var ratios = InlineArray<count, Double>(repeating: 1)
      var lengths = InlineArray<count, Int>(repeating: Int.max)
      for index in 0..<count {
        if index > 0 { starts[index] = values[index - 1] }
        guard starts[index] * values[index] > 0 else {
          throw OpcodeError("expseg needs values that are all above 0, or all below.")
        }
        let length = seconds[index] * rate
        ratios[index] = Math.pow(values[index] / starts[index], 1 / length)
        if index < count - 1 { lengths[index] = Math.truncated(length + 0.5) }
      }
      (self.starts, self.ratios, self.lengths) = (starts, ratios, lengths)
      (value, rest) = (from, lengths[0])
    }
    @inlinable @inline(__always)
    public mutating func next() -> Double {
      while rest <= 0 {
        place &+= 1
        (value, rest) = (starts[place], lengths[place])
      }
      rest &-= 1
      defer { value *= ratios[place] }
      return value
    }
  }

  /// `rand`, `randh` and `randi`: Csound's generators of 16 bits, and of 31 bits where `size` is not 0.
  @frozen public struct Rand: BitwiseCopyable {
    @usableFromInline let isLong: Bool
    @usableFromInline let perHertz: Double
    @usableFromInline var state: Int32
    @usableFromInline var (now, last) = (0.0, 0.0)
    @usableFromInline var phase = 0

    /// Throws for a seed above 1, which Csound takes from the clock.
    @_semantics("no_performance_analysis")
    public init(
      rate: Double, isLine: Bool = false, seed: Double, size: Double
    ) throws(OpcodeError) {
      guard seed <= 1 else {
        throw OpcodeError(
          argument: "the seed", is: seed, mustBe: "at most 1; a larger one is not repeated")
      }
      (isLong, perHertz) = (size != 0, 0x1p28 / rate)
      let seed = max(seed, 0)
      state =
        isLong
        ? Int32(truncatingIfNeeded: Math.truncated((seed == 0 ? 0.5 : seed) * 0x1p31))
        : Int32(Int16(truncatingIfNeeded: Math.truncated(seed * 32768)))
      if isLong { for _ in 0..<2 { now = noise() } } else { now = seed }
      if isLine { last = noise() }
    }
    @inlinable @inline(__always)
    mutating func noise() -> Double {
      guard isLong else {
        state = Int32(Int16(truncatingIfNeeded: state &* 15625 &+ 1))
        return Double(state) * 0x1p-15
      }
      state = Int32(truncatingIfNeeded: Int(state) &* 16807 % 0x7FFF_FFFF)
      return Double(Int32(bitPattern: UInt32(bitPattern: state) &<< 1) &- 0x7FFF_FFFF) * 0x1p-31
    }
    @inlinable @inline(__always)
    public mutating func next(_ amplitude: Double, _ base: Double) -> Double {
      base + noise() * amplitude
    }
    /// `randh`: holds each number.
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    public mutating func held(_ amplitude: Double, _ frequency: Double, _ base: Double) -> Double {
      let output = base + now * amplitude
      phase &+= Math.truncated(frequency * perHertz)
      if phase >= 0x1000_0000 {
        phase &= 0xFFF_FFFF
        now = noise()
      }
      return output
    }
    /// `randi` with 16 bits: goes from number to number in straight lines.
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    public mutating func line(_ amplitude: Double, _ frequency: Double, _ base: Double) -> Double {
      let output = base + (now + Double(phase) * ((last - now) * 0x1p-28)) * amplitude
      phase &+= Math.truncated(frequency * perHertz)
      if phase >= 0x1000_0000 {
        phase &= 0xFFF_FFFF
        (now, last) = (last, noise())
      }
      return output
    }
  }

  /// `random`, `randomh` and `randomi`: the numbers of Csound's generator, which all notes share. The ports of one engine
  /// share one of their own, which begins as Csound's does.
  @frozen public struct Random: BitwiseCopyable {
    /// The generator's number, and whether it has begun.
    @usableFromInline let state: Buffer<Int32>
    @usableFromInline let perHertz: Double
    @usableFromInline var (now, next) = (0.0, 0.0)
    @usableFromInline var phase = 0

    /// With mode 0 `randomh` and `randomi` begin at 0. With 3 they begin at a number, and so does `randomi` with 1 after
    /// its first line.
    @_semantics("no_performance_analysis")
    public init(rate: Double, isLine: Bool = false, mode: Double = 0, _ context: Context)
      throws(OpcodeError)
    {
      state = try context.sharedBuffer(of: Int32.self, count: 2, named: "OpcodeKit random")
      perHertz = 0x1p28 / rate
      if state[1] == 0 { (state[0], state[1]) = (2_345_678, 1) }
      if mode == 3 { now = number() }
      if isLine, mode != 0 { next = number() }
    }
    @inlinable @inline(__always)
    func number() -> Double {
      state[0] = state[0] &* 214_013 &+ 2_531_011
      return Double(state[0] &>> 1 & 0x7FFF_FFFF) * 4.656612875245797e-10
    }
    /// `random`.
    @inlinable @inline(__always)
    public func value(_ low: Double, _ high: Double) -> Double { number() * (high - low) + low }
    /// `randomh`: holds each number.
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    public mutating func held(_ low: Double, _ high: Double, _ frequency: Double) -> Double {
      let output = now * (high - low) + low
      if step(frequency) { now = number() }
      return output
    }
    /// `randomi`: goes from number to number in straight lines.
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    public mutating func line(_ low: Double, _ high: Double, _ frequency: Double) -> Double {
      let output = (now + Double(phase) * ((next - now) * 0x1p-28)) * (high - low) + low
      if step(frequency) { (now, next) = (next, number()) }
      return output
    }
    /// Whether a new number is due.
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    mutating func step(_ frequency: Double) -> Bool {
      phase &+= Math.truncated(frequency * perHertz)
      guard phase >= 0x1000_0000 else { return false }
      phase &= 0xFFF_FFFF
      return true
    }
  }

  /// `mpulse`: an impulse in each interval.
  @frozen public struct Mpulse: BitwiseCopyable {
    @usableFromInline let rate: Double
    @usableFromInline var rest: Int

    /// `offset` is the time of the first in seconds.
    @inlinable @_semantics("no_performance_analysis")
    public init(rate: Double, offset: Double = 0) {
      (self.rate, rest) = (rate, Math.truncated((offset * rate).magnitude))
    }
    /// The interval is in seconds; a negative one is in samples, and 0 never comes.
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    public mutating func next(_ amplitude: Double, _ interval: Double) -> Double {
      defer { rest &-= 1 }
      guard rest == 0 else { return 0 }
      rest = interval == 0 ? Int.max : Math.truncated(interval < 0 ? -interval : interval * rate)
      return amplitude
    }
  }

  /// `rms`: the root of the mean power, through a lowpass.
  @frozen public struct Rms: BitwiseCopyable {
    @usableFromInline var pole: Pole
    @usableFromInline var power = 0.0

    /// `cutoff` of the lowpass in Hz.
    @inlinable @_semantics("no_performance_analysis")
    public init(rate: Double, cutoff: Double) {
      pole = Pole(rate: rate)
      pole.tune(cutoff)
    }
    @inlinable @inline(__always)
    public mutating func next(_ sample: Double) -> Double {
      power = (1 - pole.value) * sample * sample + pole.value * power
      return Math.sqrt(power)
    }
  }

  /// `changed` and `changed2`: 1 where one of its inputs is not as it was, else 0.
  @frozen public struct Changed<let count: Int>: BitwiseCopyable {
    @usableFromInline var last = InlineArray<count, Double>(repeating: 0)
    @usableFromInline var isFirst: Bool

    /// `changed2` is silent in its first call.
    @inlinable public init(rate: Double, isSilentFirst: Bool) { isFirst = isSilentFirst }
    @inlinable
    public mutating func next(_ values: InlineArray<count, Double>) -> Double {
      var isChanged = false
      for index in 0..<count where values[index] != last[index] { isChanged = true }
      last = values
      defer { isFirst = false }
      return isChanged && !isFirst ? 1 : 0
    }
  }

  /// `biquad`: the coefficients are divided by a0.
  @frozen public struct Biquad: BitwiseCopyable {
    @usableFromInline var (b0, b1, b2, a1, a2) = (0.0, 0.0, 0.0, 0.0, 0.0)
    @usableFromInline var (x1, x2, y1, y2) = (0.0, 0.0, 0.0, 0.0)

    @inlinable public init(rate: Double) {}
    @inlinable @inline(__always)
    public mutating func tune(
      _ b0: Double, _ b1: Double, _ b2: Double, _ a0: Double, _ a1: Double, _ a2: Double
    ) {
      let scale = 1 / a0
      (self.b0, self.b1, self.b2) = (scale * b0, scale * b1, scale * b2)
      (self.a1, self.a2) = (scale * a1, scale * a2)
    }
    @inlinable @inline(__always)
    public mutating func next(_ sample: Double) -> Double {
      let output = b0 * sample + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2
      (x2, x1, y2, y1) = (x1, sample, y1, output)
      return output
    }
  }

  /// `filter2`: a filter with constant coefficients, the first of which is that of the present sample.
  @frozen public struct Filter2<let zeros: Int, let poles: Int, let length: Int>: BitwiseCopyable {
    @usableFromInline let forward: InlineArray<zeros, Double>
    @usableFromInline let backward: InlineArray<poles, Double>
    @usableFromInline var last = InlineArray<length, Double>(repeating: 0)

    @inlinable
    public init(
      rate: Double, forward: InlineArray<zeros, Double>, backward: InlineArray<poles, Double>
    ) {
      (self.forward, self.backward) = (forward, backward)
    }
    @inlinable @inline(__always)
    public mutating func next(_ sample: Double) -> Double {
      var (inner, output) = (sample, 0.0)
      for index in 0..<length {
        if index < poles { inner += -backward[index] * last[index] }
        if index < zeros &- 1 { output += forward[index &+ 1] * last[index] }
      }
      for index in stride(from: length &- 1, to: 0, by: -1) { last[index] = last[index &- 1] }
      if length > 0 { last[0] = inner }
      return forward[0] * inner + output
    }
  }
}
