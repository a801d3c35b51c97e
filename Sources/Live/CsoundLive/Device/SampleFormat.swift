import CALSA

/// A device's sample format, little-endian.
///
/// For the integer formats samples are rounded to the nearest value, halves to even, and clipped at full scale, without
/// dither.
public enum SampleFormat: Int, CaseIterable, BitwiseCopyable, Sendable {
  /// Best first.
  case float32, signed32, signed24, signed24Packed, signed16

  var code: snd_pcm_format_t {
    switch self {
    case .float32: SND_PCM_FORMAT_FLOAT_LE
    case .signed32: SND_PCM_FORMAT_S32_LE
    case .signed24: SND_PCM_FORMAT_S24_LE
    case .signed24Packed: SND_PCM_FORMAT_S24_3LE
    case .signed16: SND_PCM_FORMAT_S16_LE
    }
  }

  /// ALSA's name for it.
  public var name: String { String(cString: snd_pcm_format_name(code)) }

  var bytes: Int {
    switch self {
    case .float32, .signed32, .signed24: 4
    case .signed24Packed: 3
    case .signed16: 2
    }
  }

  /// The number that full scale is in this format.
  @inline(__always) private var scale: Double {
    switch self {
    case .float32: 1
    case .signed32: 2_147_483_648
    case .signed24, .signed24Packed: 8_388_608
    case .signed16: 32768
    }
  }

  @inline(__always) private static func whole(_ sample: Double, _ scale: Double) -> Int32 {
    // 1.5 · 2^52. Adding it rounds to the nearest integer, halves to even, as the sum has no room for a fraction.
    let wide = 6_755_399_441_055_744.0
    return Int32(max(-scale, min(scale - 1, (sample * scale + wide) - wide)))
  }

  /// Writes finite samples, full scale at 1, in the device's format. [performance: no allocation, no locks]
  @inline(__always)
  func encode(_ samples: UnsafePointer<Double>, _ count: Int, _ target: UnsafeMutableRawPointer) {
    let scale = scale
    for index in 0..<count {
      if self == .float32 {
        target.storeBytes(of: Float(samples[index]), toByteOffset: 4 &* index, as: Float.self)
        continue
      }
      let value = Self.whole(samples[index], scale)
      switch self {
      case .float32, .signed32, .signed24:
        target.storeBytes(of: value, toByteOffset: 4 &* index, as: Int32.self)
      case .signed24Packed:
        target.storeBytes(
          of: Int16(truncatingIfNeeded: value), toByteOffset: 3 &* index, as: Int16.self)
        target.storeBytes(
          of: Int8(truncatingIfNeeded: value >> 16), toByteOffset: 3 &* index &+ 2, as: Int8.self)
      case .signed16:
        target.storeBytes(
          of: Int16(truncatingIfNeeded: value), toByteOffset: 2 &* index, as: Int16.self)
      }
    }
  }

  /// Reads samples of the device, full scale at 1. [performance: no allocation, no locks]
  @inline(__always)
  func decode(_ source: UnsafeRawPointer, _ count: Int, _ samples: UnsafeMutablePointer<Double>) {
    let factor = 1 / scale
    for index in 0..<count {
      switch self {
      case .float32:
        samples[index] = Double(source.loadUnaligned(fromByteOffset: 4 &* index, as: Float.self))
      case .signed32:
        let value = source.loadUnaligned(fromByteOffset: 4 &* index, as: Int32.self)
        samples[index] = Double(value) * factor
      case .signed24:
        let value = source.loadUnaligned(fromByteOffset: 4 &* index, as: Int32.self)
        samples[index] = Double((value << 8) >> 8) * factor
      case .signed24Packed:
        let low = source.loadUnaligned(fromByteOffset: 3 &* index, as: UInt16.self)
        let high = source.loadUnaligned(fromByteOffset: 3 &* index &+ 2, as: Int8.self)
        samples[index] = Double(Int32(high) << 16 | Int32(low)) * factor
      case .signed16:
        let value = source.loadUnaligned(fromByteOffset: 2 &* index, as: Int16.self)
        samples[index] = Double(value) * factor
      }
    }
  }
}
