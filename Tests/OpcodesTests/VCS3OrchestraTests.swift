import Foundation
import Testing

@Suite("VCS3FILTER and VCS3ENV in Csound", .serialized)
struct VCS3OrchestraTests {
  static let envelopeOrchestra = """
    instr 1
      aenvelope, ktrapezoid VCS3ENV p4, p5, p6, p7, p8
      outc aenvelope, upsamp(ktrapezoid)
    endin
    """

  @Test("The trapezoid is -1 at rest and 1 at the top, in step with the envelope")
  func trapezoid() throws {
    let channels = try perform(
      Self.envelopeOrchestra, score: "i1 0 0.5 0 0.01 0.005 0.03 0.005", ksmps: 16, channels: 2)
    var worst = 0.0
    for frame in stride(from: 0, to: 23_000, by: 16) {
      let level = (channels[1][frame] + 1) / 2
      worst = max(worst, abs(channels[0][frame] - (pow(1000, level) - 1) / 999))
    }
    #expect(worst < 1e-9)
    #expect(channels[1].min() == -1 && channels[1].max() == 1)
  }

  @Test("A gate moves it at the start of its k-cycle")
  func gate() throws {
    let samples = try performNote(
      """
      kcycle init 0
      kgate = (kcycle == 10 ? 1 : 0)
      kcycle += 1
      aenvelope, ktrapezoid VCS3ENV kgate, 0.001, 0.001, 0.002, -1
      """, heard: "aenvelope", note: "0.02", ksmps: 10)[0]
    #expect(samples[...100].allSatisfy { $0 == 0 } && samples[101] > 0)
    #expect(samples[147] < 1 && samples[148...196].allSatisfy { $0 == 1 } && samples[197] < 1)
    #expect(samples[291] > 0 && samples[292...].allSatisfy { $0 == 0 })
  }
}
