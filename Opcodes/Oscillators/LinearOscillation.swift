import OpcodeKit

/// Two places in tables at once, each between two neighbouring points, and the lines through them.
struct LinearLanes: BitwiseCopyable {
  /// The points before and after.
  private let left, right: Pair

  /// Between `one` and the element after it, and `other` and its next, indices from 0 to `count - 1`;
  /// what follows the last element is the guard point.
  @inline(__always)
  init(_ table: TableElements, _ one: Int, _ other: Int) {
    let (first, second) = (table.pair(at: one), table.pair(at: other))
    left = .firsts(first, second)
    right = .seconds(first, second)
  }

  /// The lines, times `level`, at places after `left`, in units of 2^-64 of the distance to `right`.
  @inline(__always)
  func value(at rest: SIMD2<UInt64>, times level: Pair) -> Pair {
    (left + (right - left) * (Pair.onePlus(rest) - Pair(1))) * level
  }
}

extension CyclePhase {
  /// The value of a table that stands for one cycle, between two elements in proportion.
  @inline(__always)
  func line(in table: TableElements) -> Double {
    let index = index(in: table.count)
    return LinearLanes(table, index, index).value(
      at: .init(repeating: rest(in: table.count)), times: Pair(1))[0]
  }

  /// Plays frames of a table read round and round, two at a time, at a step that stands still.
  @inline(__always)
  mutating func play<Amplitude: Signal>(
    _ table: TableElements, _ amplitude: Amplitude, to output: AudioOutput, _ frames: Range<Int>,
    step: UInt64
  ) {
    var frame = frames.lowerBound
    guard frame < frames.upperBound else { return }
    let count = table.count
    let level = Pair(amplitude[frame])
    // The rests of two frames go on by a constant.
    let restStep = CyclePhase(bits: step).rest(in: count)
    var rests = SIMD2(rest(in: count), rest(in: count) &+ restStep)
    let twoSteps = SIMD2(repeating: 2 &* restStep)
    while frame &+ 2 <= frames.upperBound {
      let levels = Amplitude.isAudioRate ? amplitude.pair(at: frame) : level
      let first = index(in: count)
      advance(step)
      let second = index(in: count)
      advance(step)
      output.setPair(LinearLanes(table, first, second).value(at: rests, times: levels), at: frame)
      rests &+= twoSteps
      frame &+= 2
    }
    if frame < frames.upperBound {
      output[frame] = line(in: table) * amplitude[frame]
      advance(step)
    }
  }

  /// The same at a frequency; `step` says how far frequencies go in a sample.
  @inline(__always)
  mutating func play<Amplitude: Signal, Frequency: Signal>(
    _ table: TableElements, _ amplitude: Amplitude, _ frequency: Frequency, to output: AudioOutput,
    _ frames: Range<Int>, step: (Pair) -> SIMD2<UInt64>
  ) {
    var frame = frames.lowerBound
    guard frame < frames.upperBound else { return }
    guard Frequency.isAudioRate else {
      play(table, amplitude, to: output, frames, step: step(Pair(frequency[frame]))[0])
      return
    }
    let count = table.count
    let level = Pair(amplitude[frame])
    while frame &+ 2 <= frames.upperBound {
      let levels = Amplitude.isAudioRate ? amplitude.pair(at: frame) : level
      let steps = step(frequency.pair(at: frame))
      let (first, firstRest) = (index(in: count), rest(in: count))
      advance(steps[0])
      let place = SIMD2(firstRest, rest(in: count))
      let second = index(in: count)
      advance(steps[1])
      output.setPair(LinearLanes(table, first, second).value(at: place, times: levels), at: frame)
      frame &+= 2
    }
    if frame < frames.upperBound {
      let sound = line(in: table)
      advance(step(Pair(frequency[frame]))[0])
      output[frame] = amplitude[frame] * sound
    }
  }
}

extension CyclePhase {
  /// `step` of two frequencies.
  @inline(__always)
  static func steps(cycles: Pair) -> SIMD2<UInt64> {
    let magic = Pair(0x1.8p52)
    let whole = (cycles + magic) - magic
    return ((cycles - whole) + Pair(3)).bits(shiftedLeft: 13)
  }
}

extension OpcodeError {
  @inline(__always)
  static var deletedTable: OpcodeError { OpcodeError("its table was deleted.") }
}
