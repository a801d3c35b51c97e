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
// one sine and one cosine for each element whatever the number of harmonics.
//
// The opcode writes what GEN10 writes with a negative number, unscaled; the GEN routine is scaled to
// a peak of 1 by Csound, as GEN10 is.

import OpcodeKit

/// Writes the wave into a table, guard point included.
///
/// `weight` gives the amplitude of harmonic 1 at index 0, and so on. Exact to about 1e-15 times the
/// square of the number of harmonics.
package func writeHarmonics(
  into table: FunctionTable, count: Int, weight: (Int) -> Double
) {
  let step = 2 * Double.pi / Double(table.count)
  for index in 0..<table.count {
    let angle = step * Double(index)
    let (sine, twiceCosine) = (Math.sin(angle), 2 * Math.cos(angle))
    var (next, afterNext) = (0.0, 0.0)
    var harmonic = count
    while harmonic > 0 {
      harmonic -= 1
      (next, afterNext) = (weight(harmonic) + twiceCosine * next - afterNext, next)
    }
    table[index] = sine * next
  }
  table.wrapGuardPoint()
}

struct Harmonics: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    /// The table to write, any length. A number without a table ends the note.
    let table: ControlInput
    /// The amplitudes of harmonics 1, 2, 3, …: as many as the array is long, at least one at init.
    let weights: ArrayInput<ControlInput>
  }

  static let bufferCount = 1

  /// What the table holds now; the table is written when something differs from it.
  private var writtenTable = 0.0
  private var writtenSize = 0
  private var writtenCount = -1
  private let writtenWeights: Buffer<Double>

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    guard arguments.weights.count > 0 else {
      throw OpcodeError("the array kweights[] is empty; give it one element for each harmonic.")
    }
    writtenWeights = try context.buffer(count: arguments.weights.count)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    guard let table = context.table(arguments.table.value) else {
      throw OpcodeError(
        argument: "ktable", is: arguments.table.value, mustBe: "the number of an existing table")
    }
    let weights = arguments.weights
    // An array that has grown since the init pass shows the weights it had room for.
    let count = min(weights.count, writtenWeights.count)
    var isWritten =
      writtenTable == arguments.table.value && writtenSize == table.count && writtenCount == count
    for index in 0..<count where writtenWeights[index] != weights[index].value {
      writtenWeights[index] = weights[index].value
      isWritten = false
    }
    guard !isWritten else { return }
    let values = writtenWeights
    writeHarmonics(into: table, count: count) { values[$0] }
    (writtenTable, writtenSize, writtenCount) = (arguments.table.value, table.count, count)
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

@c @_noLocks @_noAllocation
func harmonics(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  Harmonics.perform(csound, block)
}

func registerHarmonics(in registry: inout some OpcodeRegistry) {
  registry.add(
    Overload(
      Harmonics.self, "HARMONICS", outputs: "", inputs: "kk[]",
      summary: "Wave of weighted harmonics, written into a table while it plays",
      initialize: { Harmonics.initialize($0, $1) }, perform: harmonics))
}

func registerHarmonicsGenerator(in registry: inout some GeneratorRegistry) {
  registry.add("harmonics") { HarmonicsGenerator.generate($0, $1) }
}
