/// A source that computes sound one k-cycle at a time, as interleaved frames.
public protocol CycleSource {
  /// Frames in a cycle.
  var ksmps: Int { get }
  var channels: Int { get }
  var inputChannels: Int { get }
  /// The frames of the last cycle.
  var output: UnsafePointer<Double> { get }
  /// Memory for the input of the next cycle; nil without input channels.
  var input: UnsafeMutablePointer<Double>? { get }
  /// Performs one cycle. False if the source has ended. [performance: no allocation, no locks]
  mutating func performCycle() -> Bool
}

/// Computes periods of any length from k-cycles of one length.
///
/// Without input the output is never delayed: a cycle is performed when its first frame is wanted. With input, a cycle
/// cannot be performed before its last input frame has arrived; that delays the output by `latency` frames. For
/// periods of one length this is ksmps − gcd(period, ksmps), for periods of varying lengths ksmps − 1. With less, some
/// period would not have enough frames.
public struct CycleAdapter: BitwiseCopyable {
  /// Frames from input to output, in addition to the device's own.
  public let latency: Int
  /// Frames of silence that are still to be output before the first cycle.
  private var silence: Int
  /// Frames of the last cycle that have been output.
  private var taken: Int
  /// Frames of the next cycle's input that have arrived.
  private var given = 0
  /// Whether the source has ended.
  public private(set) var hasEnded = false

  /// `latency` is the value of `latency(ksmps:period:)`, or 0 without input.
  public init(ksmps: Int, latency: Int) {
    self.latency = latency
    silence = latency
    taken = ksmps
  }

  /// The least latency from input to output, in frames; `period` is nil if periods differ in length.
  public static func latency(ksmps: Int, period: Int?) -> Int {
    guard let period else { return ksmps - 1 }
    var (large, small) = (ksmps, period)
    while small != 0 { (large, small) = (small, large % small) }
    return ksmps - large
  }

  /// Computes the next `count` frames. `input` has as many frames, in the source's input channels; nil without input.
  /// After the end of the source the rest is silence. [performance: no allocation, no locks]
  @inline(__always)
  public mutating func fill(
    _ output: UnsafeMutablePointer<Double>, _ count: Int, from input: UnsafePointer<Double>?,
    _ source: inout some CycleSource
  ) {
    let (channels, ksmps) = (source.channels, source.ksmps)
    var (done, used) = (0, 0)
    while done < count {
      var length = 0
      if silence > 0 || hasEnded {
        length = hasEnded ? count &- done : min(silence, count &- done)
        Self.clear(output + done &* channels, length &* channels)
        if !hasEnded { silence &-= length }
      } else if taken == ksmps {
        used &+= give(input, used, count, &source)
        given = 0
        if source.performCycle() { taken = 0 } else { hasEnded = true }
      } else {
        length = min(count &- done, ksmps &- taken)
        Self.copy(
          source.output + taken &* channels, output + done &* channels, length &* channels)
        taken &+= length
      }
      done &+= length
    }
    _ = give(input, used, count, &source)
  }

  /// Copies input into the rest of the next cycle's input. Returns how many frames were copied.
  @inline(__always)
  private mutating func give(
    _ input: UnsafePointer<Double>?, _ used: Int, _ count: Int, _ source: inout some CycleSource
  ) -> Int {
    guard let input, let target = source.input else { return 0 }
    let channels = source.inputChannels
    let length = min(source.ksmps &- given, count &- used)
    Self.copy(input + used &* channels, target + given &* channels, length &* channels)
    given &+= length
    return length
  }

  @inline(__always) private static func copy(
    _ source: UnsafePointer<Double>, _ target: UnsafeMutablePointer<Double>, _ count: Int
  ) {
    UnsafeMutableRawPointer(target).copyMemory(
      from: source, byteCount: count &* MemoryLayout<Double>.stride)
  }

  @inline(__always) private static func clear(_ samples: UnsafeMutablePointer<Double>, _ count: Int)
  {
    for index in 0..<count { samples[index] = 0 }
  }
}
