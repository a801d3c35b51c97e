// aout LINSEG istart, ilength, iend [, ilength2, iend2 …]
//
// Straight lines from value to value; the last one stays.
//
// The same as Csound's `linseg` at audio rate, with these differences:
// - a first length of 0 or less goes on with the lines of the note before in the same memory, or is silent in new memory.
//   `linseg` of Csound 6.18 then takes a wrong next line;
// - a line's values are exact to the last bits, but not rounded one after the other.
//
// Eight frames are computed at once.
//
// Category: Signal Generators:Envelope Generators

// aout LINSEGR istart, ilength, iend [, ilength2, iend2 …], irelease, ilast
//
// Straight lines from value to value, and a last one that begins when the note is released: the note goes on for its length.
//
// The same as Csound's `linsegr` at audio rate, as `LINSEG` is the same as `linseg`.
//
// Category: Signal Generators:Envelope Generators

// aout LINE istart, ilength, iend
//
// A straight line from value to value, which goes on beyond.
//
// The same as Csound's `line` at audio rate. A length of 0 or less goes on with the line of the note before in the same
// memory.
//
// Category: Signal Generators:Envelope Generators

// aout EXPSEG istart, ilength, iend [, ilength2, iend2 …]
//
// Exponential curves from value to value; the last one goes on beyond its end. A number below 1e-200 becomes 0.
//
// The same as Csound's `expseg` at audio rate, with these differences:
// - a first length of 0 or less goes on with the curves of the note before in the same memory, or is silent in new memory.
//   `expseg` then plays memory of others;
// - a last curve without a length is its end value; that of `expseg` is 0 or endless.
//
// Eight frames are computed at once.
//
// Category: Signal Generators:Envelope Generators

// aout EXPSEGR istart, ilength, iend [, ilength2, iend2 …], irelease, ilast
//
// Exponential curves from value to value, and a last one that begins when the note is released: the note goes on for its
// length.
//
// The same as Csound's `expsegr` at audio rate. A first length below 0 goes on with the curves of the note before in the same
// memory.
//
// Category: Signal Generators:Envelope Generators

// aout EXPON istart, ilength, iend
//
// An exponential curve from value to value, which goes on beyond. A number below 1e-200 becomes 0.
//
// The same as Csound's `expon` at audio rate. A length of 0 or less goes on with the curve of the note before in the same
// memory.
//
// Category: Signal Generators:Envelope Generators

// aout TRANSEG istart, ilength, ibend, iend [, ilength2, ibend2, iend2 …]
//
// Bent curves from value to value; the last value stays.
//
//     out = start + (end - start) (1 - exp(bend t)) / (1 - exp(bend)),   t from 0 to 1
//
// A bend of 0 is a straight line; above 0 the curve is slow at first, below 0 fast.
//
// The same as Csound's `transeg` at audio rate, with these differences:
// - a first length of 0 or less goes on with the curves of the note before in the same memory;
// - a bend above 700 counts as 700; from 710 on `transeg` is no number, nor is it for one so small that its
//   exponential is 1, which counts as 0 here.
//
// Eight frames are computed at once, from one power of e in 64 frames.
//
// Category: Signal Generators:Envelope Generators

import OpcodeKit

@Opcode("LINSEG", "Straight lines from value to value", StraightSegments.self)
@Opcode("LINSEGR", "Straight lines from value to value, with a release", StraightRelease.self)
@Opcode("EXPSEG", "Exponential curves from value to value", ExponentialSegments.self)
@Opcode("EXPSEGR", "Exponential curves, with a release", ExponentialRelease.self)
@Opcode("TRANSEG", "Bent curves from value to value", BentSegments.self)
struct Segments<Kind: SegmentKind>: AudioOpcode {
  struct Arguments: VariadicArguments {
    /// The curve.
    let output: AudioOutput
    /// Value at the beginning.
    let start: InitInput
    /// Length of the first segment in seconds.
    let length: InitInput
    /// What follows in the syntax above: values at the end of segments, and lengths in seconds of the next. One of 0 or less
    /// has no frame: a jump to its end. TRANSEG makes one frame of a length below 0.
    let more: Variadic<InitInput>
  }

