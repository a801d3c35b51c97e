/// A group of partitions of the same size: their spectra, and the spectra of the signal.
@frozen @usableFromInline
struct PartitionLevel: BitwiseCopyable {
  @usableFromInline let transform: TwistedTransform
  @usableFromInline let partitions: Int
  /// Offsets in the spectra's memory: the signal's spectra, of which `newest` is the newest; the
  /// response's spectra, channel by channel; the sum.
  @usableFromInline let signal, response, sum: Int
  /// Offsets in the samples: the incoming block; for each channel two blocks of sound; for each
  /// channel the tail.
  @usableFromInline let incoming, sound, tail: Int
  @usableFromInline var newest = 0

  @inlinable @inline(__always) var size: Int { transform.size }

  /// Pairs it needs in the spectra's memory.
  @inlinable static func spectraLength(size: Int, partitions: Int, channels: Int) -> Int {
    TwistedTransform.constantsLength(size: size) + size * (partitions * (channels + 1) + 1)
  }

  /// Samples it needs.
  @inlinable static func samplesLength(size: Int, channels: Int) -> Int {
    size * (1 + 3 * channels)
  }

  @inlinable init(
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

  /// Computes the spectra of the partitions, for the samples `start` to `end` of the response [init pass].
  @inlinable
  func load(
    _ samples: Buffer<Double>, channels: Int, from start: Int, to end: Int,
    _ response: (_ channel: Int, _ index: Int) -> Double
  ) {
    for channel in 0..<channels {
      for partition in 0..<partitions {
        for index in 0..<size {
          let frame = start + partition * size + index
          samples[incoming + index] = frame < end ? response(channel, frame) : 0
        }
        let spectrum = self.response + size * (channel * partitions + partition)
        transform.forward(samples, incoming, to: spectrum)
        transform.scale(spectrum)
      }
    }
    for index in 0..<size { samples[incoming + index] = 0 }
  }

  /// Computes the spectrum of the incoming block and makes it the newest.
  @inline(__always)
  mutating func push(_ samples: Buffer<Double>) {
    newest = newest &+ 1 == partitions ? 0 : newest &+ 1
    transform.forward(samples, incoming, to: signal &+ size &* newest)
  }

  /// Adds the product of a partition of a channel and the matching signal spectrum to the sum.
  @inline(__always)
  func add(_ partition: Int, _ channel: Int) {
    transform.multiply(
      signalPlace(partition), responsePlace(partition, channel), addingTo: sum)
  }

  /// The same for three consecutive partitions.
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

  /// Transforms the sum into the next block of a channel's sound, and stores it at place 0 or 1.
  @inline(__always)
  func finish(_ channel: Int, _ samples: Buffer<Double>, _ place: Int) {
    transform.backward(sum)
    transform.block(
      sum, samples, out: sound &+ size &* (2 &* channel &+ place), tail: tail &+ size &* channel)
  }
}
