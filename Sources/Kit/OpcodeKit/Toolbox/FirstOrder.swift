/// A lowpass filter of one pole, 6 dB per octave; the highpass is the input minus its output.
///
///     y[n] = (1 - p) x[n] + p y[n-1],   p = (sqrt(1 + s²) - s)²,   s = sin(π cutoff / sr)
///
/// With this p the response is exactly -3.01 dB at the cutoff, up to half the sample rate.
@frozen
public struct OnePoleFilter: BitwiseCopyable {
  /// The last output sample.
  public var state = 0.0
  /// p, from 0 (open) to 1 (holds its output).
  public var pole = 0.0

  /// An open filter; `tune` sets its cutoff.
  @inlinable public init() {}

  /// Sets the cutoff, in units of the sample rate: from 0 to 0.5; other values are limited. A tangent and a root: in a
  /// k-cycle, or when the cutoff has changed.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func tune(_ cutoff: Double) {
    let s = HalfTurn.sine(Pair(cutoff > 0 ? min(cutoff, 0.5) : 0))[0]
    let root = Math.sqrt(1 + s * s) - s
    pole = root * root
  }

  /// The lowpass output for a sample.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func next(_ sample: Double) -> Double {
    state = (1 - pole) * sample + pole * state
    return state
  }

  /// Filters frames of a signal, two at a time; output and input may be the same memory.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func process(
    _ input: AudioInput, to output: AudioOutput, in frames: Range<Int>
  ) {
    let (pole, weight, poles) = (pole, 1 - pole, pole * pole)
    var (last, frame) = (state, frames.lowerBound)
    while frame &+ 2 <= frames.upperBound {
      let first = weight * input[frame]
      let second = weight * input[frame &+ 1] + pole * first
      output[frame] = first + pole * last
      last = second + poles * last
      output[frame &+ 1] = last
      frame &+= 2
    }
    state = last
    if frame < frames.upperBound { output[frame] = next(input[frame]) }
  }

  /// Sets the state to 0 when it is below -600 dB or not finite. Call it once in each k-cycle.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func settle() {
    if !(state.magnitude > 1e-30 && state.magnitude < .infinity) { state = 0 }
  }
}

/// Takes the constant part off a signal.
///
///     y[n] = x[n] - x[n-1] + pole y[n-1]
///
/// A constant decays by 60 dB in 6.9 / (1 - pole) frames, and the response is -3 dB at about (1 - pole) sr / 2π. Source:
/// J. O. Smith, "Introduction to Digital Filters", 2007, "DC Blocker".
@frozen
public struct DCBlocker: BitwiseCopyable {
  @usableFromInline let pole: Double
  @usableFromInline var lastInput = 0.0
  @usableFromInline var lastOutput = 0.0

  /// `pole` is above -1 and below 1, usually close to 1: 0.995 is -3 dB at 38 Hz at 48 kHz.
  @inlinable public init(pole: Double) { self.pole = pole }

  /// The output for a sample.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func next(_ sample: Double) -> Double {
    lastOutput = (sample - lastInput) + pole * lastOutput
    lastInput = sample
    return lastOutput
  }

  /// Filters frames of a signal, four at a time; output and input may be the same memory.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func process(
    _ input: AudioInput, to output: AudioOutput, in frames: Range<Int>
  ) {
    var frame = frames.lowerBound
    let square = pole * pole
    let (ones, squares) = (Pair(0, pole), Pair(square))
    let near = Pair(pole, square)
    let far = near * squares
    // In order of time; only the second of the outputs is used.
    var (before, last) = (Pair(0, lastInput), Pair(0, lastOutput))
    while frame &+ 4 <= frames.upperBound {
      let (now, next) = (input.pair(at: frame), input.pair(at: frame &+ 2))
      let u = now - Pair(before[1], now[0])
      let v = next - Pair(now[1], next[0])
      let first = u + ones * Pair(u[0])
      let second = (v + ones * Pair(v[0])) + near * Pair(first[1])
      let state = Pair(last[1])
      output.setPair(first + near * state, at: frame)
      last = second + far * state
      output.setPair(last, at: frame &+ 2)
      before = next
      frame &+= 4
    }
    (lastInput, lastOutput) = (before[1], last[1])
    while frame < frames.upperBound {
      output[frame] = next(input[frame])
      frame &+= 1
    }
  }

  /// Sets the state to 0 when it is below -600 dB or not finite. Call it once in each k-cycle.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func settle() {
    if !(lastOutput.magnitude > 1e-30 && lastOutput.magnitude < .infinity) { lastOutput = 0 }
    if !lastInput.isFinite { lastInput = 0 }
  }
}

/// An allpass of first order, the part of a phaser: flat, with a phase that falls from 0 to -180° and is
/// -90° at its frequency.
///
///     y[n] = x[n-1] - b (x[n] - y[n-1]),   b = (1 - t) / (1 + t),   t = tan(π frequency / sr)
@frozen
public struct AllpassFilter: BitwiseCopyable {
  @usableFromInline var b = 0.0
  @usableFromInline var lastInput = 0.0
  @usableFromInline var lastOutput = 0.0

  @inlinable public init() {}

  /// Sets the frequency, in units of the sample rate: from 0 to 0.5; other values are limited.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func tune(_ frequency: Double) {
    let (sine, cosine) = HalfTurn.ratio(Pair(frequency > 0 ? min(frequency, 0.5) : 0))
    b = (cosine[0] - sine[0]) / (cosine[0] + sine[0])
  }

  /// The output for a sample.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func next(_ sample: Double) -> Double {
    lastOutput = lastInput - b * (sample - lastOutput)
    lastInput = sample
    return lastOutput
  }

  /// Sets the state to 0 when it is below -600 dB or not finite. Call it once in each k-cycle.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func settle() {
    let level = lastInput.magnitude + lastOutput.magnitude
    if !(level > 1e-30 && level < .infinity) { (lastInput, lastOutput) = (0, 0) }
  }
}

/// An allpass around a delay line, the part of a reverberator that makes echoes dense (M. R. Schroeder, "Natural
/// sounding artificial reverberation", Journal of the Audio Engineering Society 10(3), 1962).
///
///     y[n] = v[n-delay] - gain v[n],   v[n] = x[n] + gain v[n-delay]
@frozen
public struct DelayAllpass: BitwiseCopyable {
  /// v, for further taps.
  public var line: DelayLine

  /// Uses a line, which must be at least as long as the delay.
  @inlinable public init(_ line: DelayLine) { self.line = line }

  /// The output for a sample. `delay` is in whole samples, 1 to the line's longest; `gain` is from -1 to 1.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func next(_ sample: Double, delay: Int, gain: Double) -> Double {
    next(sample, delayed: line[delay &- 1], gain: gain)
  }

  /// The same with the delayed value of v read by the caller, for a fractional delay that moves: read at delay - 1,
  /// because the line does not have this frame's sample yet.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func next(_ sample: Double, delayed: Double, gain: Double) -> Double {
    let inner = sample + gain * delayed
    line.push(inner)
    return delayed - gain * inner
  }
}
