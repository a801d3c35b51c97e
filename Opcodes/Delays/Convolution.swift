// a1 [, a2, …] CONVOLVE ain, ift, iplen [, iskipsamples [, iirlen [, iskipinit]]]
//
// Convolution with an impulse response in a table, as Csound's `ftconv`. The response's channels are interleaved, one
// channel for each output. The outputs are delayed by iplen samples.
//
//     out[n] = sum over j = 0 … L-1 of response[j] in[n - iplen - j]
//
// The response is divided into partitions, whose spectra are multiplied with those of the signal (T. G. Stockham,
// "High-speed convolution and correlation", AFIPS 1966). All partitions of `ftconv` have the same length. Here the
// later part of a long response uses larger partitions (W. G. Gardner, "Efficient convolution without input-output
// delay", JAES 43(3), 1995), whose work is spread evenly over time: `PartitionedConvolution` of the toolbox.
//
// Differs from `ftconv` in rounding, in that it allows any number of outputs, and in that iskipinit also keeps the
// response and the lengths of the previous note. iirlen is exact, as the manual of `ftconv` has it and Csound 7.0 does;
// `ftconv` of 6.18 rounds it up to whole partitions.
//
// Category: Signal Modifiers:Convolution and Morphing

import OpcodeKit

@Opcode("CONVOLVE", "Convolution with a response in a table")
struct Convolution: AudioOpcode {
  struct Arguments: VariadicArguments {
    /// The convolved signals, one for each channel of the response.
    let outputs: Variadic<AudioOutput>
    /// The input signal.
    let input: AudioInput
    /// Number of the table with the impulse response. It has as many interleaved channels as there are outputs.
    let table: InitInput
    /// Partition size in samples, which is also the delay: a power of two from 4 to 2^24.
    let partition: InitInput
    /// Samples to skip at the beginning of the response, in each channel. A negative value puts silence before the
    /// response. Default 0.
    @Default(0) let skip: InitInput
    /// Length of the response in samples, in each channel. 0 or less means all of it. Default 0.
    @Default(0) let length: InitInput
    /// Nonzero keeps the state of the previous note in the same memory. Default 0.
    @Default(0) let resuming: InitInput
  }

  static var bufferCount: Int { 2 }

  private var convolution: PartitionedConvolution

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let size = Math.whole(Math.nearestWhole(arguments.partition.value), in: 0...(1 << 25))
    guard size >= 4, size <= 1 << 24, size & (size - 1) == 0 else {
      throw OpcodeError(
        argument: "iplen", is: arguments.partition.value,
        mustBe: "a power of two from 4 to 16777216")
    }
    let channels = max(arguments.outputs.count, 1)
    let table = try context.table(arguments.table.value, argument: "ift")
    let skipped = Math.whole(
      Math.nearestWhole(arguments.skip.value), in: -(1 << 30)...Int(Int32.max))
    let wanted = Math.whole(Math.nearestWhole(arguments.length.value), in: 0...Int(Int32.max))
    var length = table.count / channels - skipped
    guard length > 0 else {
      throw OpcodeError(
        argument: "iskipsamples", is: arguments.skip.value,
        mustBe: "less than the samples of each channel in the table")
    }
    if wanted > 0 { length = min(length, wanted) }

    let plan = PartitionedConvolution.Plan(partition: size, length: length, channels: channels)
    convolution = PartitionedConvolution(
      plan, spectra: try context.buffer(0, of: Pair.self, count: plan.spectraLength),
      samples: try context.buffer(1, count: plan.samplesLength)
    ) { channel, index in
      let place = (index + skipped) * channels + channel
      return place >= 0 && place < table.count ? table[place] : 0
    }
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.resuming.value != 0 }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let frames = context.frames
    var frame = frames.lowerBound
    while frame < frames.upperBound {
      let count = min(convolution.room, frames.upperBound &- frame)
      var index = 0
      // All of the input is read before any output is written, because they can share memory.
      while index < count {
        convolution.setInput(arguments.input[frame &+ index], at: index)
        index &+= 1
      }
      var channel = 0
      while channel < arguments.outputs.count {
        let output = arguments.outputs[channel]
        index = 0
        while index < count {
          output[frame &+ index] = convolution.sound(of: channel, at: index)
          index &+= 1
        }
        channel &+= 1
      }
      frame &+= count
      convolution.advance(by: count)
    }
  }
}
