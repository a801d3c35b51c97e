import OpcodeKit

/// The line, the taps and the feedback of `TAPS`.
struct TapBank: BitwiseCopyable {
  /// A tap in a k-cycle: the value before its first frame, the step of a frame, and the value at its last one. The time is
  /// in samples.
  struct Tap: BitwiseCopyable {
    var time = Glide(), gain = Glide()
  }

  struct Glide: BitwiseCopyable {
    private(set) var start = 0.0, step = 0.0, end = 0.0

    /// Stays at a value.
    @inline(__always)
    mutating func stay(at value: Double) { (start, step, end) = (value, 0, value) }

    /// Begins a line from the last value to another in a number of frames.
    @inline(__always)
    mutating func go(to value: Double, in frames: Int) {
      start = end
      step = value == end ? 0 : (value - end) / Double(frames)
      end = value
    }
  }

  /// Taps in this k-cycle, at most sixteen.
  private(set) var count = 0
  private let taps: Buffer<Tap>
  /// Holds a k-cycle more than the longest delay, so that taps are read after a whole k-cycle has been written.
  private var line: DelayLine
  private let longest: Double
  private let sampleRate: Double
  private var lowpass = OnePoleFilter()
  private var (feedback, cutoff, drive) = (0.0, 0.0, 0.0)

  init(maximum: Double, _ context: Context) throws(OpcodeError) {
    guard (0...3600).contains(maximum) else {
      throw OpcodeError(argument: "imaximum", is: maximum, mustBe: "from 0 to 3600 s")
    }
    sampleRate = context.sampleRate
    taps = try context.buffer(0, of: Tap.self, count: 16)
    longest = maximum * sampleRate
    line = try DelayLine(longest: longest + Double(context.ksmps), context, buffer: 1)
  }

  /// A time in samples, from 0 to the longest; NaN becomes 0.
  @inline(__always)
  private func limited(_ seconds: Double) -> Double {
    let time = seconds * sampleRate
    return time > 0 ? min(time, longest) : 0
  }

  @inline(__always)
  private static func finite(_ value: Double) -> Double {
    value.magnitude < .infinity ? value : 0
  }

  /// Takes the controls of a k-cycle. A tap that was not there before begins with its values.
  @inline(__always)
  mutating func aim<Time: Signal>(
    _ times: ArrayInput<Time>, _ gains: ArrayInput<ControlInput>, feedback: Double,
    cutoff: Double, drive: Double, frames: Range<Int>, most: Int = .max
  ) {
    let known = count
    count = min(min(times.count, gains.count), min(taps.count, most))
    for tap in 0..<count {
      let time = Time.isAudioRate ? 0 : limited(times[tap][0])
      let gain = Self.finite(gains[tap].value)
      if tap < known {
        taps[tap].time.go(to: time, in: frames.count)
        taps[tap].gain.go(to: gain, in: frames.count)
      } else {
        taps[tap].time.stay(at: time)
        taps[tap].gain.stay(at: gain)
      }
    }
    self.drive = drive > 0 && drive < 1e6 ? drive : 0
    self.feedback =
      self.drive > 0 ? Self.finite(feedback) : max(-1, min(1, Self.finite(feedback)))
    if cutoff != self.cutoff {
      self.cutoff = cutoff
      lowpass.tune(cutoff > 0 ? cutoff / sampleRate : 0)
    }
    lowpass.settle()
  }

