import OpcodeKit

/// A part of a curve from one value to the next.
struct Segment: BitwiseCopyable {
  static var endless: Int { Int.max / 2 }

  /// In frames.
  var length = 0
  var start = 0.0, end = 0.0
  /// What is added to the value in each frame, what it is multiplied by, or what scales the bent curve.
  var step: Double
  /// By what the exponent of a bent curve grows in a frame, and the power of e of that, less 1; 0 for a straight line.
  var bend = 0.0, growth = 0.0
}

/// Where a curve is.
struct Pen: BitwiseCopyable {
  var value: Double
  /// The exponent of a bent curve, and its power of e.
  var exponent = 0.0, power = 1.0
}

/// Which segments an opcode has.
protocol SegmentKind {
  associatedtype Curve: SegmentCurve
  /// Whether the last segment begins with the note's release.
  static var releases: Bool { get }
}

/// All segments in a row.
enum Throughout<Curve: SegmentCurve>: SegmentKind {
  static var releases: Bool { @inline(__always) get { false } }
}

enum WithRelease<Curve: SegmentCurve>: SegmentKind {
  static var releases: Bool { @inline(__always) get { true } }
}

typealias StraightSegments = Throughout<StraightCurve>
typealias StraightRelease = WithRelease<StraightCurve>
typealias ExponentialSegments = Throughout<ExponentialCurve>
typealias ExponentialRelease = WithRelease<ExponentialCurve>
typealias BentSegments = Throughout<BentCurve>

/// A shape of segments.
protocol SegmentCurve {
  /// How many numbers a segment has: its length, a bend of it has one, and its end.
  static var width: Int { get }
  /// The step that keeps a value.
  static var rest: Double { get }
  /// Whether the last segment goes on beyond its end, where it does not begin with the release.
  static var isEndless: Bool { get }
  static func segment(
    from start: Double, to end: Double, seconds: Double, bend: Double, releases: Bool,
    _ context: Context
  ) throws(OpcodeError) -> Segment
  /// Called before a segment's first frame.
  static func begin(_ segment: inout Segment, _ pen: inout Pen, releases: Bool)
  /// Frames of one segment.
  static func draw(
    _ segment: Segment, _ pen: inout Pen, to output: AudioOutput, _ frames: Range<Int>)
}

enum StraightCurve: SegmentCurve {
  static var width: Int { @inline(__always) get { 2 } }
  static var rest: Double { @inline(__always) get { 0 } }
  static var isEndless: Bool { @inline(__always) get { false } }

  static func segment(
    from start: Double, to end: Double, seconds: Double, bend: Double, releases: Bool,
    _ context: Context
  ) throws(OpcodeError) -> Segment {
    Segment(
      length: Math.truncated(seconds * context.sampleRate + 0.5), start: start, end: end,
      step: (end - start) / seconds * (1 / context.sampleRate))
  }

  @inline(__always)
  static func begin(_ segment: inout Segment, _ pen: inout Pen, releases: Bool) {
    segment.step = (segment.end - pen.value) / Double(segment.length)
  }

  @inline(__always)
  static func draw(
    _ segment: Segment, _ pen: inout Pen, to output: AudioOutput, _ frames: Range<Int>
  ) {
    var (value, frame) = (pen.value, frames.lowerBound)
    while frame &+ 8 <= frames.upperBound {
      // What one addition after the other adds, rounded to the value's last bit: the second of them, as a tie may go the
      // other way in the first; anew in 64 frames.
      let next = value + segment.step
      let step = (next + segment.step) - next
      let stop = min(frame &+ 64, frames.upperBound)
      var lanes = Lanes(next - step) + Lanes.count(from: 0) * Lanes(step)
      while frame &+ 8 <= stop {
        output.setLanes(lanes, at: frame)
        lanes = lanes + Lanes(8 * step)
        frame &+= 8
      }
      value = lanes[0]
    }
    while frame < frames.upperBound {
      output[frame] = value
      value += segment.step
      frame &+= 1
    }
    pen.value = value
  }
}

/// Eight numbers in a row, each 1 + e times the one before.
private struct Powers: BitwiseCopyable {
  var near, far: Quad
  private let eighth: Quad

  /// Powers are kept less 1, so that their products are exact to the last bits.
  @inline(__always)
  init(_ value: Double, growth e: Double) {
    let second = e * (2 + e)
    let fourth = second * (2 + second)
    let first = Quad(values: SIMD4(0, e, second, second + (e + second * e)))
    near = Quad(value) + Quad(value) * first
    far = near + near * Quad(fourth)
    eighth = Quad(fourth * (2 + fourth))
  }

