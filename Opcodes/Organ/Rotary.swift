// aleft, aright ROTARY ain, kspeed [, kdrive [, kcabinet [, iangle [, idistance]]]]
//
// A Leslie speaker: an amplifier, a crossover, a horn and a drum that rotate in opposite directions, and two
// microphones.
//
//     amplifier   y = (tanh(g x + b) - tanh b) / (g (1 - tanh^2 b))      b = 0.2, computed at 4 sr
//     crossover   800 Hz, 12 dB per octave each side, in phase (Linkwitz-Riley)
//     a rotor     out = sum over two bands of gain(angle) band(t - way(angle) / c)
//                 way = sqrt(d^2 + r^2 - 2 d r cos(angle))               c = 340 m/s
//
// The path length (way) causes the Doppler shift: at most the radius times the angular speed, which for the fast horn
// is 8.5 m/s or 43 cents. The gain falls with the path length and with the angle between mouth and microphone, more
// above 2.5 kHz (horn) or 250 Hz (drum) than below. Each microphone also receives the reflection from the wall behind
// the rotor, in which the rotor seems to turn in the other direction.
//
//                         slow      fast      rise      fall      radius
//     horn                0.672     7.056     0.161     0.321     0.192
//     drum                0.667     5.955     4.127     1.371     0.22
//                         Hz        Hz        s         s         m
//
// Sources. Speeds and times: J. Herrera, C. Hanson and J. S. Abel, "Discrete time emulation of the Leslie speaker", AES
// 127th Convention, 2009 (a Leslie 44W); the drum's slow speed: Hammond Wiki; radii and distance: setBfree; method: J.
// O. Smith, S. Serafin, J. Abel and D. Berners, "Doppler simulation and the Leslie", DAFx 2002. The dependence of the
// gain on the angle, the wall and the amplifier's curve are choices, not measurements.
//
// Angles are computed every 16 samples; path lengths and gains are interpolated linearly in between. For the fast horn at
// 48 kHz, 0.3 m away, the error is at most 0.0021 samples.
//
// Category: Signal Modifiers:Special Effects

import OpcodeKit

@Opcode("ROTARY", "Rotary speaker: amplifier, horn and drum, two microphones")
struct Rotary: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The signals of the left and the right microphone.
    let left, right: AudioOutput
    /// The input signal. Clamped to a million times full scale; NaN counts as 0.
    let input: AudioInput
    /// Speed of the rotors: 0 stopped, 1 slow, 2 fast. Rounded and clamped; NaN counts as 0. A note begins with the
    /// rotors at this speed.
    let speed: ControlInput
    /// Drive of the amplifier, 0 to 1: an input gain from 0.25 to 16. Clamped; NaN counts as 0. Default 0, which leaves
    /// a full-scale signal nearly undistorted.
    @Default(0) let drive: ControlInput
    /// Level of the reflection from the cabinet's wall, 0 to 2. Clamped; NaN counts as 0. Default 1.
    @Default(1) let cabinet: ControlInput
    /// Angle between the microphones in degrees, 0 to 180. Default 90, also for -1.
    @Default(-1) let angle: InitInput
    /// Distance of the microphones from the axis in m, 0.3 to 2. Default 0.42, also for -1.
    @Default(-1) let distance: InitInput
  }

  static let bufferCount = 4

  private var amplifier: RotaryAmplifier
  private var crossover: Crossover
  private var horn: Rotor
  private var drum: Rotor
  private var microphones: RotorPlace
  /// Position of the next frame in its segment.
  private var place = 0
  private var isNew = true

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let angle = arguments.angle.value == -1 ? 90 : arguments.angle.value
    let distance = arguments.distance.value == -1 ? 0.42 : arguments.distance.value
    guard angle >= 0, angle <= 180 else {
      throw OpcodeError(argument: "iangle", is: angle, mustBe: "from 0 to 180 degrees")
    }
    guard distance >= 0.3, distance <= 2 else {
      throw OpcodeError(argument: "idistance", is: distance, mustBe: "from 0.3 to 2 m")
    }
    microphones = RotorPlace(angle: angle / 360, distance: distance, cabinet: 1)
    amplifier = RotaryAmplifier(context)
    crossover = Crossover(frequency: 800, sampleRate: context.sampleRate)
    horn = try Rotor(.horn, .horn, direction: 1, buffer: 0, context)
    drum = try Rotor(.drum, .drum, direction: -1, buffer: 2, context)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let frames = context.frames
    let setting = Math.whole(Math.nearestWhole(min(arguments.speed.value, 2)), in: 0...2)
    let cabinet = arguments.cabinet.value
    microphones.cabinet = cabinet > 0 ? min(cabinet, 2) : 0
    amplifier.follow(arguments.drive.value)
    if isNew {
      horn.begin(setting, microphones)
      drum.begin(setting, microphones)
      isNew = false
    }
    var frame = frames.lowerBound
    while frame < frames.upperBound {
      if place == 0 {
        horn.turn(setting, microphones)
        drum.turn(setting, microphones)
      }
      let run = min(Rotor.segment - place, frames.upperBound - frame)
      play(run, at: frame, arguments)
      frame += run
      place = (place + run) % Rotor.segment
    }
    amplifier.settle()
    crossover.settle()
    horn.settle()
    drum.settle()
  }

  /// Plays some frames of a segment, two at a time.
  @inline(__always) @_semantics("no_performance_analysis")
  private mutating func play(_ run: Int, at first: Int, _ arguments: Arguments) {
    var index = 0
    while index < run {
      let frame = first + index
      let hasTwo = index + 1 < run
      let input = arguments.input
      let both = amplifier.next(input[frame], hasTwo ? input[frame + 1] : nil)
      write(both[0], arguments, at: frame)
      if hasTwo { write(both[1], arguments, at: frame + 1) }
      index += 2
    }
  }

  @inline(__always) @_semantics("no_performance_analysis")
  private mutating func write(_ sample: Double, _ arguments: Arguments, at frame: Int) {
    let bands = crossover.next(sample)
    let heard = drum.next(bands.low) + horn.next(bands.high)
    arguments.left[frame] = heard[0]
    arguments.right[frame] = heard[1]
  }
}