  /// Processes frames, tap by tap.
  @inline(__always)
  mutating func perform<Time: Signal, Outputs: TapOutputs>(
    _ input: AudioInput, _ times: ArrayInput<Time>, to outputs: Outputs, _ frames: Range<Int>
  ) {
    fill(input, times, frames)
    for tap in 0..<count {
      let gain = taps[tap].gain
      var frame = frames.lowerBound
      if !Time.isAudioRate, taps[tap].time.step == 0, gain.step == 0 {
        let still = DelayTap(delay: taps[tap].time.start)
        let weights = DelayWeights(still, gain: gain.start)
        while frame &+ 4 <= frames.upperBound {
          let age = still.age &+ (frames.upperBound &- frame &- 4)
          outputs.write(line.values(at: age, weights), of: tap, at: frame)
          frame &+= 4
        }
      }
      while frame &+ 4 <= frames.upperBound {
        let steps = Self.steps(frame, frames)
        let gains = Quad(gain.start) + steps * Quad(gain.step)
        let age = Double(frames.upperBound &- frame &- 4)
        outputs.write(read(tap, times, frame, steps, age: age) * gains, of: tap, at: frame)
        frame &+= 4
      }
      while frame < frames.upperBound {
        let step = Double(frame &- frames.lowerBound &+ 1)
        let value = line.read(
          at: time(tap, times, frame, step), age: Double(frames.upperBound &- frame &- 1))
        outputs.write(value * (gain.start + step * gain.step), of: tap, at: frame)
        frame &+= 1
      }
    }
  }

  /// Writes the frames of a k-cycle into the line, with the feedback.
  @inline(__always)
  private mutating func fill<Time: Signal>(
    _ input: AudioInput, _ times: ArrayInput<Time>, _ frames: Range<Int>
  ) {
    let (last, isFed) = (max(0, count &- 1), feedback != 0 && count > 0)
    // A NaN would stay in the feedback.
    let isSound = Self.isFinite(input, in: frames)
    var frame = frames.lowerBound
    if !isFed || isLong(times, in: frames) {
      let still = DelayTap(delay: taps[last].time.start)
      let weights = DelayWeights(still)
      let isStill = !Time.isAudioRate && taps[last].time.step == 0
      while frame &+ 4 <= frames.upperBound {
        var value = isSound ? input.quad(at: frame) : Quad(0)
        if isFed {
          let fed =
            isStill
            ? line.values(at: still.age &- 4, weights)
            : read(last, times, frame, Self.steps(frame, frames), age: -4)
          value = value + Quad(feedback) * filtered(fed)
        }
        line.push(saturated(value))
        frame &+= 4
      }
    }
    while frame < frames.upperBound {
      var value = isSound ? input[frame] : 0
      if isFed {
        let time = time(last, times, frame, Double(frame &- frames.lowerBound &+ 1))
        value += feedback * filtered(line.cubic(at: max(0, time - 1)))
      }
      line.push(saturated(Pair(value))[0])
      frame &+= 1
    }
  }

  /// The numbers of four frames from the first one of a k-cycle, which is 1.
  @inline(__always)
  private static func steps(_ frame: Int, _ frames: Range<Int>) -> Quad {
    Quad(values: SIMD4(1, 2, 3, 4)) + Quad(Double(frame &- frames.lowerBound))
  }

  /// A tap's time in samples.
  @inline(__always)
  private func time<Time: Signal>(
    _ tap: Int, _ times: ArrayInput<Time>, _ frame: Int, _ step: Double
  ) -> Double {
    Time.isAudioRate
      ? limited(times[tap][frame]) : taps[tap].time.start + step * taps[tap].time.step
  }

  /// A tap's values for four frames, of which the last is `age` samples older than the newest in the line, or not yet there.
  @inline(__always)
  private func read<Time: Signal>(
    _ tap: Int, _ times: ArrayInput<Time>, _ frame: Int, _ steps: Quad, age: Double
  ) -> Quad {
    let time = taps[tap].time
    var delays = Quad(time.start) + steps * Quad(time.step)
    if Time.isAudioRate {
      delays = Quad.minimum(
        .maximum(times[tap].quad(at: frame) * Quad(sampleRate), Quad(0)), Quad(longest))
    }
    guard delays.least < 1 else { return line.cubics(at: delays + Quad(age)) }
    return Quad(
      values: SIMD4(
        line.read(at: delays[0], age: age + 3), line.read(at: delays[1], age: age + 2),
        line.read(at: delays[2], age: age + 1), line.read(at: delays[3], age: age)))
  }

