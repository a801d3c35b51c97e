import Foundation
import Testing

@Suite("VCS3FILTER and VCS3ENV in Csound", .serialized)
struct VCS3OrchestraTests {
  // Samples are compared as a Bool first: a failed comparison of arrays would print every sample.
  // Signals that are the same at every ksmps: only a-rate generators and constants.
  static let filterOrchestra = """
    instr 1
      asignal oscili 0.5, 110
      acutoff oscili 1500, 3
      aresponse oscili 0.6, 5
      afiltered VCS3FILTER asignal, acutoff + 2000, aresponse + 0.7
      outch 1, afiltered
    endin
    """

  @Test("VCS3FILTER at a-rate is the same at any ksmps, to the bit")
  func filterKsmps() throws {
    let sounds = try [1, 7, 64].map {
      try perform(Self.filterOrchestra, score: "i1 0 0.5", ksmps: $0)[0].prefix(23_000)
    }
    #expect(sounds[0].contains { abs($0) > 0.1 })
    let isIdentical = sounds[1] == sounds[0] && sounds[2] == sounds[0]
    #expect(isIdentical)
  }

  @Test("All rates of VCS3FILTER agree on constant controls, to the bit", arguments: [1, 7, 64])
  func filterRates(ksmps: Int) throws {
    let channels = try perform(
      """
      instr 1
        asignal vco2 0.8, 110
        kcutoff init 1200
        kresponse init 1.05
        acutoff init 1200
        aresponse init 1.05
        a1 VCS3FILTER asignal, kcutoff, kresponse
        a2 VCS3FILTER asignal, acutoff, kresponse
        a3 VCS3FILTER asignal, kcutoff, aresponse
        a4 VCS3FILTER asignal, acutoff, aresponse
        a5 VCS3FILTER asignal, 1200, 1.05
        outch 1, a1, 2, a2, 3, a3, 4, a4, 5, a5
      endin
      """, score: "i1 0 0.2", ksmps: ksmps, channels: 5)
    #expect(channels[0].contains { abs($0) > 0.1 })
    for channel in channels {
      let isIdentical = channel == channels[0]
      #expect(isIdentical)
    }
  }

  @Test("All rates of VCS3FILTER follow the same movement, to the bit")
  func filterMovement() throws {
    let channels = try perform(
      """
      instr 1
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
        outch 1, a1, 2, a2, 3, a3, 4, a4
      endin
      """, score: "i1 0 0.3", channels: 4)
    #expect(channels[0].contains { abs($0) > 0.1 } && channels[2].contains { abs($0) > 0.1 })
    let isIdentical = channels[0] == channels[1] && channels[2] == channels[3]
    #expect(isIdentical)
  }

  @Test("Two filters at once do not hear each other")
  func filterInstances() throws {
    let orchestra = """
      instr 1
        asignal vco2 0.5, 110 * p4
        afiltered VCS3FILTER asignal, 700 * p4, 0.6 * p4
        outch p4, afiltered
      endin
      """
    let both = try perform(orchestra, score: "i1 0 0.2 1\ni1 0.05 0.1 2", channels: 2)
    let first = try perform(orchestra, score: "i1 0 0.2 1", channels: 2)
    let second = try perform(orchestra, score: "i1 0.05 0.1 2\nf0 0.2", channels: 2)
    #expect(both[0].contains { abs($0) > 0.1 } && both[1].contains { abs($0) > 0.1 })
    let isIdentical = both[0] == first[0] && both[1] == second[1]
    #expect(isIdentical)
  }

  @Test("In place, the filter reads each sample before it writes it")
  func filterInPlace() throws {
    let channels = try perform(
      """
      instr 1
        a1 vco2 0.5, 110
        a2 VCS3FILTER a1, 700, 0.6
        a1 VCS3FILTER a1, 700, 0.6
        outch 1, a1, 2, a2
      endin
      """, score: "i1 0 0.1", channels: 2)
    let isIdentical = channels[0] == channels[1]
    #expect(isIdentical)
  }

  @Test("reinit and a recycled note start the filter from silence")
  func filterReinit() throws {
    let orchestra = """
      instr 1
        asignal init 0.5
        kcycle init 0
        kcycle += 1
        if kcycle == 11 && p4 == 1 then
          reinit again
        endif
        again:
        afiltered VCS3FILTER asignal, 300, 0.9
        rireturn
        outch 1, afiltered
      endin
      """
    let plain = try perform(orchestra, score: "i1 0 0.02 0", ksmps: 48)[0]
    let again = try perform(orchestra, score: "i1 0 0.02 1", ksmps: 48)[0]
    let isAfresh = again[480..<960] == plain[..<480] && again[..<480] == plain[..<480]
    #expect(isAfresh)
    let goesOn = plain[480..<960] != plain[..<480]
    #expect(goesOn)
    let recycled = try perform(orchestra, score: "i1 0 0.01 0\ni1 0.02 0.01 0", ksmps: 48)[0]
    let isRecycledAfresh = recycled[960..<1440] == plain[..<480]
    #expect(isRecycledAfresh)
  }

