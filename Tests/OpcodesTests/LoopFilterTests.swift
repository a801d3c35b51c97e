import Testing

@Suite("COMB and ALPASS in Csound", .serialized)
struct LoopFilterTests {
  @Test(
    "Echoes decay by 60 dB in the time, however loop and time are given", arguments: [1, 7, 64])
  func decay(ksmps: Int) throws {
    let performance = try performNote(
      """
      apulse mpulse 1, 0
      kminus init -1
      knan = log(kminus)
      a1 COMB apulse, 0.5, 0.01
      a2 COMB apulse, 0.5, 480, 0, 1
      a3 COMB apulse, upsamp(k(0.5)), 0.01
      a4 COMB apulse, -0.5, 0.01
      a5 ALPASS apulse, 0.5, 0.01
      a6 ALPASS apulse, 0.5, 480, 0, 1
      a7 COMB apulse, knan, 0.01
      """, heard: "a1, a2, a3, a4, a5, a6, a7", note: "0.6", ksmps: ksmps)
    let loop = 480
    // The first echo is as loud as the pulse.
    #expect(abs(performance[0][loop] - 1) < 1e-12)
    #expect(abs(performance[0][loop + 24_000] - 0.001) < 1e-6)
    for channel in [1, 2] {
      #expect(largestDifference(performance[0], performance[channel]) < 1e-12)
    }
    for echo in 1...50 {
      let sign: Double = echo % 2 == 1 ? 1 : -1
      #expect(abs(performance[3][echo * loop] - sign * performance[0][echo * loop]) < 1e-12)
      let ratio = performance[4][(echo + 1) * loop] / performance[4][echo * loop]
      #expect(abs(ratio - 0.8709636) < 1e-4)
    }
    #expect(largestDifference(performance[4], performance[5]) < 1e-12)
    #expect(performance[6].filter { $0 != 0 }.count == 1)
  }
}

@Suite("NREVERB and REVERB2 in Csound", .serialized)
struct CombReverbTests {
  @Test("Tables, moving arguments and bad ones", arguments: [1, 7, 64])
  func arguments(ksmps: Int) throws {
    let performance = try performNote(
      """
      asignal mpulse 1, 0.05
      kminus init -1
      knan = log(kminus)
      kmoving = 1.5 + 1e-12 * timeinstk() % 2
      a1 NREVERB asignal, 1.5, 0.5
      a2 REVERB2 asignal, 1.5, 0.5, 0, 6, 10, 5, 11
      a3 NREVERB asignal, kmoving, 0.5
      a4 NREVERB asignal, -3, 7
      a5 REVERB2 asignal, knan, 1
      a6 NREVERB asignal, 1, 0, 0, 1, 12, 1, 13
      a7 COMB asignal, 1, 30, 0, 1
      a7 ALPASS a7, 1, 3, 0, 1
      """, heard: "a1, a2, a3, a4, a5, a6, a7", note: "0.4",
      header: """
        gi1 ftgen 10, 0, -12, -2, -2683, -2999, -3499, -3847, -4217, -4493, 0.822, 0.802, 0.773, 0.753, 0.753, 0.753
        gi2 ftgen 11, 0, -10, -2, -653, -211, -71, -113, -83, 0.7, 0.7, 0.7, 0.7, 0.7
        gi3 ftgen 12, 0, -2, -2, -30, 1
        gi4 ftgen 13, 0, -2, -2, -3, 1
        """, ksmps: ksmps)
    #expect(largestDifference(performance[0], performance[1]) < 1e-12)
    // The lowpasses keep their state: nreverb empties them here.
    #expect(largestDifference(performance[0], performance[2]) < 1e-6)
    #expect(performance[0].contains { abs($0) > 0.1 })
    #expect(performance[3] == performance[4] && performance[3].contains { $0 != 0 })
    // One comb and one allpass, both shorter than a batch.
    #expect(largestDifference(performance[5], performance[6]) < 1e-4)
  }
}
