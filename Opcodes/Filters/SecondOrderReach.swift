import OpcodeKit

/// How large the state of a filter of second order can be where its coefficients stand still.
///
/// With both poles within `stay`, the impulse response t[n] of 1 / (1 + a z^-1 + b z^-2) is at most
/// (n + 1) stay^n, which is that of 1 / (1 - stay z^-1)². Two such lowpasses of the input's magnitudes are
/// therefore an upper bound of |t[n]|, and they die away with the input.
struct SecondOrderReach: BitwiseCopyable {
  /// The first lowpass and the second, or more.
  private var once = 0.0
  private(set) var limit = 0.0

  /// Takes in 1, 2 or 8 frames, the sum of whose inputs' magnitudes is given and whose poles are within `stay`.
  @inline(__always)
  mutating func take(_ sum: Double, staying stay: Double, frames: Int) {
    var power = stay
    if frames > 1 { power *= power }
    if frames > 2 {
      power *= power
      power *= power
    }
    limit = power * limit + Double(frames) * (once + sum)
    once = power * once + sum
  }

  /// At the beginning of a k-cycle: what has died away is 0, and what is no number begins again from a
  /// state's magnitude.
  @inline(__always)
  mutating func settle(_ level: Double) {
    if !(limit >= 1e-30 && limit < 1e200) { (once, limit) = (level, level) }
  }
}