  static var bufferCount: Int { 1 }

  private let segments: Buffer<Segment>
  private var segment: Segment
  private var pen: Pen
  /// The number of the segment that is drawn, and how many frames are left of it.
  private var place = -1
  private var left = 0
  private var isReleased = false

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let (numbers, width) = (arguments.more, Kind.Curve.width)
    let count = (numbers.count + 1) / width
    guard count * width == numbers.count + 1, count > 0 else {
      throw OpcodeError("the number of its arguments is not that of whole segments.")
    }
    segments = try context.buffer(of: Segment.self, count: count)
    pen = Pen(value: arguments.start.value)
    segment = Segment(step: Kind.Curve.rest)
    guard !Self.resumes(arguments) else {
      isReleased = true
      hold()
      return
    }
    var start = arguments.start.value
    segment.end = start
    for index in 0..<count {
      let first = index * width
      let end = numbers[first + width - 2].value
      segments[index] = try Kind.Curve.segment(
        from: start, to: end,
        seconds: index == 0 ? arguments.length.value : numbers[first - 1].value,
        bend: width == 3 ? numbers[first].value : 0, releases: Kind.releases, context)
      start = end
    }
    if Kind.releases {
      let seconds = count == 1 ? arguments.length.value : numbers[numbers.count - 2].value
      let cycles = Math.whole(seconds * context.controlRate + 0.5, in: 0...0x7FFF_FFFF)
      segments[count - 1].length = cycles * context.ksmps
      resume(arguments, context)
    } else if Kind.Curve.isEndless {
      segments[count - 1].length = Segment.endless
    }
  }

  mutating func resume(_ arguments: Arguments, _ context: Context) {
    if Kind.releases, !isReleased {
      context.keepSounding(cycles: segments[segments.count - 1].length / context.ksmps)
    }
  }

  static func resumes(_ arguments: Arguments) -> Bool {
    let length = arguments.length.value
    return !(length > 0 || (length == 0 && Kind.releases && Kind.Curve.isEndless))
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    if Kind.releases, !isReleased, context.isReleasing {
      (isReleased, place, left) = (true, segments.count &- 2, 0)
    }
    var (frame, end) = (context.frames.lowerBound, context.frames.upperBound)
    while frame < end {
      while left <= 0 { turn() }
      let stop = min(left, end &- frame) &+ frame
      left &-= stop &- frame
      Kind.Curve.draw(segment, &pen, to: arguments.output, frame..<stop)
      frame = stop
    }
  }

  /// Goes to the next segment, or stays at the value behind the last one.
  private mutating func turn() {
    let isHeld = Kind.releases && !isReleased && place &+ 2 == segments.count
    if isHeld || place &+ 1 == segments.count { return hold() }
    place &+= 1
    segment = segments[place]
    left = segment.length
    if left > 0 {
      Kind.Curve.begin(&segment, &pen, releases: Kind.releases)
    } else {
      pen.value = segment.end
    }
  }

  /// Stays at the present segment's end.
  private mutating func hold() {
    (pen.value, left) = (segment.end, Segment.endless)
    (segment.step, segment.bend) = (Kind.Curve.rest, 0)
  }
}

@Opcode("LINE", "Straight line", StraightCurve.self)
@Opcode("EXPON", "Exponential curve", ExponentialCurve.self)
struct EndlessSegment<Curve: SegmentCurve>: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The curve.
    let output: AudioOutput
    /// Value at the beginning.
    let start: InitInput
    /// Length in seconds. At 0 or less the curve of the note before in the same memory goes on; in new memory it is 0.
    let length: InitInput
    /// Value at the end.
    let end: InitInput
  }

  private var segment = Segment(step: 0)
  private var pen = Pen(value: 0)

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    guard !Self.resumes(arguments) else { return }
    pen.value = arguments.start.value
    segment = try Curve.segment(
      from: pen.value, to: arguments.end.value, seconds: arguments.length.value, bend: 0,
      releases: false, context)
  }

  static func resumes(_ arguments: Arguments) -> Bool { !(arguments.length.value > 0) }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    Curve.draw(segment, &pen, to: arguments.output, context.frames)
  }
}
