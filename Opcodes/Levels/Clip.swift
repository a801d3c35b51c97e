// aout CLIP ain, imethod, ilimit [, iarg]
//
// Keeps a signal within ±L, with L = ilimit, by one of three curves. With m = min(|in|, L) the output has
// the sign of the input and the size
//
//     imethod 0     m                                      for m up to a = iarg L
//                   a + d / (1 + d² / (L - a)²), d = m - a  above (B. de Jong, musicdsp.org, 2002)
//     imethod 1     L sin(π m / 2 L)
//     imethod 2     L tanh(m / L) / tanh(1)
//
// The curve of method 0 ends at (L + a) / 2. Two or eight frames are computed at once, the sine by a
// polynomial (`HalfTurn`) and tanh by `Vector.tanh`. The same as Csound's `clip` except that a limit below
// 0 is an init error, and that any other method is 0: `clip` then plays what it has not set.

import OpcodeKit

@Opcode("CLIP", "Keeps a signal within a limit, by three curves")
struct Clip: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The clipped signal.
    let output: AudioOutput
    /// The signal; NaN stays NaN.
    let input: AudioInput
    /// 0, 1 or 2, rounded; anything else counts as 0.
    let method: InitInput
    /// The limit L, in units of the signal, 0 or more; less is an init error.
    let limit: InitInput
    /// Where the curve of method 0 begins, as a part of the limit from 0 to 1; outside it is 0.999. Its
    /// sign is ignored. Default 0.5.
    @Default(0.5) let start: InitInput
  }

  private let curve: ClipCurve

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    guard arguments.limit.value >= 0, arguments.limit.value < .infinity else {
      throw OpcodeError(argument: "ilimit", is: arguments.limit.value, mustBe: "0 or more")
    }
    curve = ClipCurve(
      method: Math.whole(Math.nearestWhole(arguments.method.value), in: -1...3),
      limit: arguments.limit.value, start: arguments.start.value.magnitude)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let (input, output, frames) = (arguments.input, arguments.output, context.frames)
    switch curve.shape {
    case .corner: curve.cutCorners(input, output, frames)
    case .sine: curve.bend(input, output, frames)
    case .tanh: curve.saturate(input, output, frames)
    }
  }
}

/// A curve that ends at a limit.
package struct ClipCurve: BitwiseCopyable {
  package enum Shape: BitwiseCopyable { case corner, sine, tanh }

  package let shape: Shape
  private let limit: Double
  /// Where the corner begins, and 1 / its width²; or what a size and the result are multiplied by.
  private let start, factor, level: Double

  package init(method: Int, limit: Double, start: Double) {
    self.limit = limit
    switch method {
    case 1: (shape, self.start, factor, level) = (.sine, 0, 0.5 / limit, limit)
    case 2: (shape, self.start, factor, level) = (.tanh, 0, 1 / limit, limit / Math.tanh(1))
    default:
      shape = .corner
      self.start = limit * (start <= 1 ? start : 0.999)
      let width = limit - self.start
      factor = width > 0 ? 1 / (width * width) : 0
      level = 1
    }
  }

  @inline(__always)
  fileprivate func cutCorners(_ input: AudioInput, _ output: AudioOutput, _ frames: Range<Int>) {
    var frame = frames.lowerBound
    while frame &+ 4 <= frames.upperBound {
      let (near, far) = (input.pair(at: frame), input.pair(at: frame &+ 2))
      let loud = Pair.maximum(near.magnitude, far.magnitude)
      // Most signals are below the corner most of the time; not so NaN.
      if loud[0] <= start && loud[1] <= start && near[0] == near[0] && near[1] == near[1] {
        output.setPair(near, at: frame)
        output.setPair(far, at: frame &+ 2)
      } else {
        output.setPair(corner(near), at: frame)
        output.setPair(corner(far), at: frame &+ 2)
      }
      frame &+= 4
    }
    while frame < frames.upperBound {
      let x = input[frame]
      output[frame] = x.magnitude <= start ? x : corner(Pair(x))[0]
      frame &+= 1
    }
  }

  @inline(__always)
  private func corner(_ x: Pair) -> Pair {
    let size = Pair.minimum(Pair(limit), x.magnitude)
    let above = Pair.maximum(Pair(0), size - Pair(start))
    let below = Pair.minimum(Pair(start), size)
    return (below + above / (Pair(1) + (above * above) * Pair(factor))).withSigns(of: x)
  }

  @inline(__always)
  fileprivate func bend(_ input: AudioInput, _ output: AudioOutput, _ frames: Range<Int>) {
    var frame = frames.lowerBound
    while frame &+ 2 <= frames.upperBound {
      output.setPair(sine(input.pair(at: frame)), at: frame)
      frame &+= 2
    }
    if frame < frames.upperBound { output[frame] = sine(Pair(input[frame]))[0] }
  }

  @inline(__always)
  private func sine(_ x: Pair) -> Pair {
    let size = Pair.minimum(Pair(limit), x.magnitude)
    let part = Pair.minimum(Pair(0.5), limit > 0 ? size * Pair(factor) : size)
    return (HalfTurn.sine(part) * Pair(level)).withSigns(of: x)
  }

  @inline(__always)
  fileprivate func saturate(_ input: AudioInput, _ output: AudioOutput, _ frames: Range<Int>) {
    var frame = frames.lowerBound
    while frame &+ 8 <= frames.upperBound {
      output.setLanes(tanh(input.lanes(at: frame)), at: frame)
      frame &+= 8
    }
    while frame &+ 2 <= frames.upperBound {
      output.setPair(tanh(input.pair(at: frame)), at: frame)
      frame &+= 2
    }
    if frame < frames.upperBound { output[frame] = tanh(Pair(input[frame]))[0] }
  }

  @inline(__always) @_semantics("no_performance_analysis")
  private func tanh<V: Vector>(_ x: V) -> V {
    let size = V.minimum(V(limit), x.magnitude)
    return ((limit > 0 ? size * V(factor) : size).tanh * V(level)).withSigns(of: x)
  }
}
