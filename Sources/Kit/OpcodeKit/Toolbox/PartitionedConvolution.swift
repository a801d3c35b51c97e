/// Convolution with a long response, by partitions whose spectra are multiplied with those of the signal. The result is
/// delayed by one partition:
///
///     out[n] = Σ response[j] in[n - partition - j]
///
/// ```swift
/// static var bufferCount: Int { 2 }
/// private var convolution: PartitionedConvolution
/// …
/// let plan = PartitionedConvolution.Plan(partition: 256, length: table.count)
/// convolution = PartitionedConvolution(
///   plan, spectra: try context.buffer(0, of: Pair.self, count: plan.spectraLength),
///   samples: try context.buffer(1, count: plan.samplesLength)
/// ) { _, index in table[index] }
/// …
/// arguments.output[frame] = convolution.next(arguments.input[frame])
/// ```
///
/// The later part of a long response uses larger partitions, whose work is spread evenly over time. Sources: T. G.
/// Stockham, "High-speed convolution and correlation", AFIPS 1966; W. G. Gardner, "Efficient convolution without
/// input-output delay", JAES 43(3), 1995.
@frozen
public struct PartitionedConvolution: BitwiseCopyable {
  /// How a response is divided, and the memory that takes.
  @frozen
  public struct Plan: BitwiseCopyable {
    /// Samples in a partition.
    public let partition: Int
    /// Samples of the response in each channel, and the number of channels.
    public let length, channels: Int
    /// Size of the large partitions, in small ones; 0 for no large partitions.
    @usableFromInline let ratio: Int
    @usableFromInline let smallCount, largeCount: Int

    /// `partition` is a power of two, at least 4; `length` and `channels` are at least 1.
    @inlinable
    public init(partition: Int, length: Int, channels: Int = 1) {
      (self.partition, self.length, self.channels) = (partition, length, channels)
      let count = (length + partition - 1) / partition
      ratio = Self.ratio(partitions: count, size: partition, channels: channels)
      smallCount = ratio == 0 ? count : 2 * ratio - 1
      largeCount = ratio == 0 ? 0 : (count - smallCount + ratio - 1) / ratio
    }

    /// Pairs of memory for the spectra.
    @inlinable public var spectraLength: Int {
      smallPairs
        + PartitionLevel.spectraLength(size: largeSize, partitions: largeCount, channels: channels)
    }

    /// Numbers of memory for the samples.
    @inlinable public var samplesLength: Int {
      smallSamples + PartitionLevel.samplesLength(size: largeSize, channels: channels)
    }

    @inlinable var largeSize: Int { ratio == 0 ? 4 : partition * ratio }
    @inlinable var smallPairs: Int {
      PartitionLevel.spectraLength(size: partition, partitions: smallCount, channels: channels)
    }
    @inlinable var smallSamples: Int {
      PartitionLevel.samplesLength(size: partition, channels: channels)
    }

    /// The size of the large partitions, in small ones, with the lowest cost per sample; 0 for none. A transform costs
    /// about as much as eight products of spectra.
    @inlinable
    static func ratio(partitions: Int, size: Int, channels: Int) -> Int {
      var (best, cost) = (0, Double(partitions * channels))
      var ratio = 4
      while 2 * ratio < partitions, size * ratio <= 1 << 20 {
        let products =
          Double(2 * ratio - 1) + Double(partitions - 2 * ratio + 1) / Double(ratio) + 1
        let sum = products * Double(channels) + Double(8 * (channels + 1))
        if sum < cost { (best, cost) = (ratio, sum) }
        ratio *= 2
      }
      return best
    }
  }

  @usableFromInline let spectra: Buffer<Pair>
  @usableFromInline let samples: Buffer<Double>
  @usableFromInline let channels: Int
  /// Number of samples in the incoming block.
  @usableFromInline var position = 0
  @usableFromInline var small: PartitionLevel
  /// The response after the first `2 ratio - 1` small partitions; no partitions when the response is short.
  @usableFromInline var large: PartitionLevel
  @usableFromInline let ratio: Int
  /// Number of small blocks in the incoming large block.
  @usableFromInline var blocks = 0
  /// Progress of the work on the previous large block, in units of a product.
  @usableFromInline var done: Int
  /// Which of the two sound blocks the large level writes; the other one is played.
  @usableFromInline var writing = 0

  /// `spectra` and `samples` are zeroed memory of the plan's lengths. `response` gives the sample at an index from 0 to
  /// `length` - 1 of a channel [init pass].
  @inlinable
  public init(
    _ plan: Plan, spectra: Buffer<Pair>, samples: Buffer<Double>,
    response: (_ channel: Int, _ index: Int) -> Double
  ) {
    (self.spectra, self.samples) = (spectra, samples)
    (channels, ratio) = (plan.channels, plan.ratio)
    small = PartitionLevel(
      size: plan.partition, partitions: plan.smallCount, channels: channels, memory: spectra, 0, 0)
    large = PartitionLevel(
      size: plan.largeSize, partitions: plan.largeCount, channels: channels, memory: spectra,
      plan.smallPairs, plan.smallSamples)
    done = channels &* (large.partitions &+ 1)
    small.load(samples, channels: channels, from: 0, to: plan.length, response)
    large.load(
      samples, channels: channels, from: plan.smallCount * plan.partition, to: plan.length, response
    )
  }

  /// The result for a sample, of a response with one channel.
  @inlinable @inline(__always) @_noLocks @_noAllocation
  public mutating func next(_ input: Double) -> Double {
    let output = sound(of: 0, at: 0)
    setInput(input, at: 0)
    advance(by: 1)
    return output
  }

  /// How many samples can be read and written before `advance`: 1 to `partition`.
  @inlinable @inline(__always) public var room: Int { small.size &- position }

  /// Sets the sample of the input at an index from 0 to `room` - 1.
  @inlinable @inline(__always) @_noLocks @_noAllocation
  public func setInput(_ sample: Double, at index: Int) {
    samples[small.incoming &+ position &+ index] = sample
  }

  /// The result of a channel at an index from 0 to `room` - 1.
  @inlinable @inline(__always) @_noLocks @_noAllocation
  public func sound(of channel: Int, at index: Int) -> Double {
    samples[small.sound &+ 2 &* small.size &* channel &+ position &+ index]
  }

  /// Goes on by `count` samples, at most `room`, whose input has been set and whose results have been read.
  @inlinable @inline(__always) @_noLocks @_noAllocation
  public mutating func advance(by count: Int) {
    position &+= count
    if position == small.size {
      position = 0
      finishBlock()
    }
  }

  /// Computes the next block of sound when a block of input is complete.
  @_noLocks @_noAllocation @usableFromInline
  mutating func finishBlock() {
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

  /// Does the part that is due of the work on a large block (for each channel its products and one transform): the same
  /// amount for each small block.
  @inline(__always)
  private mutating func workOnLargeBlock() {
    let work = channels &* (large.partitions &+ 1)
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
