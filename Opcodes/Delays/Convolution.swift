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
// delay", JAES 43(3), 1995), whose work is spread evenly over time. The transform is `TwistedTransform`.
//
// Differs from `ftconv` in rounding, in that it allows any number of outputs, and in that iskipinit also keeps the
// response and the lengths of the previous note.
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

  private let spectra: Buffer<Pair>
  private let samples: Buffer<Double>
  private let channels: Int
  /// Number of samples in the incoming block.
  private var position = 0
  private var small: PartitionLevel
  /// The response after the first `2 ratio - 1` small partitions; no partitions when the response is short.
  private var large: PartitionLevel
  /// Size of the large partitions, in small ones; 0 for no large partitions.
  private let ratio: Int
  /// Number of small blocks in the incoming large block.
  private var blocks = 0
  /// Progress of the work on the previous large block, in units of a product.
  private var done = 0
  /// Which of the two sound blocks the large level writes; the other one is played.
  private var writing = 0

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let size = Math.whole(Math.nearestWhole(arguments.partition.value), in: 0...(1 << 25))
    guard size >= 4, size <= 1 << 24, size & (size - 1) == 0 else {
      throw OpcodeError(
        argument: "iplen", is: arguments.partition.value,
        mustBe: "a power of two from 4 to 16777216")
    }
    channels = max(arguments.outputs.count, 1)
    let table = try context.table(arguments.table.value, argument: "ift")
    let skipped = Math.whole(
      Math.nearestWhole(arguments.skip.value), in: -(1 << 30)...(1 << 31))
    let wanted = Math.whole(Math.nearestWhole(arguments.length.value), in: 0...(1 << 31))
    var length = table.count / channels - skipped
    guard length > 0 else {
      throw OpcodeError(
        argument: "iskipsamples", is: arguments.skip.value,
        mustBe: "less than the samples of each channel in the table")
    }
    if wanted > 0 { length = min(length, wanted) }

    let count = (length + size - 1) / size
    ratio = Self.ratio(partitions: count, size: size, channels: channels)
    let smallCount = ratio == 0 ? count : 2 * ratio - 1
    let largeCount = ratio == 0 ? 0 : (count - smallCount + ratio - 1) / ratio
    let largeSize = ratio == 0 ? 4 : size * ratio
    let smallPairs = PartitionLevel.spectraLength(
      size: size, partitions: smallCount, channels: channels)
    let smallSamples = PartitionLevel.samplesLength(size: size, channels: channels)
    spectra = try context.buffer(
      0, of: Pair.self,
      count: smallPairs
        + PartitionLevel.spectraLength(size: largeSize, partitions: largeCount, channels: channels))
    samples = try context.buffer(
      1,
      count: smallSamples + PartitionLevel.samplesLength(size: largeSize, channels: channels))
    small = PartitionLevel(
      size: size, partitions: smallCount, channels: channels, memory: spectra, 0, 0)
    large = PartitionLevel(
      size: largeSize, partitions: largeCount, channels: channels, memory: spectra, smallPairs,
      smallSamples)
    load(small, table, from: 0, to: length, skipped)
    load(large, table, from: smallCount * size, to: length, skipped)
    done = work
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.resuming.value != 0 }

  /// Computes the spectra of a level's partitions, for the samples `start` to `end` of the response.
  private func load(
    _ level: PartitionLevel, _ table: FunctionTable, from start: Int, to end: Int, _ skipped: Int
  ) {
    // The response is cut after a whole number of small partitions, as in `ftconv`.
    let end = (end + small.size - 1) / small.size * small.size
    for channel in 0..<channels {
      for partition in 0..<level.partitions {
        for index in 0..<level.size {
          let frame = start + partition * level.size + index
          let place = (frame + skipped) * channels + channel
          let isInside = frame < end && place >= 0 && place < table.count
          samples[level.incoming + index] = isInside ? table[place] : 0
        }
        let spectrum = level.response + level.size * (channel * level.partitions + partition)
        level.transform.forward(samples, level.incoming, to: spectrum)
        level.transform.scale(spectrum)
      }
    }
    for index in 0..<level.size { samples[level.incoming + index] = 0 }
  }

  /// The cost of a transform, in products of spectra.
  private static var transformCost: Int { 8 }

  /// The size of the large partitions, in small ones, with the lowest cost per sample; 0 for none.
  static func ratio(partitions: Int, size: Int, channels: Int) -> Int {
    var (best, cost) = (0, Double(partitions * channels))
    var ratio = 4
    while 2 * ratio < partitions, size * ratio <= 1 << 20 {
      let products = Double(2 * ratio - 1) + Double(partitions - 2 * ratio + 1) / Double(ratio) + 1
      let sum = products * Double(channels) + Double(transformCost * (channels + 1))
      if sum < cost { (best, cost) = (ratio, sum) }
      ratio *= 2
    }
    return best
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let frames = context.frames
    var frame = frames.lowerBound
    while frame < frames.upperBound {
      let count = min(small.size &- position, frames.upperBound &- frame)
      var index = 0
      // All of the input is read before any output is written, because they can share memory.
      while index < count {
        samples[small.incoming &+ position &+ index] = arguments.input[frame &+ index]
        index &+= 1
      }
      var channel = 0
      while channel < channels {
        let output = arguments.outputs[channel]
        let sound = small.sound &+ 2 &* small.size &* channel &+ position
        index = 0
        while index < count {
          output[frame &+ index] = samples[sound &+ index]
          index &+= 1
        }
        channel &+= 1
      }
      frame &+= count
      position &+= count
      if position == small.size {
        position = 0
        finishBlock()
      }
    }
  }

  /// Computes the next block of sound when a block of input is complete.
  @inline(__always)
  private mutating func finishBlock() {
    if ratio > 0 {
      let target = large.incoming &+ small.size &* blocks
      var index = 0
      while index < small.size {
        samples[target &+ index] = samples[small.incoming &+ index]
        index &+= 1
      }
      blocks &+= 1
      if blocks == ratio {
        blocks = 0
        done = 0
        writing = 1 &- writing
        large.push(samples)
      }
      workOnLargeBlock()
    }
    small.push(samples)
    var channel = 0
    while channel < channels {
      small.transform.clear(small.sum)
      var partition = 0
      while partition &+ 3 <= small.partitions {
        small.addThree(partition, channel)
        partition &+= 3
      }
      while partition < small.partitions {
        small.add(partition, channel)
        partition &+= 1
      }
      small.finish(channel, samples, 0)
      if ratio > 0 {
        let target = small.sound &+ 2 &* small.size &* channel
        let heard =
          large.sound &+ large.size &* (2 &* channel &+ 1 &- writing) &+ small.size &* blocks
        var index = 0
        while index < small.size {
          samples[target &+ index] += samples[heard &+ index]
          index &+= 1
        }
      }
      channel &+= 1
    }
  }

  /// Units of work for a large block: for each channel its products and one transform.
  @inline(__always)
  private var work: Int { channels &* (large.partitions &+ 1) }

  /// Does the part of that work that is due, the same amount for each small block.
  @inline(__always)
  private mutating func workOnLargeBlock() {
    let due = (work &* (blocks &+ 1) &+ ratio &- 1) / ratio
    while done < min(due, work) {
      let channel = done / (large.partitions &+ 1)
      let partition = done &- channel &* (large.partitions &+ 1)
      if partition == 0 { large.transform.clear(large.sum) }
      if partition < large.partitions {
        large.add(partition, channel)
      } else {
        large.finish(channel, samples, writing)
      }
      done &+= 1
    }
  }
}
