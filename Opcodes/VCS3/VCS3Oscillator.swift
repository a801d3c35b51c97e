// aone, atwo VCS3OSC xcps, kshape [, ioscillator [, iquality]]
//
// An oscillator of the EMS VCS3. Oscillator 1 has a sine, whose shape can be bent, and a ramp. Oscillators 2 and 3 have
// a rectangle and a triangle with a variable pulse width and rise time.
//
// With p the phase, from 0 up to 1, and s the shape:
//
//     1   one = cos(π c) sin(2πp) + sin(π c) (|cos 2πp| - 2/π),   c = s - 1/2        two = 2p - 1
//     2   one = 1 where p < s, else -1        two = 2p/s - 1 where p < s, else 1 - 2 (p - s)/(1 - s)
//
// At shape 0.5 the waves are a sine, a square and a triangle. Towards 0 and 1 the sine bends into a series of arches,
// all above or all below zero and an octave higher; the rectangle becomes a narrow pulse, the triangle a falling or
// rising ramp.
//
// The effect of the shape is that of the instrument (P. Grogono, "The Synthi educational handbook", EMS 1972). The
// bending of the sine, a triangle with an offset through a sine's curve, follows S. Cook ("Csound VCS3/Synthi A
// emulator"), without its offset. The circuit's levels, 3 and 4 V, are both 0dbfs here; other effects of its components
// are not modelled.
//
// Steps and bends are smoothed by a cubic B-spline, whose treble loss is compensated except for the sine
// (SplineCorner.swift): 0.1 dB are lost at 10 kHz, 0.4 dB at 15 kHz. At 48 kHz, aliases of ramp, rectangle and triangle
// below 10 kHz are at -78 dB or less for a frequency of 1 kHz, -73 dB for 5 kHz and -62 dB for 10 kHz; those of the
// arches at -100, -59 and -31 dB. Above 10 kHz the ramp's aliases reach -33, -21 and -28 dB. The frequency can be modulated
// at audio rate; the smoothing is then less exact, because it assumes equal phase steps around a corner: a ramp of 3 kHz
// that a sine of 1010 Hz moves by 2.9 kHz has a line of -49 dB at 1010 Hz, the exact one of -87 dB.
//
// With an iquality of 1 or 2 ramp, rectangle and triangle are those behind a lowpass of minimum phase (`MinBLEP`), also
// where frequency or shape are modulated: flat within 0.02 dB to 0.417 sr (20 kHz at 48 kHz), and aliases below that at
// -80 dB or less. Sine and arches are as before.
//
// Category: Signal Generators:Models and Emulations

import OpcodeKit

