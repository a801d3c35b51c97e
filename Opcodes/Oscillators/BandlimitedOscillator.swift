// aout VCO2 kamp, kcps [, imode [, kpw [, kphs [, inyx]]]]
//
// An oscillator without harmonics above sr/2: saw, square, triangle, pulse and other waves.
//
//     imode 0     saw: kamp s(φ)                    imode 10    square
//     imode 2     pulse of width kpw: kamp (s(φ) - s(φ - kpw) + 2 kpw - 1)
//     imode 4     saw, triangle, ramp: kamp (p(φ) - p(φ - kpw)) / (4 kpw (1 - kpw))
//     imode 6     unnormalised pulse: cosines of amplitude 1
//     imode 8     parabola p = 4 φ (1 - φ), less its mean         imode 12    triangle
//
// Each wave has tables with increasing numbers of harmonics (`BandlimitedTables`), shared by all notes. In each k-cycle
// the table with at most inyx sr / kcps harmonics is read, with linear interpolation. The phase φ advances by kcps /
// sr, rounded to 2^-31 cycles. Four frames are computed at once.
//
// Sounds the same as Csound's `vco2`, with these differences:
// - imode 14 (user-defined waves) is an init error, and `vco2init` has no effect;
// - imode 2 and 4 accept a missing kpw, which is then 0; `vco2` requires it;
// - inyx 0 means 0.5; `vco2` takes 0.001 when 0 is written;
// - in imode 4, kpw (1 - kpw) is at least 1e-6 from 0, also while kpw passes a whole number; `vco2` divides by 0 and can
//   burst.
//
// Category: Signal Generators:Dynamic Spectrum Oscillators

import OpcodeKit

