import Foundation
import OpcodeKit
import TestSupport
import Testing

/// An opcode's page as the comments of its source have it, in one line.
private func page(_ file: String) throws -> String {
  try String(file: root + "/Opcodes/" + file)
    .split(separator: "\n").map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("//") }
    .flatMap { $0.drop { $0 == "/" }.split(separator: " ") }.joined(separator: " ")
}

/// The numbers in words that stand on an opcode's page, for the test that measures them; throws when they are not there.
/// `file` is in the folder `Opcodes`.
func pageFigures(_ file: String, _ words: String) throws -> [Double] {
  try #require(try page(file).contains(words), "\(file) does not say: \(words)")
  return words.matches(of: /-?\d+(?:\.\d+)?(?:e\d+)?/).compactMap { Double($0.output) }
}

@Suite("Figures on the pages of opcodes", .serialized)
struct PageFigureTests {
  /// Leaves out what is no figure: slopes in dB per octave, and -600 dB, below which signals become 0.
  @Test("Each figure with a unit is named by a test of its opcode")
  func named() throws {
    let folder = root + "/Tests/OpcodesTests/"
    let tests = try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".swift") }
      .map { try String(file: folder + $0) }
    var (all, read, missing) = (0, 0, [String]())
    for case let file as String in FileManager.default.enumerator(atPath: root + "/Opcodes")!
    where file.hasSuffix(".swift") {
      let source = try String(file: root + "/Opcodes/" + file)
      guard let name = source.firstMatch(of: /@Opcode\(\s*"(\w+)/)?.1 else { continue }
      let page = try page(file).replacing("-600 dB", with: "")
      let about = tests.filter { $0.contains(name) }
      // Words that a test has read from this page by `pageFigures`.
      let words = about.flatMap { test in
        test.matches(of: /\(\s*"([^"]+)",\s*"([^"]+)"/).filter { $0.1 == file }
          .map { String($0.2) }
      }
      let pattern =
        /(?:[\d.]+ (?:to|or|and) )?-?[\d.]*\d (?:dB(?! per octave)|cents|ulp|samples|%)/
      for figure in page.matches(of: pattern) {
        all += 1
        let context = page.ranges(of: figure.output).contains { range in
          words.contains { page.range(of: $0)?.overlaps(range) == true }
        }
        if context { read += 1 }
        if !context, !about.contains(where: { $0.contains(figure.output) }) {
          missing.append("\(file): \(figure.output)")
        }
      }
    }
    #expect(all > 80 && read > 70 && missing.isEmpty, "\(missing.joined(separator: "\n"))")
  }

  /// The largest magnitude that an opcode makes of a sound of 2 s.
  private func peak(_ call: String, of sound: String) throws -> Double {
    try perform("instr 1\nain = \(sound)\naout \(call)\nout aout\nendin", score: "i1 0 2")[0]
      .map(abs).max()!
  }

  @Test("Filters of qualities ring: LPF18, CLIP, SATURATE")
  func ringing() throws {
    func decibels(_ call: String, _ sound: String) throws -> Double {
      try 20 * log10(peak(call, of: sound))
    }
    let (noise, clipped) = ("rand:a(5, 0.5, 1)", "limit(1e9 * rand:a(1, 0.3, 1), -5, 5)")
    let filter = try pageFigures("Ladders/ThreePoleFilter.swift", "up to 8.5 dB with clipped noise")
    let level = try decibels("LPF18 ain, 20000, 0.7, 2, 0, 2", clipped)
    #expect(filter[0] - 1...filter[0] ~= level, "\(level)")
    let clip = try pageFigures(
      "Levels/Clip.swift", "by 3 dB with a ramp, by up to 9 dB with noise")
    for method in 0...2 {
      for quality in 1...2 {
        let call = "CLIP ain, \(method), 1, 0.99, \(quality)"
        let ramp = try decibels(call, "10 * phasor:a(1000) - 5")
        #expect(abs(ramp - clip[0]) < 0.35, "\(ramp)")
        let most = try decibels(call, noise)
        #expect(clip[1] - 1...clip[1] ~= most, "\(most)")
      }
    }
    let tanh = try pageFigures("Levels/Saturator.swift", "with noise up to 2.9")
    for quality in 1...2 {
      let most = try peak("SATURATE ain, \(quality)", of: noise)
      #expect(tanh[0] - 0.15...tanh[0] ~= most, "\(most)")
    }
  }

  @Test("The delay of a quality grows with the frequency")
  func delay() throws {
    let clip = try (
      pageFigures("Levels/Clip.swift", "low frequencies by 3.5 or 4.5 samples"),
      pageFigures("Levels/Clip.swift", "by 11.5 or 12.7 samples")
    )
    let tanh = try (
      pageFigures("Levels/Saturator.swift", "low frequencies by 3.2 or 4.3 samples"),
      pageFigures("Levels/Saturator.swift", "by 11.2 or 12.5 samples")
    )
    let treble = try pageFigures(
      "Levels/Clip.swift", "0.12 or 0.03 dB at 5 kHz, 2 or 0.5 dB at 20 kHz")
    for (file, words) in [
      ("Ladders/MoogLadder.swift", "frequencies are delayed by 4.3 samples"),
      ("Ladders/ZeroDelayLadder.swift", "which delay low frequencies by 3.2 and 4.3 samples"),
      ("Ladders/ThreePoleFilter.swift", "which delay low frequencies by 4.3 samples"),
      ("Ladders/LinearDiodeLadder.swift", "of a saturated signal by 4.3 samples"),
      ("VCS3/VCS3Filter.swift", "which delays low frequencies by 4.3 samples"),
    ] {
      // LADDER, MOOGLADDER, LPF18, DIODELADDER and VCS3FILTER have the oversampler of SATURATE.
      #expect(try pageFigures(file, words).last == tanh.0[1])
    }
    for (call, figures) in [("CLIP ain, 0, 1, 0.9,", clip), ("SATURATE ain,", tanh)] {
      for quality in 1...2 {
        let response = try perform(
          "instr 1\nain mpulse 0.01, 0\naout \(call) \(quality)\nout aout\nendin",
          score: "i1 0 0.05")[0]
        for (hertz, figure) in [(100.0, figures.0), (5000, nil), (20_000, figures.1)] {
          // The group delay: the real part of the transform of n y over that of y.
          var (a, b, c, d) = (0.0, 0.0, 0.0, 0.0)
          for (n, y) in response.enumerated() {
            let angle = 2 * Double.pi * hertz * Double(n) / 48_000
            (a, b) = (a + y * cos(angle), b + y * sin(angle))
            (c, d) = (c + Double(n) * y * cos(angle), d + Double(n) * y * sin(angle))
          }
          let delay = (a * c + b * d) / (a * a + b * b)
          let loss = -20 * log10(hypot(a, b) / 0.01)
          if hertz > 1000, call.hasPrefix("CLIP") {
            let told = treble[(hertz > 10_000 ? 2 : -1) + quality]
            #expect(abs(loss / told - 1) < 0.1, "\(loss)")
          }
          if let figure {
            #expect(abs(delay - figure[quality - 1]) < 0.06, "\(call) \(quality): \(delay)")
          }
        }
      }
    }
  }

  @Test("BUTTERLP and BUTTERHP gain where noise moves the cutoff, and more beyond its range")
  func movingCutoff() throws {
    let file = "Filters/ButterworthCornerFilter.swift"
    let inside = try pageFigures(file, "the output exceeds 1000 times full scale")[0]
    let beyond = try pageFigures(file, "beyond that range and clamped, 1e8 times")[0]
    for name in ["BUTTERLP", "BUTTERHP"] {
      let sound = "rand:a(1, 0.7, 1)"
      #expect(try peak("\(name) ain, 12000 + 12000 * rand:a(1, 0.3, 1)", of: sound) > inside)
      let most = try peak("\(name) ain, 40000 * rand:a(1, 0.3, 1)", of: sound)
      #expect(most > beyond && most < .infinity)
    }
    for bounded in [
      "ah, aout, ab, ar STATEVAR ain, acutoff, 1, 0, 0, 1", "aout LADDER ain, acutoff, 0",
    ] {
      let sound = try performNote(
        """
        ain rand 1, 0.7, 1
        acutoff = 40000 * rand:a(1, 0.3, 1)
        \(bounded)
        """, heard: "aout", note: "0.5")[0]
      #expect(sound.allSatisfy { abs($0) < 10 })
    }
  }

  @Test("HALL resonates at 0 Hz")
  func constant() throws {
    let words = "a constant of 0.01 on both channels becomes 0.05 with decay times of 2 s, and 0.12"
    let figures = try pageFigures("Delays/Hall.swift", words)
    for (time, figure) in [(2, figures[1]), (5, figures[3])] {
      let sound = try performNote(
        """
        ain init 0.01
        aleft, aright HALL ain, ain, \(time), \(time), \(time)
        """, heard: "aleft", note: "4")[0]
      #expect(abs(sound.map(abs).max()! / figure - 1) < 0.2)
    }
  }

  @Test("LADDER's harmonics above their aliases")
  func ladder() throws {
    let page = "Ladders/ZeroDelayLadder.swift"
    // Of each quality three figures, then its number.
    let figures =
      try pageFigures(page, "160, 78 and 20 dB above their aliases with an iquality of 0")
      + pageFigures(page, "more than 200, 153 and 43 dB with 1")
      + pageFigures(page, "more than 200, 160 and 92 dB with 2")
    for quality in 0...2 {
      #expect(figures[4 * quality + 3] == Double(quality))
      for (cycles, figure) in zip([171, 341, 853], figures[(4 * quality)...]) {
        let sound = try performNote(
          """
          asine = 5 * sin(phasor:a(\(cycles) * 48000 / 8192) * 2 * $M_PI)
          a1 LADDER asine, 6000, 0.7, 0, 1, 1, 0, \(quality)
          """, heard: "a1", note: "0.4")[0]
        let ratio = harmonicsToAliases(Array(sound[10_000..<18_192]), cycles: cycles)
        #expect(figure == 200 ? ratio > figure : abs(ratio - figure) < 3, "\(quality): \(ratio)")
      }
    }
  }

  @Test("Ladders differ from related filters of Csound by the figures of their pages")
  func related() throws {
    let linear = try pageFigures(
      "Ladders/ZeroDelayLadder.swift", "There both agree to -240 dB")
    let cheap = try pageFigures(
      "Ladders/ZeroDelayLadder.swift",
      "differs by -26 dB on full-scale noise, by -35 dB on noise of a fifth of that level")
    let cheapOnes = ("MOOGLADDER ain, 2000, 0.5", "moogladder2 ain, 2000, 0.5")
    for (level, (ours, theirs), told) in [
      (1, ("LADDER ain, 2000, 0.5, 0, 1, 0", "zdf_ladder ain, 2000, 12.75"), linear[0]),
      (1, cheapOnes, cheap[0]), (0.2, cheapOnes, cheap[1]),
    ] {
      let sounds = try performNote(
        "ain rand \(level), 0.3, 1\naone \(ours)\natwo \(theirs)", heard: "aone, atwo", note: "1")
      let energy = sounds[1].reduce(0) { $0 + $1 * $1 }
      let error = zip(sounds[0], sounds[1]).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
      let depth = 10 * log10(error / energy)
      #expect(depth < told + 0.5 && (depth > told - 1 || told < -200), "\(ours): \(depth)")
    }
  }

  @Test("LPF18 is stable at every cutoff and resonance", arguments: [0, 0.5, 1.2])
  func stable(resonance: Double) throws {
    // With a burst in front; what is unstable ends as a square wave of half the sample rate.
    let sound = try performNote(
      """
      aburst linseg 0.1, 0.01, 0.1, 0, 0
      a1 LPF18 aburst * rand:a(1, 0.3, 1), 24000, \(resonance), 0
      """, heard: "a1", note: "1")[0]
    #expect(sound.allSatisfy { $0.isFinite } && sound.suffix(100).contains { abs($0) < 0.5 })
    if resonance < 1 { #expect(sound.suffix(100).allSatisfy { abs($0) < 1e-3 }) }
  }
}
