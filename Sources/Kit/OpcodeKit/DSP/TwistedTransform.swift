/// Spectra of real blocks of `size` samples. Multiplying two of them gives a convolution without wrapping, which is a
/// block of twice the length.
///
/// The spectrum is the `size`-point complex transform of in[n] exp(i pi n / (2 size)). The product of two spectra is
/// the product of polynomials modulo z^size - i; its real part is the first half of the convolution and its imaginary
/// part the second half (H. J. Nussbaumer, "Fast Fourier transform and convolution algorithms", 2nd ed., Springer
/// 1982). The first step splits the block into two halves, one for each number of a `Pair`, which go through the same
/// radix-4 steps. The order of the results does not matter, so they are not reordered.
@frozen @usableFromInline
struct TwistedTransform: BitwiseCopyable {
  /// Samples in a block: a power of two, at least 4.
  @usableFromInline let size: Int
  /// Offset of the constants in the memory, which also holds spectra.
  @usableFromInline let constants: Int
  @usableFromInline let memory: Buffer<Pair>

  /// Number of points in each half.
  @inlinable @inline(__always) var half: Int { size &>> 1 }

  /// Pairs that the constants take for blocks of `size` samples.
  @inlinable static func constantsLength(size: Int) -> Int { 2 * size + 3 * size }

