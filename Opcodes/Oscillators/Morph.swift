// aout MORPH kamp, kfreq, kx, ky, if1, if2, if3, if4 [, iquality]
//
// An oscillator that mixes four tables, one at each corner of an XY pad.
//
//     out = kamp [ (1-y) ((1-x) t1(p) + x t2(p)) + y ((1-x) t3(p) + x t4(p)) ]
//     p[n+1] = p[n] + kfreq / sr, modulo 1
//
// Tables are read cyclically with linear interpolation; the last element is followed by the first, whatever the guard
// point contains. The tables may differ in length. With ky = 0, MORPH plays between if1 and if2 the same signal as an
// oscillator reading the table of `ftmorf`, but needs no intermediate table.
//
// With an iquality of 1 or 2, which are the same here, no alias is heard. The init pass computes each table anew with 1, 2,
// 3, 4, 6, 8, 12 … 1024 harmonics (`MorphBands`); those that fit the frequency are played. Harmonics are complete up to
// 0.36 sr. Aliases are below 5/12 sr, 20 kHz at 48 kHz, more than 90 dB weaker than a ramp's fundamental. A table that is
// replaced or written to during a note is then heard from the next note on.
//
// Category: Signal Generators:Dynamic Spectrum Oscillators

import OpcodeKit

/// The position of a phase between two elements of a cyclic table.
package struct TablePlace: BitwiseCopyable {
  /// Index of the element before the position, 0 to `count - 1`.
  package let left: Int
  /// Index of the element after the position; after the last comes the first.
  package let right: Int
  /// Position between the two elements, 0 to 1.
  package let fraction: Double

  /// The position of a phase (0 up to 1) in a table of `count` elements.
  @inline(__always)
  package init(phase: Double, count: Int) {
    let position = phase * Double(count)
    // After rounding, the product can be `count` itself.
    left = min(Int(position), count &- 1)
    right = left &+ 1 == count ? 0 : left &+ 1
    fraction = position - Double(left)
  }
}

/// Bilinear weights of the four tables.
package struct PadWeights: BitwiseCopyable {
  /// The weights of the tables at (0,0), (1,0), (0,1) and (1,1); their sum is 1.
  package let lowerLeft, lowerRight, upperLeft, upperRight: Double

  /// The weights at a point. Coordinates are limited to 0 to 1; NaN counts as 0.
  package init(x: Double, y: Double) {
    let x = x > 0 ? min(x, 1) : 0
    let y = y > 0 ? min(y, 1) : 0
    (lowerLeft, lowerRight) = ((1 - x) * (1 - y), x * (1 - y))
    (upperLeft, upperRight) = ((1 - x) * y, x * y)
  }
}