  /// Whether the last tap is so long in all frames that four of them can be read before they are written.
  @inline(__always)
  private func isLong<Time: Signal>(_ times: ArrayInput<Time>, in frames: Range<Int>) -> Bool {
    let last = count &- 1
    guard Time.isAudioRate else {
      return min(taps[last].time.start, taps[last].time.end) >= 6
    }
    var (frame, shortest) = (frames.lowerBound, Quad(.infinity))
    while frame &+ 4 <= frames.upperBound {
      // A NaN becomes 0.
      shortest = .minimum(.maximum(times[last].quad(at: frame), Quad(0)), shortest)
      frame &+= 4
    }
    return min(shortest.least * sampleRate, longest) >= 6
  }

  @inline(__always)
  private static func isFinite(_ input: AudioInput, in frames: Range<Int>) -> Bool {
    var (frame, sum) = (frames.lowerBound, Quad(0))
    while frame &+ 4 <= frames.upperBound {
      sum = sum + Quad(0) * input.quad(at: frame)
      frame &+= 4
    }
    var rest = (sum[0] + sum[1]) + (sum[2] + sum[3])
    while frame < frames.upperBound {
      rest += 0 * input[frame]
      frame &+= 1
    }
    return rest == 0
  }

  @inline(__always)
  private mutating func filtered(_ sample: Double) -> Double {
    cutoff > 0 ? lowpass.next(sample) : sample
  }

  @inline(__always)
  private mutating func filtered(_ four: Quad) -> Quad {
    guard cutoff > 0 else { return four }
    var filter = lowpass
    let (a, b) = (filter.next(four[0]), filter.next(four[1]))
    let (c, d) = (filter.next(four[2]), filter.next(four[3]))
    lowpass = filter
    return Quad(values: SIMD4(a, b, c, d))
  }

  /// What goes into the line. Below -600 dB it is rounded off, because numbers near 0 are slow.
  @inline(__always) @_semantics("no_performance_analysis")
  private func saturated<V: Vector>(_ value: V) -> V {
    let value = (value + V(1e-15)) - V(1e-15)
    return drive > 0 ? (value * V(drive)).tanh * V(1 / drive) : value
  }
}

/// Where the taps are heard.
protocol TapOutputs: BitwiseCopyable {
  func write(_ values: Quad, of tap: Int, at frame: Int)
  func write(_ value: Double, of tap: Int, at frame: Int)
}

/// Their sum, which the first one begins.
struct TapSum: TapOutputs {
  let output: AudioOutput

  @inline(__always)
  func write(_ values: Quad, of tap: Int, at frame: Int) {
    output.setQuad(tap == 0 ? values : output.written.quad(at: frame) + values, at: frame)
  }

  @inline(__always)
  func write(_ value: Double, of tap: Int, at frame: Int) {
    output[frame] = tap == 0 ? value : output[frame] + value
  }
}

/// Each by itself.
struct TapSignals: TapOutputs {
  let outputs: ArrayOutput<AudioOutput>

  @inline(__always)
  func write(_ values: Quad, of tap: Int, at frame: Int) {
    outputs[tap].setQuad(values, at: frame)
  }

  @inline(__always)
  func write(_ value: Double, of tap: Int, at frame: Int) { outputs[tap][frame] = value }
}

extension DelayLine {
  /// The value at a delay before a sample that is `age` samples older than the newest; linear below one sample, whatever
  /// comes after.
  @inline(__always)
  fileprivate func read(at delay: Double, age: Double) -> Double {
    delay < 1 ? linear(at: delay + age) : cubic(at: delay + age)
  }
}

extension Quad {
  @inline(__always)
  fileprivate var least: Double { min(min(self[0], self[1]), min(self[2], self[3])) }
}
