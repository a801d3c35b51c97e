// aout RSPLINE xmin, xmax, kcpsmin, kcpsmax
// kout RSPLINE kmin, kmax, kcpsmin, kcpsmax
//
// A random curve without corners: it passes through random points between xmin and xmax, and how many of them there are
// in a second is random, too, between kcpsmin and kcpsmax, new after each.
//
//     out = xmin + (xmax - xmin) (f0 + x (d0 + x (c2 + x c3))),   x from 0 to 1 between two points
//
// with points f0, f1, f2, slopes d0 and d1 = (f2 - f0) / 2, c3 = d0 + d1 - 2 (f1 - f0), c2 = 3 (f1 - f0) - 2 d0 - d1 (E.
// Catmull and R. Rom, "A class of local interpolating splines", 1974, doi:10.1016/B978-0-12-079050-0.50020-5). Between
// points the curve can leave the range by up to an eighth of its width.
//
// The same curve as Csound's `rspline`, with these differences:
// - the random numbers are others: a plugin cannot draw from Csound's own generator. The orchestra's `seed` determines
//   them, too, and each call has its own;
// - at audio rate the points of `rspline` lie in twice the range, from xmin - (xmax - xmin) to xmax; here all are in it;
// - xmin and xmax can have different rates. `rspline` takes xmax to have the rate of xmin;
// - at most one point is passed in a frame, and a rate below 0 counts as 0. `rspline` leaves the range without end there.
//
// Four frames are computed at once.
//
// Category: Signal Generators:Random (Noise) Generators

import OpcodeKit

@Opcode("RSPLINE.a", "Random curve without corners")
struct RandomSpline<Low: Signal, High: Signal>: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The curve.
    let output: AudioOutput
    /// Lower end of the range of points; k-rate or a-rate.
    let low: Low
    /// Upper end of the range of points; k-rate or a-rate.
    let high: High
    /// Lowest number of points in a second; below 0 and for NaN it is 0.
    let slowest: ControlInput
    /// Highest number of points in a second; below 0 and for NaN it is 0.
    let fastest: ControlInput
  }

  private var curve: RandomCurve

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    curve = try RandomCurve(context, rate: context.sampleRate)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let (slowest, fastest) = (arguments.slowest.value, arguments.fastest.value)
    var (frame, end) = (context.frames.lowerBound, context.frames.upperBound)
    if end &- frame == 1 {
      curve.turn(slowest, fastest)
      let (low, high) = (arguments.low[frame], arguments.high[frame])
      arguments.output[frame] = curve.passed() * (high - low) + low
      return
    }
    var curve = curve
    while frame < end {
      curve.turn(slowest, fastest)
      let step = curve.fourSteps
      var places = curve.places
      // None of the four is behind the next point.
      while frame &+ 4 <= end, places[3] < 1 {
        let low = arguments.low.quad(at: frame)
        let high = arguments.high.quad(at: frame)
        arguments.output.setQuad(curve.value(places) * (high - low) + low, at: frame)
        places = places + step
        frame &+= 4
      }
      curve.place = places[0]
      while frame < end, curve.place < 1 {
        let (low, high) = (arguments.low[frame], arguments.high[frame])
        arguments.output[frame] = curve.passed() * (high - low) + low
        frame &+= 1
      }
    }
    self.curve = curve
  }
}

@Opcode("RSPLINE.k", "Random curve without corners")
struct ControlRandomSpline: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    /// The curve.
    let output: ControlOutput
    /// Lower end of the range of points.
    let low: ControlInput
    /// Upper end of the range of points.
    let high: ControlInput
    /// Lowest number of points in a second; below 0 and for NaN it is 0.
    let slowest: ControlInput
    /// Highest number of points in a second; below 0 and for NaN it is 0.
    let fastest: ControlInput
  }

  private var curve: RandomCurve

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    curve = try RandomCurve(context, rate: context.controlRate)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    curve.turn(arguments.slowest.value, arguments.fastest.value)
    let low = arguments.low.value
    arguments.output.value = curve.passed() * (arguments.high.value - low) + low
  }
}

/// A cubic from one random point to the next.
private struct RandomCurve: BitwiseCopyable {
  private var noise: Noise
  private let interval: Double
  /// Where it is between two points; from 1 on `turn` goes to the next.
  var place = 1.0
  /// By how much the place grows in a frame.
  private var step = 0.0
  /// The points before, next and after the next; the slope at the next one, and the cubic's coefficients.
  private var before = 0.0
  private var next, after: Double
  private var slope = 0.0
  private var (c1, c2, c3) = (0.0, 0.0, 0.0)

  /// `rate` is in frames per second.
  init(_ context: Context, rate: Double) throws(OpcodeError) {
    interval = 1 / rate
    noise = try Noise(context)
    (next, after) = (noise.nextUnit(), noise.nextUnit())
  }

  /// The places of four frames.
  @inline(__always) var places: Quad {
    Quad(place) + Quad(step) * Quad(values: SIMD4(0, 1, 2, 3))
  }

  @inline(__always) var fourSteps: Quad { Quad(4 * step) }

  /// Goes to the next point if it is reached.
  @inline(__always)
  mutating func turn(_ slowest: Double, _ fastest: Double) {
    guard place >= 1 else { return }
    let low = slowest > 0 ? min(slowest * interval, 1) : 0
    let high = fastest > 0 ? min(fastest * interval, 1) : 0
    step = low + noise.nextUnit() * (high - low)
    place -= 1
    (before, next, after) = (next, after, noise.nextUnit())
    c1 = slope
    slope = 0.5 * (after - before)
    let rise = next - before
    c3 = (c1 - rise) + (slope - rise)
    c2 = -((slope - rise) + 2 * (c1 - rise))
  }

  /// The value of a frame.
  @inline(__always) @_semantics("no_performance_analysis")
  mutating func passed() -> Double {
    let value = ((c3 * place + c2) * place + c1) * place + before
    place += step
    return value
  }

  /// The values at places from 0 to 1.
  @inline(__always) @_semantics("no_performance_analysis")
  func value<Numbers: Vector>(_ x: Numbers) -> Numbers {
    ((Numbers(c3) * x + Numbers(c2)) * x + Numbers(c1)) * x + Numbers(before)
  }
}
