// aone, atwo VCS3OSC xcps, kshape [, ioscillator]
//
// An oscillator of the EMS VCS3: number 1 has a sine that can be bent and a ramp, 2 and 3 a rectangle and a
// triangle whose upper part and rise take more or less of the cycle.
//
// With p the phase, 0 up to 1, and s the shape:
//
//     1   one = cos(π c) sin(2πp) + sin(π c) (|cos 2πp| - 2/π),   c = s - 1/2        two = 2p - 1
//     2   one = 1 where p < s, else -1        two = 2p/s - 1 where p < s, else 1 - 2 (p - s)/(1 - s)
//
// At shape 0.5 they are a sine, a square and a triangle. To the ends the sine bends into a row of arches, all
// of them above or below, an octave higher; the rectangle becomes a pulse, the triangle a ramp down or up.
// What the shapes do is that of the instrument (P. Grogono, "The Synthi educational handbook", EMS 1972); how
// the sine bends, a triangle with an offset through a sine's curve, is S. Cook's ("Csound VCS3/Synthi A
// emulator"), without its offset. The circuit's levels, 3 and 4 V, are both 0dbfs here, and what else its
// parts do to the waves is left out.
//
// Steps and bends are those of a wave seen through a cubic B-spline, whose loss at high frequencies is taken
// back for all but the sine (SplineCorner.swift): 0.1 dB are missing at 10 kHz, 0.4 at 15. At 48 kHz and below
// 10 kHz aliases of ramp, rectangle and triangle are at -78 dB and less for 1 kHz, -73 for 5 kHz, -62 for
// 10 kHz; those of the arches at -79, -59 and -35. Above 10 kHz aliases reach -34 dB. The frequency can be
// modulated by a sound: a wave is then as smooth as the ways beside a corner are even.

import OpcodeKit

@Opcode("VCS3OSC", "Oscillator of the EMS VCS3, two waves with a common shape")
struct VCS3Oscillator<Frequency: Signal>: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The sine or the rectangle, -1 to 1 times 0dbfs, but where the ramp's and the rectangle's steps ring.
    let first: AudioOutput
    /// The ramp or the triangle.
    let second: AudioOutput
    /// Frequency, Hz, k-rate or a-rate; clamped to 0 … 0.45 sr, NaN is 0, where it stands still. The
    /// instrument goes from 1 Hz to 10 kHz, its oscillator 3 from 0.05 to 500 Hz.
    let frequency: Frequency
    /// Shape, 0 to 1, clamped, NaN is 0.5. No part of a rectangle or triangle gets shorter than 1 % of the
    /// cycle or a sample.
    let shape: ControlInput
    /// 1 for sine and ramp, 2 or 3 for rectangle and triangle. Default 1.
    @Default(1) let oscillator: InitInput
  }

  private var phase = 0.0
  /// Cycles from the last sample to the next.
  private var step = 0.0
  private var isNew = true
  private var firstEqualizer = SplineEqualizer()
  private var secondEqualizer = SplineEqualizer()
  private let isSine: Bool
  private let cyclesPerHertz: Double
  private let fullScale: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let oscillator = arguments.oscillator.value
    guard oscillator == 1 || oscillator == 2 || oscillator == 3 else {
      throw OpcodeError(argument: "ioscillator", is: oscillator, mustBe: "1, 2 or 3")
    }
    isSine = oscillator == 1
    cyclesPerHertz = 1 / context.sampleRate
    fullScale = context.fullScale
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let frames = context.frames
    let asked = arguments.shape.value
    let shape = asked >= 0 ? min(asked, 1) : asked < 0 ? 0 : 0.5
    let (cosine, sine) = (Math.sin(Double.pi * shape), -Math.cos(Double.pi * shape))
    var frame = frames.lowerBound
    while frame < frames.upperBound {
      let count = min(8, frames.upperBound - frame)
      let (cycle, widest) = advance(count, at: frame, arguments.frequency)
      let waves =
        isSine
        ? Self.sineAndRamp(cycle, cosine, sine)
        : Self.rectangleAndTriangle(cycle, max(0.01, widest), shape)
      if isNew {
        firstEqualizer.settle(at: waves.first[0])
        secondEqualizer.settle(at: waves.second[0])
        isNew = false
      }
      for index in 0..<count {
        let first = waves.first[index]
        arguments.first[frame + index] =
          fullScale * (isSine ? first : firstEqualizer.next(first))
        arguments.second[frame + index] = fullScale * secondEqualizer.next(waves.second[index])
      }
      frame += count
    }
  }

  /// Goes on by up to eight samples; the phases before, and the longest way between two.
  @inline(__always) @_semantics("no_performance_analysis")
  private mutating func advance(
    _ count: Int, at frame: Int, _ frequency: Frequency
  ) -> (CycleLanes, widest: Double) {
    var phases = Lanes(phase), behind = Lanes(0), ahead = Lanes(0)
    var widest = 0.0
    for index in 0..<8 {
      if index < count {
        let cycles = frequency[frame + index] * cyclesPerHertz
        let next = cycles > 0 ? min(cycles, 0.45) : 0
        behind[index] = isNew && index == 0 ? next : step
        step = next
        phases[index] = phase
        phase += next
        if phase >= 1 { phase -= 1 }
        widest = max(widest, next)
      }
      ahead[index] = step
    }
    return (CycleLanes(phase: phases, behind: behind, ahead: ahead), widest)
  }

  @inline(__always) @_semantics("no_performance_analysis")
  private static func sineAndRamp(
    _ cycle: CycleLanes, _ cosine: Double, _ sine: Double
  ) -> (first: Lanes, second: Lanes) {
    let circle = cycle.circle
    // |cos 2πp| turns round at 1/4 and 3/4: its slope grows by 4π per cycle.
    let bends = cycle.corner(at: 0.25).bend + cycle.corner(at: 0.75).bend
    let arches = circle.cosine + Lanes(4 * Double.pi) * bends - Lanes(2 / Double.pi)
    let ramp = cycle.phase + cycle.phase - Lanes(1) - Lanes(2) * cycle.corner(at: 0).step
    return (Lanes(cosine) * circle.sine + Lanes(sine) * arches, ramp)
  }

  @inline(__always) @_semantics("no_performance_analysis")
  private static func rectangleAndTriangle(
    _ cycle: CycleLanes, _ narrowest: Double, _ shape: Double
  ) -> (first: Lanes, second: Lanes) {
    let width = max(narrowest, min(1 - narrowest, shape))
    let (up, down) = (cycle.corner(at: 0), cycle.corner(at: width))
    let steps = up.step - down.step
    let rectangle = Lanes(1) - Lanes(2) * cycle.isPast(width) + Lanes(2) * steps
    let (rise, fall) = (2 / width, 2 / (1 - width))
    let straight = Lanes.minimum(
      cycle.phase * Lanes(rise) - Lanes(1), Lanes(1) - (cycle.phase - Lanes(width)) * Lanes(fall))
    return (rectangle, straight + Lanes(rise + fall) * (up.bend - down.bend))
  }
}
