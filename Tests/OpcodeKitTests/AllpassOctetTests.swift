import Foundation
import OpcodeKit
import Testing

@Suite("AllpassOctet")
struct AllpassOctetTests {
  static let coefficients = [-1, -0.999, -0.3, 0, 1e-9, 0.5, 0.98, 1]

  @Test("It is eight allpasses one after the other, also when the coefficient moves")
  func series() {
    var (octet, noise) = (AllpassOctet(), Noise(seed: 1 as UInt64))
    var (before, after) = (Array(repeating: 0.0, count: 8), Array(repeating: 0.0, count: 8))
    for frame in 0..<4000 {
      // Slowly to every coefficient below 1, and among them by jumps.
      let b =
        frame % 7 == 0 ? Self.coefficients[frame / 7 % 8] * 0.99 : sin(Double(frame) / 100) * 0.99
      let coefficient = AllpassOctet.Coefficient(b)
      var sample = noise.next()
      octet.take(sample, coefficient)
      for stage in 0..<8 {
        let output = b * (sample + after[stage]) - before[stage]
        (before[stage], after[stage]) = (sample, output)
        sample = output
        #expect(abs(octet.output(stage + 1) - sample) < 1e-11)
      }
    }
  }

  @Test("A run is the same as sample by sample, for every allpass", arguments: coefficients)
  func run(b: Double) {
    let coefficient = AllpassOctet.Coefficient(b)
    let more = AllpassOctet.Run.Coefficient(coefficient)
    var (octet, other) = (AllpassOctet(), AllpassOctet())
    var noise = Noise(seed: 1 as UInt64)
    for _ in 0..<50 {
      var run = other.run(coefficient)
      for frame in 0..<40 {
        let sample = noise.next()
        octet.take(sample, coefficient)
        let runs = run
        for number in 1...8 {
          var one = runs
          let output = one.next(sample, coefficient, more, output: number)
          #expect(abs(output - octet.output(number)) < 1e-10)
          if number == 8 { run = one }
        }
        if frame == 39 { other.take(sample, coefficient, runs) }
      }
      for number in 1...8 { #expect(abs(other.output(number) - octet.output(number)) < 1e-10) }
    }
  }

  @Test(
    "Every frequency passes with its own energy", arguments: coefficients.dropFirst().dropLast())
  func energy(b: Double) {
    let coefficient = AllpassOctet.Coefficient(b)
    var octet = AllpassOctet()
    var sums = Array(repeating: 0.0, count: 8)
    for frame in 0..<200_000 {
      octet.take(frame == 0 ? 1 : 0, coefficient)
      for number in 1...8 { sums[number - 1] += octet.output(number) * octet.output(number) }
    }
    for sum in sums { #expect(abs(sum - 1) < 1e-9) }
  }

  @Test("The level is 0 in silence and not finite after a NaN")
  func level() {
    var octet = AllpassOctet()
    #expect(octet.level == 0)
    octet.take(1, AllpassOctet.Coefficient(0.5))
    #expect(octet.level > 1)
    octet.take(.nan, AllpassOctet.Coefficient(0))
    #expect(!octet.level.isFinite && octet.output(8).isNaN)
  }
}
