import Foundation
import Opcodes
import Testing

@Suite("BANDS in Csound", .serialized)
struct BandsTests {
  @Test(
    "As many bands as asked for, within what the sample rate allows",
    arguments: [1, 2, 3, 5, 127, 128, 128.9], [8000, 48_000, 192_000])
  func counts(count: Double, sampleRate: Int) throws {
    let performance = try performNote(
      """
      anoise rand 0.5, 0.5, 1
      kbands[] BANDS anoise, \(count)
      kbad = 0
      kindex = 0
      while kindex < lenarray(kbands) do
        kbad += (kbands[kindex] > 0 && kbands[kindex] < 1) ? 0 : 1
        kindex += 1
      od
      """, heard: "upsamp(kbad), upsamp(lenarray(kbands))", note: "0.1", sampleRate: sampleRate)
    #expect(performance.channels[0].last == 0)
    #expect(performance.channels[1].last == count.rounded(.down))
  }

  @Test("An array that was longer or shorter gets the length", arguments: [1, 3, 4, 100])
  func declared(length: Int) throws {
    let performance = try perform(
      """
      instr 1
        asine poscil 0.5, sqrt(640 * 1280)
        kbands[] init \(length)
        kbands[0] = 7
        kbands BANDS asine, 4, 160, 2560
        outch 1, upsamp(lenarray(kbands)), 2, upsamp(kbands[2])
      endin
      """, score: "i1 0 0.2\ni1 0.3 0.2", channels: 2)
    #expect(performance.channels[0][9000] == 4)
    #expect(abs(performance.channels[1][9500] - 0.35) < 0.01)
    #expect(abs(performance.channels[1].last! - 0.35) < 0.01)
  }

  @Test("One array for two BANDS of different length ends the note, of the same length does not")
  func shared() throws {
    func orchestra(_ count: Int) -> String {
      """
      instr 1
        anoise rand 0.5, 0.5, 1
        kbands[] BANDS anoise, 4
        kfirst = kbands[0]
        kbands[] BANDS anoise, \(count), 100, 200
        out upsamp(kfirst)
      endin
      """
    }
    #expect(
      try perform(orchestra(5), score: "i1 0 0.05")
        .said("BANDS: its output array was given another length."))
    let same = try perform(orchestra(4), score: "i1 0 0.05")
    #expect(!same.said("BANDS"))
    #expect(same.channels[0].last! > 0)
  }

  @Test("A note that starts inside a block has the levels of what sounds", arguments: [1, 7, 64])
  func sampleAccurate(ksmps: Int) throws {
    // At the end of the note the levels are those of the same 4000 samples from a block's beginning.
    func last(_ start: Int) throws -> Double {
      let performance = try perform(
        """
        instr 1
          anoise rand 0.5, 0.5, 1
          kbands[] BANDS anoise, 6, 500, 2000
          gklevel = kbands[3]
        endin
        instr 2
          out upsamp(gklevel)
        endin
        gklevel init 0
        """, score: "i1 [\(start)/48000] [4000/48000]\ni2 0 0.2", ksmps: ksmps,
        options: ["--sample-accurate"])
      return performance.channels[0][9000]
    }
    let expected = try last(0)
    #expect(expected > 0.01)
    // Csound ends a note up to a sample early or late.
    for start in [1, 33, 1001] { #expect(abs(try last(start) / expected - 1) < 0.002) }
  }

  @Test("A reinit can change the number of bands")
  func reinit() throws {
    let performance = try performNote(
      """
      kcycle timeinstk
      icount init 3
      anoise rand 0.5, 0.5, 1
      if kcycle == 20 then
        reinit again
      endif
      again:
      icount = icount * 4
      kbands[] BANDS anoise, icount
      rireturn
      klength lenarray kbands
      """, heard: "upsamp(klength), upsamp(kbands[klength - 1])", note: "0.1")
    #expect(performance.channels[0][64] == 12)
    #expect(performance.channels[0].last == 48)
    #expect(performance.channels[1].last! > 0.001)
  }
}
