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
