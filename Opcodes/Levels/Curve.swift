import OpcodeKit

/// A waveshaping curve without memory, through the origin.
package protocol Curve: BitwiseCopyable {
  func callAsFunction<V: Vector>(_ input: V) -> V

  /// The same for a single frame.
  func callAsFunction(_ input: Double) -> Double

  /// The same at a higher sample rate, where an error of -160 dB is allowed.
  func oversampled(_ input: Lanes) -> Lanes

  /// The magnitude up to which a signal passes unchanged; 0 when none does.
  var straight: Double { get }
}

extension Curve {
  @inline(__always) package func callAsFunction(_ input: Double) -> Double { self(Pair(input))[0] }

  @inline(__always) @_semantics("no_performance_analysis")
  package func oversampled(_ input: Lanes) -> Lanes { self(input) }

  @inline(__always) package var straight: Double { 0 }

  @inline(__always)
  func shape(_ input: AudioInput, to output: AudioOutput, in frames: Range<Int>) {
    guard frames.count == 1 else { return shapeAll(input, to: output, in: frames) }
    let x = input[frames.lowerBound]
    output[frames.lowerBound] = x.magnitude <= straight ? x : value(at: x)
  }

  // Not inlined, so that the code is there once.
  @inline(never)
  private func value(at x: Double) -> Double { self(x) }

  // Not inlined, so that the code of a curve is there once for a signal and for an array.
  // Frames alone, because a whole `context` would be passed in memory.
  @inline(never)
  private func shapeAll(_ input: AudioInput, to output: AudioOutput, in frames: Range<Int>) {
    var frame = frames.lowerBound
    while frame &+ 8 <= frames.upperBound {
      let x = input.lanes(at: frame)
      output.setLanes(_fastPath(!x.isWithin(straight)) ? self(x) : x, at: frame)
      frame &+= 8
    }
    while frame &+ 2 <= frames.upperBound {
      output.setPair(self(input.pair(at: frame)), at: frame)
      frame &+= 2
    }
    if frame < frames.upperBound {
      let x = input[frame]
      output[frame] = x.magnitude <= straight ? x : value(at: x)
    }
  }

  /// The same at a higher sample rate.
  @inline(never)
  func shape(
    _ input: AudioInput, to output: AudioOutput, in frames: Range<Int>,
    by oversampler: inout Oversampler
  ) {
    oversampler.process(input, to: output, in: frames) { oversampled($0) }
  }

  /// Throws when another opcode has changed the length of either array since the init pass.
  @inline(__always)
  func shape(
    _ input: ArrayInput<AudioInput>, to output: ArrayOutput<AudioOutput>, _ context: Context
  ) throws(OpcodeError) {
    let count = input.count
    guard output.count == count else {
      throw OpcodeError("the length of its array has changed since the init pass.")
    }
    var channel = 0
    while channel < count {
      shape(input[channel], to: output[channel], in: context.frames)
      channel &+= 1
    }
  }

  /// The same at a higher sample rate, with an oversampler for each signal.
  @inline(__always)
  func shape(
    _ input: ArrayInput<AudioInput>, to output: ArrayOutput<AudioOutput>, _ context: Context,
    by oversamplers: Buffer<Oversampler>
  ) throws(OpcodeError) {
    let count = input.count
    guard output.count == count, oversamplers.count >= count else {
      throw OpcodeError("the length of its array has changed since the init pass.")
    }
    var channel = 0
    while channel < count {
      shape(
        input[channel], to: output[channel], in: context.frames, by: &oversamplers[channel])
      channel &+= 1
    }
  }
}

/// A curve whose antiderivative is known.
protocol IntegrableLanes: Curve {
  /// The antiderivative that is 0 at 0.
  func integral(_ input: Lanes) -> Lanes

  /// The magnitude of a usual signal.
  var limit: Double { get }
}

/// The means of a curve over the straight lines from each sample to the next (`Antiderivative`), for eight at once.
struct LineMeans: BitwiseCopyable {
  private var last = 0.0, lastIntegral = 0.0

  /// The means for the first `count` samples; there are no more where a k-cycle ends.
  @inline(__always) @_semantics("no_performance_analysis")
  mutating func next<C: IntegrableLanes>(_ input: Lanes, count: Int, of curve: C) -> Lanes {
    let integral = curve.integral(input)
    let before = input.shifted(from: last)
    let step = input - before
    let quotient = (integral - integral.shifted(from: lastIntegral)) / step
    (last, lastIntegral) = (input[count &- 1], integral[count &- 1])
    // Nearer than that the difference of the integrals has lost its digits.
    let near = Lanes(1e-5) * (Lanes(curve.limit) + input.magnitude)
    return quotient.replaced(
      where: step.magnitude, isBelow: near, by: curve(Lanes(0.5) * (input + before)))
  }
}

extension IntegrableLanes {
  /// The same at a higher sample rate, by means over lines.
  @inline(__always)
  func shape(
    _ input: AudioInput, to output: AudioOutput, in frames: Range<Int>,
    by oversampler: inout Oversampler, _ means: inout LineMeans
  ) {
    if oversampler.isIdle, input.isSilent(in: frames) {
      means = LineMeans()
      output.silence(frames)
      return
    }
    var inner = means
    oversampler.process(input, to: output, in: frames) { samples, _, count in
      inner.next(samples, count: count, of: self)
    }
    means = inner
  }
}

extension Oversampler {
  /// Twice the sample rate for `Quality.exact`, four times for `Quality.best`.
  package init(_ quality: Quality) { self.init(times: quality == .best ? 4 : 2) }
}

extension Context {
  /// An oversampler for each of `count` signals in the opcode's buffer; none for `Quality.original`.
  func oversamplers(_ quality: Quality, count: Int) throws(OpcodeError) -> Buffer<Oversampler> {
    try oversamplers(times: quality == .best ? 4 : 2, count: quality == .original ? 0 : count)
  }
}
