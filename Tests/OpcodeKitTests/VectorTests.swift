import Foundation
import OpcodeKit
import Testing

@Suite("Vectors")
struct VectorTests {
  /// Numbers of every size between two exponents of ten, of both signs.
  static func numbers(from low: Double, to high: Double, perDecade count: Int) -> [Double] {
    stride(from: low, through: high, by: 1 / Double(count)).flatMap { exponent in
      [pow(10, exponent), -pow(10, exponent) * 1.618]
    }
  }

  /// How far a number is from the exact one, in units of its last place.
  static func ulps(_ found: Double, from exact: Float80) -> Double {
    exact == 0 ? 0 : Double(abs(Float80(found) - exact)) / Double(exact).ulp
  }

  @Test("tanh is within 4 ulp of tanh in 64-bit precision, in Pair, Quad, Lanes and Math")
  func tanh() {
    var worst = 0.0
    for x in Self.numbers(from: -300, to: 3, perDecade: 211) {
      let exact = tanhl(Float80(x))
      worst = max(
        worst, Self.ulps(Pair(x, 0).tanh[0], from: exact), Self.ulps(Lanes(x).tanh[5], from: exact))
      #expect(Quad(x).tanh[3] == Lanes(x).tanh[0] && Math.tanh(x) == Pair(x, 0).tanh[0])
    }
    #expect(Math.tanh(-.infinity) == -1 && Math.tanh(-0.0).sign == .minus && Math.tanh(.nan).isNaN)
    #expect(worst > 0 && worst < 4)
  }

  @Test("tanh of one number is within 1.3e-15 of it, odd, and beyond 10 that of several")
  func tanhOfOne() {
    var worst = 0.0
    let small = Self.numbers(from: -300, to: 0.999, perDecade: 211)
    for x in small + stride(from: -10, through: 10, by: 0.000937) {
      let (found, exact) = (Fraction.tanh(x), tanhl(Float80(x)))
      if x != 0 { worst = max(worst, Double(abs(Float80(found) / exact - 1))) }
      #expect(Fraction.tanh(-x) == -found)
    }
    #expect(worst > 0 && worst < 1.3e-15)
    #expect(
      Fraction.tanh(0) == 0 && Fraction.tanh(-0.0).sign == .minus && Fraction.tanh(.nan).isNaN)
    for x in [10.01, 20, 1e300, .infinity] { #expect(Fraction.tanh(-x) == Pair(-x).tanh[0]) }
  }

  @Test("The square root is the processor's, NaN below 0")
  func squareRoot() {
    for x in [0, 2, 1e-300, 3e300, .infinity] {
      let pair = Pair(1, x).squareRoot
      #expect(pair[0] == 1 && pair[1] == x.squareRoot() && Lanes(x).squareRoot[7] == pair[1])
    }
    #expect(Pair(-1).squareRoot[0].isNaN && Lanes(-1).squareRoot[0].isNaN)
  }

  @Test("A buffer of lanes gives back each number at its place")
  func buffer() {
    var buffer = LanesBuffer()
    for place in stride(from: 0, to: 48, by: 8) {
      buffer.set(Lanes(values: SIMD8((0..<8).map { Double(place + $0) + 0.5 })), at: place)
    }
    for place in 0..<48 { #expect(buffer.number(at: place) == Double(place) + 0.5) }
  }

  @Test("exp is within 2 ulp of exp in 64-bit precision, and ends at ±700")
  func exponential() {
    var worst = 0.0
    for x in Self.numbers(from: -20, to: 2.63, perDecade: 997) {
      let exact = expl(Float80(x))
      worst = max(
        worst, Self.ulps(Pair(0, x).exp[1], from: exact), Self.ulps(Lanes(x).exp[2], from: exact))
    }
    #expect(worst > 0 && worst < 2)
    #expect(Lanes(1e9).exp[0] == Lanes(700).exp[0])
    #expect(Lanes(-1e9).exp[0] == Lanes(-700).exp[0])
    #expect(Pair(0).exp[0] == 1)
  }

  @Test("expMinusOne is within 2.5 ulp, and not within 2")
  func powerMinusOne() {
    var worst = 0.0
    for index in 0..<200_000 {
      let x = 0.3 + 5e-7 * Double(index)
      worst = max(worst, Self.ulps(Lanes(x).expMinusOne[3], from: expm1l(Float80(x))))
    }
    for x in Self.numbers(from: -9, to: 2.8, perDecade: 97) {
      worst = max(worst, Self.ulps(Pair(x).expMinusOne[0], from: expm1l(Float80(x))))
    }
    #expect(worst > 2 && worst < 2.5, "\(worst)")
  }

  @Test("The logarithm of a quotient is within 5 ulp, and exact for powers of two")
  func logarithm() {
    var worst = 0.0
    for (place, x) in Self.numbers(from: -30, to: 30, perDecade: 41).map(abs).enumerated() {
      let other = x * (0.5 + Double(place % 1009) / 673)
      let exact = log2l(Float80(x) / Float80(other))
      worst = max(worst, Self.ulps(Pair.log2(Pair(x, 1), over: Pair(other, 1))[0], from: exact))
      worst = max(
        worst, Self.ulps(Pair.log2(Pair(x), over: Pair(440))[1], from: log2l(Float80(x) / 440)))
    }
    #expect(worst > 0 && worst < 5)
    for exponent in [-1000, -1, 0, 1, 7, 1000] {
      #expect(
        Pair.log2(Pair(0.3 * pow(2, Double(exponent))), over: Pair(0.3))[0] == Double(exponent))
    }
    #expect(Pair.log2(Pair(.infinity), over: Pair(1))[0] == 1024)
    #expect(Pair.log2(Pair(.leastNonzeroMagnitude), over: Pair(1))[0] < -1022)
  }

