import OpcodeKit

/// Lengths of the delays, and reading and writing eight lines in one memory.
struct HallDelays: BitwiseCopyable {
  /// In frames.
  let lengths: Lanes
  private let line0, line1, line2, line3, line4, line5, line6, line7: Int
  private let allpass0, allpass1, allpass2, allpass3: Int
  /// Frames of memory for the lines and for each allpass, powers of two.
  let lineFrames, allpassFrames: Int

  init(size: Double, sampleRate: Double) {
    func frames(_ milliseconds: Double) -> Int {
      Self.prime(from: Math.whole(milliseconds / 1000 * size * sampleRate, in: 8...(1 << 24)))
    }
    (line0, line1, line2, line3) = (frames(30.1), frames(38.9), frames(48.7), frames(62.9))
    (line4, line5, line6, line7) = (frames(34.3), frames(43.1), frames(55.3), frames(71.7))
    (allpass0, allpass1) = (frames(4.77), frames(3.6))
    (allpass2, allpass3) = (frames(12.73), frames(9.31))
    lengths = Lanes(
      Pair(Double(line0), Double(line1)), Pair(Double(line2), Double(line3)),
      Pair(Double(line4), Double(line5)), Pair(Double(line6), Double(line7)))
    lineFrames = Self.powerOfTwo(above: line7)
    allpassFrames = Self.powerOfTwo(above: allpass2)
  }

  /// The first prime number from an odd or even number on.
  private static func prime(from number: Int) -> Int {
    var candidate = number | 1
    while true {
      var divisor = 3
      while divisor * divisor <= candidate, candidate % divisor != 0 { divisor += 2 }
      if divisor * divisor > candidate { return candidate }
      candidate += 2
    }
  }

  private static func powerOfTwo(above number: Int) -> Int {
    var power = 16
    while power <= number { power *= 2 }
    return power
  }

  /// The length of one of the four allpasses.
  @inline(__always)
  func allpass(_ number: Int) -> Int {
    switch number {
    case 0: allpass0
    case 1: allpass1
    case 2: allpass2
    default: allpass3
    }
  }

  /// The lines' outputs at a frame.
  @inline(__always) @_semantics("no_performance_analysis")
  func read(_ memory: Buffer<Double>, _ place: Int) -> Lanes {
    let mask = lineFrames &- 1
    func sample(_ length: Int, _ line: Int) -> Double {
      memory[((place &- length) & mask) &* 8 &+ line]
    }
    return Lanes(
      Pair(sample(line0, 0), sample(line1, 1)), Pair(sample(line2, 2), sample(line3, 3)),
      Pair(sample(line4, 4), sample(line5, 5)), Pair(sample(line6, 6), sample(line7, 7)))
  }

  @inline(__always) @_semantics("no_performance_analysis")
  func write(_ values: Lanes, to memory: Buffer<Double>, _ place: Int) {
    let start = (place & (lineFrames &- 1)) &* 8
    memory.setQuad(Quad(values: values.values.lowHalf), at: start)
    memory.setQuad(Quad(values: values.values.highHalf), at: start &+ 4)
  }
}

/// What a pass through each line takes off: a gain and two shelves of first order, in transposed form.
struct HallAbsorption: BitwiseCopyable {
  /// 3 log(10) d / 2 sr for each line: half of the logarithm of its loss in a second's decay.
  private let halfLoss: Lanes
  private let lowTangent, highTangent: Double
  private var mid = 0.0, low = 0.0, high = 0.0
  private var b0 = Lanes(0), b1 = Lanes(0), a1 = Lanes(0)
  private var c0 = Lanes(0), c1 = Lanes(0), d1 = Lanes(0)
  private var first = Lanes(0), second = Lanes(0)

  /// The splits are in units of the sample rate.
  init(_ lengths: Lanes, _ sampleRate: Double, lowSplit: Double, highSplit: Double) {
    halfLoss = lengths * Lanes(1.5 * Math.log(10) / sampleRate)
    lowTangent = Math.tan(Double.pi * lowSplit)
    highTangent = Math.tan(Double.pi * highSplit)
  }

  /// Decay times in seconds.
  @inline(__always)
  mutating func tune(mid: Double, low: Double, high: Double) {
    guard mid != self.mid || low != self.low || high != self.high else { return }
    (self.mid, self.low, self.high) = (mid, low, high)
    design()
  }

  private static func rate(_ time: Double) -> Double { 1 / (time > 0.01 ? min(time, 1000) : 0.01) }