@Opcode("VCO2", "Bandlimited oscillator: saw, square, triangle, pulse")
struct BandlimitedOscillator: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The output signal.
    let output: AudioOutput
    /// Amplitude, in units of the output signal.
    let amplitude: ControlInput
    /// Frequency in Hz. A negative frequency runs backwards.
    let frequency: ControlInput
    /// Waveform: an even number from 0 to 12 (see the description). Add 1 to keep the phase of the previous note in the
    /// same memory. Add 16 to modulate the phase with kphs. A fraction is rounded. Default 0.
    @Default(0) let mode: InitInput
    /// With imode 2 the width of the pulse, with imode 4 the position of the peak, in cycles modulo 1. Default 0.
    @Default(0) let width: ControlInput
    /// Initial phase in cycles; with imode + 16, the phase in every k-cycle. Default 0.
    @Default(0) let phase: ControlInput
    /// Bandwidth: the highest harmonic frequency as a fraction of the sample rate. The value is limited to 0.001 to
    /// 0.5; 0 means 0.5. Default 0.
    @Default(0) let bandwidth: InitInput
  }

  private enum Shape: BitwiseCopyable { case plain, pulse, ramp }

  private let tables: BandlimitedTables
  private let shape: Shape
  private let isModulated: Bool
  private var isFirst = true
  private let bandwidth: Double
  private let secondsPerFrame: Double
  private var phase = CyclePhase(bits: 0), otherPhase = CyclePhase(bits: 0)
  /// kphs and -kpw of the previous k-cycle.
  private var lastPhase = 0.0, lastWidth = 0.0
  /// The table of the previous k-cycle, and the range of |kcps| / sr in which it is the right one.
  private var table: TableElements
  private var above = 1.0, below = 0.0

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let mode = Math.whole(Math.nearestWhole(arguments.mode.value), in: 0...63) & 31
    let waves: InlineArray<7, BandlimitedTables.Wave> = [
      .saw, .saw, .parabola, .pulse, .parabola, .square, .triangle,
    ]
    let number = (mode & 14) >> 1
    guard number < 7, arguments.mode.value >= 0 else {
      throw OpcodeError(
        argument: "imode", is: arguments.mode.value,
        mustBe: "an even number from 0 to 12, and 16 more for a phase that is modulated")
    }
    tables = try BandlimitedTables(waves[number], context)
    table = tables.table(harmonics: 0).elements
    shape = number == 1 ? .pulse : number == 2 ? .ramp : .plain
    isModulated = mode & 16 != 0
    let part = arguments.bandwidth.value
    bandwidth = part == 0 ? 0.5 : max(0.001, min(0.5, part))
    secondsPerFrame = 1 / context.sampleRate
    if !isModulated { phase = CyclePhase(bits: Self.step(arguments.phase.value)) }
  }

  static func resumes(_ arguments: Arguments) -> Bool {
    Math.whole(Math.nearestWhole(arguments.mode.value), in: 0...63) & 1 != 0
  }

  /// Cycles rounded to 2^-31, modulo 1; 0 for infinity and NaN.
  @inline(__always)
  private static func step(_ cycles: Double) -> UInt64 {
    (cycles * 0x1p31 + 0x1.8p52).bitPattern << 33
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let frames = context.frames
    guard frames.lowerBound < frames.upperBound else { return }
    if isFirst { begin(arguments) }
    var cycles = arguments.frequency.value * secondsPerFrame
    var step = Self.step(cycles)
    if isModulated {
      let phase = arguments.phase.value
      let change = (phase - lastPhase) / Double(frames.count)
      lastPhase = phase
      step &+= Self.step(change)
      cycles += change
    }
    if !(cycles.magnitude > above && cycles.magnitude < below) { choose(cycles.magnitude) }
    if shape == .plain {
      phase.play(
        LinearCurve.self, of: table, arguments.amplitude, to: arguments.output, frames, step: step)
    } else {
      playDifference(arguments, frames, step: step)
    }
  }

  /// Sets up what depends on k-rate arguments, in the first k-cycle.
  @inline(__always)
  private mutating func begin(_ arguments: Arguments) {
    isFirst = false
    if isModulated {
      lastPhase = arguments.phase.value
      phase = CyclePhase(bits: Self.step(lastPhase))
    }
    lastWidth = -arguments.width.value
    otherPhase = CyclePhase(bits: phase.bits &+ Self.step(lastWidth))
  }

  /// Selects the table for a frequency in cycles per frame.
  @inline(never)
  private mutating func choose(_ cycles: Double) {
    let least = bandwidth / Double(BandlimitedTables.mostHarmonics)
    let found = tables.table(
      harmonics: Math.whole(
        bandwidth / (cycles >= least ? cycles : least), in: 0...BandlimitedTables.mostHarmonics))
    table = found.elements
    // The range is slightly narrower than exact; frequencies at its ends cause another lookup.
    above = bandwidth / found.next * (1 + 1e-12)
    below = bandwidth / found.harmonics * (1 - 1e-12)
  }

  /// Plays the wave minus a copy delayed by the width.
  @inline(__always)
  private mutating func playDifference(
    _ arguments: Arguments, _ frames: Range<Int>, step: UInt64
  ) {
    let width = -arguments.width.value
    let change = (width - lastWidth) / Double(frames.count)
    let place = Self.part(lastWidth)
    lastWidth = width
    // As in `vco2`, the width (or the pulse's offset) changes linearly from frame to frame.
    var (term, termStep) = (place, change)
    if shape == .pulse { (term, termStep) = (1 - (place + place), -(change + change)) }
    let otherStep = step &+ Self.step(change)
    let level = arguments.amplitude.value
    let (table, output, shape) = (table, arguments.output, shape)
    var one = SteadyPhases(phase, step: step, in: table.count)
    var other = SteadyPhases(otherPhase, step: otherStep, in: table.count)
    var frame = frames.lowerBound
    while frame &+ 4 <= frames.upperBound {
      let difference =
        LinearCurve(table, one.indices).values(at: one.rests, times: Quad(1))
        - LinearCurve(table, other.indices).values(at: other.rests, times: Quad(1))
      let second = term + termStep
      let third = second + termStep
      let fourth = third + termStep
      let terms = Quad(values: SIMD4(term, second, third, fourth))
      term = fourth + termStep
      if shape == .pulse {
        output.setQuad((difference + terms) * Quad(level), at: frame)
      } else {
        // Below 0 while a pulse width passes a whole number.
        let exact = terms - terms * terms
        let product = Quad.maximum(exact.magnitude, Quad(1e-6)).withSigns(of: exact)
        output.setQuad((difference * Quad(level)) * (Quad(0.25) / product), at: frame)
      }
      one.advance()
      other.advance()
      frame &+= 4
    }
    (phase, otherPhase) = (one.phase, other.phase)
    while frame < frames.upperBound {
      let difference =
        LinearCurve.value(of: table, at: phase) - LinearCurve.value(of: table, at: otherPhase)
      if shape == .pulse {
        output[frame] = (difference + term) * level
      } else {
        let exact = term - term * term
        let product = exact < 0 ? min(-1e-6, exact) : max(1e-6, exact)
        output[frame] = (difference * level) * (0.25 / product)
      }
      phase.advance(step)
      otherPhase.advance(otherStep)
      term += termStep
      frame &+= 1
    }
  }

  /// The fractional part, from 0 up to 1.
  @inline(__always)
  private static func part(_ width: Double) -> Double {
    let rest = width - Math.nearestWhole(width)
    return rest < 0 ? rest + 1 : rest
  }
}
