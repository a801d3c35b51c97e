// aoutL, aoutR REVERBSC ainL, ainR, kfblvl, kfco [, israte [, ipitchm [, iskip]]]
//
// A stereo reverberator with eight delay lines that are connected by a lossless junction. Each line has a lowpass and a
// slowly and randomly varying length (J. O. Smith, "A new approach to digital reverberation using closed waveguide
// networks", International Computer Music Conference 1985; S. Costello's design of 1999).
//
//     y_n   = d y_n + (1 - d) kfblvl line_n(delay_n)
//     line_n  takes  in + (y_0 + … + y_7) / 4 - y_n
//     outL  = 0.35 (y_0 + y_2 + y_4 + y_6),  outR = 0.35 (y_1 + y_3 + y_5 + y_7)
//
// where in is the left input for even n and the right input for odd n, d = c - sqrt(c^2 - 1), and c = 2 - cos(2 pi kfco
// / israte). Each delay moves linearly between random lengths and is read with cubic interpolation.
//
// The lines and the random lengths are those of Csound's `reverbsc`, also by Costello with I. Varga; the read positions
// are the same to the bit. Differs from it:
// - kfblvl is clamped to -1 … 1; `reverbsc` grows without bound. A kfco above israte / 2 counts as israte / 2; in
//   `reverbsc` the cutoff falls again;
// - with iskip, israte and ipitchm are those of the previous note;
// - NaN in the signal clears the delay lines at the end of its k-cycle;
// - a tail that has been below -600 dB for the length of the longest line ends.
//
// No delay is ever below 72 frames, so the lines are read 64 frames ahead, whatever ksmps is. Two lines are read in one
// register. As long as neither integer part jumps, each frame needs only one new sample of each line.
//
// Category: Signal Modifiers:Reverberation

import OpcodeKit

