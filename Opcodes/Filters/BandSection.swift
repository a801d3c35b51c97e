import OpcodeKit

/// A second-order section as a state variable filter with trapezoidal integrators (A. Simper, "Linear Trapezoidal
/// Integrated State Variable Filter", 2013), whose coefficients can move in straight lines. The state stays bounded
/// then, as the coefficients at either end shrink it.
///
///     y = direct x + out · s        s = column1 s1 + column2 s2 + entry x
struct BandSection: BitwiseCopyable {
  /// The coefficients. With g the gain of an integrator, d the damping and k = 1 / (1 + g d + g²), the matrix is 2 k - 1,
  /// -2 g k; 2 g k, 1 - 2 g² k, and the input enters by what is missing there: 2 g k, 2 g² k.
  struct Numbers: BitwiseCopyable {
    var column1 = Pair(0), column2 = Pair(0), out = Pair(0)
    var direct = 1.0

    /// Changes nothing.
    init() {}

    init(_ shape: SectionShape) {
      let (zeros, poles) = (shape.zeros, shape.poles)
      let gain = Math.sqrt(poles.constant)
      let keep = 1 / (1 + poles.linear + poles.constant)
      let (turn, pull) = (gain * keep, poles.constant * keep)
      column1 = Pair(2 * keep - 1, 2 * turn)
      column2 = Pair(-2 * turn, 1 - 2 * pull)
      let band = gain > 0 ? (zeros.linear - zeros.square * poles.linear) / gain : 0
      let low = gain > 0 ? zeros.constant / poles.constant - zeros.square : 0
      out = Pair(band * keep + low * turn, low * (1 - pull) - band * turn)
      direct = zeros.square + band * turn + low * pull
    }

    @inline(__always)
    var entry: Pair { Pair(0, 1) - column2 }

    /// The states after a frame.
    @inline(__always)
    func next(_ states: Pair, _ x: Double) -> Pair {
      (entry * Pair(x) + column1 * Pair(states[0])) + column2 * Pair(states[1])
    }

    /// The output of a frame, with the states before it.
    @inline(__always)
    func output(_ states: Pair, _ x: Double) -> Double {
      let sum = out * states
      return direct * x + (sum[0] + sum[1])
    }

    /// Both.
    @inline(__always)
    func take(_ x: Double, _ states: inout Pair) -> Double {
      defer { states = next(states, x) }
      return output(states, x)
    }

    /// The step of a frame on the way to other numbers.
    func step(to end: Numbers, in frames: Double) -> Numbers {
      let part = Pair(1 / frames)
      var step = Numbers()
      step.column1 = (end.column1 - column1) * part
      step.column2 = (end.column2 - column2) * part
      step.out = (end.out - out) * part
      step.direct = (end.direct - direct) * part[0]
      return step
    }

    @inline(__always)
    static func + (_ a: Numbers, _ b: Numbers) -> Numbers {
      var sum = a
      sum.column1 = a.column1 + b.column1
      sum.column2 = a.column2 + b.column2
      sum.out = a.out + b.out
      sum.direct = a.direct + b.direct
      return sum
    }
  }

  private var now = Numbers(), end = Numbers(), step = Numbers()
  private var states = Pair(0)
  /// Whether `ahead` belongs to `now`.
  private var isAhead = false
  private var ahead = Ahead()

  /// Four frames at once, with constant coefficients: the outputs for each state and each input, and the states four
  /// frames later.
  private struct Ahead: BitwiseCopyable {
    var output1 = Quad(0), output2 = Quad(0)
    var outputs = (Quad(0), Quad(0), Quad(0), Quad(0))
    var state1 = Pair(0), state2 = Pair(0)
    var states = (Pair(0), Pair(0), Pair(0), Pair(0))

    init() {}