  /// A transform with its constants at offset `constants` in `memory` [init pass].
  @inlinable init(size: Int, constants: Int, memory: Buffer<Pair>) {
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
      for index in 0..<(length / 2) { setTurn(place, index, 1, of: length) }
      place += length
      length /= 2
    }
    while length > 4 {
      let quarter = length / 4
      for power in 1...3 {
        for index in 0..<quarter { setTurn(place, index, power, of: length) }
        place += 2 * quarter
      }
      length = quarter
    }
  }

  @inlinable func setTurn(_ place: Int, _ index: Int, _ power: Int, of length: Int) {
    let angle = -2 * Double.pi * Double(power * index) / Double(length)
    set(place, index, Complex(real: Pair(Math.cos(angle)), imaginary: Pair(Math.sin(angle))))
  }

  @inlinable @inline(__always)
  static func isPowerOfFour(_ length: Int) -> Bool { length.trailingZeroBitCount & 1 == 0 }

  /// Computes the spectrum of the block at offset `block` in `samples`, and writes it to offset `spectrum` in the
  /// memory.
  @_noLocks @_noAllocation @usableFromInline
  func forward(_ samples: Buffer<Double>, _ block: Int, to spectrum: Int) {
    let memory = memory
    var index = 0
    while index < half {
      let first = Pair(samples[block &+ index])
      let second = Pair(samples[block &+ half &+ index])
      let place = constants &+ 4 &* index
      set(
        spectrum, index,
        Complex(
          real: first * memory[place] + second * memory[place &+ 2],
          imaginary: first * memory[place &+ 1] + second * memory[place &+ 3]))
      index &+= 1
    }
    var turns = constants &+ 2 &* size
    var length = half
    if !Self.isPowerOfFour(length) {
      let middle = length &>> 1
      if middle == 1 {
        let (a, b) = (number(spectrum, 0), number(spectrum, 1))
        set(spectrum, 0, a + b)
        set(spectrum, 1, a - b)
      } else {
        var place = spectrum
        while place < spectrum &+ length {
          let other = place &+ length
          let (a, b) = (quad(place), quad(other))
          setQuad(place, a + b)
          setQuad(other, (a - b).turned(quad(turns &+ place &- spectrum)))
          place &+= 4
        }
      }
      turns &+= length
      length = middle
    }
    while length > 4 {
      let half = length &>> 1
      var start = spectrum
      while start < spectrum &+ size {
        var (place, turn) = (start, turns)
        while place < start &+ half {
          let (p1, p2, p3) = (place &+ half, place &+ 2 &* half, place &+ 3 &* half)
          let (a0, a1, a2, a3) = (quad(place), quad(p1), quad(p2), quad(p3))
          let (sum, difference) = (a0 + a2, a0 - a2)
          let (otherSum, otherDifference) = (a1 + a3, a1 - a3)
          setQuad(place, sum + otherSum)
          setQuad(p1, difference.addingDown(otherDifference).turned(quad(turn)))
          setQuad(p2, (sum - otherSum).turned(quad(turn &+ half)))
          setQuad(p3, difference.addingUp(otherDifference).turned(quad(turn &+ 2 &* half)))
          place &+= 4
          turn &+= 4
        }
        start &+= 4 &* half
      }
      turns &+= 3 &* half
      length &>>= 2
    }
    if length == 4 { stepOfFour(spectrum, second: 1) }
  }

  /// The last radix-4 step, which has no twiddle factors. Backwards, the second and the fourth point are swapped.
  @inline(__always)
  private func stepOfFour(_ spectrum: Int, second: Int) {
    var index = 0
    while index < half {
      let (a0, a1) = (number(spectrum, index), number(spectrum, index &+ 1))
      let (a2, a3) = (number(spectrum, index &+ 2), number(spectrum, index &+ 3))
      let (sum, difference) = (a0 + a2, a0 - a2)
      let (otherSum, otherDifference) = (a1 + a3, a1 - a3)
      set(spectrum, index, sum + otherSum)
      set(spectrum, index &+ second, difference.addingDown(otherDifference))
      set(spectrum, index &+ 2, sum - otherSum)
      set(spectrum, index &+ (4 &- second), difference.addingUp(otherDifference))
      index &+= 4
    }
  }

  /// The steps of `forward` in reverse, in place; `block` takes the result.
  @inline(__always)
  func backward(_ spectrum: Int) {
    if half >= 4 { stepOfFour(spectrum, second: 3) }
    var length = 16
    var turns = constants &+ 2 &* size &+ turnsLength
    let last = Self.isPowerOfFour(half) ? half : half &>> 1
    while length <= last {
      let half = length &>> 1
      turns &-= 3 &* half
      var start = spectrum
      while start < spectrum &+ size {
        var (place, turn) = (start, turns)
        while place < start &+ half {
          let (p1, p2, p3) = (place &+ half, place &+ 2 &* half, place &+ 3 &* half)
          let a0 = quad(place)
          let a1 = quad(p1).unturned(quad(turn))
          let a2 = quad(p2).unturned(quad(turn &+ half))
          let a3 = quad(p3).unturned(quad(turn &+ 2 &* half))
          let (sum, otherSum) = (a0 + a2, a1 + a3)
          let (difference, otherDifference) = (a0 - a2, a1 - a3)
          setQuad(place, sum + otherSum)
          setQuad(p1, difference.addingUp(otherDifference))
          setQuad(p2, sum - otherSum)
          setQuad(p3, difference.addingDown(otherDifference))
          place &+= 4
          turn &+= 4
        }
        start &+= 4 &* half
      }
      length &*= 4
    }
    if half == 2 {
      let (a, b) = (number(spectrum, 0), number(spectrum, 1))
      set(spectrum, 0, a + b)
      set(spectrum, 1, a - b)
    } else if !Self.isPowerOfFour(half) {
      turns &-= half
      var place = spectrum
      while place < spectrum &+ half {
        let other = place &+ half
        let (a, b) = (quad(place), quad(other).unturned(quad(turns &+ place &- spectrum)))
        setQuad(place, a + b)
        setQuad(other, a - b)
        place &+= 4
      }
    }
  }

  /// Pairs that the twiddle factors of the steps take.
  @inline(__always)
  private var turnsLength: Int {
    var (sum, length) = (0, half)
    if !Self.isPowerOfFour(length) {
      sum &+= length
      length &>>= 1
    }
    while length > 4 {
      sum &+= 6 &* (length &>> 2)
      length &>>= 2
    }
    return sum
  }

  /// The last step of the inverse transform: `out` gets the first half of the convolution plus the previous tail,
  /// `tail` the second half. `out` and `tail` are offsets of `size` samples.
  @inline(__always)
  func block(
    _ spectrum: Int, _ samples: Buffer<Double>, out: Int, tail: Int
  ) {
    var index = 0
    while index < half {
      let value = number(spectrum, index)
      let place = constants &+ 4 &* index
      let first = value.unturned(twist(place))
      let second = value.unturned(twist(place &+ 2))
      let (one, other) = (index, index &+ half)
      samples[out &+ one] = first.real[0] + first.real[1] + samples[tail &+ one]
      samples[tail &+ one] = first.imaginary[0] + first.imaginary[1]
      samples[out &+ other] = second.real[0] + second.real[1] + samples[tail &+ other]
      samples[tail &+ other] = second.imaginary[0] + second.imaginary[1]
      index &+= 1
    }
  }

  /// Adds the product of two spectra to a third one.
  @inline(__always)
  func multiply(_ one: Int, _ other: Int, addingTo sum: Int) {
    var index = 0
    while index < size {
      let product = quad(one &+ index).turned(quad(other &+ index))
      setQuad(sum &+ index, quad(sum &+ index) + product)
      index &+= 4
    }
  }

  /// Adds the products of three pairs of spectra to another one. Done in one loop, because loading and storing the sum
  /// costs as much as a product.
  @inline(__always)
  func multiply(
    _ ones: (Int, Int, Int), _ others: (Int, Int, Int), addingTo sum: Int
  ) {
    var index = 0
    while index < size {
      let first = quad(ones.0 &+ index).turned(quad(others.0 &+ index))
      let second = quad(ones.1 &+ index).turned(quad(others.1 &+ index))
      let third = quad(ones.2 &+ index).turned(quad(others.2 &+ index))
      setQuad(sum &+ index, (quad(sum &+ index) + first) + (second + third))
      index &+= 4
    }
  }

  /// Sets a spectrum to zero.
  @inline(__always)
  func clear(_ spectrum: Int) {
    var index = 0
    while index < size {
      memory[spectrum &+ index] = Pair(0)
      index &+= 1
    }
  }

  /// Multiplies a spectrum by 1 / size, the scale factor of a transform and its inverse.
  @inlinable func scale(_ spectrum: Int) {
    let share = Pair(1 / Double(size))
    for index in 0..<size { memory[spectrum + index] = memory[spectrum + index] * share }
  }

  /// The point at an index of a spectrum, or of a step's twiddle factors.
  @inlinable @inline(__always)
  func number(_ start: Int, _ index: Int) -> ComplexPair {
    let place = place(start, index)
    return Complex(real: memory[place], imaginary: memory[place &+ 2])
  }

  @inlinable @inline(__always)
  func set(_ start: Int, _ index: Int, _ number: ComplexPair) {
    let place = place(start, index)
    memory[place] = number.real
    memory[place &+ 2] = number.imaginary
  }

  /// The offset of the point's real part.
  @inlinable @inline(__always)
  func place(_ start: Int, _ index: Int) -> Int {
    start &+ 2 &* index &- index & 1
  }

  /// Four points.
  @inline(__always)
  private func quad(_ place: Int) -> Complex<Quad> {
    Complex(real: memory.quad(at: place), imaginary: memory.quad(at: place &+ 2))
  }

  @inline(__always)
  private func setQuad(_ place: Int, _ numbers: Complex<Quad>) {
    memory.setQuad(numbers.real, at: place)
    memory.setQuad(numbers.imaginary, at: place &+ 2)
  }

  @inline(__always)
  private func twist(_ place: Int) -> ComplexPair {
    Complex(real: memory[place], imaginary: memory[place &+ 1])
  }
}
