// aout LOOPTIME itable, kbeats, kbpm
//
// Plays a loop in time with the performance: the table lasts kbeats beats at kbpm, and at every
// moment it is where it would be had it played since the performance began,
//
//     position = t kbpm / (60 kbeats), modulo 1,   t = seconds since the performance began,
//
// whenever the note starts. Two loops with the same tempo are in step without being told.
//
// A place that is wrong by up to two samples of the output drifts back, its distance shrinking by 1/e
// in 10 ms. When it is wrong by more, as after a change of tempo, a second reader starts at the right
// place and takes over within 10 ms, so that the correction makes no click. So change the tempo in
// steps: a tempo that glides moves the place by t times the change of speed, and is corrected again
// and again. The pitch follows the tempo, as on a tape; between samples the table is read with a
// cubic, the last sample followed by the first. E. Catmull and R. Rom, "A class of local interpolating
// splines", 1974, doi:10.1016/B978-0-12-079050-0.50020-5.

import OpcodeKit

/// A reader of a loop that keeps to a clock: positions from 0 up to 1.
package struct LoopClock: BitwiseCopyable {
  /// Where it reads.
  package private(set) var position: Double
  /// Where the reader that fades out reads.
  package private(set) var oldPosition = 0.0
  /// Frames until the old reader is gone; 0 when there is none.
  package private(set) var fadeFrames = 0

  package init(at position: Double) { self.position = position }

  /// Keeps to the place where it should be: a correction starts when it is off by more than two steps
  /// and none is under way. Returns how far to move in each of the frames to come.
  ///
  /// - Parameters:
  ///   - target: where it should be, 0 up to 1.
  ///   - step: how far the tempo moves it in a frame, above 0 and below 0.5.
  ///   - fadeLength: frames of a correction, 2 or more.
  ///   - frameCount: how many frames come before the next call.
  package mutating func keep(
    to target: Double, step: Double, fadeLength: Int, frameCount: Int
  ) -> Double {
    guard fadeFrames == 0 else { return step }
    let ahead = Math.fraction(target - position)
    let distance = ahead > 0.5 ? ahead - 1 : ahead
    guard distance.magnitude > 2 * step else {
      return step + distance / Double(max(fadeLength, frameCount))
    }
    oldPosition = position
    position = target
    fadeFrames = fadeLength
    return step
  }

  /// Moves on by a frame.
  @inline(__always)
  package mutating func advance(by step: Double) {
    position += step
    if position >= 1 { position -= 1 }
    guard fadeFrames > 0 else { return }
    oldPosition += step
    if oldPosition >= 1 { oldPosition -= 1 }
    fadeFrames -= 1
  }
}

/// Between the second and third of four samples in a row, 0 to 1 of the way: the cubic through both
/// whose slope at each is that from its neighbour on one side to that on the other.
@inline(__always)
package func catmullRom(
  _ y0: Double, _ y1: Double, _ y2: Double, _ y3: Double, at x: Double
) -> Double {
  let slope = 0.5 * (y2 - y0)
  let square = y0 - 2.5 * y1 + 2 * y2 - 0.5 * y3
  let cube = 0.5 * (y3 - y0) + 1.5 * (y1 - y2)
  return ((cube * x + square) * x + slope) * x + y1
}

@Opcode("LOOPTIME", "Loop in time with the performance clock")
struct LoopTime: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The loop. It starts at once, without an envelope.
    let output: AudioOutput
    /// The table with the loop, all of it, one channel, any length. One that does not exist is an init
    /// error; one deleted during the note ends it. Another can take its place.
    let table: InitInput
    /// How many beats the table lasts, above 0. Otherwise the loop fades out in 10 ms.
    let beats: ControlInput
    /// Tempo, beats a minute, above 0. Otherwise, and where the table would last less than two samples,
    /// the loop fades out in 10 ms; when it goes again it fades in.
    let tempo: ControlInput
  }

  private var clock = LoopClock(at: 0)
  private var performance = PerformanceClock()
  /// How far it moves in a frame, as a part of the table; 0 before it has ever moved.
  private var step = 0.0
  /// 0 to 1: the fade in from and out to a standstill.
  private var gain = 1.0

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    try Self.check(try context.table(arguments.table.value, argument: "itable"))
  }

  private static func check(_ table: FunctionTable) throws(OpcodeError) {
    guard table.channelCount == 1 else {
      throw OpcodeError("the table has more than one channel; load one of them.")
    }
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    guard let table = context.table(arguments.table.value) else {
      throw OpcodeError("its table was deleted.")
    }
    try Self.check(table)
    let (frames, sampleRate) = (context.frames, context.sampleRate)
    let fadeLength = Int(max(2, sampleRate * 0.01))
    let now = performance.frame(context) + frames.lowerBound

    let (tempo, beats) = (arguments.tempo.value, arguments.beats.value)
    let wanted = tempo / (60 * beats * sampleRate)
    // False for NaN too.
    let isMoving = tempo > 0 && beats > 0 && wanted > 0 && wanted < 0.5
    var pace = step
    if isMoving {
      let target = Math.fraction(wanted * Double(now))
      if step == 0 || gain == 0 { clock = LoopClock(at: target) }
      step = wanted
      pace = clock.keep(
        to: target, step: step, fadeLength: fadeLength, frameCount: frames.count)
    } else if step == 0 {
      gain = 0
    }

    let gainStep = (isMoving ? 1 : -1) / Double(fadeLength)
    for frame in frames {
      var sample = Self.sample(of: table, at: clock.position)
      if clock.fadeFrames > 0 {
        let old = Self.sample(of: table, at: clock.oldPosition)
        sample += (old - sample) * (Double(clock.fadeFrames) / Double(fadeLength))
      }
      arguments.output[frame] = sample * gain
      gain = min(max(gain + gainStep, 0), 1)
      clock.advance(by: pace)
    }
  }

  /// The loop at a position from 0 up to 1.
  @inline(__always)
  private static func sample(of table: FunctionTable, at position: Double) -> Double {
    let (place, last) = (position * Double(table.count), table.count - 1)
    let index = min(Int(place), last)
    let next = index == last ? 0 : index + 1
    return catmullRom(
      table[index == 0 ? last : index - 1], table[index], table[next],
      table[next == last ? 0 : next + 1], at: place - Double(index))
  }
}
