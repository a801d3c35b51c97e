import CVector

/// How the processor treats subnormal numbers on the current thread (SSE's control register, arm64's FPCR).
///
/// Csound reads them as zero from `csoundCreate` on; loading any plugin built with fast-math also
/// flushes results to zero. Pinning the mode makes renders and timings independent of which plugins
/// a machine has.
public struct FloatMode: Equatable, Sendable {
  let bits: UInt64

  /// Subnormals read as zero and flushed to zero: Csound with Debian's plugins. Round to nearest,
  /// no traps.
  public static let csound = FloatMode(bits: UInt64(cv_float_mode_csound))

  /// Subnormals computed in full, as a C program starts.
  public static let precise = FloatMode(bits: UInt64(cv_float_mode_precise))

  /// The current thread's mode.
  public static var current: FloatMode {
    get { FloatMode(bits: cv_get_float_mode()) }
    set { cv_set_float_mode(newValue.bits) }
  }
}
