// aoutL, aoutR FREEVERB ainL, ainR, kRoomSize, kHFDamp [, iSRate [, iSkip]]
//
// Freeverb, a stereo reverberator. Each channel has eight parallel comb filters with a lowpass in the feedback,
// followed by four allpasses in series. The right channel's delay lines are 23 samples longer (J. Wakefield,
// "Freeverb", public domain, 2000; M. R. Schroeder, "Natural sounding artificial reverberation", Journal of the Audio
// Engineering Society 10(3), 1962).
//
//     comb     out = line,  y = d y + out,  line = f (1 - d) y + in
//     allpass  out = line - in,  line = line / 2 + in
//
// with f = 0.28 kRoomSize + 0.7 and d = 0.4 kHFDamp. When iSRate is given, d = (0.4 kHFDamp)^e, e = (44100 /
// iSRate)^0.8, as in Csound's `freeverb`. Differs from it:
// - kHFDamp is clamped to 0 … 1 and f to -1 … 1; `freeverb` grows without bound;
// - NaN in the signal clears the delay lines at the end of its k-cycle;
// - a tail that has been below -600 dB for the length of the longest line ends;
// - before a note's first sample and after its last one the delay lines do not move.
//
// Left and right are in one register. Four combs are computed at once, to fill the latency of their lowpasses.
//
// Category: Signal Modifiers:Reverberation

import OpcodeKit

