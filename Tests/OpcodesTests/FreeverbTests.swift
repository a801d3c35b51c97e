import Foundation
import Testing

@Suite("FREEVERB in Csound", .serialized)
struct FreeverbTests {
  @Test("An impulse comes out first after the shortest comb, without damping as loud as eight")
  func firstEcho() throws {
    let samples = try performNote(
      """
      aimpulse mpulse 1, 0
      aleft, aright FREEVERB aimpulse, aimpulse, 0.5, 0
      """, heard: "aleft, aright", note: "0.05")
    let told = try pageFigures("Delays/Freeverb.swift", "delay lines are 23 samples longer")
    for (channel, first) in [(0, 1116), (1, 1116 + Int(told[0]))] {
      #expect(samples[channel].firstIndex { $0 != 0 } == first && samples[channel][first] == 0.015)
    }
  }

  @Test("Room size, damping and a NaN of either are clamped", arguments: [1, 7, 64])
  func clamped(ksmps: Int) throws {
    let performance = try performNote(
      """
      asignal rand 1, 0.3, 1
      kminus init -1
      knan = log(kminus)
      a1, a0 FREEVERB asignal, asignal, 0.5, 1
      a2, a0 FREEVERB asignal, asignal, 0.5, 7
      a3, a0 FREEVERB asignal, asignal, 0.5, 0
      a4, a0 FREEVERB asignal, asignal, 0.5, -1
      a5, a0 FREEVERB asignal, asignal, 0.5, knan
      a6, a0 FREEVERB asignal, asignal, 0, 0
      a7, a0 FREEVERB asignal, asignal, knan, 0
      a8, a0 FREEVERB asignal, asignal, 1.0714285714285714, 0
      a9, a0 FREEVERB asignal, asignal, 1e300, 0
      """, heard: "a1, a2, a3, a4, a5, a6, a7, a8, a9", note: "0.2", ksmps: ksmps)
    for (one, other) in [(0, 1), (2, 3), (2, 4), (5, 6), (7, 8)] {
      #expect(largestDifference(performance[one], performance[other]) < 1e-12)
      #expect(performance[one].contains { abs($0) > 0.01 })
    }
    #expect(performance[0] != performance[2] && performance[5] != performance[7])
  }

  @Test("A tail ends in zero, and what comes in after silence is heard whole", arguments: [7, 64])
  func decay(ksmps: Int) throws {
    let performance = try performNote(
      """
      kcycle timeinstk
      asignal rand (kcycle == 1 || kcycle == p4 ? 1 : 0), 0.3, 1
      a1, a0 FREEVERB asignal, asignal, -2.5, 0, 1000
      a2, a0 FREEVERB asignal, asignal, 0, 0.5
      """, heard: "a1, a2", note: "9 \(8 * 48_000 / ksmps)", ksmps: ksmps)
    // Feedback 0.7 in lines of about 1400 samples: 600 dB in 6 s.
    for channel in 0..<2 {
      let samples = performance[channel]
      let quiet = samples[(7 * 48_000 + 24_000)..<(8 * 48_000 - ksmps)]
      #expect(quiet.allSatisfy { $0 == 0 })
      let (first, second) = (samples.prefix(9_000), samples.dropFirst(8 * 48_000).prefix(9_000))
      #expect(first.contains { abs($0) > 1e-3 } && second.contains { abs($0) > 1e-3 })
    }
    #expect(performance[1].allSatisfy { $0 == 0 || abs($0) > 1e-100 })
  }
}