  /// With g the square root of a shelf's gain and t = tan(π split / sr), the shelves are (s + g t) / (s + t / g) and
  /// (g² s + g t) / (s + g t), s = (1 - z^-1) / (1 + z^-1). The high one also has the gain of the middle band, and the
  /// matrix's 1 / sqrt(8).
  @inline(never) @_semantics("no_performance_analysis")
  private mutating func design() {
    let one = Lanes(1)
    let (mid, low, high) = (Self.rate(mid), Self.rate(low), Self.rate(high))
    let gain = (halfLoss * Lanes(-2 * mid)).exp * Lanes(0.125.squareRoot())
    let lowRoot = (halfLoss * Lanes(mid - low)).exp
    let highRoot = (halfLoss * Lanes(mid - high)).exp
    let (low0, low1) = (lowRoot * Lanes(lowTangent), Lanes(lowTangent) / lowRoot)
    let over = one / (one + low1)
    (b0, b1, a1) = ((one + low0) * over, (low0 - one) * over, (low1 - one) * over)
    let high1 = highRoot * Lanes(highTangent)
    let share = one / (one + high1)
    let square = highRoot * highRoot
    c0 = gain * (square + high1) * share
    c1 = gain * (high1 - square) * share
    d1 = (high1 - one) * share
  }

  @inline(__always) @_semantics("no_performance_analysis")
  mutating func next(_ x: Lanes) -> Lanes {
    let y = b0 * x + first
    first = b1 * x - a1 * y
    let z = c0 * y + second
    second = c1 * y - d1 * z
    return z
  }

  mutating func clear() { (first, second) = (Lanes(0), Lanes(0)) }
}

/// Four slow turns back and forth, one for each line of the first half with one of the second.
struct HallMotion: BitwiseCopyable {
  /// The phases of the four sines in cycles, and their steps per 16 frames.
  private var phases: Quad
  private let steps: Quad
  /// The largest angle in cycles.
  private let width: Double
  private var cosines: Quad, sines = Quad(0)
  private var cosineSteps = Quad(0), sineSteps = Quad(0)
  private var place = 0

  init(width: Double, sampleRate: Double) {
    self.width = 0.25 * width
    phases = Quad(values: SIMD4(0, 0.25, 0.5, 0.75))
    steps = Quad(values: SIMD4(0.31, 0.43, 0.59, 0.71)) * Quad(16 / sampleRate)
    let angles = Quad(self.width) * phases.sineOfCycles
    (cosines, sines) = (angles.cosineOfCycles, angles.sineOfCycles)
  }

  /// The turned lines, mixed by a Hadamard matrix without its factor.
  @inline(__always) @_semantics("no_performance_analysis")
  mutating func next(_ lines: Lanes) -> Lanes {
    if _slowPath(place == 0) { advance() }
    place = (place &+ 1) & 15
    let (low, high) = (Quad(values: lines.values.lowHalf), Quad(values: lines.values.highHalf))
    let (a, b) = (cosines * low - sines * high, sines * low + cosines * high)
    cosines = cosines + cosineSteps
    sines = sines + sineSteps
    let (sum, difference) = (a + b, a - b)
    let (p, q) = (Pair(values: sum.values.lowHalf), Pair(values: sum.values.highHalf))
    let (r, s) = (
      Pair(values: difference.values.lowHalf), Pair(values: difference.values.highHalf)
    )
    let (c, d, e, f) = (p + q, p - q, r + s, r - s)
    let (cd, dc) = (Pair.firsts(c, d), Pair.seconds(c, d))
    let (ef, fe) = (Pair.firsts(e, f), Pair.seconds(e, f))
    return Lanes(cd + dc, cd - dc, ef + fe, ef - fe)
  }

  /// The way to the turns 16 frames on, straight.
  @inline(never) @_semantics("no_performance_analysis")
  private mutating func advance() {
    let now = Quad(width) * phases.sineOfCycles
    (cosines, sines) = (now.cosineOfCycles, now.sineOfCycles)
    phases = phases + steps
    let whole = Quad(values: phases.values.rounded(.down))
    phases = phases - whole
    let then = Quad(width) * phases.sineOfCycles
    cosineSteps = (then.cosineOfCycles - cosines) * Quad(1.0 / 16)
    sineSteps = (then.sineOfCycles - sines) * Quad(1.0 / 16)
  }
}

extension Lanes {
  /// With both channels put into the lines, the left one into those with even numbers.
  @inline(__always) @_semantics("no_performance_analysis")
  func addingInput(_ input: Pair) -> Lanes { self + Lanes(input, input, input, input) }

  /// The sums of the magnitudes of the numbers at even and at odd places.
  @inline(__always) @_semantics("no_performance_analysis")
  var sumOfMagnitudes: Pair {
    let sizes = magnitude
    return (sizes.pair(0) + sizes.pair(1)) + (sizes.pair(2) + sizes.pair(3))
  }
}
