/// Computes a nonlinear function at 2, 4 or 8 times the sample rate, so that the harmonics it makes above half the
/// sample rate do not fold back.
///
/// ```swift
/// private var oversampler = Oversampler(times: 4)
/// …
/// oversampler.process(arguments.input, to: arguments.output, in: context.frames) { ($0 * Lanes(5)).tanh }
/// // or, where the function has a memory, sample by sample:
/// arguments.output[frame] = oversampler.next(arguments.input[frame]) { ($0 * Pair(5)).tanh }
/// ```
///
/// Minimum phase: half-band filters of two allpass branches (see `HalfBand`). From the input to the output without the
/// function, at 2, 4 and 8 times:
/// - flat within 1e-8 dB up to 0.45 of the sample rate;
/// - what lies above 0.55 of the sample rate is attenuated by 106 dB, and images as much;
/// - low frequencies are delayed by 3.2, 4.3 and 4.9 samples; the delay grows towards half the sample rate.
@frozen
public struct Oversampler: BitwiseCopyable {
  /// 2, 4 or 8.
  @usableFromInline let times: Int
  @usableFromInline var firstUp = SteepHalfBand(), firstDown = SteepHalfBand()
  @usableFromInline var secondUp = WideHalfBand(), secondDown = WideHalfBand()
  @usableFromInline var thirdUp = WideHalfBand(), thirdDown = WideHalfBand()

  /// `times` is 2, 4 or 8; a number in between counts as the next lower one of these.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public init(times: Int) { self.times = times >= 8 ? 8 : times >= 4 ? 4 : 2 }