    init(_ numbers: Numbers) {
      func four(_ first: Double, _ states: inout Pair) -> Quad {
        let a = Pair(numbers.take(first, &states), numbers.take(0, &states))
        let b = Pair(numbers.take(0, &states), numbers.take(0, &states))
        return Quad(values: SIMD4(lowHalf: a.values, highHalf: b.values))
      }
      (state1, state2) = (Pair(1, 0), Pair(0, 1))
      (output1, output2) = (four(0, &state1), four(0, &state2))
      states.3 = numbers.entry
      states.2 = numbers.next(states.3, 0)
      states.1 = numbers.next(states.2, 0)
      var last = Pair(0)
      outputs.0 = four(1, &last)
      states.0 = last
      outputs.1 = Quad(values: SIMD4(0, outputs.0[0], outputs.0[1], outputs.0[2]))
      outputs.2 = Quad(values: SIMD4(0, 0, outputs.0[0], outputs.0[1]))
      outputs.3 = Quad(values: SIMD4(0, 0, 0, outputs.0[0]))
    }
  }

  init() {}

  /// Takes numbers at once.
  mutating func jump(to numbers: Numbers) { (now, end, isAhead) = (numbers, numbers, false) }

  /// Begins a line to other numbers.
  mutating func go(to numbers: Numbers, in frames: Double) {
    end = numbers
    step = now.step(to: end, in: frames)
  }

  /// Ends the line.
  mutating func arrive() { jump(to: end) }

  /// Filters frames with constant coefficients; the output may be the input.
  @inline(__always)
  mutating func hold(_ input: AudioInput, _ output: AudioOutput, _ frames: Range<Int>) {
    settle()
    var frame = frames.lowerBound
    if frame &+ 4 <= frames.upperBound { frame = holdFours(input, output, frames) }
    while frame < frames.upperBound {
      output[frame] = now.take(input[frame], &states)
      frame &+= 1
    }
  }

  /// Sets the state to 0 when it is below -600 dB, too large, or NaN.
  @inline(__always)
  private mutating func settle() {
    let level = states[0].magnitude + states[1].magnitude
    if !(level >= 1e-30 && level < 1e100) { states = Pair(0) }
  }

  /// On the line, two frames at once: the product of both matrices does not wait for the states.
  @inline(never)
  mutating func move(_ input: AudioInput, _ output: AudioOutput, _ frames: Range<Int>) {
    settle()
    var (now, states, frame) = (now, states, frames.lowerBound)
    let step = step
    while frame &+ 2 <= frames.upperBound {
      let first = now + step
      now = first + step
      let (x, y) = (input[frame], input[frame &+ 1])
      let entered = now.next(first.entry * Pair(x), y)
      let one = now.column1 * Pair(first.column1[0]) + now.column2 * Pair(first.column1[1])
      let two = now.column1 * Pair(first.column2[0]) + now.column2 * Pair(first.column2[1])
      output[frame] = first.output(states, x)
      output[frame &+ 1] = now.output(first.next(states, x), y)
      states = (entered + one * Pair(states[0])) + two * Pair(states[1])
      frame &+= 2
    }
    if frame < frames.upperBound {
      now = now + step
      output[frame] = now.take(input[frame], &states)
    }
    (self.now, self.states) = (now, states)
  }

  /// Four frames at once, as often as they fit; returns the first frame that is left.
  @inline(never)
  private mutating func holdFours(
    _ input: AudioInput, _ output: AudioOutput, _ frames: Range<Int>
  ) -> Int {
    if !isAhead { (ahead, isAhead) = (Ahead(now), true) }
    var (states, frame) = (states, frames.lowerBound)
    let ahead = ahead
    while frame &+ 4 <= frames.upperBound {
      let a = input.quad(at: frame)
      let known =
        (ahead.outputs.0 * Quad(a[0]) + ahead.outputs.1 * Quad(a[1]))
        + (ahead.outputs.2 * Quad(a[2]) + ahead.outputs.3 * Quad(a[3]))
      let entered =
        (ahead.states.0 * Pair(a[0]) + ahead.states.1 * Pair(a[1]))
        + (ahead.states.2 * Pair(a[2]) + ahead.states.3 * Pair(a[3]))
      let (one, two) = (states[0], states[1])
      output.setQuad(known + (ahead.output1 * Quad(one) + ahead.output2 * Quad(two)), at: frame)
      states = (entered + ahead.state1 * Pair(one)) + ahead.state2 * Pair(two)
      frame &+= 4
    }
    self.states = states
    return frame
  }
}
