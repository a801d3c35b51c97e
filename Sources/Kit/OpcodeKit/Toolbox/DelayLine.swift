public import CVector

/// A delay line: the latest samples of a signal, read at any delay.
///
/// ```swift
/// static var bufferCount: Int { 1 }
/// private var line: DelayLine
///
/// init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
///   line = try DelayLine(longest: 0.5 * context.sampleRate, context)
/// }
///
/// mutating func perform(_ arguments: Arguments, _ context: Context) {
///   for frame in context.frames {
///     line.push(arguments.input[frame])
///     arguments.output[frame] = line[2400] + line.linear(at: 3456.7)
///   }
/// }
/// ```
///
/// `push` the sample of a frame first, then read: a delay of 0 is that sample. For feedback read before pushing; a delay
/// of d samples is then read at d - 1. No read checks its delay in a release build: pass it through `limited` unless it is known.
///
/// The memory is a ring of `longest` + 6 samples. Wrapping an index is arithmetic and not a condition, so that any
/// number of taps compiles fast and runs without jumps.
@frozen
public struct DelayLine: BitwiseCopyable {
  /// The ring, followed by a copy of its first six samples, so that seven consecutive samples can be read without
  /// wrapping.
  @usableFromInline let samples: Buffer<Double>
  @usableFromInline let length: Int
  /// Index of the newest sample.
  @usableFromInline var newest = 0

  @inlinable static var repeated: Int { 6 }

  /// A silent line for delays from 0 to `longest` samples, rounded up, in the opcode's next buffer, or in the one with a
  /// number [init pass].
  ///
  /// Throws when `longest` is negative, not finite or needs more memory than 4 GB, and as `Context.buffer` does.
  public init(
    longest: Double, _ context: Context, buffer number: Int? = nil
  ) throws(OpcodeError) {
    guard longest >= 0, longest < 0x1p29 - 12 else {
      throw OpcodeError(
        argument: "the longest delay", is: longest, mustBe: "from 0 to 536870900 samples (4 GB)")
    }
    self.init(
      memory: try context.buffer(number, count: Self.memoryLength(longest: longest)))
  }

  /// A line in zeroed memory of `memoryLength(longest:)` samples.
  @inlinable
  public init(memory: Buffer<Double>) {
    samples = memory
    length = memory.count - Self.repeated
  }

  /// Samples of memory for delays up to `longest` samples.
  @inlinable
  public static func memoryLength(longest: Double) -> Int {
    // Three samples more for the interpolation, and three more because four frames are written before they are read.
    Int(longest.rounded(.up)) + 6 + repeated
  }

  /// The longest delay in samples.
  @inlinable public var longest: Double { Double(length - 6) }

  /// A delay limited to what can be read, 0 to `longest`; NaN becomes 0.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func limited(_ delay: Double) -> Double { delay > 0 ? min(delay, longest) : 0 }

