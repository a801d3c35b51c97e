// aout SYNCGRAIN kamp, kfreq, kpitch, ksize, krate, isource, ienvelope, iolaps
//
// Synchronous granular synthesis: a new grain begins kfreq times a second. A grain reads a piece of the table isource,
// ksize seconds long, kpitch times as fast as it is, under the table ienvelope. Each begins krate times a grain's length
// behind the one before.
//
// The same as Csound's `syncgrain`, with these differences:
// - where more grains than iolaps + 2 sound at once, the oldest ends. `syncgrain` then counts wrong ever after;
// - a grain shorter than a sample counts as one sample; `syncgrain` ends the note;
// - a kpitch or krate of more than the table's length in a frame or a grain is wrapped at once, an endless one counts as
//   0. `syncgrain` subtracts the length until it is there, which can take for ever;
// - a table that is replaced during a note is played. `syncgrain` plays memory that may be gone.
//
// The grains' beginnings are rounded to single precision, as those of `syncgrain` are. Each grain is computed for a run of
// frames at once, up to the next beginning, and its place and envelope stay in registers.
//
// Source: V. Lazzarini's SyncGrain of the SndObj library, after C. Roads, "Microsound", 2001.
//
// Category: Signal Generators:Granular Synthesis

import OpcodeKit

