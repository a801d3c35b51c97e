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

/// The spectra of real blocks of `size` samples, multiplied in which they are convolved without
/// wrapping round: a block of twice the length comes out.
///
/// The spectrum is that of in[n] exp(i pi n / (2 size)), a complex transform of `size` points. In
/// it polynomials multiply modulo z^size - i, so that the real part of the product is the first half
/// of the convolution and the imaginary part the second (H. J. Nussbaumer, "Fast Fourier transform and
/// convolution algorithms", 2nd ed., Springer 1982). The first step makes of the block two halves, one
/// for each lane of a `Pair`, which go side by side through the same steps of radix 4; the order of the
/// results does not matter, and nothing is brought into another one.
package struct TwistedTransform: BitwiseCopyable {
  /// Samples in a block, a power of two from 4 up.
  package let size: Int
  /// Where its constants begin in the memory they share with spectra.
  private let constants: Int
  private let memory: Buffer<Pair>

  /// Points of each lane.
  @inline(__always) private var half: Int { size &>> 1 }

  /// Pairs a spectrum takes: real and imaginary parts in turns.
  @inline(__always) package var spectrumLength: Int { size }

  /// Pairs the constants take for blocks of `size` samples.
  package static func constantsLength(size: Int) -> Int { 2 * size + 3 * size }

  /// A transform with its constants from `constants` on in `memory` [init pass].
  package init(size: Int, constants: Int, memory: Buffer<Pair>) {
    (self.size, self.constants, self.memory) = (size, constants, memory)
    for index in 0..<half {
      let twist = Double.pi * Double(index) / Double(2 * size)
      let turn = 2 * Double.pi * Double(index) / Double(size)
      let (first, second) = (twist, twist + Double.pi / 4)
      let place = constants + 4 * index
      memory[place] = Pair(Math.cos(first), Math.cos(first - turn))
      memory[place + 1] = Pair(Math.sin(first), Math.sin(first - turn))
      memory[place + 2] = Pair(Math.cos(second), -Math.cos(second - turn))
      memory[place + 3] = Pair(Math.sin(second), -Math.sin(second - turn))
    }
    var place = constants + 2 * size
    var length = half
    if !Self.isPowerOfFour(length) {
      for index in 0..<(length / 2) { setTurns(place + 2 * index, index, of: length, count: 1) }
      place += length
      length /= 2
    }
    while length > 1 {
      let quarter = length / 4
      for index in 0..<quarter { setTurns(place + 6 * index, index, of: length, count: 3) }
      place += 6 * quarter
      length = quarter
    }
  }

  private func setTurns(_ place: Int, _ index: Int, of length: Int, count: Int) {
    for power in 1...count {
      let angle = -2 * Double.pi * Double(power * index) / Double(length)
      memory[place + 2 * power - 2] = Pair(Math.cos(angle))
      memory[place + 2 * power - 1] = Pair(Math.sin(angle))
    }
  }

  @inline(__always)
  private static func isPowerOfFour(_ length: Int) -> Bool { length.trailingZeroBitCount & 1 == 0 }

  /// The spectrum of the block that begins at `block` in `samples`, to `spectrum` in the memory.
  @inline(__always)
  package func forward(_ samples: Buffer<Double>, _ block: Int, to spectrum: Int) {
    let memory = memory
    var index = 0
    while index < half {
      let first = Pair(samples[block &+ index])
      let second = Pair(samples[block &+ half &+ index])
      let place = constants &+ 4 &* index
      let target = spectrum &+ 2 &* index
      memory[target] =
        first * memory[place] + second * memory[place &+ 2]
      memory[target &+ 1] =
        first * memory[place &+ 1] + second * memory[place &+ 3]
      index &+= 1
    }
    var turns = constants &+ 2 &* size
    var length = half
    if !Self.isPowerOfFour(length) {
      let middle = length &>> 1
      index = 0
      while index < middle {
        let (one, other) = (spectrum &+ 2 &* index, spectrum &+ 2 &* (index &+ middle))
        let (a, b) = (number(one), number(other))
        set(one, a + b)
        set(other, (a - b).turned(number(turns &+ 2 &* index)))
        index &+= 1
      }
      turns &+= length
      length = middle
    }
    while length > 1 {
      let quarter = length &>> 2
      var start = spectrum
      while start < spectrum &+ size {
        var place = start
        var turn = turns
        while place < start &+ 2 &* quarter {
          let (p1, p2, p3) = (
            place &+ 2 &* quarter, place &+ 4 &* quarter, place &+ 6 &* quarter
          )
          let (a0, a1, a2, a3) = (number(place), number(p1), number(p2), number(p3))
          let (sum, difference) = (a0 + a2, a0 - a2)
          let (otherSum, otherDifference) = (a1 + a3, a1 - a3)
          set(place, sum + otherSum)
          set(p1, difference.addingDown(otherDifference).turned(number(turn)))
          set(p2, (sum - otherSum).turned(number(turn &+ 2)))
          set(p3, difference.addingUp(otherDifference).turned(number(turn &+ 4)))
          place &+= 2
          turn &+= 6
        }
        start &+= 2 &* length
      }
      turns &+= 6 &* quarter
      length = quarter
    }
  }

  /// The steps of `forward` in reverse: leaves in the spectrum's place what `block` takes.
  @inline(__always)
  package func backward(_ spectrum: Int) {
    var length = 4
    var turns = constants &+ 2 &* size &+ turnsLength
    let last = Self.isPowerOfFour(half) ? half : half &>> 1
    while length <= last {
      let quarter = length &>> 2
      turns &-= 6 &* quarter
      var start = spectrum
      while start < spectrum &+ size {
        var place = start
        var turn = turns
        while place < start &+ 2 &* quarter {
          let (p1, p2, p3) = (
            place &+ 2 &* quarter, place &+ 4 &* quarter, place &+ 6 &* quarter
          )
          let a0 = number(place)
          let a1 = number(p1).unturned(number(turn))
          let a2 = number(p2).unturned(number(turn &+ 2))
          let a3 = number(p3).unturned(number(turn &+ 4))
          let (sum, otherSum) = (a0 + a2, a1 + a3)
          let (difference, otherDifference) = (a0 - a2, a1 - a3)
          set(place, sum + otherSum)
          set(p1, difference.addingUp(otherDifference))
          set(p2, sum - otherSum)
          set(p3, difference.addingDown(otherDifference))
          place &+= 2
          turn &+= 6
        }
        start &+= 2 &* length
      }
      length &*= 4
    }
    if !Self.isPowerOfFour(half) {
      let middle = half &>> 1
      turns &-= half
      var index = 0
      while index < middle {
        let (one, other) = (spectrum &+ 2 &* index, spectrum &+ 2 &* (index &+ middle))
        let (a, b) = (number(one), number(other).unturned(number(turns &+ 2 &* index)))
        set(one, a + b)
        set(other, a - b)
        index &+= 1
      }
    }
  }

  /// Pairs of the steps' constants.
  @inline(__always)
  private var turnsLength: Int {
    var (sum, length) = (0, half)
    if !Self.isPowerOfFour(length) {
      sum &+= length
      length &>>= 1
    }
    while length > 1 {
      sum &+= 6 &* (length &>> 2)
      length &>>= 2
    }
    return sum
  }

  /// Ends the way back: `out` gets the first half of the convolution and the tail before, `tail` the
  /// second half. All three are places of `size` samples.
  @inline(__always)
  package func block(
    _ spectrum: Int, _ samples: Buffer<Double>, out: Int, tail: Int
  ) {
    var index = 0
    while index < half {
      let value = number(spectrum &+ 2 &* index)
      let place = constants &+ 4 &* index
      let first = value.unturned(number(place))
      let second = value.unturned(number(place &+ 2))
      let (one, other) = (index, index &+ half)
      samples[out &+ one] = first.real[0] + first.real[1] + samples[tail &+ one]
      samples[tail &+ one] = first.imaginary[0] + first.imaginary[1]
      samples[out &+ other] = second.real[0] + second.real[1] + samples[tail &+ other]
      samples[tail &+ other] = second.imaginary[0] + second.imaginary[1]
      index &+= 1
    }
  }

  /// Adds the product of two spectra to a third.
  @inline(__always)
  package func multiply(_ one: Int, _ other: Int, addingTo sum: Int) {
    var index = 0
    while index < size {
      let product = number(one &+ index).turned(number(other &+ index))
      set(sum &+ index, number(sum &+ index) + product)
      index &+= 2
    }
  }

  /// Adds the products of three pairs of spectra to another; in one go, because the sum's way to the
  /// memory and back costs as much as a product.
  @inline(__always)
  package func multiply(
    _ ones: (Int, Int, Int), _ others: (Int, Int, Int), addingTo sum: Int
  ) {
    var index = 0
    while index < size {
      let first = number(ones.0 &+ index).turned(number(others.0 &+ index))
      let second = number(ones.1 &+ index).turned(number(others.1 &+ index))
      let third = number(ones.2 &+ index).turned(number(others.2 &+ index))
      set(sum &+ index, (number(sum &+ index) + first) + (second + third))
      index &+= 2
    }
  }

  /// Makes a spectrum zero.
  @inline(__always)
  package func clear(_ spectrum: Int) {
    var index = 0
    while index < size {
      memory[spectrum &+ index] = Pair(0)
      index &+= 1
    }
  }

  /// Multiplies a spectrum by 1 / size, what a way there and back needs.
  package func scale(_ spectrum: Int) {
    let share = Pair(1 / Double(size))
    for index in 0..<size { memory[spectrum + index] = memory[spectrum + index] * share }
  }

  @inline(__always)
  private func number(_ place: Int) -> ComplexPair {
    ComplexPair(real: memory[place], imaginary: memory[place &+ 1])
  }

  @inline(__always)
  private func set(_ place: Int, _ number: ComplexPair) {
    memory[place] = number.real
    memory[place &+ 1] = number.imaginary
  }
}

