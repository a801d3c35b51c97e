import Foundation
import Testing

@Suite("VCS3FILTER and VCS3ENV in Csound", .serialized)
struct VCS3OrchestraTests {
  @Test("All rates of VCS3FILTER follow the same movement, to the bit")
  func filterMovement() throws {
    let channels = try performNote(
      """
      asignal vco2 0.8, 110
      kcutoff init 1200
      kresponse init 1.05
      acutoff init 1200
      aresponse init 1.05
      amoving oscili 0.5, 5
      a1 VCS3FILTER asignal, amoving * 1000 + 700, kresponse
      a2 VCS3FILTER asignal, amoving * 1000 + 700, aresponse
      a3 VCS3FILTER asignal, kcutoff, amoving + 0.6
      a4 VCS3FILTER asignal, acutoff, amoving + 0.6
      """, heard: "a1, a2, a3, a4", note: "0.3")
    #expect(channels[0].contains { abs($0) > 0.1 } && channels[2].contains { abs($0) > 0.1 })
    let isIdentical = channels[0] == channels[1] && channels[2] == channels[3]
    #expect(isIdentical)
  }

  @Test("diode_ladder rings at 0.707 of the cutoff, VCS3FILTER at the cutoff")
  func builtInRings() throws {
    let channels = try performNote(
      """
      aimpulse mpulse 0.01, 0
      a1 diode_ladder aimpulse, 1000, 16.9
      a2 VCS3FILTER aimpulse, 1000, 0.995
      """, heard: "a1, a2", note: "0.5")
    func frequency(_ samples: [Double]) -> Double {
      let crossings = (4800..<9600).filter { samples[$0 - 1] < 0 && samples[$0] >= 0 }
      return Double(crossings.count - 1) * 48_000 / Double(crossings.last! - crossings.first!)
    }
    #expect(abs(frequency(channels[0]) - 707) < 3)
    #expect(abs(frequency(channels[1]) - 1000) < 3)
  }

  @Test("Far above the cutoff VCS3FILTER and diode_ladder both fall by 24 dB an octave")
  func builtInSlope() throws {
    func levels(_ frequency: Int) throws -> [Double] {
      try performNote(
        """
        asine oscili 0.001, \(frequency)
        a1 diode_ladder asine, 141.42, 0
        a2 VCS3FILTER asine, 100, 0
        """, heard: "a1, a2", note: "0.5", sampleRate: 192_000
      ).map { 20 * log10($0.suffix(19_200).map(abs).max()!) }
    }
    let (low, high) = try (levels(2000), levels(4000))
    for filter in 0..<2 { #expect(abs(low[filter] - high[filter] - 24) < 0.5) }
  }

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