@Opcode("SYNCGRAIN", "Synchronous granular synthesis")
struct SynchronousGrains: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The sum of the grains.
    let output: AudioOutput
    /// Amplitude, multiplied with all grains.
    let amplitude: ControlInput
    /// Grains in a second. The sign is ignored. At 0 and for NaN no further grain begins.
    let frequency: ControlInput
    /// Speed of reading: 1 as the table is, negative backwards; NaN counts as 0.
    let pitch: ControlInput
    /// Length of a grain in seconds; at least a sample of the table, also for NaN and infinity.
    let size: ControlInput
    /// How far a grain begins behind the one before, as a part of its length, negative in front of it; NaN counts as 0.
    let rate: ControlInput
    /// Number of the table that the grains read; of any length.
    let source: InitInput
    /// Number of the table with the grains' envelope; of any length.
    let envelope: InitInput
    /// How many grains can sound at once, from 0 to 1000000.
    let overlaps: InitInput
  }

  static var bufferCount: Int { 1 }

  /// Where a grain is in the source and in the envelope.
  private struct Grain: BitwiseCopyable {
    var place, envelope: Double

    @inline(__always) func places(_ step: Double) -> Quad {
      Quad(place) + Quad(step) * Quad(values: SIMD4(0, 1, 2, 3))
    }
    /// Each is rounded, as one after the other is, so that a grain ends in the same frame.
    @inline(__always) func envelopes(_ step: Double) -> Quad {
      let second = envelope + step
      let third = second + step
      return Quad(values: SIMD4(envelope, second, third, third + step))
    }
  }

  private let source, envelope: TableNumber
  private let sourceRate, scale: Double
  /// A ring: the sounding grains are `count` from `first` on, the oldest first.
  private let grains: Buffer<Grain>
  private var first = 0
  private var count = 0
  /// Frames since the last grain began; 0 before the first.
  private var elapsed = 0
  /// Where the next grain begins in the source, and by which part of a frame the last one was late.
  private var start: Float = 0
  private var late: Float = 0

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let table = try context.table(arguments.source.value, argument: "isource")
    sourceRate = table.sampleRate
    scale = sourceRate / context.sampleRate
    source = TableNumber(arguments.source.value, context)
    envelope = try TableNumber(arguments.envelope.value, context, argument: "ienvelope")
    let overlaps = arguments.overlaps.value
    guard overlaps > -1, overlaps <= 1_000_000 else {
      throw OpcodeError(argument: "iolaps", is: overlaps, mustBe: "from 0 to 1000000")
    }
    grains = try context.buffer(count: Int(overlaps) + 2)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    guard let source = context.table(source), let envelope = context.table(envelope) else {
      throw OpcodeError("a table of the grains was deleted.")
    }
    let (length, end) = (Double(source.count), Double(envelope.count))
    let size = max(1, sourceRate * arguments.size.value)
    let shortest = size < .infinity ? size : 1
    let step = end / shortest
    let pitch = Self.wrapped(arguments.pitch.value * scale, length)
    let stride = arguments.rate.value * scale * shortest
    let frequency = arguments.frequency.value.magnitude
    let period = frequency > 0 ? sourceRate / frequency : .infinity
    let (frames, amplitude, output) = (
      context.frames, arguments.amplitude.value, arguments.output
    )
    let move = Quad(4 * pitch)
    var frame = frames.lowerBound
    while frame < frames.upperBound {
      if elapsed == 0 || Double(elapsed) >= period - Double(late) {
        if elapsed > 0 { late = Float(Double(elapsed) - (period - Double(late))) }
        begin(stride, length)
      }
      let wait = period - Double(late) - Double(elapsed)
      let left = frames.upperBound &- frame
      let run = wait < Double(left) ? (wait > 1 ? Int(Math.ceil(wait)) : 1) : left
      for index in frame..<(frame &+ run) { output[index] = 0 }
      for number in 0..<count {
        let index = place(first &+ number)
        var grain = grains[index]
        var now = frame
        let stop = frame &+ run
        while now < stop, grain.envelope < end {
          grain.place = Self.place(grain.place, in: length)
          if now &+ 4 <= stop {
            var places = grain.places(pitch)
            var envelopes = grain.envelopes(step)
            while now &+ 4 <= stop, places[3] >= 0, places[3] < length, envelopes[3] < end {
              let sound = Self.values(source, places) * Self.values(envelope, envelopes)
              output.setQuad(Self.four(output, now) + sound, at: now)
              grain.envelope = envelopes[3] + step
              envelopes = grain.envelopes(step)
              places = places + move
              now &+= 4
            }
            grain.place = places[0]
            guard now < stop, grain.envelope < end else { break }
            grain.place = Self.place(grain.place, in: length)
          }
          output[now] +=
            Self.value(source, grain.place) * Self.value(envelope, grain.envelope)
          grain = Grain(place: grain.place + pitch, envelope: grain.envelope + step)
          now &+= 1
        }
        grains[index] = grain
      }
      for index in frame..<(frame &+ run) { output[index] *= amplitude }
      while count > 0, !(grains[first].envelope < end) {
        first = place(first &+ 1)
        count &-= 1
      }
      elapsed &+= run
      frame &+= run
    }
  }

  /// Begins a grain; if there is no place for it, the oldest ends.
  @inline(__always)
  private mutating func begin(_ stride: Double, _ length: Double) {
    if count == grains.count {
      first = place(first &+ 1)
      count &-= 1
    }
    grains[place(first &+ count)] = Grain(
      place: Self.wrapped(Double(start), length), envelope: 0)
    count &+= 1
    elapsed = 0
    start = Float(Self.wrapped(Double(Float(Double(start) + stride)), length))
    // Single precision can round up to the length.
    if Double(start) >= length { start = 0 }
    if start < 0 { start += Float(length) }
  }

  /// The index of a place in the ring.
  @inline(__always)
  private func place(_ number: Int) -> Int {
    number >= grains.count ? number &- grains.count : number
  }

  /// A number within ± a length; 0 for NaN and infinity.
  @inline(__always)
  private static func wrapped(_ number: Double, _ length: Double) -> Double {
    if number.magnitude < length { return number }
    return number.magnitude < .infinity ? Math.fmod(number, length) : 0
  }

  /// A place of a grain within the table, which may be shorter than that of the sample before.
  @inline(__always)
  private static func place(_ place: Double, in length: Double) -> Double {
    if place >= 0 && place < length { return place }
    let rest = wrapped(place, length)
    let positive = rest < 0 ? rest + length : rest
    // A small negative number rounds up to the length.
    return positive < length ? positive : 0
  }

  /// The value of a table, linearly interpolated.
  @inline(__always)
  private static func value(_ table: FunctionTable, _ place: Double) -> Double {
    let index = min(Math.truncated(place), table.count &- 1)
    return LinearReading.value(of: table.elements, at: index, place - Double(index))
  }

  @inline(__always)
  private static func four(_ output: AudioOutput, _ frame: Int) -> Quad {
    Quad(
      values: SIMD4(
        output[frame], output[frame &+ 1], output[frame &+ 2], output[frame &+ 3]))
  }

  /// The values at four places within the table.
  @inline(__always) @_semantics("no_performance_analysis")
  private static func values(_ table: FunctionTable, _ places: Quad) -> Quad {
    let whole = places.truncated
    return LinearReading.values(of: table.elements, at: whole, places - Quad(whole))
  }
}
