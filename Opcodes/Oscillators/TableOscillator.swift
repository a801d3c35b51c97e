// aout POSCIL xamp, xcps [, ifn, iphs]
// kout POSCIL kamp, kcps [, ifn, iphs]
//
// A table oscillator with cubic interpolation and a phase that never drifts.
//
//     out[n] = xamp y(p[n] L)        p[n+1] = p[n] + xcps / sr, modulo 1
//
// y is the cubic through the four table elements round the place, L the table's length, any number
// of elements (Lagrange's polynomial; `CubicLanes` has it).
//
// The same sound as Csound's `poscil3`, with these differences:
//  - the phase is a 64-bit integer (`CyclePhase`), so a step is never rounded. Its own rounding, to
//    2^-51 cycles, is less than a millionth of a cycle in 28 hours;
//  - a table that is replaced during the note is played, whatever its length; `poscil3` goes on with
//    the memory of the old one;
//  - infinite and undefined frequencies stand still, where `poscil3` hangs or reads outside the table.
//
// Two frames at a time: integer phases are known in advance, so their interpolation is in lanes.

import OpcodeKit

/// Two places in tables at once, each between the middle two of four neighbouring points, and the
/// cubics through them.
///
///     y(f) = y0 + f (d + (f - 1) (s/2 + (f + 1) (t - s) / 6)),    0 <= f < 1
///     d = y1 - y0,   s = y-1 - 2 y0 + y1,   t = y0 - 2 y1 + y2
///
/// Newton's form of Lagrange's polynomial through equidistant points (M. Abramowitz, I. Stegun,
/// "Handbook of mathematical functions", 25.2).
package struct CubicLanes: BitwiseCopyable {
  /// The points at -1, 0, 1 and 2.
  package var before, left, right, after: Pair

  @inline(__always)
  package init(before: Pair, left: Pair, right: Pair, after: Pair) {
    (self.before, self.left, self.right, self.after) = (before, left, right, after)
  }

  /// The cubics, times `level`, at places after `left`, in units of 2^-64 of the distance to `right`.
  @inline(__always)
  package func value(at rest: SIMD2<UInt64>, times level: Pair) -> Pair {
    let plus = Pair.onePlus(rest)  // f + 1
    let slope = right - left
    let bend = slope - (left - before)
    let change = ((after - right) - slope) - bend
    let sixth = plus * Pair(1.0 / 6)
    let inner = bend * Pair(0.5) + sixth * change
    let factor = slope + (plus - Pair(2)) * inner
    return level * (left + (plus - Pair(1)) * factor)
  }
}

extension TableElements {
  /// The four neighbours of each of two places, round and round as Csound's cubic oscillators have
  /// them: what follows the last element is the guard point, then the second element.
  ///
  /// `one` and `other` are indices from 0 to `count - 1`. Not checked.
  @inline(__always)
  package func neighbours(_ one: Int, _ other: Int) -> CubicLanes {
    // Written so that one comparison finds either end.
    let inner = UInt(bitPattern: count &- 2)
    if _slowPath(UInt(bitPattern: one &- 1) >= inner || UInt(bitPattern: other &- 1) >= inner) {
      return CubicLanes(
        before: .init(self[wrapped(one &- 1)], self[wrapped(other &- 1)]),
        left: .init(self[one], self[other]), right: .init(self[one &+ 1], self[other &+ 1]),
        after: .init(self[wrapped(one &+ 2)], self[wrapped(other &+ 2)]))
    }
    let (lower0, upper0) = (pair(at: one &- 1), pair(at: one &+ 1))
    let (lower1, upper1) = (pair(at: other &- 1), pair(at: other &+ 1))
    return CubicLanes(
      before: .init(lower0[0], lower1[0]), left: .init(lower0[1], lower1[1]),
      right: .init(upper0[0], upper1[0]), after: .init(upper0[1], upper1[1]))
  }

  /// An index one before the first element, or one or two after the last, as it is read.
  @inline(__always)
  func wrapped(_ index: Int) -> Int { index < 0 ? count &- 1 : index > count ? 1 : index }
}

