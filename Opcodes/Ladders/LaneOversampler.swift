// The half-band filters of `Oversampler(times: 4)` for eight channels at once.

import OpcodeKit

/// Runs a function with a memory at four times the sample rate, for eight channels. Filters and delay are those of
/// `Oversampler(times: 4)`. All bits zero mean silence.
struct LaneOversampler: BitwiseCopyable {
  private var steepUp = SteepLaneBranches(), steepDown = SteepLaneBranches()
  private var wideUp = WideLaneBranches(), wideDown = WideLaneBranches()

  /// Shapes frames and multiplies them by `level`. `shape` is called with each sample of the higher rate, divided by
  /// `level`, and with four times the number of its frame, counted from the first, plus 0 to 3.
  @inline(__always)
  mutating func process(
    _ input: AudioInputLanes, to output: AudioOutputLanes, in frames: Range<Int>, level: Double,
    _ shape: (Lanes, Int) -> Lanes
  ) {
    var block = Block(repeating: Lanes(0))
    var frame = frames.lowerBound
    while frame < frames.upperBound {
      let part = frame..<min(frame &+ 8, frames.upperBound)
      up(input, part, 1 / level, to: &block)
      let first = 4 &* (frame &- frames.lowerBound)
      for index in 0..<4 &* part.count {
        block[unchecked: index] = shape(block[unchecked: index], first &+ index)
      }
      down(block, output, part, level)
      frame &+= 8
    }
  }

  /// The samples of the higher rate for up to eight frames, four for each.
  typealias Block = InlineArray<32, Lanes>

  @inline(never)
  private mutating func up(
    _ input: AudioInputLanes, _ frames: Range<Int>, _ gain: Double, to block: inout Block
  ) {
    var (steep, wide) = (steepUp, wideUp)
    var place = 0
    for frame in frames {
      let sample = input[frame] * Lanes(gain)
      let (one, other) = steep.next(sample, sample)
      (block[unchecked: place], block[unchecked: place &+ 1]) = wide.next(one, one)
      (block[unchecked: place &+ 2], block[unchecked: place &+ 3]) = wide.next(other, other)
      place &+= 4
    }
    (steepUp, wideUp) = (steep, wide)
  }

  @inline(never)
  private mutating func down(
    _ block: borrowing Block, _ output: AudioOutputLanes, _ frames: Range<Int>, _ gain: Double
  ) {
    var (steep, wide) = (steepDown, wideDown)
    var place = 0
    for frame in frames {
      let first = wide.mean(block[unchecked: place], block[unchecked: place &+ 1])
      let second = wide.mean(block[unchecked: place &+ 2], block[unchecked: place &+ 3])
      output[frame] = steep.mean(first, second) * Lanes(gain)
      place &+= 4
    }
    (steepDown, wideDown) = (steep, wide)
  }

  /// Resets the states of each channel that are below -600 dB or not finite.
  mutating func settle() {
    steepUp.settle()
    steepDown.settle()
    wideUp.settle()
    wideDown.settle()
  }
}

/// The branches of `SteepHalfBand`.
private struct SteepLaneBranches: BitwiseCopyable {
  private var a0 = Lanes(0), a1 = Lanes(0), a2 = Lanes(0), a3 = Lanes(0), a4 = Lanes(0)
  private var b0 = Lanes(0), b1 = Lanes(0), b2 = Lanes(0), b3 = Lanes(0), b4 = Lanes(0)

  @inline(__always)
  mutating func next(_ a: Lanes, _ b: Lanes) -> (Lanes, Lanes) {
    let c1 = a0 + Lanes(SteepHalfBand.c1[0]) * (a - a1)
    let c2 = a1 + Lanes(SteepHalfBand.c2[0]) * (c1 - a2)
    let c3 = a2 + Lanes(SteepHalfBand.c3[0]) * (c2 - a3)
    let c4 = a3 + Lanes(SteepHalfBand.c4[0]) * (c3 - a4)
    (a0, a1, a2, a3, a4) = (a, c1, c2, c3, c4)
    let d1 = b0 + Lanes(SteepHalfBand.c1[1]) * (b - b1)
    let d2 = b1 + Lanes(SteepHalfBand.c2[1]) * (d1 - b2)
    let d3 = b2 + Lanes(SteepHalfBand.c3[1]) * (d2 - b3)
    let d4 = b3 + Lanes(SteepHalfBand.c4[1]) * (d3 - b4)
    (b0, b1, b2, b3, b4) = (b, d1, d2, d3, d4)
    return (c4, d4)
  }

  /// Downsampling: the mean of the branches.
  @inline(__always)
  mutating func mean(_ first: Lanes, _ second: Lanes) -> Lanes {
    let (a, b) = next(second, first)
    return Lanes(0.5) * (a + b)
  }

  @inline(never)
  mutating func settle() {
    let first = ((a0.magnitude + a1.magnitude) + (a2.magnitude + a3.magnitude)) + a4.magnitude
    let second = ((b0.magnitude + b1.magnitude) + (b2.magnitude + b3.magnitude)) + b4.magnitude
    let level = first + second
    func kept(_ state: Lanes) -> Lanes { state.kept(where: level, isFrom: 1e-30) }
    (a0, a1, a2, a3, a4) = (kept(a0), kept(a1), kept(a2), kept(a3), kept(a4))
    (b0, b1, b2, b3, b4) = (kept(b0), kept(b1), kept(b2), kept(b3), kept(b4))
  }
}

/// The branches of `WideHalfBand`.
private struct WideLaneBranches: BitwiseCopyable {
  private var a0 = Lanes(0), a1 = Lanes(0), a2 = Lanes(0)
  private var b0 = Lanes(0), b1 = Lanes(0), b2 = Lanes(0)

  @inline(__always)
  mutating func next(_ a: Lanes, _ b: Lanes) -> (Lanes, Lanes) {
    let c1 = a0 + Lanes(WideHalfBand.c1[0]) * (a - a1)
    let c2 = a1 + Lanes(WideHalfBand.c2[0]) * (c1 - a2)
    (a0, a1, a2) = (a, c1, c2)
    let d1 = b0 + Lanes(WideHalfBand.c1[1]) * (b - b1)
    let d2 = b1 + Lanes(WideHalfBand.c2[1]) * (d1 - b2)
    (b0, b1, b2) = (b, d1, d2)
    return (c2, d2)
  }

  @inline(__always)
  mutating func mean(_ first: Lanes, _ second: Lanes) -> Lanes {
    let (a, b) = next(second, first)
    return Lanes(0.5) * (a + b)
  }

  @inline(never)
  mutating func settle() {
    let first = (a0.magnitude + a1.magnitude) + a2.magnitude
    let level = first + ((b0.magnitude + b1.magnitude) + b2.magnitude)
    func kept(_ state: Lanes) -> Lanes { state.kept(where: level, isFrom: 1e-30) }
    (a0, a1, a2) = (kept(a0), kept(a1), kept(a2))
    (b0, b1, b2) = (kept(b0), kept(b1), kept(b2))
  }
}
