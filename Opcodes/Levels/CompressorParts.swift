// The parts of COMPRESSOR: the gain, and the delay lines with their peaks.

import OpcodeKit

/// From the peaks of a signal to the gain for the same signal later. Reductions are in octaves of amplitude (6.02 dB), at
/// most 0.
struct CompressorGain: BitwiseCopyable {
  /// The lowest reduction of the look-ahead, and two means that are together as long as it.
  private var lowest, firstMean, secondMean: SlidingWindow
  /// The lowest reduction, followed with attack and release.
  private var reduction = 0.0
  /// Frames in which there was nothing to reduce.
  private var calm: Int
  private let knee: Double
  private var threshold = 0.0, slope = 0.0
  private var attackSeconds = 0.0, releaseSeconds = 0.0
  private var attackPole = 0.0, releasePole = 0.0

  /// Frames of look-ahead.
  static func lookahead(_ seconds: Double, _ context: Context) throws(OpcodeError) -> Int {
    guard seconds == -1 || seconds >= 0 && seconds <= 1 else {
      throw OpcodeError(argument: "ilookahead", is: seconds, mustBe: "from 0 to 1, or -1")
    }
    return Int((seconds == -1 ? 0.005 : seconds) * context.sampleRate + 0.5)
  }

  /// Takes the opcode's second buffer.
  init(knee: Double, lookahead: Int, _ context: Context) throws(OpcodeError) {
    guard knee >= 0, knee <= 100 else {
      throw OpcodeError(argument: "iknee", is: knee, mustBe: "from 0 to 100")
    }
    let window = lookahead + 1
    let first = (window + 1) / 2
    let memory = try context.buffer(1, count: 2 * window + 1)
    lowest = SlidingWindow(memory.part(from: 0, count: window))
    firstMean = SlidingWindow(memory.part(from: window, count: first))
    secondMean = SlidingWindow(memory.part(from: window + first, count: window + 1 - first))
    calm = window
    self.knee = knee * Self.octavesPerDecibel
  }

  private static var octavesPerDecibel: Double { 0.16609640474436813 }

  /// Takes the arguments of a k-cycle.
  @inline(__always)
  mutating func tune(
    threshold: Double, ratio: Double, attack: Double, release: Double, _ context: Context
  ) {
    self.threshold = (threshold < 1000 ? max(threshold, -1000) : 1000) * Self.octavesPerDecibel
    slope = ratio >= 1 ? 1 / ratio - 1 : ratio == 0 ? -1 : 0
    if attack != attackSeconds {
      attackSeconds = attack
      attackPole = Self.pole(attack, context)
    }
    if release != releaseSeconds {
      releaseSeconds = release
      releasePole = Self.pole(release, context)
    }
  }

  @inline(never)
  private static func pole(_ seconds: Double, _ context: Context) -> Double {
    seconds > 0 ? Math.exp(-1 / (seconds * context.sampleRate)) : 0
  }

  /// Replaces peaks of `count` frames, at most eight, by gains.
  @inline(never)
  mutating func next(_ block: Buffer<Double>, _ count: Int, fullScale: Double) {
    let peaks = block.lanes(at: 0)
    let heard = Lanes.maximum(peaks.kept(where: peaks, isFrom: 0), Lanes(1e-300))
    let over = Lanes.log2(heard, over: Lanes(fullScale)) - Lanes(threshold)
    let half = 0.5 * knee
    let bend = Lanes.maximum(.minimum(over + Lanes(half), Lanes(knee)), Lanes(0))
    let bent = bend * bend * Lanes(knee > 0 ? 0.5 / knee : 0)
    let goals = Lanes(slope) * (bent + .maximum(over - Lanes(half), Lanes(0)))
    if calm >= lowest.count && goals.isWithin(0) {
      block.setLanes(Lanes(1), at: 0)
      lowest.skip(count)
      firstMean.skip(count)
      secondMean.skip(count)
      return
    }
    block.setLanes(goals, at: 0)
    // In local variables, which no store to a window can change.
    var (lowest, firstMean, secondMean) = (lowest, firstMean, secondMean)
    var (reduction, calm) = (reduction, calm)
    for index in 0..<count {
      let goal = lowest.next(block[index]) { $1 < $0 ? $1 : $0 }
      let pole = goal < reduction ? attackPole : releasePole
      reduction = goal + pole * (reduction - goal)
      // The rest of a release, which would take forever.
      if goal == 0 && reduction > -1e-12 { reduction = 0 }
      calm = goal == 0 && reduction == 0 ? calm &+ 1 : 0
      let mean = firstMean.next(reduction) { $0 + $1 }
      block[index] = secondMean.next(mean) { $0 + $1 }
    }
    (self.lowest, self.firstMean, self.secondMean) = (lowest, firstMean, secondMean)
    (self.reduction, self.calm) = (reduction, calm)
    let means = Double(firstMean.count &* secondMean.count)
    block.setLanes((block.lanes(at: 0) * Lanes(1 / means)).exp2, at: 0)
  }
}

