import Foundation
import Testing

@Suite("REVERBSC in Csound", .serialized)
struct ReverbSCTests {
  @Test("Feedback, cutoff and a NaN of either are clamped", arguments: [1, 7, 64])
  func clamped(ksmps: Int) throws {
    let performance = try performNote(
      """
      asignal rand 1, 0.3, 1
      kminus init -1
      knan = log(kminus)
      a1, a0 REVERBSC asignal, asignal, 1, 5000
      a2, a0 REVERBSC asignal, asignal, 1e300, 5000
      a3, a0 REVERBSC asignal, asignal, -1, 5000
      a4, a0 REVERBSC asignal, asignal, -9, -5000
      a5, a0 REVERBSC asignal, asignal, 0.5, 24000
      a6, a0 REVERBSC asignal, asignal, 0.5, 1e300
      a7, a0 REVERBSC asignal, asignal, 0.5, -1e300
      a8, a0 REVERBSC asignal, asignal, knan, 5000
      a9, a0 REVERBSC asignal, asignal, 0.5, knan
      """, heard: "a1, a2, a3, a4, a5, a6, a7, a8, a9", note: "0.2", ksmps: ksmps)
    for (one, other) in [(0, 1), (2, 3), (4, 5), (4, 6)] {
      let isSame = performance[one] == performance[other]
      #expect(isSame && performance[one].contains { abs($0) > 0.01 })
    }
    #expect(performance[0] != performance[2] && performance[0] != performance[4])
    #expect(performance[7].allSatisfy { $0 == 0 } && performance[8].allSatisfy { $0 == 0 })
  }

  @Test("A tail ends in zero, and what comes in after silence is heard whole", arguments: [7, 64])
  func decay(ksmps: Int) throws {
    let performance = try performNote(
      """
      kcycle timeinstk
      asignal rand (kcycle == 1 || kcycle == p4 ? 1 : 0), 0.3, 1
      a1, a2 REVERBSC asignal, asignal, 0.1, 24000
      """, heard: "a1, a2", note: "5 \(4 * 48_000 / ksmps)", ksmps: ksmps)
    // 20 dB every 64 ms: 600 dB in about 2.5 s.
    for channel in 0..<2 {
      let samples = performance[channel]
      #expect(samples[(3 * 48_000 + 24_000)..<(4 * 48_000 - ksmps)].allSatisfy { $0 == 0 })
      let (first, second) = (samples.prefix(9_000), samples.dropFirst(4 * 48_000).prefix(9_000))
      #expect(first.contains { abs($0) > 1e-3 } && second.contains { abs($0) > 1e-3 })
      #expect(samples.allSatisfy { $0 == 0 || $0.isNormal })
    }
  }
}
