import HarnessBase
import Testing

@Suite("Statistics")
struct StatisticsTests {
  @Test("The median is the middle, or the mean of the middle two")
  func median() {
    #expect([3.0, 1, 2].median == 2)
    #expect([4.0, 1, 2, 3].median == 2.5)
    #expect([Double]().median.isNaN)
  }

  @Test(
    "A geometric mean of alike estimates has their value, and an interval as narrow as there are many"
  )
  func geometricMean() {
    let one = Estimate(value: 2, low: 1, high: 4)
    let four = Estimate(geometricMeanOf: [one, one, one, one])
    #expect(abs(four.value - 2) < 1e-12)
    #expect(
      abs(four.low - 2 / 2.squareRoot()) < 1e-12 && abs(four.high - 2 * 2.squareRoot()) < 1e-12)
    let mixed = Estimate(geometricMeanOf: [one, Estimate(value: 8, low: 8, high: 8)])
    #expect(abs(mixed.value - 4) < 1e-12 && abs(mixed.low - 4 / 2.squareRoot()) < 1e-12)
    #expect(Estimate(geometricMeanOf: []).value.isNaN)
  }

  @Test("A seeded generator repeats itself, and SplitMix64's published sequence")
  func generator() {
    var first = SeededGenerator(seed: 1_234_567)
    #expect(first.next() == 6_457_827_717_110_365_317)
    #expect(first.next() == 3_203_168_211_198_807_973)
  }
}
