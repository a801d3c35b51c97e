/// Tells when delay lines have to be cleared: after NaN or infinity, and once all that was in them is inaudible.
struct DelayRest: BitwiseCopyable {
  /// Length of the longest line in frames.
  let longest: Int
  /// Frames since signal or lines were last loud; `longest` when the lines are empty.
  private var quiet: Int

  /// For empty lines, the longest of `longest` frames.
  init(longest: Int) { (self.longest, quiet) = (longest, longest) }

  /// Whether to clear the lines after `count` frames. `level` is the largest magnitude or the energy in them, NaN if any
  /// was; below `floor` it counts as silence.
  @inline(__always)
  mutating func clears(_ level: Double, below floor: Double = 1e-60, after count: Int) -> Bool {
    if level >= floor && level < .infinity {
      quiet = 0
      return false
    }
    let isQuiet = level < floor
    if isQuiet && quiet == longest { return false }
    quiet = isQuiet ? min(quiet &+ count, longest) : longest
    return quiet == longest
  }
}
