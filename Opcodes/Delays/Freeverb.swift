// aoutL, aoutR FREEVERB ainL, ainR, kRoomSize, kHFDamp [, iSRate [, iSkip]]
//
// Freeverb, a stereo reverberator: eight parallel combs with a lowpass in their feedback, then four
// allpasses in series, for each channel; the right channel's lines are 23 samples longer
// (J. Wakefield, "Freeverb", public domain, 2000; M. R. Schroeder, "Natural sounding artificial
// reverberation", Journal of the Audio Engineering Society 10(3), 1962).
//
//     comb     out = line,  y = d y + out,  line = f (1 - d) y + in
//     allpass  out = line - in,  line = line / 2 + in
//
// with f = 0.28 kRoomSize + 0.7 and d = 0.4 kHFDamp; with iSRate d = (0.4 kHFDamp)^e,
// e = (44100 / iSRate)^0.8, as in Csound's `freeverb`. Differs from it:
//  - kHFDamp is clamped to 0 … 1, and f to -1 … 1, where the built-in grows without bound;
//  - a NaN in the signal empties the lines at the end of its k-cycle;
//  - a tail that has been below -600 dB for the longest line is over;
//  - before a note's first sample and after its last the lines do not move.
//
// Left and right lie in the two lanes of one register; four combs run beside each other, so that the
// lowpass of one need not wait for its sample before.

import OpcodeKit

@Opcode("FREEVERB", "Freeverb, stereo reverberator of damped combs and allpasses")
struct Freeverb: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The reverberated signal, left and right, without the direct sound.
    let left, right: AudioOutput
    /// The signal, left and right.
    let inputLeft, inputRight: AudioInput
    /// Room size, 0 to 1, longer for larger; f is clamped to -1 … 1, which 1.0714 reaches: the sound
    /// never ends. NaN is 0.
    let roomSize: ControlInput
    /// Damping of high frequencies, clamped to 0 … 1; NaN is 0.
    let damping: ControlInput
    /// The sample rate the lines are tuned for, Hz, up to 1000000. Below 1000, and by default, it is
    /// 44100, and the damping is not corrected.
    @Default(-1) let tuningRate: InitInput
    /// Nonzero goes on with the lines of the note before in the same memory, its iSRate with them.
    /// Default 0.
    @Default(0) let skip: InitInput
  }

  static var bufferCount: Int { 4 }

  /// Frames at a sample rate of 44100 Hz.
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

  /// The most frames of a run.
  private static var longestRun: Int { 64 }

  /// All lines' frames.
  private let memory: Buffer<SIMD2<Double>>
  /// Eight combs, then four allpasses.
  private let lines: Buffer<LinePair>
  /// Frames since the lines were brought up to date, and until the first comes to its ring's end.
  private var gone = 0
  private var ahead = 0
  /// y of the combs.
  private let lowpasses: Buffer<Pair>
  /// From pass to pass of a run.
  private let between: Buffer<Pair>
  /// Of the longest line.
  private let longest: Int
  /// Frames since signal or reverberation was last above -600 dB; `longest` when the lines are empty.
  private var quiet: Int
  /// e, and 1 without iSRate.
  private let exponent: Double
  /// d, and the argument it comes from.
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
    longest = length(7, 23)
    quiet = longest
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

  /// Brings the lines up to date when the first has come to its ring's end.
  @inline(__always)
  private mutating func wrap() {
    ahead = .max
    for number in 0..<12 {
      lines[number].advance(by: gone)
      ahead = min(ahead, lines[number].untilWrap)
    }
    gone = 0
  }

  /// Takes over a damping, when it is another. The lowpass is kept as y, its state over 1 - d.
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

  /// Four combs, added to those before.
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

  /// The four allpasses; the energy of the signal and of what comes out.
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

  /// Empties the lines after a NaN, and after silence as long as the longest.
  @inline(__always)
  private mutating func settle(_ energy: Double, _ count: Int) {
    if energy >= 1e-60 && energy < .infinity {
      quiet = 0
      return
    }
    let isQuiet = energy < 1e-60
    if isQuiet && quiet == longest { return }
    quiet = isQuiet ? min(quiet + count, longest) : longest
    guard quiet == longest else { return }
    for index in 0..<memory.count { memory[index] = .zero }
    for number in 0..<8 { lowpasses[number] = Pair(0) }
  }
}
