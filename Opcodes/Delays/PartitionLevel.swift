import OpcodeKit

/// Some of a response's partitions, all of one size: their spectra, and those of the signal.
struct PartitionLevel: BitwiseCopyable {
  let transform: TwistedTransform
  let partitions: Int
  /// Places in the spectra's memory: the signal's spectra, newest at `newest`; the response's,
  /// channel by channel; a sum.
  let signal, response, sum: Int
  /// Places in the samples: the incoming block; for each channel a block of sound and its tail.
  let incoming, sound, tail: Int
  var newest = 0

  @inline(__always) var size: Int { transform.size }

  /// Pairs it takes in the spectra's memory.
  static func spectraLength(size: Int, partitions: Int, channels: Int) -> Int {
    TwistedTransform.constantsLength(size: size) + size * (partitions * (channels + 1) + 1)
  }

  /// Samples it takes.
  static func samplesLength(size: Int, channels: Int) -> Int { size * (1 + 3 * channels) }

  init(
    size: Int, partitions: Int, channels: Int, memory: Buffer<Pair>, _ place: Int, _ samples: Int
  ) {
    self.partitions = partitions
    transform = TwistedTransform(size: size, constants: place, memory: memory)
    signal = place + TwistedTransform.constantsLength(size: size)
    response = signal + size * partitions
    sum = response + size * partitions * channels
    incoming = samples
    sound = samples + size
    tail = sound + 2 * size * channels
  }

  /// Makes the spectrum of the incoming block the newest.
  @inline(__always)
  mutating func push(_ samples: Buffer<Double>) {
    newest = newest &+ 1 == partitions ? 0 : newest &+ 1
    transform.forward(samples, incoming, to: signal &+ size &* newest)
  }

  /// Adds to the sum what a partition of a channel makes of the signal.
  @inline(__always)
  func add(_ partition: Int, _ channel: Int) {
    transform.multiply(
      signalPlace(partition), responsePlace(partition, channel), addingTo: sum)
  }

  /// The same for three partitions in a row.
  @inline(__always)
  func addThree(_ partition: Int, _ channel: Int) {
    let response = responsePlace(partition, channel)
    transform.multiply(
      (signalPlace(partition), signalPlace(partition &+ 1), signalPlace(partition &+ 2)),
      (response, response &+ size, response &+ 2 &* size), addingTo: sum)
  }

  @inline(__always)
  private func signalPlace(_ partition: Int) -> Int {
    let slot = newest &- partition
    return signal &+ size &* (slot < 0 ? slot &+ partitions : slot)
  }

  @inline(__always)
  private func responsePlace(_ partition: Int, _ channel: Int) -> Int {
    response &+ size &* (channel &* partitions &+ partition)
  }

  /// Makes of the sum the next block of a channel's sound, in its place of two.
  @inline(__always)
  func finish(_ channel: Int, _ samples: Buffer<Double>, _ place: Int) {
    transform.backward(sum)
    transform.block(
      sum, samples, out: sound &+ size &* (2 &* channel &+ place), tail: tail &+ size &* channel)
  }
}