/// A two-band crossover; the sum of the bands has a flat magnitude response. At the crossover frequency each band is at
/// -6 dB.
package struct Crossover: BitwiseCopyable {
  private let g, over: Double
  private var s1 = 0.0, s2 = 0.0

  package init(frequency: Double, sampleRate: Double) {
    let angle = Double.pi * min(frequency / sampleRate, 0.45)
    g = Math.sin(angle) / Math.cos(angle)
    over = 1 / ((1 + g) * (1 + g))
  }

  /// A state variable filter with Q = 1/2 (trapezoidal rule); the high band is inverted.
  @inline(__always)
  package mutating func next(_ input: Double) -> (low: Double, high: Double) {
    let high = (input - (2 + g) * s1 - s2) * over
    let band = g * high + s1
    let low = g * band + s2
    s1 = g * high + band
    s2 = g * band + low
    return (low, -high)
  }

  mutating func settle() { if s1.magnitude + s2.magnitude < 1e-30 { (s1, s2) = (0, 0) } }
}

/// An asymmetric saturation curve, computed at four times the sample rate.
struct RotaryAmplifier: BitwiseCopyable {
  private var up = HalfBand(), upAgain = WideHalfBand()
  private var down = HalfBand(), downAgain = WideHalfBand()
  private var lastDrive = -1.0
  /// Gain before the curve, and gain after it.
  private var gain = 1.0, level = 1.0
  private let bias, biased: Double
  private let toUnit, fullScale: Double
  /// The signal below 20 Hz, which is subtracted because the curve creates a DC offset.
  private var mean = 0.0
  private let blocker: Double

  init(_ context: Context) {
    bias = 0.2
    biased = Pair(0.2).tanh[0]
    fullScale = context.fullScale
    toUnit = 1 / fullScale
    blocker = 1 - Math.exp(-2 * Double.pi * 20 / context.sampleRate)
  }

  /// Applies a new drive.
  mutating func follow(_ drive: Double) {
    let bounded = drive > 0 ? min(drive, 1) : 0
    guard bounded != lastDrive else { return }
    lastDrive = bounded
    gain = 0.25 * Math.pow(64, bounded)
    level = fullScale * Math.pow(64, 0.4 * bounded) / (gain * (1 - biased * biased))
  }

  /// Processes one sample or two.
  @inline(__always) @_semantics("no_performance_analysis")
  mutating func next(_ first: Double, _ second: Double?) -> Pair {
    let (a, b) = higher(first)
    guard let second else { return Pair(lower(curve(a), curve(b))) }
    let (c, d) = higher(second)
    let shaped = curve(
      Lanes(values: SIMD8(a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1])))
    let one = lower(Pair(shaped[0], shaped[1]), Pair(shaped[2], shaped[3]))
    return Pair(one, lower(Pair(shaped[4], shaped[5]), Pair(shaped[6], shaped[7])))
  }

  /// Upsamples one sample to four.
  @inline(__always) @_semantics("no_performance_analysis")
  private mutating func higher(_ input: Double) -> (Pair, Pair) {
    let sample = input * toUnit
    let usable = sample.magnitude > 1e-30 ? max(-1e6, min(1e6, sample)) : 0
    let two = up.up(usable * gain)
    return (upAgain.up(two[0]), upAgain.up(two[1]))
  }

  @inline(__always) @_semantics("no_performance_analysis")
  private func curve<V: Vector>(_ input: V) -> V { (input + V(bias)).tanh - V(biased) }

  /// Downsamples four samples to one.
  @inline(__always) @_semantics("no_performance_analysis")
  private mutating func lower(_ first: Pair, _ second: Pair) -> Double {
    let sample =
      level
      * down.down(
        Pair(downAgain.down(first), downAgain.down(second)))
    mean += blocker * (sample - mean)
    return sample - mean
  }

  mutating func settle() {
    up.settle()
    upAgain.settle()
    down.settle()
    downAgain.settle()
    if mean.magnitude < 1e-30 { mean = 0 }
  }
}
