// a1 [, a2, …] CONVOLVE ain, ift, iplen [, iskipsamples [, iirlen [, iskipinit]]]
//
// Convolution with a response in a table, as Csound's `ftconv`: its channels are interleaved, one
// for each output, and the outputs come iplen samples late.
//
//     out[n] = sum over j = 0 … L-1 of response[j] in[n - iplen - j]
//
// The response is cut into partitions whose spectra wait for those of the signal (T. G. Stockham,
// "High-speed convolution and correlation", AFIPS 1966). `ftconv` has partitions of one length; here
// a long response continues with larger ones (W. G. Gardner, "Efficient convolution without
// input-output delay", JAES 43(3), 1995), whose work is spread over the partitions in between. The
// transform is `TwistedTransform`. Differs from `ftconv` by rounding, in any number of outputs, and in
// that an iskipinit goes on with the response and the lengths of the note before.

import OpcodeKit

@Opcode("CONVOLVE", "Convolution with a response in a table")
struct Convolution: AudioOpcode {
  struct Arguments: VariadicArguments {
    /// The convolved sound, a channel of the response each.
    let outputs: Variadic<AudioOutput>
    /// The signal.
    let input: AudioInput
    /// The table with the response; its channels are interleaved, as many as there are outputs.
    let table: InitInput
    /// The partitions' length in samples, and the delay: a power of two, 4 to 2^24.
    let partition: InitInput
    /// Samples of each channel to leave out at the response's beginning; default 0. Negative ones put
    /// silence before it.
    @Default(0) let skip: InitInput
    /// The response's length in samples; 0, the default, and below is all of it.
    @Default(0) let length: InitInput
    /// Nonzero goes on from the note before in the same memory. Default 0.
    @Default(0) let resuming: InitInput
  }

  static var bufferCount: Int { 2 }

  private let spectra: Buffer<Pair>
  private let samples: Buffer<Double>
  private let channels: Int
  /// Samples of the incoming block there are.
  private var position = 0
  private var small: PartitionLevel
  /// The response after the first `2 ratio - 1` partitions; without partitions when it is short.
  private var large: PartitionLevel
  /// The large partitions' length in small ones.
  private let ratio: Int
  /// Small blocks of the incoming large one there are.
  private var blocks = 0
  /// How far the work on the large block before is, in units of a product.
  private var done = 0
  /// Which of two blocks of sound the large level writes; the other one is heard.
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

  /// The spectra of a level's partitions, of the response's samples from `start` up to `end`.
  private func load(
    _ level: PartitionLevel, _ table: FunctionTable, from start: Int, to end: Int, _ skipped: Int
  ) {
    // The last partition is cut where iplen's would be, as `ftconv` does.
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

  /// What a transform costs, in products of spectra.
  private static var transformCost: Int { 8 }

  /// The large partitions' length in small ones with which a sample costs the least; 0 for none.
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
      // All of the input before any output: they can share their memory.
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

  /// The sound of the next block, when one has come in.
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

  /// Units of work on a large block: for each channel its products and a transform.
  @inline(__always)
  private var work: Int { channels &* (large.partitions &+ 1) }

  /// Does as much of it as is due, an equal part for each small block.
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