/// The last `count` numbers of a stream, each at most 0, combined: their minimum, or their sum without rounding errors
/// that pile up. It takes three operations a number whatever the length (M. van Herk, "A fast algorithm for local minimum
/// and maximum filters on rectangular and octagonal kernels", Pattern Recognition Letters 13, 1992).
struct SlidingWindow: BitwiseCopyable {
  /// Up to `place` numbers as they came; from there on, each with all behind it from the block before.
  private let numbers: Buffer<Double>
  private var place = 0
  /// The numbers of this block, combined.
  private var running = 0.0

  /// A window on zeros, in zeroed memory.
  init(_ numbers: Buffer<Double>) { self.numbers = numbers }

  var count: Int { numbers.count }

  /// Takes zeros, when all numbers are 0. So sums are rounded alike wherever one begins to skip.
  @inline(__always)
  mutating func skip(_ zeros: Int) {
    place &+= zeros
    while place >= numbers.count { place &-= numbers.count }
  }

  /// Takes a number and returns the combination. 0 changes neither.
  @inline(__always)
  mutating func next(_ number: Double, _ combined: (Double, Double) -> Double) -> Double {
    numbers[place] = number
    running = combined(running, number)
    place &+= 1
    if place < numbers.count { return combined(running, numbers[place]) }
    let all = running
    running = 0
    var rest = 0.0
    while place > 0 {
      place &-= 1
      rest = combined(numbers[place], rest)
      numbers[place] = rest
    }
    return all
  }
}

/// The delay lines of one or two channels, and the peaks of what goes into them.
struct CompressorLines: BitwiseCopyable {
  /// Peaks or gains of eight frames.
  let block: Buffer<Double>
  /// The channels one behind the other. Each is there twice, so that the last sixteen samples always lie in one piece.
  private let samples: Buffer<Double>
  /// A power of two.
  private let length: Int
  /// The frame that is written next.
  private var place = 0
  /// By how many frames the output is late.
  private let delay: Int
  private let isTruePeak: Bool
  /// The peak before the last sample of each channel.
  private var before = Pair(0)

  /// Takes the opcode's first buffer.
  init(
    _ channels: Int, lookahead: Int, truePeak: Bool, _ context: Context
  ) throws(OpcodeError) {
    delay = lookahead + (truePeak ? 8 : 0)
    isTruePeak = truePeak
    var length = 32
    while length < delay + Lanes.count { length *= 2 }
    self.length = length
    let memory = try context.buffer(0, count: Lanes.count + channels * 2 * length)
    block = memory.part(from: 0, count: Lanes.count)
    samples = memory.part(from: Lanes.count, count: channels * 2 * length)
  }

