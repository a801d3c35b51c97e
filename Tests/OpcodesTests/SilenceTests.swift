import Testing

/// Opcodes in which sound goes on after the signal.
@Suite("Silence after a signal, in Csound", .serialized)
struct SilenceTests {
  static let calls = [
    "a1 BUTTERLP anoise, 700", "a1 BUTTERHP anoise, upsamp(k(700))", "a1 BUTTERBP anoise, 700, 300",
    "a1 BUTTERBR anoise, upsamp(k(700)), 300", "a1 RESON anoise, 700, 300, 1",
    "a1 ONEPOLE anoise, 200",
    "a1 ONEPOLE anoise, upsamp(k(200))", "a1 LPF18 anoise, 700, 0.5, 1",
    "a1 LPF18 anoise, upsamp(k(700)), 0.5, 1", "a1 LPF18 anoise, 700, 0.7, 0, 0, 1",
    "a1 LPF18 anoise, 700, 0.7, 0, 0, 2", "a1 MOOGLADDER anoise, 1000, 0.5",
    "a1 MOOGLADDER anoise, upsamp(k(700)), 0.7, 0, 1", "a1 MOOGLADDER anoise, 700, 0.7, 0, 2",
    "a1 DIODELADDER anoise, 700, 8", "a1 DIODELADDER anoise, upsamp(k(700)), upsamp(k(8))",
    "a1 DIODELADDER anoise, 700, 8, 2, 1, 0, 1", "a1 DIODELADDER anoise, 700, 8, 2, 1, 0, 2",
    "a1 LADDER anoise, 700, 0.5", "a1 LADDER anoise, 700, 0.5, 2, 3, 2",
    "a1 LADDER anoise, upsamp(k(700)), 0.5, 4, 1, 0", "a1 VCS3FILTER anoise, 700, 0.7",
    "a1 VCS3FILTER anoise, 700, 0.7, 1",
    "a1 VCS3FILTER anoise, 700, 0.7, 2", "ahigh, a1, aband, areject STATEVAR anoise, 700, 2",
    "ahigh, a1, aband, areject STATEVAR anoise, upsamp(k(700)), upsamp(k(2))",
    "aouts[] MOOGLADDER anoises, 2000, 0.8\na1 = aouts[1]",
    "aouts[] MOOGLADDER anoises, upsamp(k(8000)), 0.8\na1 = aouts[1]",
    "ahighs[], aouts[], abands[], arejects[] STATEVAR anoises, 2000, 3\na1 = aouts[1]",
    "aouts[] LPF18 anoises, 2000, 0.8, 1\na1 = aouts[1]", "a1 PHASER anoise, 3000, 2, 0.5",
    "a1 PHASER anoise, 3000, 8, 0.5", "a1 PHASER anoise, 3000, 13, 0.5", "a1 SCANNER anoise, 6",
    "a1 EXCITER anoise, 2000, 9000, 8, 2", "a1 COMB anoise, 0.1, 0.001",
    "a1 ALPASS anoise, upsamp(k(-0.1)), 0.001",
    "a1 PHASER2 anoise, 500, 1, 8, 1, 1, 0.5",
    "a1 NREVERB anoise, 0.1, 0.5\na1 += anoise", "a1 NREVERB anoise, 0.1, 0\na1 += anoise",
    "a1 MOOGVCF2 anoise, 700, 0.8", "a1 DCBLOCK2 anoise\na1 += anoise",
    "a1, a2 FREEVERB anoise, anoise, -2.5, 0, 1000",
    "a1, a2 REVERBSC anoise, anoise, 0.1, 24000", "a1 SPRING anoise, 0.01",
    "a1, a2 ROTARY anoise, 2", "a1, a2 HALL anoise, -anoise, 0.01, 0.01, 0.01, 0.05",
    "a1, a2 PLATE 1, 1, 1, 1, 100, 0.01, 0, anoise", "a1 CONVOLVE anoise, 1, 16",
  ]

  @Test(
    "It becomes exact zero, and no smaller than 1e-100 before; what comes then is heard",
    arguments: calls, [1, 64])
  func ends(call: String, ksmps: Int) throws {
    let samples = try performNote(
      """
      anoise rand 1, 0.3, 1
      anoise *= linseg:a(1, 0.02, 1, 0, 0, 3.78, 0, 0, 1, 1, 1)
      anoises[] init 2
      anoises[1] = anoise
      \(call)
      """, heard: "a1", note: "4.2",
      header: "gi1 ftgen 1, 0, -600, -7, 0.3, 600, 0.7", ksmps: ksmps)[0]
    #expect(samples[..<9000].contains { abs($0) > 1e-3 })
    #expect(samples[181_000..<182_000].allSatisfy { $0 == 0 })
    #expect(samples[182_400...].contains { abs($0) > 1e-3 })
    #expect(samples.allSatisfy { $0 == 0 || abs($0) > 1e-100 })
  }
}
