import Foundation
import Opcodes
import OpcodeKit
import Testing

@Suite("PVSANAL and PVSYNTH in Csound", .serialized)
struct PhaseVocoderTests {
  @Test(
    "What is taken apart and put together is the signal, later",
    arguments: [(256, 64, 256, 1), (512, 100, 512, 0), (64, 16, 64, 1), (128, 32, 512, 2)], [1, 16])
  func whole(_ sizes: (Int, Int, Int, Int), ksmps: Int) throws {
    let channels = try performNote(
      """
      asignal oscili 0.5, 1000
      f1 PVSANAL asignal, \(sizes.0), \(sizes.1), \(sizes.2), \(sizes.3)
      a1 PVSYNTH f1
      """, heard: "asignal, a1", note: "0.1", ksmps: ksmps)
    // 48 samples are a cycle.
    let end = channels[1][3_840..<4_320]
    var best = 1.0
    for shift in 0..<48 {
      let earlier = channels[0][(3_840 - shift)..<(4_320 - shift)]
      best = min(best, largestDifference(end, earlier))
    }
    #expect(best < 0.02 && end.contains { $0 > 0.4 })
  }

  @Test(
    "Sizes it has no transform for are refused",
    arguments: [
      ("1000, 250, 1000, 1", "'ifftsize' is 1000; it must be a power of two from 64 to 65536"),
      ("512, 8, 512, 1", "'ioverlap' is 8; it must be from 11 and ksmps to half of ifftsize"),
      ("512, 257, 512, 1", "'ioverlap' is 257"), ("512, 128, 511, 1", "'iwinsize' is 511"),
      ("512, 128, 512, 3", "'iwintype' is 3; it must be 0, 1 or 2"),
    ])
  func refused(_ arguments: String, _ sentence: String) throws {
    let performance = try perform(
      "instr 1\n aone linseg 1, 1, 1\n f1 PVSANAL aone, \(arguments)\nendin", score: "i1 0 0.01",
      ksmps: 8)
    #expect(performance.said(sentence))
  }

  @Test("A sliding signal is not put together")
  func sliding() throws {
    let performance = try performNote(
      """
      aone linseg 1, 1, 1
      f1 pvsanal aone, 512, 8, 512, 1
      a1 PVSYNTH f1
      """, heard: "a1", note: "0.01", ksmps: 64)
    #expect(performance.said("the f-signal is not set up or slides"))
  }
}
