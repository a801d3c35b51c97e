import Testing

@Suite("DIODELADDER's quality in Csound", .serialized)
struct LinearDiodeLadderQualityTests {
  @Test(
    "At feedback 16.999 it rings within 3 cents of the cutoff",
    arguments: [55.0, 440, 3520, 10_000], [1, 2])
  func tuned(cutoff: Double, quality: Int) throws {
    let output = try performNote(
      """
      aimpulse mpulse 1, 0
      a1 DIODELADDER aimpulse, \(cutoff), 16.999, 0, 1, 0, \(quality)
      a2 DIODELADDER aimpulse, upsamp(k(\(cutoff))), 16.999, 0, 1, 0, \(quality)
      """, heard: "a1, a2", note: "2")
    for channel in output.channels {
      #expect(abs(cents(of: channel.suffix(72_000), above: cutoff)) < 3)
    }
  }

  @Test("Unsaturated, an iquality of 2 is one of 1")
  func unsaturated() throws {
    let both = try performNote(
      """
      asignal rand 3, 0.3, 1
      a1 DIODELADDER asignal, 2000, 12, 0, 1, 0, 1
      a2 DIODELADDER asignal, 2000, 12, 0, 1, 0, 2
      """, heard: "a1, a2", note: "0.1")
    #expect(both[0] == both[1] && both[0].contains { abs($0) > 0.1 })
  }
}