  /// Performs a note that begins and ends inside blocks, its sound in channel 1, and 1 in channel 2
  /// for as long as it lasts.
  func sampleAccurate(_ orchestra: String, score: String, ksmps: Int) throws -> ArraySlice<Double> {
    let channels = try perform(
      orchestra, score: "\(score)\nf0 0.02", ksmps: ksmps, channels: 2,
      options: ["--sample-accurate"])
    let start = try #require(channels[1].firstIndex(of: 1))
    let end = try #require(channels[1].lastIndex(of: 1)) + 1
    #expect(start % ksmps != 0 && end % ksmps != 0)
    let isSilentAround =
      channels[0][..<start].allSatisfy { $0 == 0 } && channels[0][end...].allSatisfy { $0 == 0 }
    #expect(isSilentAround)
    return channels[0][start..<end]
  }

  @Test("A sample-accurate note is the whole note, moved, and silent around", arguments: [7, 64])
  func filterSampleAccurate(ksmps: Int) throws {
    // outc, because outch loses the first block of a sample-accurate note.
    let orchestra = """
      instr 1
        aone linseg 1, 1, 1
        acutoff linseg 300, 1, 300
        afiltered VCS3FILTER aone * 0.5, acutoff, 0.9
        outc afiltered, aone
      endin
      """
    let note = try sampleAccurate(orchestra, score: "i1 0.0021 0.009", ksmps: ksmps)
    let whole = try perform(orchestra, score: "i1 0 0.02", ksmps: 1, channels: 2)[0]
    #expect(note.count > 400 && note.suffix(100).contains { $0 != 0 })
    let isIdentical = note == whole[..<note.count]
    #expect(isIdentical)
  }

  @Test("diode_ladder rings at 0.707 of the cutoff, VCS3FILTER at the cutoff")
  func builtInRings() throws {
    let channels = try perform(
      """
      instr 1
        aimpulse mpulse 0.01, 0
        a1 diode_ladder aimpulse, 1000, 16.9
        a2 VCS3FILTER aimpulse, 1000, 0.995
        outch 1, a1, 2, a2
      endin
      """, score: "i1 0 0.5", channels: 2)
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
      try perform(
        """
        instr 1
          asine oscili 0.001, \(frequency)
          a1 diode_ladder asine, 141.42, 0
          a2 VCS3FILTER asine, 100, 0
          outch 1, a1, 2, a2
        endin
        """, score: "i1 0 0.5", sampleRate: 192_000, channels: 2
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

  @Test("A repeating VCS3ENV is the same at any ksmps, to the bit")
  func envelopeKsmps() throws {
    let sounds = try [1, 7, 64].map {
      try perform(
        Self.envelopeOrchestra, score: "i1 0 0.5 0 0.0101 0.0053 0.0307 0.0029", ksmps: $0,
        channels: 2)[0].prefix(23_000)
    }
    #expect(sounds[0].contains(0) && sounds[0].contains(1))
    let isIdentical = sounds[1] == sounds[0] && sounds[2] == sounds[0]
    #expect(isIdentical)
  }

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
    let samples = try perform(
      """
      instr 1
        kcycle init 0
        kgate = (kcycle == 10 ? 1 : 0)
        kcycle += 1
        aenvelope, ktrapezoid VCS3ENV kgate, 0.001, 0.001, 0.002, -1
        outch 1, aenvelope
      endin
      """, score: "i1 0 0.02", ksmps: 10)[0]
    #expect(samples[...100].allSatisfy { $0 == 0 } && samples[101] > 0)
    #expect(samples[147] < 1 && samples[148...196].allSatisfy { $0 == 1 } && samples[197] < 1)
    #expect(samples[291] > 0 && samples[292...].allSatisfy { $0 == 0 })
  }

  @Test("Two envelopes at once are independent, and reinit starts one afresh")
  func envelopeInstances() throws {
    let orchestra = """
      instr 1
        kcycle init 0
        kcycle += 1
        if kcycle == 11 && p5 == 1 then
          reinit again
        endif
        again:
        aenvelope, ktrapezoid VCS3ENV 0, 0.003 * p4, 0.001, 0.004, 0.002
        rireturn
        outch p4, aenvelope
      endin
      """
    func play(_ score: String) throws -> [[Double]] {
      try perform(orchestra, score: score, ksmps: 48, channels: 2).channels
    }
    let both = try play("i1 0 0.02 1 0\ni1 0.001 0.02 2 0")
    let first = try play("i1 0 0.02 1 0\nf0 0.021")[0]
    let second = try play("i1 0.001 0.02 2 0")[1]
    #expect(first.contains(1) && second.contains(1))
    let isIndependent = both[0] == first && both[1] == second
    #expect(isIndependent)
    let again = try play("i1 0 0.02 1 1")[0]
    let isAfresh = again[..<480] == first[..<480] && again[480..<960] == first[..<480]
    #expect(isAfresh)
  }

  @Test("A sample-accurate envelope starts and ends inside a block", arguments: [7, 64])
  func envelopeSampleAccurate(ksmps: Int) throws {
    let orchestra = """
      instr 1
        aone linseg 1, 1, 1
        aenvelope, ktrapezoid VCS3ENV 0, 0.001, 0.0005, 0.003, 0.0001
        outc aenvelope, aone
      endin
      """
    let note = try sampleAccurate(orchestra, score: "i1 0.0021 0.009", ksmps: ksmps)
    let whole = try perform(orchestra, score: "i1 0 0.02", ksmps: 1, channels: 2)[0]
    #expect(note.count > 400 && note.suffix(100).contains { $0 != 0 })
    let isIdentical = note == whole[..<note.count]
    #expect(isIdentical)
  }
}
