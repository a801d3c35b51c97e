import Statistics
import Testing

@Suite("Statistics")
struct StatisticsTests {
  @Test("The median is the middle, or the mean of the middle two")
  func median() {
    #expect([3.0, 1, 2].median == 2)
    #expect([4.0, 1, 2, 3].median == 2.5)
    #expect([Double]().median.isNaN)
  }

  @Test("A seeded generator repeats itself, and SplitMix64's published sequence")
  func generator() {
    var first = SeededGenerator(seed: 1_234_567)
    #expect(first.next() == 6_457_827_717_110_365_317)
    #expect(first.next() == 3_203_168_211_198_807_973)
  }
}
