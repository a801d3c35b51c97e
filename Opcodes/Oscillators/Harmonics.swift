// HARMONICS ktable, kweights[]
// f # time size "harmonics" weight1 [weight2 …]
//
// Writes a wave of weighted harmonics into a table, as an opcode while the table plays and as a GEN
// routine:
//
//     table[n] = sum over k of weight_k sin(2 pi k n / size),   k = 1, 2, …
//
// The sum is Clenshaw's (C. W. Clenshaw, "A note on the summation of Chebyshev series", 1955, DOI
// 10.1090/S0025-5718-1955-0071856-0): b_k = weight_k + 2 cos(t) b_{k+1} - b_{k+2}, sum = sin(t) b_1,
// for eight elements side by side. Their sines and cosines are those of every eighth element, turned
// by up to seven steps; the second half of the table is the first backwards with the other sign.
//
// The opcode writes what GEN10 writes with a negative number, unscaled; the GEN routine is scaled to
// a peak of 1 by Csound, as GEN10 is.

import OpcodeKit

/// The sum over k of `weight(k - 1)` sin(k t), k from 1 to `count`, for eight angles t.
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

/// Writes the wave into a table, guard point included.
///
/// `weight` gives the amplitude of harmonic 1 at index 0, and so on. The error grows with the square of
/// the number of harmonics, to 1e-12 of the peak for a hundred.
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
    /// The table to write, any length. A number without a table ends the note, and so does -1, Csound's
    /// own sine.
    let table: ControlInput
    /// The amplitudes of harmonics 1, 2, 3, …: as many as the array is long, at least one at init. An
    /// array that shrinks is followed; of one that grows the first as many as at init are heard. One that is
    /// NaN or infinite makes most of the table NaN, until all are finite again.
    let weights: ArrayInput<ControlInput>
  }

  static let bufferCount = 1

  /// What was written last; the table is written when one of them has changed. What others write into
  /// the table meanwhile stays.
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
    // Bits, not values: NaN differs from itself.
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
