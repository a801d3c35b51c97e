import Foundation
import Opcodes
import Testing

@Suite("GEN harmonics in Csound", .serialized)
struct HarmonicsGeneratorTests {
  @Test("It makes the table GEN10 makes, scaled to 1, in orchestra and score")
  func sameAsGEN10() throws {
    for size in [1, 2, 11, 64, 65, 1000, 4096] {
      let performance = try perform(
        """
        gi1 ftgen 1, 0, \(size), "harmonics", \(HarmonicsOrchestraTests.weights)
        gi2 ftgen 2, 0, \(size), 10, \(HarmonicsOrchestraTests.weights)
        instr 1
          \(HarmonicsOrchestraTests.play("1", to: 1))
          \(HarmonicsOrchestraTests.play("2", to: 2))
          \(HarmonicsOrchestraTests.play("3", to: 3))
          outch 4, upsamp(tablei:k(ftlen(1) - 0.5, 1)), 5, upsamp(tablei:k(ftlen(1) - 0.5, 2))
        endin
        """,
        score: """
          f3 0 \(size) "harmonics" \(HarmonicsOrchestraTests.weights.replacing(",", with: ""))
          i1 0 0.1
          """, channels: 5)
      guard size > 2 else { continue }
      #expect(largestDifference(performance[0], performance[1]) < 1e-14)
      #expect(largestDifference(performance[3], performance[4]) < 1e-14)
      let isSame = performance[0] == performance[2]
      #expect(isSame && abs(performance[0].map { abs($0) }.max()! - 1) < 1e-12)
    }
  }

  @Test("Without weights it is an error with a sentence, and there is no table")
  func noWeights() throws {
    let performance = try perform(
      """
      instr 1
        kexists = ftexists:i(1)
        outch 1, upsamp(kexists)
      endin
      """, score: "f1 0 64 \"harmonics\"\nf2 0 64 \"harmonics\" 1\ni1 0 0.01")
    #expect(performance.said("GEN \"harmonics\" needs at least one weight after its name."))
    #expect(performance[0].allSatisfy { $0 == 0 })
  }
}