@Opcode("REVERBSC", "Reverberator of eight wandering delay lines, after Costello")
struct ReverbSC: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The reverberated signals, left and right, without the direct sound.
    let left, right: AudioOutput
    /// The input signals, left and right.
    let inputLeft, inputRight: AudioInput
    /// Feedback: the gain of each pass through a line, clamped to -1 … 1. 0.6 gives a small room; at 1 the sound never
    /// decays. NaN counts as 0.
    let feedback: ControlInput
    /// Cutoff frequency of the lowpasses in Hz, up to israte / 2. The sign is ignored. At 0 the lowpasses hold their
    /// output. NaN counts as 0.
    let cutoff: ControlInput
    /// Sample rate in Hz that the delay lines are tuned for, 5000 to 1000000; sr for 0 or less. Default -1.
    @Default(-1) let tuningRate: InitInput
    /// Amount of random variation of the delays, 0 to 20. Default 1.
    @Default(1) let wander: InitInput
    /// Nonzero keeps the delay lines of the previous note in the same memory. Default 0.
    @Default(0) let skip: InitInput
  }

  static var bufferCount: Int { 4 }

  /// Number of frames that the lines are read ahead.
  private static var batch: Int { 64 }

  /// The samples of all lines; each pair holds an even line and the next one.
  private let memory: Buffer<Pair>
  private let rings: Buffer<Ring>
  private let taps: Buffer<WanderingTap>
  /// The samples read ahead, four pairs per frame, and the number of frames already used.
  private let ahead: Buffer<Pair>
  private var used = Self.batch
  /// y_0 to y_7.
  private var lowpasses = (Pair(0), Pair(0), Pair(0), Pair(0))
  private let rate: Double
  /// d, and the argument it was computed from.
  private var pole = 1.0
  private var lastCutoff = 0.0
  private var rest: DelayRest

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let asked = arguments.tuningRate.value
    rate = asked <= 0 ? context.sampleRate : asked
    guard rate >= 5000, rate <= 1_000_000 else {
      throw OpcodeError(argument: "israte", is: rate, mustBe: "from 5000 to 1000000 Hz")
    }
    let wander = arguments.wander.value
    guard wander >= 0, wander <= 20 else {
      throw OpcodeError(argument: "ipitchm", is: wander, mustBe: "from 0 to 20")
    }
    rings = try context.buffer(0, of: Ring.self, count: 4)
    taps = try context.buffer(1, of: WanderingTap.self, count: 8)
    ahead = try context.buffer(2, of: Pair.self, count: 4 * Self.batch)
    var total = 0
    var most = 0
    for number in 0..<4 {
      let even = WanderingTap.longest(2 * number, rate, wander)
      let odd = WanderingTap.longest(2 * number + 1, rate, wander)
      let count = (max(even, odd) + Self.batch - 1) / Self.batch * Self.batch
      // The first batch begins at index 0 of the ring buffer.
      rings[number] = Ring(start: total, count: count, write: count - Self.batch)
      taps[2 * number] = WanderingTap(2 * number, rate, wander, ring: count)
      taps[2 * number + 1] = WanderingTap(2 * number + 1, rate, wander, ring: count)
      total += count
      most = max(most, count)
    }
    memory = try context.buffer(3, of: Pair.self, count: total)
    rest = DelayRest(longest: most + Self.batch)
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  // Not inlined, so that passes of one frame have no second copy of the code.
  @inline(never)
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let frames = context.frames
    follow(arguments.cutoff.value)
    let feedback = arguments.feedback.value
    let bounded = feedback > -1 ? min(feedback, 1) : (feedback <= -1 ? -1 : 0)
    let gain = bounded * (1 - pole)
    var energy = Pair(0)
    var frame = frames.lowerBound
    while frame < frames.upperBound {
      if used == Self.batch { readAhead() }
      let run = min(frames.upperBound - frame, Self.batch - used)
      energy = energy + scatter(arguments, frame, run, gain: gain)
      used += run
      frame += run
    }
    settle(energy[0] + energy[1], frames.count)
  }

  /// Applies a new cutoff.
  @inline(__always)
  private mutating func follow(_ cutoff: Double) {
    guard cutoff != lastCutoff else { return }
    lastCutoff = cutoff
    let magnitude = cutoff.magnitude
    let bounded = magnitude >= 0 ? min(magnitude, rate / 2) : 0
    let c = 2 - Math.cos(bounded * (2 * Double.pi) / rate)
    pole = c - Math.sqrt(c * c - 1)
  }

  /// Computes a run of frames through the lowpasses and the junction; returns the energy of the input and of the
  /// output.
  @inline(__always)
  private mutating func scatter(
    _ arguments: Arguments, _ start: Int, _ run: Int, gain: Double
  ) -> Pair {
    let (memory, ahead) = (memory, ahead)
    let write0 = rings[0].start + rings[0].write + used
    let write1 = rings[1].start + rings[1].write + used
    let write2 = rings[2].start + rings[2].write + used
    let write3 = rings[3].start + rings[3].write + used
    let read = 4 * used
    var (y0, y1, y2, y3) = lowpasses
    let (d, g, quarter, level) = (Pair(pole), Pair(gain), Pair(0.25), Pair(0.35))
    var sum = (y0 + y1) + (y2 + y3)
    var energy = Pair(0)
    for index in 0..<run {
      let input = Pair(
        arguments.inputLeft[start &+ index], arguments.inputRight[start &+ index])
      let junction = (sum + sum.swapped) * quarter + input
      memory[write0 &+ index] = junction - y0
      memory[write1 &+ index] = junction - y1
      memory[write2 &+ index] = junction - y2
      memory[write3 &+ index] = junction - y3
      let place = read &+ 4 &* index
      y0 = y0 * d + ahead[place] * g
      y1 = y1 * d + ahead[place &+ 1] * g
      y2 = y2 * d + ahead[place &+ 2] * g
      y3 = y3 * d + ahead[place &+ 3] * g
      sum = (y0 + y1) + (y2 + y3)
      let out = sum * level
      energy = energy + (input * input + out * out)
      arguments.left[start &+ index] = out[0]
      arguments.right[start &+ index] = out[1]
    }
    lowpasses = (y0, y1, y2, y3)
    return energy
  }

  /// Reads the next batch of frames from all lines.
  @inline(__always)
  private mutating func readAhead() {
    for number in 0..<4 {
      var ring = rings[number]
      ring.write += Self.batch
      if ring.write == ring.count { ring.write = 0 }
      rings[number] = ring
      var (even, odd) = (taps[2 * number], taps[2 * number + 1])
      var frame = 0
      while frame < Self.batch {
        let most = Self.batch - frame
        let run = min(even.run(most, in: ring.count), odd.run(most, in: ring.count))
        read(number, ring, even, odd, frame, run)
        frame += run
        even.advance(by: run, written: ring.write + frame, in: ring.count)
        odd.advance(by: run, written: ring.write + frame, in: ring.count)
      }
      (taps[2 * number], taps[2 * number + 1]) = (even, odd)
    }
    used = 0
  }

  /// Reads a run of frames from two lines. With v_k the samples around the tap and f its fraction,
  ///
  ///     v_0 + f (d + (f - 1) (h_0 + (f + 1) / 3 (h_1 - h_0))),
  ///     d = v_1 - v_0,  h_k = (v_{k+1} - 2 v_k + v_{k-1}) / 2
  ///
  /// is the cubic through v_-1 … v_2 (Gauss's forward formula). The differences are reused in the next frame.
  @inline(__always)
  private func read(
    _ number: Int, _ ring: Ring, _ even: WanderingTap, _ odd: WanderingTap, _ frame: Int, _ run: Int
  ) {
    let (memory, ahead) = (memory, ahead)
    func sample(_ offset: Int) -> Pair {
      Pair(
        memory[ring.start + even.index(offset, in: ring.count)][0],
        memory[ring.start + odd.index(offset, in: ring.count)][1])
    }
    let half = Pair(0.5)
    let before = sample(-1)
    var v0 = sample(0)
    var v1 = sample(1)
    var d = v1 - v0
    var h0 = (d - (v0 - before)) * half
    var f = Pair(even.fraction, odd.fraction)
    var third = (f + Pair(1)) / Pair(3)
    let step = Pair(even.fractionStep, odd.fractionStep)
    let thirdStep = step / Pair(3)
    let evens = ring.start + even.index(2, in: ring.count)
    let odds = ring.start + odd.index(2, in: ring.count)
    let place = 4 * frame + number
    // Two frames per pass, so that no samples have to be moved between variables.
    var index = 0
    while index &+ 2 <= run {
      let v2 = Pair(memory[evens &+ index][0], memory[odds &+ index][1])
      let d1 = v2 - v1
      let h1 = (d1 - d) * half
      ahead[place &+ 4 &* index] =
        v0 + f * (d + (f - Pair(1)) * (h0 + third * (h1 - h0)))
      f = f + step
      third = third + thirdStep
      v0 = Pair(memory[evens &+ index &+ 1][0], memory[odds &+ index &+ 1][1])
      d = v0 - v2
      h0 = (d - d1) * half
      ahead[place &+ 4 &* index &+ 4] =
        v1 + f * (d1 + (f - Pair(1)) * (h1 + third * (h0 - h1)))
      f = f + step
      third = third + thirdStep
      v1 = v0
      v0 = v2
      index &+= 2
    }
    if index < run {
      let v2 = Pair(memory[evens &+ index][0], memory[odds &+ index][1])
      let h1 = ((v2 - v1) - d) * half
      ahead[place &+ 4 &* index] =
        v0 + f * (d + (f - Pair(1)) * (h0 + third * (h1 - h0)))
    }
  }

  /// Clears the lines after NaN, and after silence that lasted as long as the longest line.
  @inline(__always)
  private mutating func settle(_ energy: Double, _ count: Int) {
    guard rest.clears(energy, after: count) else { return }
    for index in 0..<memory.count { memory[index] = Pair(0) }
    for index in 0..<ahead.count { ahead[index] = Pair(0) }
    lowpasses = (Pair(0), Pair(0), Pair(0), Pair(0))
  }

  /// Position and length of two lines in the memory, and the index in them where the batch is written.
  private struct Ring: BitwiseCopyable {
    let start, count: Int
    var write: Int
  }
}

