import CVector

/// How the processor treats subnormal numbers on the current thread (SSE control register).
///
/// Csound reads them as zero from `csoundCreate` on; loading any plugin built with fast-math also
/// flushes results to zero. Pinning the mode makes renders and timings independent of which plugins
/// a machine has.
public struct FloatMode: Equatable, Sendable {
  let bits: UInt32

  /// Subnormals read as zero and flushed to zero: Csound with Debian's plugins. Round to nearest,
  /// no traps.
  public static let csound = FloatMode(bits: 0x9FC0)

  /// Subnormals computed in full, as a C program starts.
  public static let precise = FloatMode(bits: 0x1F80)

  /// The current thread's mode.
  public static var current: FloatMode {
    get { FloatMode(bits: cv_get_float_mode()) }
    set { cv_set_float_mode(newValue.bits) }
  }
}
