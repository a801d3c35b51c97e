/// A control that approaches its target exponentially, so that a jump makes no click.
///
///     value += share (target - value),   share = 1 - e^(-1 / (seconds rate))
@frozen
public struct Smoother: BitwiseCopyable {
  /// The present value.
  public var value: Double
  /// The part of the distance that a step covers, from 0 to 1.
  @usableFromInline var share: Double

  /// Begins at `start`, at 0 if that is NaN or infinite. After `seconds` 63 % of a distance is covered, after 7 times as long 99.9 %. `rate` is the number
  /// of steps per second: `context.sampleRate` or `context.controlRate`. With 0 seconds or less it follows at once.
  @inlinable @_semantics("no_performance_analysis")
  public init(_ start: Double, seconds: Double, rate: Double) {
    value = start.isFinite ? start : 0
    share = Self.share(seconds: seconds, rate: rate)
  }

  /// A new time in seconds; `rate` as above.
  @inlinable @_semantics("no_performance_analysis")
  public mutating func setTime(seconds: Double, rate: Double) {
    share = Self.share(seconds: seconds, rate: rate)
  }

  @inlinable @_semantics("no_performance_analysis")
  static func share(seconds: Double, rate: Double) -> Double {
    seconds * rate > 0 ? -Math.expm1(-1 / (seconds * rate)) : 1
  }

  /// A step towards the target. Stays where it is when the target is NaN or infinite.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func next(_ target: Double) -> Double {
    let way = target - value
    if _fastPath(way.magnitude < .infinity) { value += share * way }
    return value
  }
}

/// A straight line from one value to another in a given number of frames, for the glide of a k-rate argument over the
/// frames of its k-cycle or for a fade.
///
/// ```swift
/// gain.go(to: arguments.gain.value, in: context.frames.count)
/// for frame in context.frames { arguments.output[frame] = arguments.input[frame] * gain.next() }
/// ```
@frozen
public struct Ramp: BitwiseCopyable {
  /// The present value.
  public var value: Double
  @usableFromInline var target: Double
  @usableFromInline var step = 0.0
  @usableFromInline var left = 0

  /// Begins at rest.
  @inlinable public init(_ start: Double) { (value, target) = (start, start) }

  /// Begins a line from the present value to `target`, which it reaches after `frames` steps; at once with 0 or less.
  /// Ignores a target that is NaN or infinite.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func go(to target: Double, in frames: Int) {
    guard target.isFinite else { return }
    self.target = target
    left = frames
    if frames > 0 { step = (target - value) / Double(frames) } else { value = target }
  }

  /// Whether the target is not reached yet.
  @inlinable public var isMoving: Bool { left > 0 }

  /// A step along the line; its last value is the target exactly.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func next() -> Double {
    if left > 0 {
      left &-= 1
      value = left == 0 ? target : value + step
    }
    return value
  }
}

/// The envelope of a signal's magnitude, with separate times for attack and release.
@frozen
public struct EnvelopeFollower: BitwiseCopyable {
  /// The present level.
  public var value = 0.0
  @usableFromInline var up: Double
  @usableFromInline var down: Double

  /// After `attack` seconds 63 % of a rise is covered, after `release` seconds 63 % of a fall. `rate` is the sample rate.
  @inlinable @_semantics("no_performance_analysis")
  public init(attack: Double, release: Double, rate: Double) {
    up = Smoother.share(seconds: attack, rate: rate)
    down = Smoother.share(seconds: release, rate: rate)
  }

  /// The level after a sample. NaN and infinity count as 0.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func next(_ sample: Double) -> Double {
    let size = sample.magnitude < .infinity ? sample.magnitude : 0
    // Compared, not asked of the difference, so that both are computed at the same time.
    value += (size > value ? up : down) * (size - value)
    if value < 1e-30 { value = 0 }
    return value
  }
}
