/// An `Oversampler` whose filters delay all frequencies alike: for signals that are mixed with the dry sound, or whose
/// shape in time matters. It costs more and its latency is longer.
///
/// ```swift
/// static var bufferCount: Int { 1 }
/// …
/// oversampler = try LinearPhaseOversampler(times: 2, context)
/// ```
///
/// - Flat within 3e-4 dB up to 0.45 of the sample rate.
/// - What lies above 0.55 of the sample rate is attenuated by 98 dB, and images as much.
/// - Delays the signal by 63, 70.5 and 73.25 samples at 2, 4 and 8 times.
@frozen
public struct LinearPhaseOversampler: BitwiseCopyable {
  @usableFromInline let times: Int
  @usableFromInline var first, second, third: LinearPhaseHalfBand

  /// `times` is 2, 4 or 8; a number in between counts as the next lower one of these. Uses the opcode's next buffer, or
  /// the one with a number [init pass]. Throws as `Context.buffer` does.
  public init(
    times: Int, _ context: Context, buffer number: Int? = nil
  ) throws(OpcodeError) {
    self.init(times: times, memory: try context.buffer(number, count: Self.memoryLength))
  }

  /// An oversampler in zeroed memory of `memoryLength` samples.
  public init(times: Int, memory: Buffer<Double>) {
    self.times = times >= 8 ? 8 : times >= 4 ? 4 : 2
    first = LinearPhaseHalfBand(reach: 32, beta: 10.06, memory: memory, at: 0)
    second = LinearPhaseHalfBand(
      reach: 8, beta: 12, memory: memory, at: LinearPhaseHalfBand.memoryLength(reach: 32))
    third = LinearPhaseHalfBand(
      reach: 6, beta: 12, memory: memory,
      at: LinearPhaseHalfBand.memoryLength(reach: 32) + LinearPhaseHalfBand.memoryLength(reach: 8))
  }

  /// Samples of memory.
  public static var memoryLength: Int {
    LinearPhaseHalfBand.memoryLength(reach: 32) + LinearPhaseHalfBand.memoryLength(reach: 8)
      + LinearPhaseHalfBand.memoryLength(reach: 6)
  }

  /// The output for a sample: `shape` is called with the samples at the higher rate, two at a time in order of time.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func next(_ sample: Double, _ shape: (Pair) -> Pair) -> Double {
    let both = first.up(sample)
    if times == 2 { return first.down(shape(both)) }
    return first.down(Pair(inner(both[0], shape), inner(both[1], shape)))
  }

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  mutating func inner(_ sample: Double, _ shape: (Pair) -> Pair) -> Double {
    let both = second.up(sample)
    if times == 4 { return second.down(shape(both)) }
    return second.down(
      Pair(third.down(shape(third.up(both[0]))), third.down(shape(third.up(both[1])))))
  }
}

/// A half-band filter of 4 · reach - 1 symmetric taps, of which half are 0, for doubling and halving a sample rate: a
/// sinc through a Kaiser window. One for both directions, which have a memory each.
@frozen
public struct LinearPhaseHalfBand: BitwiseCopyable {
  @usableFromInline let memory: Buffer<Double>
  /// Where the taps begin in the memory; after them come three rings.
  @usableFromInline let taps: Int
  @usableFromInline let reach: Int
  /// The place of the newest sample in each ring.
  @usableFromInline var upNewest = 0
  @usableFromInline var downNewest = 0

  /// Taps at every second place; the length of each ring. Each sample is stored twice, a length apart, so that any
  /// length of consecutive samples can be read without wrapping.
  @inlinable @inline(__always) var length: Int { 2 &* reach }

  /// Samples of memory.
  @inlinable
  public static func memoryLength(reach: Int) -> Int { 2 * reach * 7 }

  /// A filter in zeroed memory from an index on. `reach` is an even number; `beta` is that of the window: 10.06 gives a
  /// stop band of -98 dB, 12 one of -110 dB with a wider transition [init pass].
  public init(reach: Int, beta: Double, memory: Buffer<Double>, at index: Int) {
    (self.memory, self.reach, taps) = (memory, reach, index)
    let width = Double(2 * reach)
    var sum = 0.0
    for number in 0..<(2 * reach) {
      let distance = Double(2 * number) - (width - 1)
      let place = distance / width
      let window = Window.bessel(beta * Math.sqrt(1 - place * place)) / Window.bessel(beta)
      let tap = Math.sin(Double.pi / 2 * distance) / (Double.pi * distance) * window
      memory[index + number] = tap
      sum += tap
    }
    // Both halves of the taps have the same gain, so that a constant passes without a tone at half the higher rate.
    for number in 0..<(2 * reach) { memory[index + number] *= 0.5 / sum }
  }

  /// Upsampling: one sample in, two samples out.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func up(_ input: Double) -> Pair {
    upNewest = upNewest == 0 ? length &- 1 : upNewest &- 1
    let ring = taps &+ length &+ upNewest
    memory[ring] = input
    memory[ring &+ length] = input
    return Pair(2 * sum(ring), memory[ring &+ reach &- 1])
  }

  /// Downsampling: two samples in, one sample out.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func down(_ both: Pair) -> Double {
    downNewest = downNewest == 0 ? length &- 1 : downNewest &- 1
    let firsts = taps &+ 3 &* length &+ downNewest
    let seconds = firsts &+ 2 &* length
    memory[firsts] = both[0]
    memory[firsts &+ length] = both[0]
    memory[seconds] = both[1]
    memory[seconds &+ length] = both[1]
    return sum(firsts) + 0.5 * memory[seconds &+ reach]
  }

  /// The sum of the taps times the samples from an index on.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  func sum(_ ring: Int) -> Double {
    var (sum, number) = (Quad(0), 0)
    while number < length {
      sum = sum + memory.quad(at: taps &+ number) * memory.quad(at: ring &+ number)
      number &+= 4
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3])
  }
}
