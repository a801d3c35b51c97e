// aout MORPH kamp, kfreq, kx, ky, if1, if2, if3, if4
//
// An oscillator over four tables under an XY pad: each corner of the pad is a table.
//
//     out = kamp [ (1-y) ((1-x) t1(p) + x t2(p)) + y ((1-x) t3(p) + x t4(p)) ]
//     p[n+1] = p[n] + kfreq / sr, modulo 1
//
// Tables are read round and round with linear interpolation, the last element followed by the first,
// whatever the guard point holds; they may differ in length. With ky 0 it plays between if1 and if2
// what an oscillator plays from the table `ftmorf` makes, without a table in between.

import OpcodeKit

/// A phase of a cycle as a place between two elements of a table that goes round and round.
package struct TablePlace: BitwiseCopyable {
  /// The element before, from 0 to `count - 1`.
  package let left: Int
  /// The element after; behind the last is the first.
  package let right: Int
  /// How far from left to right, 0 to 1.
  package let fraction: Double

  /// The place of a phase from 0 up to 1 in `count` elements.
  @inline(__always)
  package init(phase: Double, count: Int) {
    let position = phase * Double(count)
    // Rounded up, the product can be `count` itself.
    left = min(Int(position), count &- 1)
    right = left &+ 1 == count ? 0 : left &+ 1
    fraction = position - Double(left)
  }
}

/// How much of each table is heard: a bilinear pad.
package struct PadWeights: BitwiseCopyable {
  /// Of the tables at (0,0), (1,0), (0,1) and (1,1); their sum is 1.
  package let lowerLeft, lowerRight, upperLeft, upperRight: Double

  /// The weights at a point; beyond the pad is its edge, NaN is 0.
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
    /// The sound.
    let output: AudioOutput
    /// Amplitude, in units of the tables.
    let amplitude: ControlInput
    /// Frequency, Hz; negative reads the tables backwards. Infinity and NaN stand still.
    let frequency: ControlInput
    /// From the left (0: if1, if3) to the right (1: if2, if4); beyond is the edge, NaN is 0.
    let x: ControlInput
    /// From if1 and if2 (0) to if3 and if4 (1); beyond is the edge, NaN is 0.
    let y: ControlInput
    /// The tables, any length: (0,0), (1,0), (0,1), (1,1). A table that does not exist is an init
    /// error; one deleted during the note ends it.
    let table1, table2, table3, table4: InitInput
  }

  /// 0 up to 1.
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
  /// The value at a phase from 0 up to 1, going round and round.
  @inline(__always)
  fileprivate func cyclic(atPhase phase: Double) -> Double {
    let place = TablePlace(phase: phase, count: count)
    return self[place.left] + (self[place.right] - self[place.left]) * place.fraction
  }
}
