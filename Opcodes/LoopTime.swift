// aout LOOPTIME itable, kbeats, kbpm
//
// Plays a loop in time with the performance: the table lasts kbeats beats at kbpm, and at every
// moment it is where it would be had it played since the performance began,
//
//     position = t kbpm / (60 kbeats), modulo 1,   t = seconds since the performance began,
//
// whenever the note starts. Two loops with the same tempo are in step without being told.
//
// When the place it plays and the place where it should be differ by more than two samples, as after
// a change of tempo, a second reader starts at the right place and takes over within 10 ms, so that
// the correction makes no click. Between corrections it goes at the tempo's own speed; like a tape
// it is higher when it is faster.

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

  /// Starts a correction when the place is wrong by more than two steps and none is under way.
  ///
  /// - Parameters:
  ///   - target: where it should be, 0 up to 1.
  ///   - step: how far it moves in a frame.
  ///   - fadeLength: frames of a correction.
  package mutating func keep(to target: Double, step: Double, fadeLength: Int) {
    guard fadeFrames == 0 else { return }
    let distance = Math.fraction(target - position)
    guard min(distance, 1 - distance) > 2 * step else { return }
    oldPosition = position
    position = target
    fadeFrames = fadeLength
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

struct LoopTime: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The loop.
    let output: AudioOutput
    /// The table with the loop, one channel, any length. One that does not exist is an init error; one
    /// deleted during the note ends it.
    let table: InitInput
    /// How many beats the table lasts, above 0. Otherwise the loop fades to silence in 10 ms.
    let beats: ControlInput
    /// Tempo, beats a minute, above 0. Otherwise the loop fades to silence in 10 ms.
    let tempo: ControlInput
  }

  private var clock = LoopClock(at: 0)
  private var hasStarted = false
  /// 0 to 1: the fade in from and out to a standstill.
  private var gain = 1.0

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let table = try context.table(arguments.table.value, argument: "itable")
    guard table.channelCount == 1 else {
      throw OpcodeError("the table has more than one channel; load one of them.")
    }
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    guard let table = context.table(arguments.table.value) else {
      throw OpcodeError("its table was deleted.")
    }
    let sampleRate = context.sampleRate
    let fadeLength = Int(max(1, sampleRate * 0.01))
    let frames = context.frames

    let step = arguments.tempo.value / (60 * arguments.beats.value * sampleRate)
    // False for NaN too.
    let isMoving =
      arguments.tempo.value > 0 && arguments.beats.value > 0 && step > 0 && step < 0.5
    if isMoving {
      let target = Math.fraction(step * Double(context.performanceFrame + frames.lowerBound))
      if !hasStarted || gain == 0 {
        clock = LoopClock(at: target)
        gain = hasStarted ? 0 : 1
        hasStarted = true
      }
      clock.keep(to: target, step: step, fadeLength: fadeLength)
    }

    let (moving, gainStep) = (isMoving ? step : 0, (isMoving ? 1 : -1) / Double(fadeLength))
    let isSilent = !hasStarted
    for frame in frames {
      var sample = table.linear(atPhase: clock.position)
      if clock.fadeFrames > 0 {
        let old = table.linear(atPhase: clock.oldPosition)
        sample += (old - sample) * (Double(clock.fadeFrames) / Double(fadeLength))
      }
      arguments.output[frame] = isSilent ? 0 : sample * gain
      gain = min(max(gain + gainStep, 0), 1)
      clock.advance(by: moving)
    }
  }
}

@c @_noLocks @_noAllocation
func looptime(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  LoopTime.perform(csound, block)
}

func registerLoopTime(in registry: inout some OpcodeRegistry) {
  registry.add(
    Overload(
      LoopTime.self, "LOOPTIME", outputs: "a", inputs: "ikk",
      summary: "Loop in time with the performance clock",
      initialize: { LoopTime.initialize($0, $1) }, perform: looptime))
}