  /// The output for a sample: `shape` is called with the samples at the higher rate, two at a time in order of time.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func next(_ sample: Double, _ shape: (Pair) -> Pair) -> Double {
    var block = Samples(repeating: Pair(0))
    let both = firstUp.up(sample)
    if times == 2 {
      block[unchecked: 0] = both
    } else if times == 4 {
      block[unchecked: 0] = secondUp.up(both[0])
      block[unchecked: 1] = secondUp.up(both[1])
    } else {
      let (first, second) = (secondUp.up(both[0]), secondUp.up(both[1]))
      block[unchecked: 0] = thirdUp.up(first[0])
      block[unchecked: 1] = thirdUp.up(first[1])
      block[unchecked: 2] = thirdUp.up(second[0])
      block[unchecked: 3] = thirdUp.up(second[1])
    }
    // One place that calls the function, so that its code is there once.
    var index = 0
    while index < times &>> 1 {
      block[unchecked: index] = shape(block[unchecked: index])
      index &+= 1
    }
    if times == 2 { return firstDown.down(block[unchecked: 0]) }
    if times == 4 {
      let first = secondDown.down(block[unchecked: 0])
      return firstDown.down(Pair(first, secondDown.down(block[unchecked: 1])))
    }
    let first = thirdDown.down(block[unchecked: 0])
    let second = secondDown.down(Pair(first, thirdDown.down(block[unchecked: 1])))
    let third = thirdDown.down(block[unchecked: 2])
    let fourth = secondDown.down(Pair(third, thirdDown.down(block[unchecked: 3])))
    return firstDown.down(Pair(second, fourth))
  }

  /// The samples of the higher rate that belong to one sample: up to 8, two in each element.
  @usableFromInline typealias Samples = InlineArray<4, Pair>

  /// Shapes the frames of a k-cycle with a function without memory, which is called with eight samples at the higher
  /// rate at once; then settles. Several times as fast as one sample at a time, with the same result but for rounding.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func process(
    _ input: AudioInput, to output: AudioOutput, in frames: Range<Int>, _ shape: (Lanes) -> Lanes
  ) {
    // Silence of a function that is not 0 at 0 is no silence.
    if isIdle, input.isSilent(in: frames), shape(Lanes(0)).isWithin(0) {
      output.silence(frames)
      return
    }
    process(input, to: output, in: frames) { samples, _, _ in shape(samples) }
  }

  /// Shapes the frames of a k-cycle with a function that may have a memory; then settles.
  ///
  /// `shape` is called with eight samples at the higher rate, in order of time; with the frame to which the first of
  /// them belongs; and with how many of them there are at the end of the k-cycle, up to 8. The others have no meaning.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func process(
    _ input: AudioInput, to output: AudioOutput, in frames: Range<Int>,
    _ shape: (_ samples: Lanes, _ frame: Int, _ count: Int) -> Lanes
  ) {
    var block = Block(repeating: Pair(0))
    var frame = frames.lowerBound
    while frame < frames.upperBound {
      let count = min(8, frames.upperBound &- frame)
      up(input, frame, count, &block)
      let length = count &* times
      var index = 0
      while index < length {
        let place = index &>> 1
        let shaped = shape(
          Lanes(
            block[unchecked: place], block[unchecked: place &+ 1], block[unchecked: place &+ 2],
            block[unchecked: place &+ 3]), frame &+ index / times, min(8, length &- index))
        block[unchecked: place] = shaped.pair(0)
        block[unchecked: place &+ 1] = shaped.pair(1)
        block[unchecked: place &+ 2] = shaped.pair(2)
        block[unchecked: place &+ 3] = shaped.pair(3)
        index &+= 8
      }
      down(&block, output, frame, count)
      frame &+= count
    }
    settle()
  }

  /// Whether all filters are at rest, as after silence; never with a function that is not 0 at 0.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public var isIdle: Bool {
    let level =
      ((firstUp.level + firstDown.level) + (secondUp.level + secondDown.level))
      + (thirdUp.level + thirdDown.level)
    return level[0] + level[1] == 0
  }

  /// Up to eight samples at the higher rate: up to 64, two in each element.
  @usableFromInline typealias Block = InlineArray<32, Pair>

  /// Fills the first `count` `times` / 2 elements of a block. Each doubling reads elements further back than those it
  /// writes.
  @usableFromInline @_noLocks @_noAllocation
  mutating func up(_ input: AudioInput, _ frame: Int, _ count: Int, _ block: inout Block) {
    let start = times == 2 ? 0 : 24
    var filter = firstUp
    var index = 0
    while index &+ 2 <= count {
      let four = filter.up(input[frame &+ index], input[frame &+ index &+ 1])
      block[unchecked: start &+ index] = four.0
      block[unchecked: start &+ index &+ 1] = four.1
      index &+= 2
    }
    if index < count { block[unchecked: start &+ index] = filter.up(input[frame &+ index]) }
    firstUp = filter
    if times == 4 { Self.double(&block, count, from: 24, to: 0, &secondUp) }
    if times == 8 {
      Self.double(&block, count, from: 24, to: 16, &secondUp)
      Self.double(&block, count &* 2, from: 16, to: 0, &thirdUp)
    }
  }

  /// Writes the output of a block that `up` filled.
  @usableFromInline @_noLocks @_noAllocation
  mutating func down(_ block: inout Block, _ output: AudioOutput, _ frame: Int, _ count: Int) {
    if times == 8 { Self.halve(&block, count &* 2, &thirdDown) }
    if times >= 4 { Self.halve(&block, count, &secondDown) }
    var filter = firstDown
    var index = 0
    while index &+ 2 <= count {
      output.setPair(
        filter.down(block[unchecked: index], block[unchecked: index &+ 1]), at: frame &+ index)
      index &+= 2
    }
    if index < count { output[frame &+ index] = filter.down(block[unchecked: index]) }
    firstDown = filter
  }

  /// Doubles the sample rate of `count` elements from `start` on; the results are from `target` on.
  @inline(__always)
  private static func double(
    _ block: inout Block, _ count: Int, from start: Int, to target: Int,
    _ filter: inout WideHalfBand
  ) {
    var inner = filter
    var index = 0
    while index < count {
      let both = block[unchecked: start &+ index]
      let four = inner.up(both[0], both[1])
      block[unchecked: target &+ index &+ index] = four.0
      block[unchecked: target &+ index &+ index &+ 1] = four.1
      index &+= 1
    }
    filter = inner
  }

  /// Halves the sample rate, to `count` elements.
  @inline(__always)
  private static func halve(_ block: inout Block, _ count: Int, _ filter: inout WideHalfBand) {
    var inner = filter
    var index = 0
    while index < count {
      block[unchecked: index] = inner.down(
        block[unchecked: index &+ index], block[unchecked: index &+ index &+ 1])
      index &+= 1
    }
    filter = inner
  }

  /// Sets the filters' states to zero when they are below -600 dB or not finite. Call it once in each k-cycle.
  @inlinable @_semantics("no_performance_analysis")
  public mutating func settle() {
    firstUp.settle()
    firstDown.settle()
    if times == 2 { return }
    secondUp.settle()
    secondDown.settle()
    if times == 4 { return }
    thirdUp.settle()
    thirdDown.settle()
  }
}

extension Context {
  /// An oversampler for each of `count` signals, in one of the opcode's buffers; for a count of 0 an empty buffer.
  ///
  /// With `keepingContents` the oversamplers of the previous init pass are kept. Throws as `buffer` does.
  @inlinable @_semantics("no_performance_analysis")
  public func oversamplers(
    times: Int, count: Int, keepingContents: Bool = false
  ) throws(OpcodeError) -> Buffer<Oversampler> {
    guard count > 0 else { return .empty }
    let fresh = Oversampler(times: times)
    let oversamplers = try buffer(
      of: Oversampler.self, count: count, keepingContents: keepingContents)
    for index in 0..<count where !keepingContents || oversamplers[index].times != fresh.times {
      oversamplers[index] = fresh
    }
    return oversamplers
  }
}