@Opcode("POSCIL", "Table oscillator, cubic interpolation")
struct TableOscillator<Amplitude: Signal, Frequency: Signal>: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The sound.
    let output: AudioOutput
    /// Amplitude, in units of the table, k-rate or a-rate.
    let amplitude: Amplitude
    /// Frequency, Hz, k-rate or a-rate; negative reads the table backwards.
    let frequency: Frequency
    /// The table, one cycle; default -1, Csound's own sine. One that does not exist is an init error,
    /// one deleted during the note ends it.
    @Default(-1) let table: InitInput
    /// Phase to begin with, cycles; negative goes on from the note before in the same memory.
    @Default(0) let phase: InitInput
  }

  private var phase: CyclePhase
  private var table: TableNumber
  private let secondsPerFrame: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    _ = try context.table(arguments.table.value, argument: "ifn")
    table = TableNumber(arguments.table.value, context)
    phase = .starting(at: arguments.phase)
    secondsPerFrame = 1 / context.sampleRate
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.phase.value < 0 }

  mutating func resume(_ arguments: Arguments, _ context: Context) {
    table = TableNumber(arguments.table.value, context)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    guard let table = context.elements(of: table) else { throw .missingTable }
    let frames = context.frames
    var frame = frames.lowerBound
    guard frame < frames.upperBound else { return }
    let (amplitude, frequency) = (arguments.amplitude, arguments.frequency)
    let constantAmplitude = amplitude[frame]
    var step = CyclePhase.step(cycles: frequency[frame] * secondsPerFrame)
    // The rests of two frames, which at a constant step go on by a constant.
    let count = table.count
    let restStep = CyclePhase(bits: step).rest(in: count)
    var rests = SIMD2(phase.rest(in: count), phase.rest(in: count) &+ restStep)
    let twoSteps = SIMD2(repeating: 2 &* restStep)
    while frame &+ 2 <= frames.upperBound {
      var place = rests
      let first = phase.index(in: count)
      if Frequency.isAudioRate {
        let steps = steps(frequency.pair(at: frame))
        place[0] = phase.rest(in: count)
        phase.advance(steps[0])
        place[1] = phase.rest(in: count)
        step = steps[1]
      } else {
        phase.advance(step)
        rests &+= twoSteps
      }
      let second = phase.index(in: count)
      phase.advance(step)
      let level =
        Amplitude.isAudioRate ? amplitude.pair(at: frame) : Pair(constantAmplitude)
      arguments.output.setPair(
        table.neighbours(first, second).value(at: place, times: level), at: frame)
      frame &+= 2
    }
    if frame < frames.upperBound {
      let sound = table.cubic(at: phase)
      step = CyclePhase.step(cycles: frequency[frame] * secondsPerFrame)
      phase.advance(step)
      arguments.output[frame] = amplitude[frame] * sound
    }
  }
}

extension TableOscillator {
  /// `CyclePhase.step` of two frames.
  @inline(__always)
  private func steps(_ frequency: Pair) -> SIMD2<UInt64> {
    let cycles = frequency * Pair(secondsPerFrame)
    let magic = Pair(0x1.8p52)
    let whole = (cycles + magic) - magic
    return ((cycles - whole) + Pair(3)).bits(shiftedLeft: 13)
  }
}

/// At k-rate, one value in a k-cycle.
@Opcode("POSCIL.k", "Table oscillator, cubic interpolation")
struct ControlTableOscillator: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let output: ControlOutput
    let amplitude, frequency: ControlInput
    @Default(-1) let table: InitInput
    @Default(0) let phase: InitInput
  }

  private var phase: CyclePhase
  private var table: TableNumber

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    _ = try context.table(arguments.table.value, argument: "ifn")
    table = TableNumber(arguments.table.value, context)
    phase = .starting(at: arguments.phase)
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.phase.value < 0 }

  mutating func resume(_ arguments: Arguments, _ context: Context) {
    table = TableNumber(arguments.table.value, context)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    guard let table = context.elements(of: table) else { throw .missingTable }
    arguments.output.value =
      arguments.amplitude.value * table.cubic(at: phase)
    phase.advance(CyclePhase.step(cycles: arguments.frequency.value / context.controlRate))
  }
}

extension TableElements {
  /// The cubic at one place.
  @inline(__always)
  fileprivate func cubic(at phase: CyclePhase) -> Double {
    let index = phase.index(in: count)
    var (first, last) = (index &- 1, index &+ 2)
    if _slowPath(UInt(bitPattern: first) >= UInt(bitPattern: count &- 2)) {
      (first, last) = (wrapped(first), wrapped(last))
    }
    let (before, left) = (self[first], self[index])
    let (right, after) = (self[index &+ 1], self[last])
    // As `CubicLanes` has it, in the same order.
    let plus = Double(bitPattern: phase.rest(in: count) >> 12 | (1.0).bitPattern)
    let slope = right - left
    let bend = slope - (left - before)
    let change = ((after - right) - slope) - bend
    let inner = bend * 0.5 + (plus * (1.0 / 6)) * change
    return left + (plus - 1) * (slope + (plus - 2) * inner)
  }
}

extension CyclePhase {
  /// Where an oscillator begins: in memory no note has used, at 0 for a negative `iphs`.
  fileprivate static func starting(at phase: InitInput) -> CyclePhase {
    CyclePhase(cycles: phase.value > 0 ? phase.value : 0)
  }
}

extension OpcodeError {
  @inline(__always)
  fileprivate static var missingTable: OpcodeError { OpcodeError("its table was deleted.") }
}
