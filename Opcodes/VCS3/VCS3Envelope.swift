// aenv, ktrap VCS3ENV kgate, kattack, kon, kdecay, koff
//
// The envelope shaper of the EMS VCS3: a trapezoid that repeats by itself, or waits for a gate, and
// the gain its amplifier makes of it.
//
// The trapezoid x rises in a line from 0 to 1 in `kattack` seconds, stays there for `kon`, falls in
// a line in `kdecay` and rests at 0 for `koff`. Of the two outputs
//
//     aenv  = (1000^x - 1) / 999      the amplifier: 60 dB in all, straight in dB but for its end
//     ktrap = 2 x - 1                 the control voltage, in which off is as far below 0 as on above
//
// The cycle follows the instrument and its descendants (Analogue Systems RS-510e manual; EMS's knobs
// go to 1, 2.5, 15 and 5 seconds):
//  - with `koff` 0 or more the cycle repeats by itself from the note's start, gate or not; negative,
//    the OFF knob at its end, it waits for the gate;
//  - when the gate opens, the attack starts at once from wherever x is, at its usual slope, so that
//    there is no jump; also in the middle of a cycle;
//  - the attack always goes to its end, however short the gate;
//  - an open gate holds x at 1; `kon` counts from when it closes, or from the end of the attack when
//    it has closed before.
// That the amplifier is exponential is the instrument's; the 60 dB are a choice.
//
// Time is counted in samples from where in a sample a segment began, and what is left over at its end
// goes to the next one, so that boundaries fall between samples and repeated cycles do not drift. In
// a ramp x = t / length; when the length changes, t changes with it and x goes on from where it is.

import OpcodeKit

@Opcode("VCS3ENV", "Trapezoid envelope of the EMS VCS3, repeating or gated")
struct VCS3Envelope: AudioOpcode, LateInitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The gain, 0 to 1: multiply a signal by it.
    let gain: AudioOutput
    /// The trapezoid at the first sample of the k-cycle, -1 to 1.
    let trapezoid: ControlOutput
    /// The gate: open above 0, else closed, NaN too. It opens and closes at the start of a k-cycle.
    let gate: ControlInput
    /// Duration of the rise from 0 to 1, seconds; 0, negative and NaN jump.
    let attack: ControlInput
    /// How long the top lasts with the gate closed, seconds; negative and NaN are 0.
    let on: ControlInput
    /// Duration of the fall from 1 to 0, seconds; 0, negative and NaN jump.
    let decay: ControlInput
    /// How long a repeating cycle rests at 0, seconds; negative and NaN wait for the gate.
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
/// With t = tanh(y / 2), exp(y) - 1 = 2 t / (1 - t): relative error at most 1e-11.
@inline(__always)
package func trapezoidGain(_ level: Double) -> Double {
  if level <= 0 { return 0 }
  if level >= 1 { return 1 }
  let half = Fraction(level * 3.4538776394910684, 1).tanh  // ln 1000 / 2
  return 2 * half.top / (999 * (half.bottom - half.top))
}

/// The trapezoid's state; durations are in samples.
package struct Trapezoid: BitwiseCopyable {
  enum Segment: BitwiseCopyable {
    /// Before the first cycle.
    case idle
    case attack, on, decay, off
  }

  private var segment = Segment.idle
  /// Samples since the segment began; for a ramp, as many as lead to the level at this slope.
  private var time = 0.0
  private var isOpen = false
  private var attack = 0.0, on = 0.0, decay = 0.0, off = -1.0
  /// One over `attack` and `decay`.
  private var rise = 0.0, fall = 0.0

  /// A trapezoid at rest that has not begun.
  package init() {}

  /// Takes gate and durations as they are from the next sample on; before the first sample too.
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

  /// The level of one sample, 0 to 1.
  @inline(__always)
  package mutating func next() -> Double {
    // Once round at most, in case all durations together are shorter than a sample.
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
    // More than a sample late is a segment that has been made shorter: it ends now.
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

  /// A usable number of samples: 0 for anything not above, and no more than 2 to the 50.
  private static func duration(_ samples: Double) -> Double {
    samples > 0 ? min(samples, 0x1p50) : 0
  }
}
