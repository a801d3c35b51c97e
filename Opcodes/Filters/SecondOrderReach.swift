import OpcodeKit

/// An upper bound of the state of a second-order filter with constant coefficients.
///
/// When both poles have at most the magnitude `stay`, the impulse response of 1 / (1 + a z^-1 + b z^-2) is at most (n +
/// 1) stay^n, which is the impulse response of 1 / (1 - stay z^-1)². Two such lowpasses applied to the input's
/// magnitudes are therefore an upper bound of |t[n]|, and they decay with the input.
struct SecondOrderReach: BitwiseCopyable {
  /// The output of the first lowpass, and an upper bound of the output of the second.
  private var once = 0.0
  private(set) var limit = 0.0

  /// What some frames add: the sum of the magnitudes of their inputs, and an upper bound of the magnitude of their
  /// poles.
  struct Step: BitwiseCopyable {
    let sum, stay: Double
  }

  /// Processes 1, 2 or 8 frames.
  @inline(__always)
  mutating func take(_ step: Step, frames: Int) {
    let sum = step.sum
    var power = step.stay
    if frames > 1 { power *= power }
    if frames > 2 {
      power *= power
      power *= power
    }
    limit = power * limit + Double(frames) * (once + sum)
    once = power * once + sum
  }

  /// Called at the beginning of a k-cycle: when the bound is below -600 dB, too large or NaN, it is reset to `level`,
  /// the magnitude of the filter's state.
  @inline(__always)
  mutating func settle(_ level: Double) {
    if !(limit >= 1e-30 && limit < 1e200) { (once, limit) = (level, level) }
  }
}
