// a1 [, a2, …] PLATE itabin, itabout, kboundary, iaspect, istiffness, idecay, iloss, ain1 [, ain2, …]
//
// Reverberation of a thin plate, such as a plate reverberator's: the motion of a stiff, damped, rectangular plate of the
// sides 1 and iaspect, which is struck by the inputs and heard at the outputs.
//
//     u'' = -istiffness² L L u - 2 σ u' + 2 iloss L u'        L = d²/dx² + d²/dy²,  σ = 6 log(10) / idecay
//
// The plate is a grid of points, as fine as istiffness and iloss allow (S. Bilbao, "A digital plate reverberation
// algorithm", Journal of the Audio Engineering Society 55(3), 2007). With K the sum of a point's neighbours above and
// below plus those on its sides times (dx/dy)², the step of a sample is
//
//     w = K u        next = a u + b w - c K w - before        before' = d u + e w
//
// which is the scheme of Csound's `platerev` with 17 instead of 26 operations for each point. Four quarters of a row of
// points are in one register, so that a point's neighbours at its sides are in the registers beside it.
//
// Inputs and outputs go round the plate's middle. In the tables each has three elements: rounds per second, radius as a
// part of half the plate's shorter side, and the angle in radians at the start.
//
// The same as `platerev`, except that
// - `platerev` computes the places of as many outputs as there are inputs, and reads memory that was never set for the
//   others. PLATE has its own place for each;
// - radii are limited to ±1; beyond, `platerev` writes outside its plate;
// - the edge of kboundary 0 is the same after another kboundary; `platerev` keeps some of the other's last values;
// - infinity and NaN in an input count as 0;
// - there is no limit of 40 inputs and outputs.
//
// The cost grows with the number of points, 1 / (istiffness sr) in the main.
//
// Category: Signal Modifiers:Reverberation

import OpcodeKit

@Opcode("PLATE", "Reverberation of a stiff plate that is struck and heard at moving places")
struct Plate: AudioOpcode {
  struct Arguments: VariadicArguments {
    /// The motion of the plate at the places of the outputs, divided by 25.
    let outputs: Variadic<AudioOutput>
    /// Numbers of the tables with the places of the inputs and of the outputs, at least three elements for each. They
    /// are read in each k-cycle, the angles in the init pass. A table that is deleted or becomes too short ends the note.
    let inputPlaces, outputPlaces: InitInput
    /// The edge: 1 for clamped, 2 for supported, anything else for the plate that ends there.
    let boundary: ControlInput
    /// The plate's second side; the first is 1. Above 0.
    let aspect: InitInput
    /// Stiffness of the plate, from 0 on; about 0.1 for a heavy plate, 1 and more for small ones.
    let stiffness: InitInput
    /// Time in seconds in which the sound falls by 120 dB, above 0: by 60 dB in half of it, as in `platerev`, whose manual
    /// says half as much. It stays so, so that pieces keep their sound.
    let decay: InitInput
    /// Loss of high frequencies, from 0 on; about 0.001.
    let loss: InitInput
    /// The signals that strike the plate.
    let inputs: Variadic<AudioInput>
  }

  static var bufferCount: Int { 2 }

  private var grid: PlateGrid
  private let places: Buffer<PlatePlace>
  /// Half the shorter side.
  private let reach: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let design = try PlateDesign(arguments, sampleRate: context.sampleRate)
    let (inputs, outputs) = (arguments.inputs.count, arguments.outputs.count)
    grid = PlateGrid(
      design, memory: try context.buffer(0, of: Quad.self, count: PlateGrid.memoryLength(design)))
    places = try context.buffer(1, of: PlatePlace.self, count: inputs + outputs)
    reach = 0.5 * min(arguments.aspect.value, 1)
    for index in 0..<(inputs + outputs) {
      let isInput = index < inputs
      let number = isInput ? arguments.inputPlaces.value : arguments.outputPlaces.value
      let table = try context.table(number, argument: isInput ? "itabin" : "itabout")
      guard table.count >= 3 * (isInput ? inputs : outputs) else {
        throw OpcodeError(
          argument: isInput ? "itabin" : "itabout", is: number,
          mustBe: "the number of a table with three elements for each place")
      }
      places[index] = PlatePlace(angle: table[3 * (isInput ? index : index - inputs) + 2])
    }
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let (inputs, outputs) = (arguments.inputs.count, arguments.outputs.count)
    try turn(0..<inputs, arguments.inputPlaces, context)
    try turn(inputs..<(inputs + outputs), arguments.outputPlaces, context)
    let kind = Math.whole(Math.nearestWhole(arguments.boundary.value), in: 0...3)
    for frame in context.frames {
      grid.step(kind)
      var index = 0
      // All inputs are read before any output is written, because they can share memory.
      while index < inputs {
        let sample = arguments.inputs[index][frame]
        grid.strike(moved(index), with: sample.isFinite ? sample : 0)
        index &+= 1
      }
      index = 0
      while index < outputs {
        arguments.outputs[index][frame] = grid.motion(at: moved(inputs &+ index)) / 25
        index &+= 1
      }
    }
    grid.settle(context.frames.count)
  }

  /// Reads speeds and radii.
  @inline(never)
  private func turn(
    _ range: Range<Int>, _ number: InitInput, _ context: Context
  ) throws(OpcodeError) {
    guard let table = context.table(number.value), table.count >= 3 * range.count else {
      throw OpcodeError("a table of places was deleted or became too short.")
    }
    for index in range {
      let element = 3 * (index - range.lowerBound)
      places[index].turn(
        2 * Double.pi * table[element] * (1 / context.sampleRate), radius: table[element + 1],
        reach: reach)
    }
  }

  /// A place after its next step.
  @inline(__always)
  private func moved(_ index: Int) -> PlatePlace {
    var place = places[index]
    place.advance()
    places[index] = place
    return place
  }
}