/// Two complex numbers.
private struct ComplexPair {
  var real, imaginary: Pair

  @inline(__always)
  static func + (a: ComplexPair, b: ComplexPair) -> ComplexPair {
    ComplexPair(
      real: a.real + b.real, imaginary: a.imaginary + b.imaginary)
  }

  @inline(__always)
  static func - (a: ComplexPair, b: ComplexPair) -> ComplexPair {
    ComplexPair(
      real: a.real - b.real, imaginary: a.imaginary - b.imaginary)
  }

  /// This plus i times another.
  @inline(__always)
  func addingUp(_ other: ComplexPair) -> ComplexPair {
    ComplexPair(
      real: real - other.imaginary,
      imaginary: imaginary + other.real)
  }

  /// This minus i times another.
  @inline(__always)
  func addingDown(_ other: ComplexPair) -> ComplexPair {
    ComplexPair(
      real: real + other.imaginary,
      imaginary: imaginary - other.real)
  }

  /// The product.
  @inline(__always)
  func turned(_ turn: ComplexPair) -> ComplexPair {
    ComplexPair(
      real: real * turn.real - imaginary * turn.imaginary,
      imaginary: real * turn.imaginary + imaginary * turn.real)
  }

  /// The product with the conjugate.
  @inline(__always)
  func unturned(_ turn: ComplexPair) -> ComplexPair {
    ComplexPair(
      real: real * turn.real + imaginary * turn.imaginary,
      imaginary: imaginary * turn.real - real * turn.imaginary)
  }
}

/// Some of a response's partitions, all of one size: their spectra, and those of the signal.
private struct PartitionLevel: BitwiseCopyable {
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
