import Foundation
import Opcodes
import Testing

@Suite("BANDS without Csound")
struct BandFilterTests {
  /// Gain of a band's filter for a sine, from its own difference equation.
  func gain(_ filter: BandFilter, atHz frequency: Double, sampleRate: Double) -> Double {
    let w = 2 * Double.pi * frequency / sampleRate
    // |a (1 - z^-2)| / |1 + p z^-1 + q z^-2|
    let (re, im) = (1 - cos(2 * w), sin(2 * w))
    let (dre, dim) = (
      1 + filter.feedback1 * cos(w) + filter.feedback2 * cos(2 * w),
      -filter.feedback1 * sin(w) - filter.feedback2 * sin(2 * w)
    )
    return filter.gain * hypot(re, im) / hypot(dre, dim)
  }

  @Test("The gain is 1 at the centre, at any sample rate", arguments: [8000.0, 48_000, 192_000])
  func centre(sampleRate: Double) {
    for low in stride(from: 20.0, to: 0.4 * sampleRate, by: 97.3) {
      let filter = BandFilter(from: low, to: 1.2 * low, sampleRate: sampleRate)
      #expect(abs(gain(filter, atHz: low * 1.2.squareRoot(), sampleRate: sampleRate) - 1) < 1e-6)
    }
  }

  @Test("Low bands are 3.01 dB down at their edges and fall 6 dB an octave far away")
  func edges() {
    let filter = BandFilter(from: 100, to: 200, sampleRate: 192_000)
    for edge in [100.0, 200] {
      let decibels = 20 * log10(gain(filter, atHz: edge, sampleRate: 192_000))
      #expect(abs(decibels + 3.01) < 0.01)
    }
    let fall =
      gain(filter, atHz: 3000, sampleRate: 192_000) / gain(filter, atHz: 6000, sampleRate: 192_000)
    #expect(abs(20 * log10(fall) - 6.02) < 0.15)
  }

  @Test("Bands are equally wide on a logarithmic scale and leave no gap")
  func spacing() {
    // Where a band ends the next begins: both are 3 dB down there.
    for number in 0..<7 {
      let edge = 100 * pow(2, Double(number + 1))
      for band in [number, number + 1] {
        let filter = BandFilter(band, of: 8, from: 100, to: 25_600, sampleRate: 768_000)
        let decibels = 20 * log10(gain(filter, atHz: edge, sampleRate: 768_000))
        #expect(abs(decibels + 3.01) < 0.2)
      }
    }
  }

  @Test("The mean of a constant power is that power, half of it after 11 ms")
  func mean() {
    let decay = energyDecay(sampleRate: 48_000)
    var energy = 0.0
    var half: Int?
    for frame in 0..<48_000 {
      energy = 1 + decay * energy
      if half == nil && (1 - decay) * energy >= 0.5 { half = frame }
    }
    #expect(abs((1 - decay) * energy - 1) < 1e-12)
    // A one-pole at 10 Hz: ln 2 / (2 pi 10).
    #expect(abs(Double(half!) / 48_000 - log(2) / (20 * Double.pi)) < 1e-4)
  }

  @Test("Two bands side by side do not hear each other")
  func lanes() {
    let (low, high) = (
      BandFilter(from: 100, to: 200, sampleRate: 48_000),
      BandFilter(from: 4000, to: 8000, sampleRate: 48_000)
    )
    var (pair, lows, highs) = (BandPair(low, high), BandPair(low, low), BandPair(high, high))
    for frame in 0..<1000 {
      let difference = sin(Double(frame * frame))
      pair.take(difference, decay: 0.999)
      lows.take(difference, decay: 0.999)
      highs.take(difference, decay: 0.999)
    }
    #expect(pair.energy[0] == lows.energy[1])
    #expect(pair.energy[1] == highs.energy[0])
    #expect(pair.energy[0] != pair.energy[1])
  }
}

@Suite("BANDS in Csound", .serialized)
struct BandsTests {
  @Test(
    "A sine at a band's centre has its own level there, less in the next bands",
    arguments: [8000, 48_000, 192_000], [1, 7, 64])
  func levels(sampleRate: Int, ksmps: Int) throws {
    // Eight bands of an octave from 10 Hz; band 6 is 640 to 1280 Hz.
    let performance = try performNote(
      """
      asine poscil 0.5, sqrt(640 * 1280)
      kbands[] BANDS asine, 8, 10, 2560
      """,
      heard: "upsamp(kbands[6]), upsamp(kbands[5]), upsamp(kbands[7]), upsamp(lenarray(kbands))",
      note: "0.5", sampleRate: sampleRate, ksmps: ksmps)
    let last = performance.channels.compactMap(\.last)
    // The mean follows twice the sine's frequency a little: 10 Hz / (2 * 905 Hz), and half in the root.
    #expect(abs(last[0] - 0.5 / 2.squareRoot()) < 0.002)
    #expect(last[1] < 0.55 * last[0] && last[1] > 0.1 * last[0])
    #expect(last[2] < 0.55 * last[0] && last[2] > 0.1 * last[0])
    #expect(last[3] == 8)
  }

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

  @Test("An array of two dimensions is an init error")
  func twoDimensions() throws {
    let performance = try perform(
      "instr 1\nanoise rand 0.5\nkbands[][] init 2, 2\nkbands BANDS anoise, 4\nendin",
      score: "i1 0 0.01")
    #expect(performance.said("BANDS: the output array must have one dimension."))
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