@Opcode("MORPH", "Oscillator over four tables under an XY pad")
struct Morph: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The output signal.
    let output: AudioOutput
    /// Amplitude, in units of the tables.
    let amplitude: ControlInput
    /// Frequency in Hz. A negative frequency reads the tables backwards. Infinity and NaN give a step of 0.
    let frequency: ControlInput
    /// Horizontal position: 0 is left (if1, if3), 1 is right (if2, if4). Limited to 0 to 1; NaN counts as 0.
    let x: ControlInput
    /// Vertical position: 0 is if1 and if2, 1 is if3 and if4. Limited to 0 to 1; NaN counts as 0.
    let y: ControlInput
    /// Numbers of the tables at (0,0), (1,0), (0,1) and (1,1), of any length. A missing table is an init error; a table
    /// deleted during the note ends the note with an error.
    let table1, table2, table3, table4: InitInput
    /// 0 for tables as they are, 1 or 2 for no audible aliases: the lengths must then be powers of two from 16 to 65536.
    /// Default 0.
    @Default(0) let quality: InitInput
  }

  static let bufferCount = 3
  static var hasPassOfOneFrame: Bool { false }

  private let table1, table2, table3, table4: TableNumber
  /// Phase in cycles, from 0 up to 1.
  private var phase = 0.0
  /// nil for iquality 0.
  private let bands: MorphBands?
  private var levels: MorphBands.Levels

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    table1 = TableNumber(arguments.table1.value, context)
    table2 = TableNumber(arguments.table2.value, context)
    table3 = TableNumber(arguments.table3.value, context)
    table4 = TableNumber(arguments.table4.value, context)
    let tables = MorphTables(
      lowerLeft: try context.table(arguments.table1.value, argument: "if1"),
      lowerRight: try context.table(arguments.table2.value, argument: "if2"),
      upperLeft: try context.table(arguments.table3.value, argument: "if3"),
      upperRight: try context.table(arguments.table4.value, argument: "if4"))
    bands =
      try Quality(arguments.quality.value) == .original ? nil : MorphBands(tables, context)
    levels = .none
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    if let bands { return play(bands, arguments, context.frames, context.sampleRate) }
    guard let table1 = context.table(table1), let table2 = context.table(table2),
      let table3 = context.table(table3), let table4 = context.table(table4)
    else { throw OpcodeError("one of its tables was deleted.") }

    let amplitude = arguments.amplitude.value
    let pad = PadWeights(x: arguments.x.value, y: arguments.y.value)
    let weights = (
      amplitude * pad.lowerLeft, amplitude * pad.lowerRight, amplitude * pad.upperLeft,
      amplitude * pad.upperRight
    )
    let step = Math.fraction(arguments.frequency.value / context.sampleRate)
    let count = table1.count
    let isOneLength =
      table2.count == count && table3.count == count && table4.count == count

    for frame in context.frames {
      if isOneLength {
        let place = TablePlace(phase: phase, count: count)
        let left =
          weights.0 * table1[place.left] + weights.1 * table2[place.left]
          + weights.2 * table3[place.left] + weights.3 * table4[place.left]
        let right =
          weights.0 * table1[place.right] + weights.1 * table2[place.right]
          + weights.2 * table3[place.right] + weights.3 * table4[place.right]
        arguments.output[frame] = left + (right - left) * place.fraction
      } else {
        arguments.output[frame] =
          weights.0 * table1.cyclic(atPhase: phase) + weights.1 * table2.cyclic(atPhase: phase)
          + weights.2 * table3.cyclic(atPhase: phase) + weights.3 * table4.cyclic(atPhase: phase)
      }
      phase += step
      if phase >= 1 { phase -= 1 }
    }
  }

  @inline(never)
  private mutating func play(
    _ bands: MorphBands, _ arguments: Arguments, _ frames: Range<Int>, _ sampleRate: Double
  ) {
    let cycles = arguments.frequency.value / sampleRate
    let step = Math.fraction(cycles)
    if !levels.fit(cycles) { levels = bands.levels(at: cycles) }
    let levels = levels
    let pad = PadWeights(x: arguments.x.value, y: arguments.y.value)
    let weights =
      Quad(arguments.amplitude.value)
      * Quad(
        values: SIMD4(pad.lowerLeft, pad.lowerRight, pad.upperLeft, pad.upperRight))
    let (main, lower) = (Quad(levels.share) * weights, Quad(1 - levels.share) * weights)
    for frame in frames {
      var sum = main * bands.next(levels.main, phase)
      if levels.share < 1 { sum = sum + lower * bands.next(levels.lower, phase) }
      let halves = Pair(values: sum.values.lowHalf) + Pair(values: sum.values.highHalf)
      arguments.output[frame] = halves[0] + halves[1]
      phase += step
      if phase >= 1 { phase -= 1 }
    }
  }
}

extension FunctionTable {
  /// The value at a phase from 0 up to 1, read cyclically.
  @inline(__always)
  fileprivate func cyclic(atPhase phase: Double) -> Double {
    let place = TablePlace(phase: phase, count: count)
    return self[place.left] + (self[place.right] - self[place.left]) * place.fraction
  }
}
