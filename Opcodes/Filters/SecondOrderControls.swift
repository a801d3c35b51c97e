import OpcodeKit

/// The two controls of a filter in a k-cycle, of which at least one is a-rate.
struct SecondOrderControls<First: Signal, Second: Signal>: BitwiseCopyable {
  private let first: First, second: Second
  // Loaded once, so that whatever depends on these alone is computed once.
  private let constantFirst: Double, constantSecond: Double
  private let samplePeriod: Double

  /// `frame` is the first frame of the k-cycle.
  @inline(__always)
  init(_ first: First, _ second: Second, at frame: Int, samplePeriod: Double) {
    (self.first, self.second, self.samplePeriod) = (first, second, samplePeriod)
    (constantFirst, constantSecond) = (first[frame], second[frame])
  }

  /// The coefficients of eight frames from `frame` on.
  @inline(__always)
  func eight(at frame: Int, _ design: some SecondOrderDesign) -> SecondOrderVector<Lanes> {
    let firsts = First.isAudioRate ? first.lanes(at: frame) : Lanes(constantFirst)
    let seconds = Second.isAudioRate ? second.lanes(at: frame) : Lanes(constantSecond)
    return design.coefficients(firsts * Lanes(samplePeriod), seconds * Lanes(samplePeriod))
  }

  /// The coefficients of two frames.
  @inline(__always)
  func two(
    _ frame: Int, _ other: Int, _ design: some SecondOrderDesign
  ) -> SecondOrderVector<Pair> {
    let firsts = First.isAudioRate ? Pair(first[frame], first[other]) : Pair(constantFirst)
    let seconds = Second.isAudioRate ? Pair(second[frame], second[other]) : Pair(constantSecond)
    return design.coefficients(firsts * Pair(samplePeriod), seconds * Pair(samplePeriod))
  }

  @inline(__always)
  func isOpen(at frame: Int, _ design: some SecondOrderDesign) -> Bool {
    design.isOpen(
      First.isAudioRate ? first[frame] : constantFirst,
      Second.isAudioRate ? second[frame] : constantSecond)
  }
}
