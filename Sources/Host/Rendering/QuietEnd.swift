import CsoundHost
import HarnessBase

/// Finds the end of a piece without a score. Csound plays such a piece for ever unless the piece ends itself, so it is
/// taken to end with its last sample that is not 0, as soon as `longestSilence` seconds of silence have followed.
struct QuietEnd {
  /// In seconds.
  static let longestSilence = 30.0

  /// Frames since the last k-cycle that was not silent.
  private(set) var silentFrames = 0
  /// Whether the silence has become too long.
  private(set) var isOver = false
  private var hasSounded = false

  /// Nil for a piece that has a score.
  init?(of csound: Csound) {
    if csound.hasScore { return nil }
  }

  /// Takes note of a k-cycle that was performed. Returns whether it was silent.
  mutating func hears(_ csound: Csound) -> Bool {
    if csound.output.contains(where: { $0 != 0 }) {
      (silentFrames, hasSounded) = (0, true)
      return false
    }
    silentFrames += csound.ksmps
    isOver = Double(silentFrames) > Self.longestSilence * csound.sampleRate
    return true
  }

  /// Fails if a piece that has ended so had no sound at all.
  func requireSound(of path: String) throws(Failure) {
    guard hasSounded || !isOver else { throw Self.silence(path) }
  }

  static func silence(_ path: String) -> Failure {
    Failure.badInput(
      "'\(path)' has no score and is silent for \(Int(longestSilence)) s; give --duration.")
  }
}
