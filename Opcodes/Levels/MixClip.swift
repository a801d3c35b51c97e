// aout MIXCLIP ain1 [, ain2, …]
// aout MIXCLIP ain[]
//
// Mixes signals so that the sum approaches full scale but never exceeds it.
//
//     mix(a, b) = a + b - ab   when both are positive
//                 a + b + ab   when both are negative
//                 a + b        otherwise
//
// in units of 0dbfs, applied from left to right: mix(mix(ain1, ain2), ain3) and so on. Computed without branches as a +
// b - (a|b| + |a|b) / 2, which gives the same result to the last bit.
//
// If all inputs are within full scale, so is the output; a single input passes unchanged. Above full scale the mix
// becomes smaller again: two signals at twice full scale mix to 0.
//
// Source: Viktor T. Toth, "Mixing digital audio", https://www.vttoth.com/CMS/technical-notes/68
//
// Category: Signal Modifiers:Signal Limiters

import OpcodeKit

/// Two samples mixed without clipping; `perFullScale` is 1 / 0dbfs.
@inline(__always)
package func mixClip(_ a: Double, _ b: Double, perFullScale: Double) -> Double {
  a + b - (a * b.magnitude + a.magnitude * b) * (0.5 * perFullScale)
}

/// Mixes `count` signals, at least one, frame by frame. The output can share its memory with any of the inputs.
@inline(__always)
private func mixClip(
  _ count: Int, to output: AudioOutput, _ context: Context, perFullScale: Double,
  input: (Int) -> AudioInput
) {
  let frames = context.frames
  var frame = frames.lowerBound
  // Four frames at once, because each step of the mix depends on the previous one.
  while frame &+ 4 <= frames.upperBound {
    let first = input(0)
    var (mix0, mix1) = (first[frame], first[frame &+ 1])
    var (mix2, mix3) = (first[frame &+ 2], first[frame &+ 3])
    var index = 1
    while index < count {
      let next = input(index)
      mix0 = mixClip(mix0, next[frame], perFullScale: perFullScale)
      mix1 = mixClip(mix1, next[frame &+ 1], perFullScale: perFullScale)
      mix2 = mixClip(mix2, next[frame &+ 2], perFullScale: perFullScale)
      mix3 = mixClip(mix3, next[frame &+ 3], perFullScale: perFullScale)
      index &+= 1
    }
    output[frame] = mix0
    output[frame &+ 1] = mix1
    output[frame &+ 2] = mix2
    output[frame &+ 3] = mix3
    frame &+= 4
  }
  while frame < frames.upperBound {
    var mix = input(0)[frame]
    var index = 1
    while index < count {
      mix = mixClip(mix, input(index)[frame], perFullScale: perFullScale)
      index &+= 1
    }
    output[frame] = mix
    frame &+= 1
  }
}

@Opcode("MIXCLIP.a", "Mix that approaches full scale without clipping")
struct MixClip: AudioOpcode, LateInitOpcode {
  struct Arguments: VariadicArguments {
    /// The mix. It is within full scale when all inputs are.
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
    mixClip(inputs.count, to: arguments.output, context, perFullScale: perFullScale) { inputs[$0] }
  }
}

@Opcode("MIXCLIP.array", "Mix that approaches full scale without clipping")
struct MixClipArray: AudioOpcode, LateInitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The mix. It is within full scale when all inputs are.
    let output: AudioOutput
    /// The signals. The array's length is read in each k-cycle; an empty array gives silence.
    let inputs: ArrayInput<AudioInput>
  }

  private let perFullScale: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    perFullScale = 1 / context.fullScale
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let inputs = arguments.inputs
    guard inputs.count > 0 else {
      for frame in context.frames { arguments.output[frame] = 0 }
      return
    }
    mixClip(inputs.count, to: arguments.output, context, perFullScale: perFullScale) { inputs[$0] }
  }
}
