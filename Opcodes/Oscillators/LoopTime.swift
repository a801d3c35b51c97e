// aout LOOPTIME itable, kbeats, kbpm
//
// Plays a loop in sync with the performance clock: the table lasts kbeats beats at kbpm. Whenever the note starts, the
// loop's position is the one it would have if it had been playing since the performance began:
//
//     position = t kbpm / (60 kbeats), modulo 1,   t = seconds since the performance began,
//
// Two loops with the same tempo are therefore always in sync.
//
// A position error of up to two output samples is corrected gradually, with a time constant of 10 ms. For a larger
// error, for example after a change of tempo, a second reader starts at the right position and a crossfade of 10 ms
// avoids a click. Change the tempo in steps: a gliding tempo shifts the position all the time and causes one correction
// after another.
//
// The pitch follows the tempo, as with a tape. Between samples the table is interpolated with a cubic, and the last
// sample is followed by the first (E. Catmull and R. Rom, "A class of local interpolating splines", 1974,
// doi:10.1016/B978-0-12-079050-0.50020-5).
//
// Category: Signal Generators:Sample Playback

import OpcodeKit

/// The read position of a loop that follows a clock; positions go from 0 up to 1.
package struct LoopClock: BitwiseCopyable {
  /// The read position.
  package private(set) var position: Double
  /// The read position of the reader that is being faded out.
  package private(set) var oldPosition = 0.0
  /// Frames left of the crossfade; 0 when there is none.
  package private(set) var fadeFrames = 0

  package init(at position: Double) { self.position = position }

  /// Follows the target position. When the error is more than two steps and no correction is under way, a crossfade to
  /// the target starts. Returns the step for each of the next frames.
  ///
  /// - Parameters:
  ///   - target: the position it should have, from 0 up to 1.
  ///   - step: the step per frame at the current tempo, above 0 and below 0.5.
  ///   - fadeLength: frames of a crossfade, 2 or more.
  ///   - frameCount: number of frames before the next call.
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

  /// Advances by one frame.
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

/// Interpolates between the second and the third of four consecutive samples at x from 0 to 1. The cubic's slope at
/// each of the two is half the difference of its neighbours.
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
    /// The loop. It starts immediately, without an envelope.
    let output: AudioOutput
    /// Number of the table that holds the loop: one channel, any length. A missing table is an init error; a table
    /// deleted during the note ends the note with an error. A table replaced during the note is played.
    let table: InitInput
    /// Number of beats in the table, above 0. At any other value the loop fades out in 10 ms.
    let beats: ControlInput
    /// Tempo in beats per minute, above 0. At any other value, and when the table would last less than two samples, the
    /// loop fades out in 10 ms; it fades in when it plays again.
    let tempo: ControlInput
  }

  private var clock = LoopClock(at: 0)
  private var performance = PerformanceClock()
  /// Step per frame, as a fraction of the table; 0 before the loop has moved.
  private var step = 0.0
  /// Gain from 0 to 1, for fading out when the loop stops and in when it resumes.
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
    // The comparisons are also false for NaN.
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

  /// The value at a position from 0 up to 1.
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
