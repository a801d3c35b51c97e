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

  @Test("As many weights as Csound takes")
  func manyWeights() throws {
    let weights = (1...1900).map { "\(1 / Double($0))" }.joined(separator: " ")
    let performance = try perform(
      "instr 1\n\(HarmonicsOrchestraTests.play("1", to: 1))\nendin",
      score: "f1 0 8192 \"harmonics\" \(weights)\ni1 0 0.2")
    let saw = (0..<8192).map { place in
      (1...1900).reduce(0.0) { sum, k in
        let phase = Double(k * place % 8192) / 8192
        return sum + sin(2 * Double.pi * phase) / Double(k)
      }
    }
    let peak = saw.max()!
    #expect(largestDifference(performance[0].prefix(8192), saw.map { $0 / peak }) < 1e-9)
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
