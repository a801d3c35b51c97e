import Foundation
import OpcodeKit
import Opcodes
import Testing

@Suite("MIXCLIP without Csound")
struct MixClipTests {
  /// The rule as the source states it.
  static func rule(_ a: Double, _ b: Double) -> Double {
    if a > 0 && b > 0 { return a + b - a * b }
    if a < 0 && b < 0 { return a + b + a * b }
    return a + b
  }

  static func mix(_ a: Double, _ b: Double) -> Double { mixClip(a, b, perFullScale: 1) }

  @Test("Its block has room for the pointers to 1999 signals, and little more")
  func blockSize() throws {
    let bytes = try #require(Overloads.all.first { "\($0.name)" == "MIXCLIP.a" }).blockSize
    let row = 8 * 2000
    #expect(bytes > row + 48 && bytes < row + 200, "\(bytes)")
  }

  @Test("It is the rule for same and opposite signs, to the bit")
  func sameAsRule() {
    let levels = stride(from: -2.0, through: 2, by: 0.037).map { $0 } + [0, -0.0, 1, -1, 1e-300]
    for a in levels {
      for b in levels { #expect(Self.mix(a, b) == Self.rule(a, b), "\(a), \(b)") }
    }
  }

  @Test("Full scale is where 0dbfs says")
  func fullScale() {
    #expect(mixClip(32_768, 16_384, perFullScale: 1 / 32_768) == 32_768)
    #expect(mixClip(-16_384, -16_384, perFullScale: 1 / 32_768) == -24_576)
  }
}

@Suite("MIXCLIP in Csound", .serialized)
struct MixClipOrchestraTests {
  @Test("One signal passes; forty at a tenth of full scale nearly reach it", arguments: [1, 7, 64])
  func counts(ksmps: Int) throws {
    let forty = Array(repeating: "a1", count: 40).joined(separator: ", ")
    let performance = try performNote(
      """
      a1 = upsamp(0.1)
      asignals[] init 40
      kindex = 0
      while kindex < 40 do
        asignals[kindex] = a1
        kindex += 1
      od
      aone[] init 1
      aone[0] = a1
      """, heard: "MIXCLIP:a(a1), MIXCLIP:a(aone), MIXCLIP:a(\(forty)), MIXCLIP:a(asignals)",
      note: "0.01", ksmps: ksmps)
    let frames = performance.map { $0[ksmps..<400] }
    for channel in 0..<2 { #expect(frames[channel].allSatisfy { $0 == 0.1 }) }
    for channel in 2..<4 {
      #expect(frames[channel].allSatisfy { abs($0 - (1 - pow(0.9, 40))) < 1e-12 })
    }
  }

  @Test("An empty array is silence, over whatever was in the output", arguments: [1, 7, 64])
  func emptyArray(ksmps: Int) throws {
    let performance = try performNote(
      """
      anone[] init 1
      kcycle timeinstk
      if kcycle > 2 then
        trim anone, 0
      endif
      anone[0] = upsamp(1)
      asignal = upsamp(1)
      asignal MIXCLIP anone
      klength lenarray anone
      """, heard: "asignal, upsamp(klength)", note: "0.02", ksmps: ksmps)
    #expect(performance[1].contains(0))
    #expect(zip(performance[0], performance[1]).allSatisfy { $0 == 0 || $1 != 0 })
  }

  @Test("An array that shrinks and grows during a note is followed", arguments: [1, 7, 64])
  func resized(ksmps: Int) throws {
    let performance = try performNote(
      """
      asignals[] init 4
      kcycle timeinstk
      kcount = 1 + kcycle % 4
      trim asignals, kcount
      kindex = 0
      while kindex < kcount do
        asignals[kindex] = upsamp(0.5)
        kindex += 1
      od
      asignal MIXCLIP asignals
      """, heard: "asignal, upsamp(kcount)", note: "0.02", ksmps: ksmps)
    #expect(Set(performance[1].prefix(900)) == [1, 2, 3, 4])
    #expect(
      zip(performance[0], performance[1]).prefix(900).allSatisfy { $0 == 1 - pow(0.5, $1) })
  }
}
