import Foundation
import Testing

@Suite("LPF18 in Csound", .serialized)
struct ThreePoleFilterTests {
  @Test("Cutoffs beyond 0.44 sr and below 0 count as these, and the sound stays finite")
  func clamped() throws {
    let channels = try performNote(
      """
      asignal rand 1, 0.3, 1
      a1 LPF18 asignal, 0.44 * sr, 1.5, 1
      a2 LPF18 asignal, 1e9, 1.5, 1
      a3 LPF18 asignal, 0, 0.5, 1
      a4 LPF18 asignal, -1e9, 0.5, 1
      """, heard: "a1, a2, a3, a4", note: "0.2")
    #expect(channels[0] == channels[1] && channels[2] == channels[3])
    #expect(channels[0].allSatisfy { abs($0) <= 1 } && channels[0].contains { abs($0) > 0.1 })
  }
}
