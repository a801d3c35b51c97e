import CVector

/// How the processor treats subnormal numbers on the current thread (SSE's control register, arm64's FPCR).
///
/// From `csoundCreate` on, subnormal inputs are read as zero. A plugin built with fast-math also has
/// subnormal results flushed to zero once it is loaded. Setting the mode explicitly makes renders and
/// timings independent of the plugins that are installed.
public struct FloatMode: Equatable, Sendable {
  let bits: UInt64

  /// Subnormals read as zero and flushed to zero, as with Csound and Debian's plugins. Round to
  /// nearest, no traps.
  public static let csound = FloatMode(bits: UInt64(cv_float_mode_csound))

  /// Subnormals computed in full: the mode in which a C program starts.
  public static let precise = FloatMode(bits: UInt64(cv_float_mode_precise))

  /// The current thread's mode.
  public static var current: FloatMode {
    get { FloatMode(bits: cv_get_float_mode()) }
    set { cv_set_float_mode(newValue.bits) }
  }
}