/// The read position of one of the eight lines, in 2^-28 frames, and the linear segment along which it moves.
private struct WanderingTap: BitwiseCopyable {
  private static var one: Int64 { 1 << 28 }

  /// The delay and its variation in seconds; `wander` is ipitchm.
  private let delay, variation, wander: Double
  private let rate: Double
  private let segment: Int
  private var position: Int64
  private var step: Int64 = 0
  private var random: Int
  /// Frames left in the segment.
  private var left = 0

  /// Delay in seconds, variation in seconds, random lengths per second, and the first random number.
  private static func parameters(_ number: Int) -> (Double, Double, Double, Int) {
    switch number {
    case 0: (2473 / 44_100.0, 0.0010, 3.100, 1966)
    case 1: (2767 / 44_100.0, 0.0011, 3.500, 29_491)
    case 2: (3217 / 44_100.0, 0.0017, 1.110, 22_937)
    case 3: (3557 / 44_100.0, 0.0006, 3.973, 9830)
    case 4: (3907 / 44_100.0, 0.0010, 2.341, 20_643)
    case 5: (4127 / 44_100.0, 0.0011, 1.897, 22_937)
    case 6: (2143 / 44_100.0, 0.0017, 0.891, 29_491)
    default: (1933 / 44_100.0, 0.0006, 3.221, 14_417)
    }
  }

