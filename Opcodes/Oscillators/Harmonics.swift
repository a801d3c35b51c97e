// HARMONICS ktable, kweights[]
// f # time size "harmonics" weight1 [weight2 …]
//
// Writes a wave of weighted harmonics into a table. The opcode does so at k-rate, while the table is playing; the GEN
// routine does it once:
//
//     table[n] = sum over k of weight_k sin(2 pi k n / size),   k = 1, 2, …
//
// The sum is computed with Clenshaw's recurrence (C. W. Clenshaw, "A note on the summation of Chebyshev series", 1955,
// DOI 10.1090/S0025-5718-1955-0071856-0): b_k = weight_k + 2 cos(t) b_{k+1} - b_{k+2}, sum = sin(t) b_1, for eight
// elements at once. Sine and cosine are computed for every eighth element and rotated for the seven after it. The
// second half of the table mirrors the first with the opposite sign.
//
// The opcode writes the same values as GEN10 with a negative number, without rescaling. Csound rescales the result of
// the GEN routine to a peak of 1, as for GEN10.
//
// Category: Table Control:Read/Write Operations

import OpcodeKit

/// The sum over k of `weight(k - 1)` sin(k t), for k from 1 to `count` and eight angles t.
@inline(__always)
package func harmonicSum(
  sine: SIMD8<Double>, cosine: SIMD8<Double>, count: Int, weight: (Int) -> Double
) -> SIMD8<Double> {
  let twiceCosine = cosine + cosine
  var (next, afterNext) = (SIMD8<Double>.zero, SIMD8<Double>.zero)
  var index = count
  while index > 0 {
    index -= 1
    (next, afterNext) = (weight(index) + twiceCosine * next - afterNext, next)
  }
  return sine * next
}

/// Writes the wave into a table, including the guard point.
///
/// `weight(0)` is the amplitude of harmonic 1, and so on. The error grows with the square of the number of harmonics;
/// with 100 it is 1e-12 of the peak.
private func writeHarmonics(into table: FunctionTable, count: Int, weight: (Int) -> Double) {
  let size = table.count
  let step = 2 * Double.pi / Double(size)
  var (turnSine, turnCosine) = (SIMD8<Double>.zero, SIMD8<Double>.zero)
  for lane in 0..<8 {
    turnSine[lane] = Math.sin(step * Double(lane))
    turnCosine[lane] = Math.cos(step * Double(lane))
  }
  let half = (size + 1) / 2
  var start = 1
  while start < half {
    let sine = Math.sin(step * Double(start))
    let cosine = Math.cos(step * Double(start))
    let values = harmonicSum(
      sine: sine * turnCosine + cosine * turnSine,
      cosine: cosine * turnCosine - sine * turnSine, count: count, weight: weight)
    for lane in 0..<min(8, half - start) {
      table[start + lane] = values[lane]
      table[size - start - lane] = -values[lane]
    }
    start += 8
  }
  table[0] = 0
  if size % 2 == 0 { table[size / 2] = 0 }
  table.wrapGuardPoint()
}

@Opcode("HARMONICS", "Wave of weighted harmonics, written into a table while it plays")
struct Harmonics: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    /// Number of the table to write, of any length. A number without a table, or -1 (Csound's built-in sine), ends the
    /// note with an error.
    let table: ControlInput
    /// Amplitudes of harmonics 1, 2, 3, …, one element each; an empty array is an init error. If the array becomes
    /// shorter during a note, only the harmonics left are used; if it becomes longer, the elements beyond its length at
    /// init are ignored. A NaN or infinite amplitude makes most of the table NaN until all amplitudes are finite again.
    let weights: ArrayInput<ControlInput>
  }

  static let bufferCount = 1

  /// What was written last. The table is written again only when one of these changes, so values that other opcodes
  /// write into the table in between are kept.
  private var writtenTable = 0.0
  private var writtenSize = 0
  private var writtenCount = -1
  private let writtenWeights: Buffer<Double>

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    guard arguments.weights.count > 0 else {
      throw OpcodeError(
        """
        the array kweights[] is empty at init; give it one element for each harmonic. An array that is \
        filled at k-rate needs an init first, as in: kweights[] init 8.
        """)
    }
    writtenWeights = try context.buffer(count: arguments.weights.count)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let number = arguments.table.value
    guard number > 0, let table = context.table(number) else {
      throw OpcodeError(argument: "ktable", is: number, mustBe: "the number of an existing table")
    }
    let weights = arguments.weights
    let count = min(weights.count, writtenWeights.count)
    var isWritten =
      writtenTable == number && writtenSize == table.count && writtenCount == count
    // Compares bits instead of values, because NaN is not equal to itself.
    for index in 0..<count {
      let weight = weights[index].value
      if writtenWeights[index].bitPattern == weight.bitPattern { continue }
      writtenWeights[index] = weight
      isWritten = false
    }
    guard !isWritten else { return }
    let values = writtenWeights
    writeHarmonics(into: table, count: count) { values[$0] }
    (writtenTable, writtenSize, writtenCount) = (number, table.count, count)
  }
}

enum HarmonicsGenerator: Generator {
  static func fill(
    _ table: FunctionTable, _ parameters: GeneratorParameters
  ) throws(OpcodeError) {
    guard parameters.count > 0 else {
      throw OpcodeError("GEN \"harmonics\" needs at least one weight after its name.")
    }
    writeHarmonics(into: table, count: parameters.count) { parameters[$0] }
  }
}

func registerHarmonicsGenerator(in registry: inout some GeneratorRegistry) {
  registry.add("harmonics") { HarmonicsGenerator.generate($0, $1) }
}
