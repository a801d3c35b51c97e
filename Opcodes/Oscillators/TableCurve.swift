import OpcodeKit

/// Interpolation between elements of a table, at four positions at once.
protocol TableCurve: BitwiseCopyable {
  /// For positions at or after four indices from 0 to `count - 1`. The last element is followed by the guard point.
  init(_ table: TableElements, _ indices: (Int, Int, Int, Int))

  /// The interpolated values times `level`. `rests` are the distances from the indices, in units of 2^-64 elements.
  func values(at rests: SIMD4<UInt64>, times level: Quad) -> Quad

  /// A single interpolated value, at a phase of a table that holds one cycle.
  static func value(of table: TableElements, at phase: CyclePhase) -> Double
}

extension CyclePhase {
  /// Plays frames of a cyclic table with a constant phase step, four at a time.
  @inline(__always)
  mutating func play<Curve: TableCurve, Amplitude: Signal>(
    _ curve: Curve.Type, of table: TableElements, _ amplitude: Amplitude, to output: AudioOutput,
    _ frames: Range<Int>, step: UInt64
  ) {
    var frame = frames.lowerBound
    guard frame < frames.upperBound else { return }
    let level = Quad(amplitude[frame])
    var phases = SteadyPhases(self, step: step, in: table.count)
    while frame &+ 4 <= frames.upperBound {
      let levels = Amplitude.isAudioRate ? amplitude.quad(at: frame) : level
      output.setQuad(
        Curve(table, phases.indices).values(at: phases.rests, times: levels), at: frame)
      phases.advance()
      frame &+= 4
    }
    self = phases.phase
    while frame < frames.upperBound {
      output[frame] = Curve.value(of: table, at: self) * amplitude[frame]
      advance(step)
      frame &+= 1
    }
  }

  /// The same for a frequency signal; `step` converts a frequency in Hz to a phase step per sample.
  @inline(__always)
  mutating func play<Curve: TableCurve, Amplitude: Signal, Frequency: Signal>(
    _ curve: Curve.Type, of table: TableElements, _ amplitude: Amplitude, _ frequency: Frequency,
    to output: AudioOutput, _ frames: Range<Int>, step: (Double) -> UInt64
  ) {
    var frame = frames.lowerBound
    guard frame < frames.upperBound else { return }
    guard Frequency.isAudioRate else {
      play(curve, of: table, amplitude, to: output, frames, step: step(frequency[frame]))
      return
    }
    let count = table.count
    let level = Quad(amplitude[frame])
    while frame &+ 4 <= frames.upperBound {
      let levels = Amplitude.isAudioRate ? amplitude.quad(at: frame) : level
      let first = self
      let second = first.advanced(by: step(frequency[frame]))
      let third = second.advanced(by: step(frequency[frame &+ 1]))
      let fourth = third.advanced(by: step(frequency[frame &+ 2]))
      self = fourth.advanced(by: step(frequency[frame &+ 3]))
      let indices = (
        first.index(in: count), second.index(in: count), third.index(in: count),
        fourth.index(in: count)
      )
      let rests = SIMD4(
        first.rest(in: count), second.rest(in: count), third.rest(in: count),
        fourth.rest(in: count))
      output.setQuad(Curve(table, indices).values(at: rests, times: levels), at: frame)
      frame &+= 4
    }
    while frame < frames.upperBound {
      let sound = Curve.value(of: table, at: self)
      advance(step(frequency[frame]))
      output[frame] = amplitude[frame] * sound
      frame &+= 1
    }
  }
}

extension OpcodeError {
  @inline(__always)
  static var deletedTable: OpcodeError { OpcodeError("its table was deleted.") }
}