  @Test("Phases side by side are the phases one after the other", arguments: [512, 999])
  func phases(count: Int) {
    var phase = CyclePhase(cycles: 0.9)
    let step = CyclePhase.step(cycles: 0.123)
    var phases = SteadyPhases(phase, step: step, in: count)
    for _ in 0..<100 {
      #expect(phases.phase.bits == phase.bits)
      let indices = phases.indices
      for (place, index) in [indices.0, indices.1, indices.2, indices.3].enumerated() {
        #expect(index == phase.index(in: count))
        #expect(phases.rests[place] == phase.rest(in: count))
        #expect(
          phase.onePlusRest(in: count) == 1 + Double(phases.rests[place] >> 12) * 0x1p-52)
        #expect(Quad.onePlus(phases.rests)[place] == phase.onePlusRest(in: count))
        phase.advance(step)
      }
      phases.advance()
    }
  }

  @Test("Firsts and seconds are those of each pair in turn")
  func firsts() {
    let pairs = (Pair(1, 2), Pair(3, 4), Pair(5, 6), Pair(7, 8))
    let first = Quad.firsts(pairs.0, pairs.1, pairs.2, pairs.3)
    let second = Quad.seconds(pairs.0, pairs.1, pairs.2, pairs.3)
    for place in 0..<4 {
      #expect(first[place] == Double(2 * place + 1) && second[place] == Double(2 * place + 2))
    }
  }

  @Test("The short exp is within 3e-10 of exp")
  func shortExponential() {
    var worst = 0.0
    for x in Self.numbers(from: -20, to: 2.63, perDecade: 997) {
      worst = max(worst, abs(Lanes(x).shortExp[3] / Foundation.exp(x) - 1))
    }
    #expect(worst > 1e-11 && worst < 3e-10)
    #expect(Lanes(1e-12).shortExp[0] == 1 + 1e-12)
  }

  @Test("tanh ends at ±1, keeps the sign of zero, and NaN stays NaN in its place alone")
  func ends() {
    #expect(Pair(20, -20).tanh[0] == 1 && Pair(20, -20).tanh[1] == -1)
    #expect(Pair(.infinity, -.infinity).tanh[0] == 1 && Pair(.infinity, -.infinity).tanh[1] == -1)
    #expect(Pair(-0.0).tanh[0].sign == .minus)
    #expect(Pair(.nan, 1).tanh[0].isNaN && !Pair(.nan, 1).tanh[1].isNaN)
    #expect(Pair(.nan, 1).exp[0].isNaN && !Pair(.nan, 1).exp[1].isNaN)
    var lanes = Lanes(0.5)
    lanes[3] = .nan
    for place in 0..<8 { #expect(lanes.tanh[place].isNaN == (place == 3)) }
  }

  @Test("The short tanh is within 3.1e-9 of tanh up to 10, and exact for small numbers")
  func shortTanh() {
    var worst = 0.0
    for x in stride(from: -10.0, through: 10, by: 0.000_37) where x != 0 {
      worst = max(worst, abs(Lanes(x).shortTanh[1] / Foundation.tanh(x) - 1))
    }
    #expect(worst > 1e-9 && worst < 3.1e-9)
    #expect(Lanes(1e-9).shortTanh[0] == 1e-9)
  }

  @Test("A fraction's short tanh is that of lanes, whatever its bottom")
  func shortTanhOfFraction() {
    for x in stride(from: -10.0, through: 10, by: 0.0037) where x != 0 {
      for bottom in [1.0, 3, 0x1p20] {
        let found = Fraction.shortTanh(Pair(x * bottom), Pair(bottom)).value
        #expect(abs(found / Lanes(x).shortTanh[0] - 1) < 4e-15, "\(x)")
      }
    }
  }

  @Test("What takes a power of two off a number takes its powers off the number's powers")
  func unscale() {
    for x in [1.0, 1.999, 0.7, 3, 0x1p-30, 0x1.8p33] {
      let scale = Pair(x, -x).unscale
      #expect(scale[0] == scale[1] && scale[0] == exp2(-Double(x.exponent)))
      for power in [3, 9] as [CUnsignedLongLong] {
        #expect(Pair(x).unscale(power: power)[1] == pow(scale[0], Double(power)))
      }
    }
  }

  @Test(
    "Arithmetic is that of each place", arguments: [(3.0, -7.0), (-0.25, 1e300), (1e-200, 1e-200)])
  func arithmetic(a: Double, b: Double) {
    let (left, right) = (Pair(a, b), Pair(b, a))
    for (found, expected) in [
      (left + right, [a + b, b + a]), (left - right, [a - b, b - a]),
      (left * right, [a * b, b * a]),
      (left / right, [a / b, b / a]),
    ] { #expect([found[0], found[1]] == expected) }
    #expect(Pair.minimum(left, right)[0] == min(a, b) && Pair.maximum(left, right)[1] == max(a, b))
    #expect(left.magnitude[1] == abs(b))
    for (found, expected) in [
      (Quad(a) + Quad(b), a + b), (Quad(a) - Quad(b), a - b), (Quad(a) * Quad(b), a * b),
      (Quad(a) / Quad(b), a / b), (.minimum(Quad(a), Quad(b)), min(a, b)),
      (.maximum(Quad(a), Quad(b)), max(a, b)), (Quad(a).magnitude, abs(a)),
      (Quad(a).magnitude.withSigns(of: Quad(b)), b < 0 ? -abs(a) : abs(a)),
    ] {
      for place in 0..<4 { #expect(found[place] == expected) }
    }
    var (lane, other) = (Lanes(a), Lanes(b))
    lane[6] = b
    other[6] = a
    for (found, expected, six) in [
      (lane + other, a + b, b + a), (lane - other, a - b, b - a), (lane * other, a * b, b * a),
      (lane / other, a / b, b / a), (.minimum(lane, other), min(a, b), min(a, b)),
      (.maximum(lane, other), max(a, b), max(a, b)), (lane.magnitude, abs(a), abs(b)),
      (lane.magnitude.withSigns(of: lane), a, b),
    ] {
      for place in 0..<8 { #expect(found[place] == (place == 6 ? six : expected)) }
    }
  }

  @Test("What is after the point is dropped, and whole numbers are themselves")
  func truncated() {
    let whole = Quad(values: SIMD4(0.999, 1, -2.7, 1e9 + 0.5)).truncated
    #expect(whole == SIMD4(0, 1, -2, 1_000_000_000))
    for place in 0..<4 { #expect(Quad(whole)[place] == Double(whole[place])) }
  }

  @Test("The nearest whole number, a half to the even one; -2^63 where there is none")
  func nearest() {
    for (x, expected) in [(0.5, 0), (1.5, 2), (-2.5, -2), (0x1p62, 1 << 62)] {
      #expect(Math.nearest(x) == expected)
    }
    for x in [Double.nan, .infinity, -.infinity, 0x1p63, -0x1p64] {
      #expect(Math.nearest(x) == .min)
    }
  }

  @Test("Numbers are kept where their size is in the range, NaN and infinity are not")
  func kept() {
    var size = Lanes(1)
    size[1] = 1e-31
    size[2] = .nan
    size[3] = .infinity
    size[4] = 1e-30
    let kept = Lanes(5).kept(where: size, isFrom: 1e-30)
    for (place, expected) in [5.0, 0, 0, 0, 5, 5, 5, 5].enumerated() {
      #expect(kept[place] == expected)
    }
  }

  @Test("The first numbers are replaced in order, the others stay", arguments: [0, 3, 8])
  func replaced(count: Int) {
    var lanes = Lanes(values: [8, 7, 6, 5, 4, 3, 2, 1])
    var sum = 0.0
    var places: [Int] = []
    lanes.replaceEach(first: count) { number, place in
      places.append(place)
      sum += number
      return sum
    }
    #expect(places == Array(0..<count))
    let sums = [8.0, 15, 21, 26, 30, 33, 35, 36]
    #expect((0..<8).map { lanes[$0] } == (0..<8).map { $0 < count ? sums[$0] : Double(8 - $0) })
  }

  @Test("Lanes are within a limit only where each of them is")
  func within() {
    for limit in [0, 0.3] {
      var lanes = Lanes(limit)
      lanes[5] = -limit
      lanes[6] = -0.0
      #expect(lanes.isWithin(limit))
      for place in 0..<Lanes.count {
        let above = max(limit.nextUp, .leastNormalMagnitude)
        for number in [above, -above, 1, -2, .infinity, .nan] {
          var lanes = lanes
          lanes[place] = number
          #expect(!lanes.isWithin(limit), "\(number) at \(place)")
        }
      }
    }
  }
}

/// The reciprocal of its input, so that a frame that it gets twice or not at all shows.
private struct Reciprocal: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let input: AudioInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    arguments.output.write(context.frames, from: arguments.input) { Lanes(1) / $0 }
  }
}

@Suite("A body without memory")
struct BodyTests {
  @Test("Each frame of a note is written from itself alone", arguments: [1, 7, 8, 19])
  func write(count: Int) throws {
    let numbers = (1...count).map(Double.init)
    let call = try TestCall<Reciprocal>(.samples(numbers))
    #expect(try call.perform() == [numbers.map { 1 / $0 }])
    call.offset = count / 2
    #expect(
      try call.perform()[0].dropFirst(call.offset)
        == numbers.dropFirst(call.offset).map { 1 / $0 }[...])
  }
}
