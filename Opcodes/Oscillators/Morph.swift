// aout MORPH kamp, kfreq, kx, ky, if1, if2, if3, if4
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
  }

  /// Phase in cycles, from 0 up to 1.
  private var phase = 0.0

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    _ = try context.table(arguments.table1.value, argument: "if1")
    _ = try context.table(arguments.table2.value, argument: "if2")
    _ = try context.table(arguments.table3.value, argument: "if3")
    _ = try context.table(arguments.table4.value, argument: "if4")
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    guard let table1 = context.table(arguments.table1.value),
      let table2 = context.table(arguments.table2.value),
      let table3 = context.table(arguments.table3.value),
      let table4 = context.table(arguments.table4.value)
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
}

extension FunctionTable {
  /// The value at a phase from 0 up to 1, read cyclically.
  @inline(__always)
  fileprivate func cyclic(atPhase phase: Double) -> Double {
    let place = TablePlace(phase: phase, count: count)
    return self[place.left] + (self[place.right] - self[place.left]) * place.fraction
  }
}