  /// Appends a sample.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func push(_ sample: Double) {
    let next = newest &+ 1
    newest = next == length ? 0 : next
    samples[newest] = sample
    if newest < Self.repeated { samples[newest &+ length] = sample }
  }

  /// Appends four samples.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func push(_ four: Quad) {
    // When none of them is near either end.
    if _fastPath(newest &+ 1 >= Self.repeated && newest &+ 4 < length) {
      samples.setQuad(four, at: newest &+ 1)
      newest &+= 4
    } else {
      for place in 0..<4 { push(four[place]) }
    }
  }

  /// The sample of a whole number of frames ago; 0 is the newest.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public subscript(age: Int) -> Double { samples[wrapped(newest &- age)] }

  /// Four samples in a row, of which the first is a whole number of frames old, at least 3.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func quad(from age: Int) -> Quad { samples.quad(at: wrapped(newest &- age)) }

  /// The value at a delay in samples, linearly interpolated. Loses treble: -3 dB at a quarter of the sample rate where
  /// the delay is half way between two samples.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func linear(at delay: Double) -> Double {
    let whole = Math.truncated(delay)
    let older = wrapped(newest &- whole &- 1)
    let value = samples[older &+ 1]
    return value + (samples[older] - value) * (delay - Double(whole))
  }

  /// The value at a delay in samples, on Lagrange's cubic through four samples: flat within 1 dB up to a third of the
  /// sample rate. Linear below a delay of one sample.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func cubic(at delay: Double) -> Double { cubic(at: DelayTap(delay: delay)) }

  /// The same at a tap.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func cubic(at tap: DelayTap) -> Double {
    if _slowPath(!tap.isCubic) {
      return tap.value(samples[newest], samples[wrapped(newest &- 1)], 0, 0)
    }
    let oldest = wrapped(newest &- tap.age &- 3)
    return tap.value(
      samples[oldest &+ 3], samples[oldest &+ 2], samples[oldest &+ 1], samples[oldest])
  }

  /// The value at a delay in samples, on a cubic with a continuous slope (`DelayTap.smoothValue`): for delays that move.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func smooth(at delay: Double) -> Double {
    let tap = DelayTap(delay: delay)
    if _slowPath(!tap.isCubic) {
      return tap.value(samples[newest], samples[wrapped(newest &- 1)], 0, 0)
    }
    let oldest = wrapped(newest &- tap.age &- 3)
    return tap.smoothValue(
      samples[oldest &+ 3], samples[oldest &+ 2], samples[oldest &+ 1], samples[oldest])
  }

  /// The values at a tap with `isCubic` for the last four frames, which were pushed before.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func cubics(at tap: DelayTap) -> Quad {
    let oldest = wrapped(newest &- tap.age &- 6)
    return DelayTap.values(
      samples.quad(at: oldest &+ 3), samples.quad(at: oldest &+ 2), samples.quad(at: oldest &+ 1),
      samples.quad(at: oldest), at: Quad(tap.fraction))
  }

  /// The values for the last four frames, which were pushed before, at a constant delay: `weights` are those of its tap,
  /// and `age` is the tap's, or larger by as many frames as have been pushed since.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func values(at age: Int, _ weights: DelayWeights) -> Quad {
    let oldest = wrapped(newest &- age &- 6)
    return
      (samples.quad(at: oldest &+ 3) * Quad(weights.a)
      + samples.quad(at: oldest &+ 2) * Quad(weights.b))
      + (samples.quad(at: oldest &+ 1) * Quad(weights.c)
        + samples.quad(at: oldest) * Quad(weights.d))
  }

  /// The values at separate delays for the last four frames, which were pushed before. The delays are in samples, from 0
  /// to `longest`, first frame first.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func cubics(at delays: Quad) -> Quad {
    let whole = delays.truncated
    if _slowPath(whole[0] == 0 || whole[1] == 0 || whole[2] == 0 || whole[3] == 0) {
      return cubicsOneByOne(at: delays)
    }
    let places = places(newest &- 5, back: whole)
    let older = pairs(places, after: 0)
    let newer = pairs(places, after: 2)
    return DelayTap.values(
      .seconds(newer.0, newer.1, newer.2, newer.3), .firsts(newer.0, newer.1, newer.2, newer.3),
      .seconds(older.0, older.1, older.2, older.3), .firsts(older.0, older.1, older.2, older.3),
      at: delays - Quad(whole))
  }

  /// The linearly interpolated values at a tap for the last four frames, which were pushed before.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func linears(at tap: DelayTap) -> Quad {
    let older = wrapped(newest &- 4 &- tap.whole)
    let value = samples.quad(at: older &+ 1)
    return value + (samples.quad(at: older) - value) * Quad(tap.fraction)
  }

  /// The linearly interpolated values at separate delays for the last four frames, as `cubics` has them.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func linears(at delays: Quad) -> Quad {
    let whole = delays.truncated
    let pairs = pairs(places(newest &- 4, back: whole), after: 0)
    let value = Quad.seconds(pairs.0, pairs.1, pairs.2, pairs.3)
    let older = Quad.firsts(pairs.0, pairs.1, pairs.2, pairs.3)
    return value + (older - value) * (delays - Quad(whole))
  }

  /// Four samples in a row, each a whole number of frames of its own before: 0 is the last four frames.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func values(at delays: SIMD4<Int32>) -> Quad {
    let places = places(newest &- 3, back: delays)
    return Quad(
      values: SIMD4(
        samples[Int(places[0])], samples[Int(places[1])], samples[Int(places[2])],
        samples[Int(places[3])]))
  }

  /// The places of four frames in a row, of which the first is at `start`, each so many frames back.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  func places(_ start: Int, back: SIMD4<Int32>) -> SIMD4<Int32> {
    cv_quad_ring(back, start, length)
  }

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  func pairs(_ places: SIMD4<Int32>, after count: Int) -> (Pair, Pair, Pair, Pair) {
    (
      samples.pair(at: Int(places[0]) &+ count), samples.pair(at: Int(places[1]) &+ count),
      samples.pair(at: Int(places[2]) &+ count), samples.pair(at: Int(places[3]) &+ count)
    )
  }

  /// Delays frames of a signal by a constant delay, four at a time; output and input may be the same memory.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func process(
    _ input: AudioInput, to output: AudioOutput, at tap: DelayTap, in frames: Range<Int>
  ) {
    var frame = frames.lowerBound
    if tap.isCubic {
      while frame &+ 4 <= frames.upperBound {
        push(input.quad(at: frame))
        output.setQuad(cubics(at: tap), at: frame)
        frame &+= 4
      }
    }
    while frame < frames.upperBound {
      push(input[frame])
      output[frame] = cubic(at: tap)
      frame &+= 1
    }
  }

  /// `cubics(at:)` where a delay is below one sample.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  func cubicsOneByOne(at delays: Quad) -> Quad {
    var line = self
    var sound = SIMD4<Double>()
    for place in 0..<4 {
      line.newest = wrapped(newest &- 3 &+ place)
      sound[place] = line.cubic(at: DelayTap(delay: delays[place]))
    }
    return Quad(values: sound)
  }

  /// Silences the line.
  @inlinable @_semantics("no_performance_analysis")
  public mutating func clear() {
    for index in 0..<samples.count { samples[index] = 0 }
  }

  /// The index of a place that may be up to one length before the beginning.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  func wrapped(_ place: Int) -> Int { place &+ (length & (place &>> 63)) }
}

/// A tap of a delay line with allpass interpolation: flat at all frequencies, for a delay that is constant or moves
/// slowly, as in strings and tubes. A jump of the delay makes a click.
///
///     y[n] = c x[n-d] + x[n-d-1] - c y[n-1],   c = (1 - f) / (1 + f)
///
/// with f from 0.5 to 1.5, where it rings least (D. A. Jaffe and J. O. Smith, "Extensions of the Karplus-Strong plucked
/// string algorithm", Computer Music Journal 7(2), 1983). The delay is exact at low frequencies.
@frozen
public struct AllpassTap: BitwiseCopyable {
  @usableFromInline var last = 0.0

  @inlinable public init() {}

  /// The value of a line at a delay in samples, from 0.5 to `longest`. Call it once for each frame.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func next(_ line: DelayLine, at delay: Double) -> Double {
    let whole = Math.truncated(delay - 0.5)
    let f = delay - Double(whole)
    let c = (1 - f) / (1 + f)
    last = c * (line[whole] - last) + line[whole &+ 1]
    return last
  }
}
