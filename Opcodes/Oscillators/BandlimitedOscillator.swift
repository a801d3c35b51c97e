// aout VCO2 kamp, kcps [, imode [, kpw [, kphs [, inyx]]]]
//
// An oscillator whose waves have no harmonics above sr/2: saw, square, triangle, pulse and others.
//
//     imode 0     saw: kamp s(φ)                    imode 10    square
//     imode 2     pulse of width kpw: kamp (s(φ) - s(φ - kpw) + 2 kpw - 1)
//     imode 4     saw, triangle, ramp: kamp (p(φ) - p(φ - kpw)) / (4 kpw (1 - kpw))
//     imode 6     unnormalised pulse: cosines of amplitude 1
//     imode 8     parabola p = 4 φ (1 - φ), less its mean         imode 12    triangle
//
// A wave is tables with ever more harmonics (`BandlimitedTables`), which all notes share; in each
// k-cycle the one with at most inyx sr / kcps harmonics is read, between two elements in proportion. φ
// advances by the nearest whole number of 2^-31 cycles to kcps / sr. Four frames are computed at once.
//
// The same sound as Csound's `vco2`, with these differences:
//  - imode 14, waves of one's own, is refused, and `vco2init` changes nothing here;
//  - imode 2 and 4 do without kpw, which is 0 then, where `vco2` refuses;
//  - inyx 0 is 0.5, where `vco2` takes 0.001 if it is written;
//  - in imode 4 kpw (1 - kpw) is at least a millionth, where `vco2` divides by 0.

import OpcodeKit

@Opcode("VCO2", "Bandlimited oscillator: saw, square, triangle, pulse")
struct BandlimitedOscillator: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The sound.
    let output: AudioOutput
    /// Amplitude, in units of the sound.
    let amplitude: ControlInput
    /// Frequency, Hz; negative goes backwards.
    let frequency: ControlInput
    /// The wave, an even number from 0 to 12; 1 more goes on from the note before in the same memory, 16
    /// more lets kphs modulate the phase. A fraction is rounded. Default 0.
    @Default(0) let mode: InitInput
    /// Width of the pulse with imode 2, place of the peak with imode 4: cycles, modulo 1. Default 0.
    @Default(0) let width: ControlInput
    /// Phase to begin with, cycles; with 16 in imode the phase itself.
    @Default(0) let phase: ControlInput
    /// Up to which part of the sample rate there are harmonics, from 0.001 to 0.5 and clamped there; 0 is
    /// 0.5. Default 0.
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
  /// kphs and -kpw of the k-cycle before.
  private var lastPhase = 0.0, lastWidth = 0.0
  /// The table of the k-cycle before, and between which parts of the sample rate it is the one to read.
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

  /// The nearest whole number of 2^-31 cycles, modulo 1; of infinity and NaN 0.
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

  /// The first k-cycle, whose controls are known now.
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

  /// The table for a part of the sample rate.
  @inline(never)
  private mutating func choose(_ cycles: Double) {
    let least = bandwidth / Double(BandlimitedTables.mostHarmonics)
    let found = tables.table(
      harmonics: Math.whole(
        bandwidth / (cycles >= least ? cycles : least), in: 0...BandlimitedTables.mostHarmonics))
    table = found.elements
    // A little less than where it is the one: what lies at the ends is looked up.
    above = bandwidth / found.next * (1 + 1e-12)
    below = bandwidth / found.harmonics * (1 - 1e-12)
  }

  /// The wave less itself, later by the width.
  @inline(__always)
  private mutating func playDifference(
    _ arguments: Arguments, _ frames: Range<Int>, step: UInt64
  ) {
    let width = -arguments.width.value
    let change = (width - lastWidth) / Double(frames.count)
    let place = Self.part(lastWidth)
    lastWidth = width
    // The width, or what a pulse has for it, goes on from frame to frame as it does in `vco2`.
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
        let product = Quad.maximum(terms - terms * terms, Quad(1e-6))
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
        output[frame] = (difference * level) * (0.25 / max(1e-6, term - term * term))
      }
      phase.advance(step)
      otherPhase.advance(otherStep)
      term += termStep
      frame &+= 1
    }
  }

  /// What is behind the point, counted from the whole number below.
  @inline(__always)
  private static func part(_ width: Double) -> Double {
    let rest = width - Math.nearestWhole(width)
    return rest < 0 ? rest + 1 : rest
  }
}