@Opcode("VCS3OSC", "Oscillator of the EMS VCS3, two waves with a common shape")
struct VCS3Oscillator<Frequency: Signal>: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The sine or the rectangle, from -1 to 1 times 0dbfs, except for ringing at the steps.
    let first: AudioOutput
    /// The ramp or the triangle, from -1 to 1 times 0dbfs, except for ringing at the ramp's steps.
    let second: AudioOutput
    /// Frequency in Hz; k-rate or a-rate. Clamped to 0 … 0.45 sr; NaN counts as 0, at which the phase stands still. The
    /// instrument goes from 1 Hz to 10 kHz, its oscillator 3 from 0.05 to 500 Hz.
    let frequency: Frequency
    /// Shape, clamped to 0 … 1; NaN counts as 0.5. No part of a rectangle or triangle becomes shorter than 1 % of the
    /// cycle or than one sample.
    let shape: ControlInput
    /// Oscillator: 1 for sine and ramp, 2 or 3 for rectangle and triangle. Anything else is an init error. Default 1.
    @Default(1) let oscillator: InitInput
    /// 0 for the waves described above; 1 or 2 for ramp, rectangle and triangle with fewer aliases. Default 0.
    @Default(0) let quality: InitInput
  }

  static var bufferCount: Int { 2 }

  private var phase = 0.0
  /// Phase step in cycles from the last sample to the next.
  private var step = 0.0
  private var isNew = true
  private var firstEqualizer = SplineEqualizer()
  private var secondEqualizer = SplineEqualizer()
  private var lines: VCS3Lines?
  private let isSine: Bool
  private let cyclesPerHertz: Double
  /// 0, or what rounds cycles to 2^-44 when it is added and subtracted.
  private let grid: Double
  private let fullScale: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let oscillator = arguments.oscillator.value
    guard oscillator == 1 || oscillator == 2 || oscillator == 3 else {
      throw OpcodeError(argument: "ioscillator", is: oscillator, mustBe: "1, 2 or 3")
    }
    isSine = oscillator == 1
    cyclesPerHertz = 1 / context.sampleRate
    fullScale = context.fullScale
    lines =
      try Quality(arguments.quality.value) == .original
      ? nil : VCS3Lines(MinBLEP(context), MinBLEP(context))
    grid = lines == nil ? 0 : 0x1.8p8
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    if _slowPath(lines != nil) { return performBetter(arguments, context) }
    let frames = context.frames
    let shape = Self.shape(arguments.shape.value)
    let (cosine, sine) = (Math.sin(Double.pi * shape), -Math.cos(Double.pi * shape))
    var frame = frames.lowerBound
    while frame < frames.upperBound {
      let count = min(8, frames.upperBound - frame)
      let (cycle, widest) = advance(count, at: frame, arguments.frequency)
      let waves =
        isSine
        ? cycle.sineAndRamp(cosine, sine)
        : cycle.rectangleAndTriangle(max(0.01, widest), shape)
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

  @inline(never) @_semantics("no_performance_analysis")
  private mutating func performBetter(_ arguments: Arguments, _ context: Context) {
    guard var lines else { return }
    let frames = context.frames
    let shape = Self.shape(arguments.shape.value)
    if isSine {
      let (cosine, sine) = (Math.sin(Double.pi * shape), -Math.cos(Double.pi * shape))
      var frame = frames.lowerBound
      while frame < frames.upperBound {
        let count = min(8, frames.upperBound - frame)
        // Before the outputs are written, because the frequency can share their memory.
        var ramps = InlineArray<8, Double>(repeating: 0)
        var (phase, step) = (phase, step)
        for place in 0..<count {
          ramps[unchecked: place] = fullScale * lines.ramp(phase, step)
          step = self.step(for: arguments.frequency[frame + place])
          phase += step
          if phase >= 1 { phase -= 1 }
        }
        let cycle = advance(count, at: frame, arguments.frequency).0
        let first = cycle.sineAlone(cosine, sine) * Lanes(fullScale)
        if count == 8 {
          arguments.first.setLanes(first, at: frame)
        } else {
          for place in 0..<count { arguments.first[frame + place] = first[place] }
        }
        for place in 0..<count { arguments.second[frame + place] = ramps[unchecked: place] }
        isNew = false
        frame += count
      }
    } else {
      // In local variables, which no store to an output can change.
      var (phase, step) = (phase, step)
      for frame in frames {
        let next = self.step(for: arguments.frequency[frame])
        if frame == frames.lowerBound || Frequency.isAudioRate {
          let narrowest = max(0.01, next)
          lines.setWidth(max(narrowest, min(1 - narrowest, shape)))
        }
        let (first, second) = lines.rectangleAndTriangle(phase, step)
        arguments.first[frame] = fullScale * first
        arguments.second[frame] = fullScale * second
        step = next
        phase += next
        if phase >= 1 { phase -= 1 }
      }
      (self.phase, self.step) = (phase, step)
    }
    self.lines = lines
  }

  /// A phase step within 0 … 0.45 for a frequency; 0 for NaN.
  @inline(__always)
  private func step(for frequency: Double) -> Double {
    let cycles = frequency * cyclesPerHertz
    return cycles > 0 ? rounded(min(cycles, 0.45)) : 0
  }

  /// With an iquality rounded to 2^-44 cycles. Sums and differences of phases and steps are then exact, so that no end of
  /// a cycle is missed.
  @inline(__always)
  private func rounded(_ cycles: Double) -> Double { (cycles + grid) - grid }

  /// The shape within 0 … 1; NaN counts as 0.5.
  @inline(__always)
  private static func shape(_ asked: Double) -> Double {
    asked >= 0 ? min(asked, 1) : asked < 0 ? 0 : 0.5
  }

  /// Advances by up to eight samples; returns their phases, and the largest phase step.
  @inline(__always) @_semantics("no_performance_analysis")
  private mutating func advance(
    _ count: Int, at frame: Int, _ frequency: Frequency
  ) -> (CycleLanes, widest: Double) {
    var phases = Lanes(phase), behind = Lanes(0), ahead = Lanes(0)
    var widest = 0.0
    for index in 0..<8 {
      if index < count {
        let next = self.step(for: frequency[frame + index])
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
}

extension CycleLanes {
  /// The first of `sineAndRamp`. Not inlined, so that the code is there once for both rates.
  @inline(never) @_semantics("no_performance_analysis")
  fileprivate func sineAlone(_ cosine: Double, _ sine: Double) -> Lanes {
    sineAndRamp(cosine, sine).first
  }

  @inline(__always) @_semantics("no_performance_analysis")
  fileprivate func sineAndRamp(
    _ cosine: Double, _ sine: Double
  ) -> (first: Lanes, second: Lanes) {
    let circle = circle
    // cos 2πp| has a corner at 1/4 and at 3/4, where its slope increases by 4π per cycle.
    let bends = corner(at: 0.25).bend + corner(at: 0.75).bend
    let arches = circle.cosine + Lanes(4 * Double.pi) * bends - Lanes(2 / Double.pi)
    let ramp = phase + phase - Lanes(1) - Lanes(2) * corner(at: 0).step
    return (Lanes(cosine) * circle.sine + Lanes(sine) * arches, ramp)
  }

  @inline(__always) @_semantics("no_performance_analysis")
  fileprivate func rectangleAndTriangle(
    _ narrowest: Double, _ shape: Double
  ) -> (first: Lanes, second: Lanes) {
    let width = max(narrowest, min(1 - narrowest, shape))
    let (up, down) = (corner(at: 0), corner(at: width))
    let steps = up.step - down.step
    let rectangle = Lanes(1) - Lanes(2) * isPast(width) + Lanes(2) * steps
    let (rise, fall) = (2 / width, 2 / (1 - width))
    let straight = Lanes.minimum(
      phase * Lanes(rise) - Lanes(1), Lanes(1) - (phase - Lanes(width)) * Lanes(fall))
    return (rectangle, straight + Lanes(rise + fall) * (up.bend - down.bend))
  }
}