  @inline(__always)
  mutating func advance() {
    near = near + near * eighth
    far = far + far * eighth
  }
}

enum ExponentialCurve: SegmentCurve {
  static var width: Int { @inline(__always) get { 2 } }
  static var rest: Double { @inline(__always) get { 1 } }
  static var isEndless: Bool { @inline(__always) get { true } }

  static func segment(
    from start: Double, to end: Double, seconds: Double, bend: Double, releases: Bool,
    _ context: Context
  ) throws(OpcodeError) -> Segment {
    let frames = seconds * context.sampleRate
    let length = Math.truncated(releases ? frames : frames + 0.5)
    guard start * end > 0 || (releases && length <= 0) else {
      throw OpcodeError("its values must be all above 0, or all below.")
    }
    let isCurve = frames > 0
    return Segment(
      length: length, start: isCurve ? start : end, end: end,
      step: isCurve ? Math.pow(end / start, 1 / frames) : 1)
  }

  @inline(__always)
  static func begin(_ segment: inout Segment, _ pen: inout Pen, releases: Bool) {
    if releases {
      segment.step = Math.pow(segment.end / pen.value, 1 / Double(segment.length))
    } else {
      pen.value = segment.start
    }
  }

  @inline(__always)
  static func draw(
    _ segment: Segment, _ pen: inout Pen, to output: AudioOutput, _ frames: Range<Int>
  ) {
    var (value, frame) = (pen.value, frames.lowerBound)
    if value.magnitude < 1e-200 { value = 0 }
    if frames.count >= 8 {
      var powers = Powers(value, growth: segment.step - 1)
      while frame &+ 8 <= frames.upperBound {
        output.setQuad(powers.near, at: frame)
        output.setQuad(powers.far, at: frame &+ 4)
        powers.advance()
        frame &+= 8
      }
      value = powers.near[0]
    }
    while frame < frames.upperBound {
      output[frame] = value
      value *= segment.step
      frame &+= 1
    }
    pen.value = value
  }
}

enum BentCurve: SegmentCurve {
  static var width: Int { @inline(__always) get { 3 } }
  static var rest: Double { @inline(__always) get { 0 } }
  static var isEndless: Bool { @inline(__always) get { false } }

  static func segment(
    from start: Double, to end: Double, seconds: Double, bend: Double, releases: Bool,
    _ context: Context
  ) throws(OpcodeError) -> Segment {
    let frames = seconds * context.sampleRate
    let length = Int(Math.nearest(frames))
    // e to the power of more than 709 is endless, and of less than the rounding error of 1 it is 1.
    let bend = bend.magnitude < 1e-12 ? 0 : min(bend, 700)
    let step = bend == 0 ? (end - start) / frames : (end - start) / (1 - Math.exp(bend))
    // A length below 0 is one frame.
    return Segment(
      length: length < 0 ? 1 : length, start: start, end: end, step: step, bend: bend / frames,
      growth: Math.expm1(bend / frames))
  }

  @inline(__always)
  static func begin(_ segment: inout Segment, _ pen: inout Pen, releases: Bool) {
    (pen.exponent, pen.power) = (0, 1)
  }

  @inline(__always)
  static func draw(
    _ segment: Segment, _ pen: inout Pen, to output: AudioOutput, _ frames: Range<Int>
  ) {
    guard segment.bend != 0 else { return StraightCurve.draw(segment, &pen, to: output, frames) }
    let (start, scale) = (segment.start, segment.step)
    var frame = frames.lowerBound
    while frame < frames.upperBound {
      let first = frame
      let stop = min(frame &+ 64, frames.upperBound)
      // As `StraightCurve` does.
      let next = pen.exponent + segment.bend
      let step = (next + segment.bend) - next
      if frame &+ 8 <= stop {
        var powers = Powers(pen.power, growth: segment.growth)
        while frame &+ 8 <= stop {
          output.setQuad(Quad(start) + Quad(scale) * (Quad(1) - powers.near), at: frame)
          output.setQuad(Quad(start) + Quad(scale) * (Quad(1) - powers.far), at: frame &+ 4)
          powers.advance()
          frame &+= 8
        }
      } else {
        frame &+= 1
      }
      // A segment begins where the one before it ended.
      output[first] = pen.value
      pen.exponent = next + Double(frame &- first &- 1) * step
      pen.power = Math.exp(pen.exponent)
      pen.value = start + scale * (1 - pen.power)
    }
  }
}