  /// The maximum length of a line in frames.
  static func longest(_ number: Int, _ rate: Double, _ wander: Double) -> Int {
    let (delay, variation, _, _) = parameters(number)
    return Int((delay + variation * wander * 1.125) * rate + 16.5)
  }

  init(_ number: Int, _ rate: Double, _ wander: Double, ring: Int) {
    let (delay, variation, frequency, seed) = Self.parameters(number)
    self.delay = delay
    self.rate = rate
    self.variation = variation
    self.wander = wander
    segment = Int(rate / frequency + 0.5)
    random = seed
    // Computed from the length that `reverbsc` uses, so that the fraction is the same.
    let length = Self.longest(number, rate, wander)
    let place =
      Double(length) - (delay + Double(seed) * variation / 32_768 * wander) * rate
    let whole = Int(place)
    let fraction = Int64((place - Double(whole)) * Double(Self.one) + 0.5)
    position = Int64(ring - length + whole) * Self.one + fraction
    turn(written: 0, in: ring)
  }

  /// The index of the frame `offset` frames after the tap.
  @inline(__always)
  func index(_ offset: Int, in ring: Int) -> Int {
    let index = Int(truncatingIfNeeded: position >> 28) &+ offset
    return index < 0 ? index &+ ring : (index >= ring ? index &- ring : index)
  }

  /// How far the tap is after its frame (0 to 1), and how much this changes per frame.
  @inline(__always)
  var fraction: Double { Double(position & (Self.one - 1)) * 0x1p-28 }
  @inline(__always)
  var fractionStep: Double { Double(step &- Self.one) * 0x1p-28 }

  /// The number of frames, at most `most`, in which the tap's integer part advances by one per frame, the segment does
  /// not end, and the frame two after the tap does not reach the end of the ring.
  @inline(__always)
  func run(_ most: Int, in ring: Int) -> Int {
    let run = min(min(most, left), ring &- index(2, in: ring))
    let rest = position & (Self.one - 1)
    let drift = step &- Self.one
    let end = rest &+ Int64(run &- 1) &* drift
    if end >= 0 && end < Self.one { return run }
    return Int(
      truncatingIfNeeded: drift > 0 ? (Self.one - 1 - rest) / drift + 1 : rest / -drift + 1)
  }

  /// Advances by `run` frames; `written` is the write position after that.
  @inline(__always)
  mutating func advance(by run: Int, written: Int, in ring: Int) {
    position += Int64(run) * step
    let end = Int64(ring) << 28
    if position >= end { position -= end }
    left -= run
    if left == 0 { turn(written: written, in: ring) }
  }

  /// Starts a new segment towards the next random length.
  private mutating func turn(written: Int, in ring: Int) {
    // A 16-bit linear congruential generator, read as a signed number.
    random = (random * 15_625 + 1) & 0xFFFF
    if random >= 0x8000 { random -= 0x10000 }
    left = segment
    var behind = Double(written) - Double(position) * 0x1p-28
    if behind < 0 { behind += Double(ring) }
    let next = delay + Double(random) * variation / 32_768 * wander
    let slope = (behind / rate - next) / Double(segment) * rate + 1
    step = Int64(slope * Double(Self.one) + 0.5)
  }
}
