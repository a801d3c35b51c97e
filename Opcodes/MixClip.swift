// aout MIXCLIP ain1 [, ain2, …]
// aout MIXCLIP ain[]
//
// Mixes signals so that the sum approaches full scale and never passes it.
//
//     mix(a, b) = a + b - ab   when both are positive
//                 a + b + ab   when both are negative
//                 a + b        otherwise
//
// in units of 0dbfs, taken from left to right: mix(mix(ain1, ain2), ain3) and so on. Inputs within
// full scale give an output within full scale; one input alone passes unchanged.
//
// Source: Viktor T. Toth, "Mixing digital audio", https://www.vttoth.com/CMS/technical-notes/68

import OpcodeKit

/// Two samples mixed without clipping; `perFullScale` is 1 / 0dbfs.
@inline(__always)
package func mixClip(_ a: Double, _ b: Double, perFullScale: Double) -> Double {
  let product = a * b * perFullScale
  if a > 0 && b > 0 { return a + b - product }
  if a < 0 && b < 0 { return a + b + product }
  return a + b
}

struct MixClip: AudioOpcode {
  struct Arguments: VariadicArguments {
    /// The mix, within full scale when the inputs are.
    let output: AudioOutput
    /// The signals, at least one.
    let inputs: Variadic<AudioInput>
  }

  private let perFullScale: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    perFullScale = 1 / context.fullScale
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let inputs = arguments.inputs
    for frame in context.frames {
      var mix = inputs[0][frame]
      for index in 1..<inputs.count {
        mix = mixClip(mix, inputs[index][frame], perFullScale: perFullScale)
      }
      arguments.output[frame] = mix
    }
  }
}

struct MixClipArray: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The mix, within full scale when the inputs are.
    let output: AudioOutput
    /// The signals; an empty array is silence.
    let inputs: ArrayInput<AudioInput>
  }

  private let perFullScale: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    perFullScale = 1 / context.fullScale
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let inputs = arguments.inputs
    let count = inputs.count
    for frame in context.frames {
      var mix = count > 0 ? inputs[0][frame] : 0
      var index = 1
      while index < count {
        mix = mixClip(mix, inputs[index][frame], perFullScale: perFullScale)
        index += 1
      }
      arguments.output[frame] = mix
    }
  }
}

@c @_noLocks @_noAllocation
func mixclip(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  MixClip.perform(csound, block)
}
@c @_noLocks @_noAllocation
func mixclip_array(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  MixClipArray.perform(csound, block)
}

func registerMixClip(in registry: inout some OpcodeRegistry) {
  let summary: StaticString = "Mix that approaches full scale without clipping"
  registry.add(
    Overload(
      MixClip.self, "MIXCLIP.a", outputs: "a", inputs: "y", summary: summary,
      initialize: { MixClip.initialize($0, $1) }, perform: mixclip))
  registry.add(
    Overload(
      MixClipArray.self, "MIXCLIP.array", outputs: "a", inputs: "a[]", summary: summary,
      initialize: { MixClipArray.initialize($0, $1) }, perform: mixclip_array))
}
