import Foundation
import OpcodeKit
import Testing

@Suite("AllpassQuartet")
struct AllpassQuartetTests {
  static let coefficients = [-1, -0.999, -0.3, 0, 1e-9, 0.5, 0.98, 1]

  @Test("It is four allpasses one after the other, also when the coefficient moves")
  func series() {
    var seed: UInt64 = 1
    func noise() -> Double {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(Int64(bitPattern: seed)) * 0x1p-63
    }
    var quartet = AllpassQuartet()
    var (before, after) = (Array(repeating: 0.0, count: 4), Array(repeating: 0.0, count: 4))
    for frame in 0..<4000 {
      // Slowly to every coefficient below 1, and among them by jumps.
      let b =
        frame % 7 == 0 ? Self.coefficients[frame / 7 % 8] * 0.99 : sin(Double(frame) / 100) * 0.99
      let coefficient = AllpassQuartet.Coefficient(b)
      quartet.prepare(coefficient)
      var sample = noise()
      quartet.take(sample, coefficient)
      for stage in 0..<4 {
        let output = b * (sample + after[stage]) - before[stage]
        (before[stage], after[stage]) = (sample, output)
        sample = output
        #expect(abs(quartet.output(stage + 1) - sample) < 1e-11)
      }
    }
  }

  @Test(
    "Every frequency passes with its own energy", arguments: coefficients.dropFirst().dropLast())
  func energy(b: Double) {
    let coefficient = AllpassQuartet.Coefficient(b)
    var quartet = AllpassQuartet()
    var sums = [0.0, 0, 0, 0]
    for frame in 0..<200_000 {
      quartet.take(frame == 0 ? 1 : 0, coefficient)
      for number in 1...4 { sums[number - 1] += quartet.output(number) * quartet.output(number) }
    }
    for sum in sums { #expect(abs(sum - 1) < 1e-9) }
  }

  @Test("The level is 0 in silence and not finite after a NaN")
  func level() {
    var quartet = AllpassQuartet()
    #expect(quartet.level == 0)
    quartet.take(1, AllpassQuartet.Coefficient(0.5))
    #expect(quartet.level > 1)
    quartet.take(.nan, AllpassQuartet.Coefficient(0))
    #expect(!quartet.level.isFinite && quartet.output(4).isNaN)
  }
}