  /// Writes frames, at most eight, and puts their peaks into the block, for channel 1 where they are larger; with true
  /// peaks, those of eight frames before.
  @inline(never)
  mutating func write(_ input: AudioInput, _ frames: Range<Int>, channel: Int) {
    let line = samples.part(from: channel &* 2 &* length, count: 2 &* length)
    var before = before.values[channel]
    for frame in frames {
      let index = frame &- frames.lowerBound
      let newest = (place &+ index) & (length &- 1)
      // NaN and infinity are silence, so that they reach neither a peak nor the other channel.
      let sample = input[frame].magnitude < .infinity ? input[frame] : 0
      line[newest] = sample
      line[newest &+ length] = sample
      var peak = sample.magnitude
      if isTruePeak {
        let now = Self.peak(line, newest &+ length)
        peak = max(now, before)
        before = now
      }
      block[index] = channel == 0 ? peak : max(block[index], peak)
    }
    self.before.values[channel] = before
  }

  /// Reads frames that were written `delay` frames ago, with the gains of the block.
  @inline(never)
  func read(to output: AudioOutput, _ frames: Range<Int>, channel: Int) {
    let line = samples.part(from: channel &* 2 &* length, count: 2 &* length)
    for frame in frames {
      let index = frame &- frames.lowerBound
      output[frame] = line[(place &+ index &- delay) & (length &- 1)] * block[index]
    }
  }

  @inline(__always)
  mutating func advance(by count: Int) { place &+= count }

  /// The largest magnitude from the sample eight frames before the newest to the next one; fifteen frames before it are
  /// read.
  ///
  /// Four points with an even and an odd part each: their sum is the value there, their difference the value as far from
  /// the other sample.
  @inline(__always) @_semantics("no_performance_analysis")
  private static func peak(_ line: Buffer<Double>, _ newest: Int) -> Double {
    var (even, odd) = (Quad(0), Quad(0))
    func add(_ k: Int, _ evens: SIMD4<Double>, _ odds: SIMD4<Double>) {
      let (old, new) = (line[newest &- 15 &+ k], line[newest &- k])
      even = even + Quad(values: evens) * Quad(old + new)
      odd = odd + Quad(values: odds) * Quad(old - new)
    }
    add(
      0, SIMD4(-0.0012125228487243, -0.0021663824471470, -0.0027725217994543, -0.0029800449535180),
      SIMD4(-0.0005291829285537, -0.0006491055161864, -0.0004229662761410, 0))
    add(
      1, SIMD4(0.0032441971743268, 0.0058821316752725, 0.0075974121890401, 0.0081916647941354),
      SIMD4(0.0010090352238656, 0.0012392711093387, 0.0008081455215370, 0))
    add(
      2, SIMD4(-0.0068626162067369, -0.0125135155070784, -0.0162191151868197, -0.0175083833954044),
      SIMD4(-0.0017253050067831, -0.0021196364947396, -0.0013825071962843, 0))
    add(
      3, SIMD4(0.0128675713044171, 0.0235142952462634, 0.0305184893334599, 0.0329593783113624),
      SIMD4(0.0028138631358823, 0.0034551813005341, 0.0022529021582532, 0))
    add(
      4, SIMD4(-0.0227261549243858, -0.0415101740630585, -0.0538608422274959, -0.0581639061535495),
      SIMD4(-0.0046615078149024, -0.0057129496289615, -0.0037208069614219, 0))
    add(
      5, SIMD4(0.0401620292092940, 0.0729920162090999, 0.0944322486465056, 0.1018780843131222),
      SIMD4(0.0086815645171212, 0.0105792229487006, 0.0068670208675612, 0))
    add(
      6, SIMD4(-0.0804790862470027, -0.1429531489005174, -0.1825180957419501, -0.1960618477947780),
      SIMD4(-0.0231000550385992, -0.0275046357461372, -0.0176164296066228, 0))
    add(
      7, SIMD4(0.5547489542123761, 0.5963075371836168, 0.6222606196674210, 0.6310850893769161),
      SIMD4(0.4192151501484620, 0.3020468124866190, 0.1581117524410627, 0))
    let between = even.magnitude + odd.magnitude
    let two = Pair.maximum(
      Pair(values: between.values.lowHalf), Pair(values: between.values.highHalf))
    return max(max(two[0], two[1]), line[newest &- 8].magnitude)
  }
}
