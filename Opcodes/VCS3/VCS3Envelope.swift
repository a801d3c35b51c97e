// aenv, ktrap VCS3ENV kgate, kattack, kon, kdecay, koff
//
// The envelope shaper of the EMS VCS3: a trapezoid that repeats by itself or is started by a gate, and the gain of the
// amplifier that it controls.
//
// The trapezoid x rises linearly from 0 to 1 in kattack seconds, stays there for kon seconds, falls linearly in kdecay
// seconds and stays at 0 for koff seconds. The two outputs are
//
//     aenv  = (1000^x - 1) / 999      the amplifier's gain: 60 dB in all, linear in dB except near 0
//     ktrap = 2 x - 1                 the control voltage, from -1 to 1
//
// The cycle follows the instrument and its descendants (Analogue Systems RS-510e manual; the VCS3's knobs go up to 1,
// 2.5, 15 and 5 seconds):
// - with koff at 0 or more the cycle repeats from the start of the note, whatever the gate. A negative koff, like the
//   OFF knob at its end, makes it wait for the gate;
// - when the gate opens, even in the middle of a cycle, the attack starts at once from the present x with its usual
//   slope, so there is no jump;
// - the attack is always completed, however short the gate;
// - an open gate holds x at 1; kon begins when the gate closes, or at the end of the attack if the gate has closed
//   before.
//
// That the amplifier is exponential comes from the instrument; the range of 60 dB is a choice.
//
// Time is counted in samples, with a fraction from where a segment began between two samples. What is left at the end
// of a segment carries over to the next one, so repeated cycles do not drift. In a ramp x = t / length; when the length
// changes, t is adjusted so that x continues without a jump.
//
// Category: Signal Generators:Envelope Generators

import OpcodeKit

@Opcode("VCS3ENV", "Trapezoid envelope of the EMS VCS3, repeating or gated")
struct VCS3Envelope: AudioOpcode, LateInitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The gain, 0 to 1; multiply a signal by it.
    let gain: AudioOutput
    /// The trapezoid at the first sample of the k-cycle, -1 to 1.
    let trapezoid: ControlOutput
    /// The gate: open above 0, otherwise closed, also for NaN. It opens and closes at the start of a k-cycle.
    let gate: ControlInput
    /// Time of the rise from 0 to 1 in seconds. 0, negative values and NaN give a jump.
    let attack: ControlInput
    /// Time at 1 after the gate has closed, in seconds. Negative values and NaN count as 0.
    let on: ControlInput
    /// Time of the fall from 1 to 0 in seconds. 0, negative values and NaN give a jump.
    let decay: ControlInput
    /// Time at 0 before the cycle repeats, in seconds. With negative values and NaN it waits for the gate.
    let off: ControlInput
  }

  private var trapezoid = Trapezoid()
  private let sampleRate: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    sampleRate = context.sampleRate
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    trapezoid.control(
      isOpen: arguments.gate.value > 0, attack: arguments.attack.value * sampleRate,
      on: arguments.on.value * sampleRate, decay: arguments.decay.value * sampleRate,
      off: arguments.off.value * sampleRate)
    let frames = context.frames
    for frame in frames {
      let level = trapezoid.next()
      if frame == frames.lowerBound { arguments.trapezoid.value = 2 * level - 1 }
      arguments.gain[frame] = trapezoidGain(level)
    }
  }
}

/// (1000^level - 1) / 999, for a level from 0 to 1; exactly 0 and 1 at the ends.
///
/// Computed as exp(y) - 1 = 2 t / (1 - t) with t = tanh(y / 2); the relative error is at most 1e-11.
@inline(__always)
package func trapezoidGain(_ level: Double) -> Double {
  if level <= 0 { return 0 }
  if level >= 1 { return 1 }
  let half = Fraction(level * 3.4538776394910684, 1).tanh  // ln 1000 / 2
  return 2 * half.top / (999 * (half.bottom - half.top))
}

/// The state of the trapezoid. Durations are in samples.
package struct Trapezoid: BitwiseCopyable {
  enum Segment: BitwiseCopyable {
    /// Before the first cycle.
    case idle
    case attack, on, decay, off
  }

  private var segment = Segment.idle
  /// Samples since the segment began. In a ramp, the time at which the present slope reaches the present level.
  private var time = 0.0
  private var isOpen = false
  private var attack = 0.0, on = 0.0, decay = 0.0, off = -1.0
  /// The reciprocals of `attack` and `decay`.
  private var rise = 0.0, fall = 0.0

  /// A trapezoid at 0, before its first cycle.
  package init() {}

  /// Sets the gate and the durations from the next sample on; call it before the first sample too.
  package mutating func control(
    isOpen: Bool, attack: Double, on: Double, decay: Double, off: Double
  ) {
    let (attack, decay) = (Self.duration(attack), Self.duration(decay))
    if attack != self.attack || decay != self.decay {
      let level = level
      (self.attack, self.decay) = (attack, decay)
      rise = 1 / attack
      fall = 1 / decay
      if segment == .attack { time = level * attack }
      if segment == .decay { time = (1 - level) * decay }
    }
    self.on = Self.duration(on)
    self.off = off >= 0 ? Self.duration(off) : .infinity
    if isOpen != self.isOpen {
      self.isOpen = isOpen
      if isOpen {
        time = level * attack
        segment = .attack
      } else if segment == .on {
        time = 0
      }
    }
  }

  /// The next sample's level, 0 to 1.
  @inline(__always)
  package mutating func next() -> Double {
    // At most one whole cycle, in case all durations together are shorter than a sample.
    var segments = 0
    while _slowPath(time >= length) && segments < 4 {
      advance()
      segments += 1
    }
    let level = level
    time += 1
    return level
  }

  private var level: Double {
    switch segment {
    case .idle, .off: 0
    case .attack: attack > time ? time * rise : 1
    case .on: 1
    case .decay: decay > time ? 1 - time * fall : 0
    }
  }

  private var length: Double {
    switch segment {
    case .idle: off < .infinity ? 0 : .infinity
    case .attack: attack
    case .on: isOpen ? .infinity : on
    case .decay: decay
    case .off: off
    }
  }

  private mutating func advance() {
    // If it is late by more than a sample, the segment has been shortened; it ends now.
    let late = time - length
    time = late < 1 ? late : 0
    segment =
      switch segment {
      case .idle, .off: .attack
      case .attack: .on
      case .on: .decay
      case .decay: .off
      }
  }

  /// Limits a number of samples to 0 … 2^50; NaN counts as 0.
  private static func duration(_ samples: Double) -> Double {
    samples > 0 ? min(samples, 0x1p50) : 0
  }
}
