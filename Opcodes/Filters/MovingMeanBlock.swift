// aout DCBLOCK2 ain [, iorder [, iskip]]
//
// Removes the DC offset of a signal: less the signal's moving mean, taken four times, of iorder frames each. The output is
// late by 2 (iorder - 1) frames, and its phase is linear.
//
// The same as Csound's `dcblock2`, except that
// - the sum of each mean is taken anew in every 4 iorder frames: rounding errors do not add up, and silence becomes 0;
// - NaN in the input does not stay in the filter;
// - with iskip and another order the filter is new. `dcblock2` keeps the longer of both.
//
// Four frames are computed at once. Source: R. Yates and R. Lyons, "DC blocker algorithms", IEEE Signal Processing Magazine
// 25(2), 2008.
//
// Category: Signal Modifiers:Specialized Filters

import OpcodeKit

@Opcode("DCBLOCK2", "Takes a constant off a signal, with linear phase")
struct MovingMeanBlock: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The signal without its DC offset.
    let output: AudioOutput
    /// The input signal.
    let input: AudioInput
    /// Frames in a mean, 4 to 1000000; less counts as 4. The default, 0, means 128.
    @Default(0) let order: InitInput
    /// Nonzero keeps the state of the previous note in the same memory. Default 0.
    @Default(0) let skip: InitInput
  }

  static var bufferCount: Int { 2 }

  /// The last inputs of the four means, one line behind the other, and of the filter. Where one is written, the oldest is
  /// read.
  private let lines, delay: Buffer<Double>
  private let order: Int
  private let scale: Double
  private var place = 0, delayPlace = 0
  /// The line whose sum was taken anew last.
  private var line = 0
  /// The sums of the lines.
  private var sums = (0.0, 0.0, 0.0, 0.0)

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    order = try Self.order(arguments)
    scale = 1 / Double(order)
    lines = try context.buffer(count: 4 * order)
    delay = try context.buffer(count: 2 * (order - 1))
  }

  private static func order(_ arguments: Arguments) throws(OpcodeError) -> Int {
    let order = arguments.order.value
    guard order < 1_000_001 else {
      throw OpcodeError(argument: "iorder", is: order, mustBe: "at most 1000000")
    }
    return order > -1 && order < 1 ? 128 : Int(max(order, 4))
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  mutating func resume(_ arguments: Arguments, _ context: Context) {
    if let order = try? Self.order(arguments), order != self.order,
      let anew = try? MovingMeanBlock(arguments, context)
    {
      self = anew
    }
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let (input, output, end) = (arguments.input, arguments.output, context.frames.upperBound)
    if !((sums.0 + sums.1) + (sums.2 + sums.3)).isFinite { clear() }
    var frame = context.frames.lowerBound
    while frame < end {
      if place == order { sumAnew() }
      if delayPlace == delay.count { delayPlace = 0 }
      let stop = frame &+ min(end &- frame, min(order &- place, delay.count &- delayPlace))
      let (line, late) = (place &- frame, delayPlace &- frame)
      (place, delayPlace) = (line &+ stop, late &+ stop)
      let whole = frame &+ ((stop &- frame) & ~3)
      if frame < whole {
        let frames = frame..<whole
        mean(input, &sums.0, to: output, frames, from: line)
        mean(output.written, &sums.1, to: output, frames, from: line &+ order)
        mean(output.written, &sums.2, to: output, frames, from: line &+ 2 &* order)
        mean(output.written, &sums.3, to: output, frames, from: line &+ 3 &* order)
        while frame < whole {
          let now = delay.quad(at: late &+ frame) - output.written.quad(at: frame)
          delay.setQuad(lines.quad(at: line &+ frame), at: late &+ frame)
          output.setQuad(now, at: frame)
          frame &+= 4
        }
      }
      while frame < stop {
        let (sound, index) = (input[frame], line &+ frame)
        var mean = mean(sound, &sums.0, at: index)
        mean = self.mean(mean, &sums.1, at: index &+ order)
        mean = self.mean(mean, &sums.2, at: index &+ 2 &* order)
        mean = self.mean(mean, &sums.3, at: index &+ 3 &* order)
        output[frame] = delay[late &+ frame] - mean
        delay[late &+ frame] = sound
        frame &+= 1
      }
    }
  }

  /// The means of frames, of which there are a multiple of four. Frame 0 would be at `first` in the lines.
  @inline(__always) @_semantics("no_performance_analysis")
  private func mean(
    _ input: AudioInput, _ sum: inout Double, to output: AudioOutput, _ frames: Range<Int>,
    from first: Int
  ) {
    var (frame, last) = (frames.lowerBound, Quad(sum))
    while frame < frames.upperBound {
      let sound = input.quad(at: frame)
      let steps = sound - lines.quad(at: first &+ frame)
      lines.setQuad(sound, at: first &+ frame)
      let two = steps + .firsts(Quad(0), steps)
      let ends = Quad.seconds(two, two)
      let half = Quad.lows(ends, ends)
      output.setQuad((last + (two + .lows(Quad(0), half))) * Quad(scale), at: frame)
      last = last + (half + .highs(ends, ends))
      frame &+= 4
    }
    sum = last[0]
  }

  @inline(__always)
  private func mean(_ sound: Double, _ sum: inout Double, at index: Int) -> Double {
    sum += sound - lines[index]
    lines[index] = sound
    return sum * scale
  }

  /// Begins the lines anew, and takes the sum of one of them, in turn.
  private mutating func sumAnew() {
    place = 0
    line = (line &+ 1) & 3
    let sum = sum(of: line &* order)
    switch line {
    case 0: sums.0 = sum
    case 1: sums.1 = sum
    case 2: sums.2 = sum
    default: sums.3 = sum
    }
  }

  @inline(__always) @_semantics("no_performance_analysis")
  private func sum(of first: Int) -> Double {
    var (lanes, sum, index) = (Lanes(0), 0.0, first)
    while index &+ 8 <= first &+ order {
      lanes = lanes + lines.lanes(at: index)
      index &+= 8
    }
    while index < first &+ order {
      sum += lines[index]
      index &+= 1
    }
    return sum + lanes.sum
  }

  private mutating func clear() {
    for index in 0..<lines.count { lines[index] = 0 }
    for index in 0..<delay.count { delay[index] = 0 }
    sums = (0, 0, 0, 0)
  }
}
