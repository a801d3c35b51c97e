import OpcodeKit

/// A second-order filter with two controls: the recurrence, and the coefficients of the last k-cycle.
struct TunedSecondOrder<First: Signal, Second: Signal>: BitwiseCopyable {
  private var filter = SecondOrder()
  private var coefficients = SecondOrderCoefficients(gain: 0, feedback1: 0, feedback2: 0)
  private var lastFirst = Double.nan, lastSecond = Double.nan
  private let samplePeriod: Double

  init(sampleRate: Double) { samplePeriod = 1 / sampleRate }

  /// Makes the next k-cycle compute new coefficients.
  mutating func retune() { lastFirst = .nan }

  /// Filters the frames of a k-cycle. When the design is not open, the filter keeps its state.
  @inline(__always)
  mutating func perform(
    _ input: AudioInput, _ output: AudioOutput, _ first: First, _ second: Second,
    _ frames: Range<Int>, _ design: some SecondOrderDesign
  ) {
    filter.settle()
    if First.isAudioRate || Second.isAudioRate {
      filter.follow(input, output, frames, first, second, samplePeriod: samplePeriod, design)
    } else {
      let (first, second) = (first[0], second[0])
      guard design.isOpen(first, second) else {
        for frame in frames { output[frame] = design.held(input[frame]) }
        return
      }
      // New coefficients are passed on in registers and not through the state's memory.
      var coefficients = coefficients
      if first != lastFirst || second != lastSecond {
        (lastFirst, lastSecond) = (first, second)
        let vector = design.coefficients(Pair(first * samplePeriod), Pair(second * samplePeriod))
        coefficients = vector[0]
        self.coefficients = coefficients
        if frames.count == 1 {
          let frame = frames.lowerBound
          output[frame] = filter.next(input[frame], vector, design)
          return
        }
      }
      filter.hold(input, output, frames, coefficients, design)
    }
  }
}