@Opcode("FREEVERB", "Freeverb, stereo reverberator of damped combs and allpasses")
struct Freeverb: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The reverberated signals, left and right, without the direct sound.
    let left, right: AudioOutput
    /// The input signals, left and right.
    let inputLeft, inputRight: AudioInput
    /// Room size, 0 to 1; a larger value gives a longer decay. f is clamped to -1 … 1; from 1.0714 on, f is 1 and the
    /// sound never decays. NaN counts as 0.
    let roomSize: ControlInput
    /// Damping of high frequencies, clamped to 0 … 1; NaN counts as 0.
    let damping: ControlInput
    /// Sample rate in Hz that the delay lines are tuned for, at most 1000000. Below 1000, as by default, it is 44100,
    /// and the damping is not corrected for it. Default -1.
    @Default(-1) let tuningRate: InitInput
    /// Nonzero keeps the delay lines of the previous note in the same memory, and its iSRate. Default 0.
    @Default(0) let skip: InitInput
  }

  static var bufferCount: Int { 4 }

  /// Comb delays in frames, at a sample rate of 44100 Hz.
  private static func combFrames(_ number: Int) -> Double {
    switch number {
    case 0: 1116
    case 1: 1188
    case 2: 1277
    case 3: 1356
    case 4: 1422
    case 5: 1491
    case 6: 1557
    default: 1617
    }
  }

  private static func allpassFrames(_ number: Int) -> Double {
    switch number {
    case 0: 556
    case 1: 441
    case 2: 341
    default: 225
    }
  }

  /// The maximum number of frames in a run.
  private static var longestRun: Int { 64 }

  /// The samples of all delay lines.
  private let memory: Buffer<SIMD2<Double>>
  /// Eight combs, then four allpasses.
  private let lines: Buffer<LinePair>
  /// Frames processed since the last `wrap`, and frames left until the next one.
  private var gone = 0
  private var ahead = 0
  /// The states y of the combs' lowpasses.
  private let lowpasses: Buffer<Pair>
  /// Intermediate signal between the steps of a run.
  private let between: Buffer<Pair>
  private var rest: DelayRest
  /// e; 1 without iSRate.
  private let exponent: Double
  /// d, and the argument it was computed from.
  private var pole = 0.0
  private var lastDamping = 0.0

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let asked = arguments.tuningRate.value
    guard !(asked > 1_000_000) else {
      throw OpcodeError(argument: "iSRate", is: asked, mustBe: "at most 1000000 Hz")
    }
    let rate = asked >= 1000 ? asked : 44_100
    exponent = asked >= 1000 ? Math.pow(44_100 / asked, 0.8) : 1
    func length(_ number: Int, _ more: Double) -> Int {
      let frames = number < 8 ? Self.combFrames(number) : Self.allpassFrames(number - 8)
      return Int((frames + more) / 44_100 * rate + 0.5)
    }
    var total = 0
    for number in 0..<12 { total += length(number, 23) }
    memory = try context.buffer(0, of: SIMD2<Double>.self, count: total)
    lines = try context.buffer(1, of: LinePair.self, count: 12)
    lowpasses = try context.buffer(2, of: Pair.self, count: 8)
    between = try context.buffer(3, of: Pair.self, count: Self.longestRun)
    var start = 0
    for number in 0..<12 {
      let longer = length(number, 23)
      lines[number] = LinePair(
        shorter: length(number, 0), longer: longer, in: memory, at: start)
      start += longer
    }
    rest = DelayRest(longest: length(7, 23))
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let frames = context.frames
    follow(arguments.damping.value)
    let feedback = 0.28 * arguments.roomSize.value + 0.7
    let bounded = feedback < 1 ? (feedback > -1 ? feedback : -1) : (feedback >= 1 ? 1 : 0.7)
    let gain = bounded * (1 - pole)
    var energy = Pair(0)
    var frame = frames.lowerBound
    while frame < frames.upperBound {
      if ahead == 0 { wrap() }
      let run = min(min(frames.upperBound - frame, ahead), Self.longestRun)
      combs(0, arguments, frame, run, gain: gain, isFirst: true)
      combs(4, arguments, frame, run, gain: gain, isFirst: false)
      energy = energy + allpasses(arguments, frame, run)
      gone += run
      ahead -= run
      frame += run
    }
    settle(energy[0] + energy[1], frames.count)
  }

  /// Advances the lines by the frames processed since the last call, and finds when the next one wraps.
  @inline(__always)
  private mutating func wrap() {
    ahead = .max
    for number in 0..<12 {
      lines[number].advance(by: gone)
      ahead = min(ahead, lines[number].untilWrap)
    }
    gone = 0
  }

  /// Applies a new damping. The lowpass stores y, its output divided by 1 - d.
  @inline(__always)
  private mutating func follow(_ damping: Double) {
    let bounded = damping > 0 ? min(damping, 1) : 0
    guard bounded != lastDamping else { return }
    lastDamping = bounded
    let before = pole
    pole = exponent == 1 ? 0.4 * bounded : Math.pow(0.4 * bounded, exponent)
    let scale = Pair((1 - before) / (1 - pole))
    for number in 0..<8 { lowpasses[number] = (lowpasses[number] * scale) }
  }

  /// Computes four combs and adds their outputs to the previous ones.
  @inline(__always)
  private func combs(
    _ number: Int, _ arguments: Arguments, _ start: Int, _ run: Int, gain: Double, isFirst: Bool
  ) {
    let (line0, line1) = (lines[number].window(from: gone), lines[number + 1].window(from: gone))
    let (line2, line3) = (
      lines[number + 2].window(from: gone), lines[number + 3].window(from: gone)
    )
    var (y0, y1) = (lowpasses[number], lowpasses[number + 1])
    var (y2, y3) = (lowpasses[number + 2], lowpasses[number + 3])
    let (left, right, between) = (arguments.inputLeft, arguments.inputRight, between)
    let (d, g) = (Pair(pole), Pair(gain))
    for index in 0..<run {
      let input = Pair(left[start &+ index], right[start &+ index])
      let (x0, x1, x2, x3) = (line0[index], line1[index], line2[index], line3[index])
      y0 = y0 * d + x0
      y1 = y1 * d + x1
      y2 = y2 * d + x2
      y3 = y3 * d + x3
      line0[index] = y0 * g + input
      line1[index] = y1 * g + input
      line2[index] = y2 * g + input
      line3[index] = y3 * g + input
      let sum = (x0 + x1) + (x2 + x3)
      between[index] = isFirst ? sum : (between[index] + sum)
    }
    (lowpasses[number], lowpasses[number + 1]) = (y0, y1)
    (lowpasses[number + 2], lowpasses[number + 3]) = (y2, y3)
  }

  /// Computes the four allpasses; returns the energy of the input and of the output.
  @inline(__always)
  private func allpasses(_ arguments: Arguments, _ start: Int, _ run: Int) -> Pair {
    let (line0, line1) = (lines[8].window(from: gone), lines[9].window(from: gone))
    let (line2, line3) = (lines[10].window(from: gone), lines[11].window(from: gone))
    let (half, level) = (Pair(0.5), Pair(0.015))
    let between = between
    var energy = Pair(0)
    for index in 0..<run {
      let input = Pair(
        arguments.inputLeft[start &+ index], arguments.inputRight[start &+ index])
      let sum = between[index]
      let x0 = line0[index]
      line0[index] = x0 * half + sum
      let out0 = x0 - sum
      let x1 = line1[index]
      line1[index] = x1 * half + out0
      let out1 = x1 - out0
      let x2 = line2[index]
      line2[index] = x2 * half + out1
      let out2 = x2 - out1
      let x3 = line3[index]
      line3[index] = x3 * half + out2
      let out = (x3 - out2) * level
      energy = energy + (input * input + out * out)
      arguments.left[start &+ index] = out[0]
      arguments.right[start &+ index] = out[1]
    }
    return energy
  }

  /// Clears the lines after NaN, and after silence that lasted as long as the longest line.
  @inline(__always)
  private mutating func settle(_ energy: Double, _ count: Int) {
    guard rest.clears(energy, after: count) else { return }
    for index in 0..<memory.count { memory[index] = .zero }
    for number in 0..<8 { lowpasses[number] = Pair(0) }
  }
}
