import OpcodeKit
import Testing

@Suite("LinePair")
struct LinePairTests {
  @Test(
    "Two lines delay by their lengths in runs of any size",
    arguments: [(1, 1), (1, 2), (3, 3), (5, 8), (1, 40), (40, 41)], [1, 3, 64])
  func delays(lengths: (Int, Int), longestRun: Int) {
    let (shorter, longer) = lengths
    withUnsafeTemporaryAllocation(of: SIMD2<Double>.self, capacity: longer + 2) { memory in
      memory.initialize(repeating: .zero)
      (memory[0], memory[longer + 1]) = (SIMD2(7, 7), SIMD2(7, 7))
      var lines = LinePair(shorter: shorter, longer: longer, in: memory.baseAddress! + 1)
      var frame = 0
      while frame < 500 {
        let run = min(longestRun, lines.untilWrap)
        #expect(run >= 1)
        let window = lines.window()
        for index in 0..<run {
          let now = frame + index
          let out = window[index]
          #expect(out[0] == Double(max(0, now - shorter + 1)))
          #expect(out[1] == -Double(max(0, now - longer + 1)))
          #expect(lines.window(from: index)[0][0] == out[0])
          window[index] = Pair(Double(now + 1), -Double(now + 1))
        }
        lines.advance(by: run)
        frame += run
      }
      #expect(memory[0] == SIMD2(7, 7) && memory[longer + 1] == SIMD2(7, 7))
    }
  }
}
