import Foundation
import Testing

/// The reverberator by its equations, frame by frame. Delays in frames, in floating point.
private struct Model {
  private struct Line {
    let delay, variation: Double
    let segment: Int
    var random: Int
    var frames: [Double] = []
    var y = 0.0
    var from = 0.0
    var to = 0.0
    var age = 0

    func target(_ rate: Double, _ wander: Double) -> Double {
      (delay + variation * wander * Double(random) / 32_768) * rate
    }

    mutating func turn(_ rate: Double, _ wander: Double) {
      random = Int(Int16(truncatingIfNeeded: random * 15_625 + 1))
      from = to
      to = target(rate, wander)
      age = 0
    }

    /// What was written so many frames ago; 1 is the last.
    func sample(_ ago: Int) -> Double { ago <= frames.count ? frames[frames.count - ago] : 0 }

    /// The cubic through four samples, by Lagrange's formula.
    func tap() -> Double {
      let delay = from + (to - from) * Double(age) / Double(segment)
      let whole = Int(delay.rounded(.up))
      let f = Double(whole) - delay
      let (a, b, c, d) = (sample(whole + 1), sample(whole), sample(whole - 1), sample(whole - 2))
      return -a * f * (f - 1) * (f - 2) / 6 + b * (f + 1) * (f - 1) * (f - 2) / 2
        - c * (f + 1) * f * (f - 2) / 2 + d * (f + 1) * f * (f - 1) / 6
    }
  }

  private let rate, wander: Double
  private var lines: [Line]

  init(rate: Double, wander: Double) {
    (self.rate, self.wander) = (rate, wander)
    let parameters = [
      (2473, 10, 3.1, 1966), (2767, 11, 3.5, 29_491), (3217, 17, 1.11, 22_937),
      (3557, 6, 3.973, 9830), (3907, 10, 2.341, 20_643), (4127, 11, 1.897, 22_937),
      (2143, 17, 0.891, 29_491), (1933, 6, 3.221, 14_417),
    ]
    lines = parameters.map { length, variation, frequency, seed in
      var line = Line(
        delay: Double(length) / 44_100, variation: Double(variation) / 10_000,
        segment: Int((rate / frequency).rounded()), random: seed)
      line.to = line.target(rate, wander)
      line.turn(rate, wander)
      return line
    }
  }

  mutating func next(
    _ left: Double, _ right: Double, feedback: Double, cutoff: Double
  ) -> (Double, Double) {
    let c = 2 - cos(2 * .pi * cutoff / rate)
    let d = c - sqrt(c * c - 1)
    let pressure = lines.reduce(0) { $0 + $1.y } / 4
    var out = [0.0, 0.0]
    for index in lines.indices {
      let tapped = lines[index].tap()
      lines[index].frames.append((index % 2 == 0 ? left : right) + pressure - lines[index].y)
      lines[index].y = d * lines[index].y + (1 - d) * feedback * tapped
      out[index % 2] += 0.35 * lines[index].y
      lines[index].age += 1
      if lines[index].age == lines[index].segment { lines[index].turn(rate, wander) }
    }
    return (out[0], out[1])
  }
}

@Suite("REVERBSC in Csound", .serialized)
struct ReverbSCTests {
  @Test(
    "It is its equations, however fast the lengths move", arguments: [1, 7, 64],
    [(48_000.0, 1.0), (5000, 0), (5000, 20), (48_000, 20)])
  func equations(ksmps: Int, tuning: (rate: Double, wander: Double)) throws {
    let performance = try perform(
      """
      instr 1
        aleft rand 1, 0.3, 1
        aright rand 1, 0.6, 1
        awetleft, awetright REVERBSC aleft, aright, 0.9, 0.2 * \(tuning.rate), \(tuning.rate), \
      \(tuning.wander)
        outch 1, aleft, 2, aright, 3, awetleft, 4, awetright
      endin
      """, score: "i1 0 0.4", ksmps: ksmps, channels: 4)
    var model = Model(rate: tuning.rate, wander: tuning.wander)
    let expected = performance[0].indices.map {
      model.next(
        performance[0][$0], performance[1][$0], feedback: 0.9, cutoff: 0.2 * tuning.rate)
    }
    // Positions have steps of 2^-28 frames.
    #expect(largestDifference(performance[2], expected.map(\.0)) < 1e-4)
    #expect(largestDifference(performance[3], expected.map(\.1)) < 1e-4)
    #expect(expected.contains { abs($0.0) > 0.1 } && expected.contains { abs($0.1) > 0.1 })
  }

  @Test("An impulse comes out after each line's length, in its channel")
  func lengths() throws {
    let samples = try performNote(
      """
      aimpulse mpulse 1, 0
      asilence = 0
      aleft, aright REVERBSC aimpulse, asilence, 1, 22050, 44100, 0
      """, heard: "aleft, aright", note: "0.1", sampleRate: 44_100)
    // The shortest left line feeds the shortest right one from the frame after.
    let pole = 3 - 8.0.squareRoot()
    for length in [2143, 2473, 3217] {
      #expect(abs(samples[0][length] - 0.35 * (1 - pole)) < 1e-9)
      #expect(samples[0][..<length].suffix(20).allSatisfy { abs($0) < 1e-9 })
    }
    #expect(samples[1][..<4077].allSatisfy { abs($0) < 1e-12 })
  }

  @Test("With feedback 1 and no lowpass the energy stays")
  func lossless() throws {
    let samples = try performNote(
      """
      kcycle timeinstk
      asignal rand (kcycle == 1 ? 1 : 0), 0.3, 1
      aleft, aright REVERBSC asignal, asignal, 1, 50000, 50000, 0
      a3, a0 REVERBSC asignal, asignal, 0.8, 50000, 50000, 0
      """, heard: "aleft, aright, a3", note: "4", ksmps: 64)
    func level(_ channel: Int, _ seconds: Double) -> Double {
      let start = Int(seconds * 48_000)
      return samples[channel][start..<(start + 24_000)].reduce(0) { $0 + $1 * $1 }
    }
    #expect(level(0, 3) > 0.01 * level(0, 0.5))
    #expect(level(0, 3) < 2 * level(0, 0.5))
    // 0.8 every 64 ms, 2.5 s later.
    #expect(level(2, 3) < 1e-6 * level(2, 0.5))
  }

  @Test("Feedback, cutoff and a NaN of either are clamped", arguments: [1, 7, 64])
  func clamped(ksmps: Int) throws {
    let performance = try performNote(
      """
      asignal rand 1, 0.3, 1
      kminus init -1
      knan = log(kminus)
      a1, a0 REVERBSC asignal, asignal, 1, 5000
      a2, a0 REVERBSC asignal, asignal, 1e300, 5000
      a3, a0 REVERBSC asignal, asignal, -1, 5000
      a4, a0 REVERBSC asignal, asignal, -9, -5000
      a5, a0 REVERBSC asignal, asignal, 0.5, 24000
      a6, a0 REVERBSC asignal, asignal, 0.5, 1e300
      a7, a0 REVERBSC asignal, asignal, 0.5, -1e300
      a8, a0 REVERBSC asignal, asignal, knan, 5000
      a9, a0 REVERBSC asignal, asignal, 0.5, knan
      """, heard: "a1, a2, a3, a4, a5, a6, a7, a8, a9", note: "0.2", ksmps: ksmps)
    for (one, other) in [(0, 1), (2, 3), (4, 5), (4, 6)] {
      let isSame = performance[one] == performance[other]
      #expect(isSame && performance[one].contains { abs($0) > 0.01 })
    }
    #expect(performance[0] != performance[2] && performance[0] != performance[4])
    #expect(performance[7].allSatisfy { $0 == 0 } && performance[8].allSatisfy { $0 == 0 })
  }

  @Test("Feedback and cutoff that move each k-cycle", arguments: [1, 7, 64])
  func moving(ksmps: Int) throws {
    let performance = try performNote(
      """
      asignal rand 1, 0.3, 1
      kfeedback line -1, p3, 1
      kcutoff line 0, p3, 24000
      aleft, aright REVERBSC asignal, asignal, kfeedback, kcutoff
      """, heard: "asignal, aleft, aright, upsamp(kfeedback), upsamp(kcutoff)", note: "0.3",
      ksmps: ksmps)
    var model = Model(rate: 48_000, wander: 1)
    let expected = performance[0].indices.map {
      model.next(
        performance[0][$0], performance[0][$0], feedback: performance[3][$0],
        cutoff: performance[4][$0])
    }
    #expect(largestDifference(performance[1], expected.map(\.0)) < 1e-4)
    #expect(largestDifference(performance[2], expected.map(\.1)) < 1e-4)
  }

  @Test("A tail ends in zero, and what comes in after silence is heard whole", arguments: [7, 64])
  func decay(ksmps: Int) throws {
    let performance = try performNote(
      """
      kcycle timeinstk
      asignal rand (kcycle == 1 || kcycle == p4 ? 1 : 0), 0.3, 1
      a1, a2 REVERBSC asignal, asignal, 0.1, 24000
      """, heard: "a1, a2", note: "5 \(4 * 48_000 / ksmps)", ksmps: ksmps)
    // 20 dB every 64 ms: 600 dB in about 2.5 s.
    for channel in 0..<2 {
      let samples = performance[channel]
      #expect(samples[(3 * 48_000 + 24_000)..<(4 * 48_000 - ksmps)].allSatisfy { $0 == 0 })
      let (first, second) = (samples.prefix(9_000), samples.dropFirst(4 * 48_000).prefix(9_000))
      #expect(first.contains { abs($0) > 1e-3 } && second.contains { abs($0) > 1e-3 })
      #expect(samples.allSatisfy { $0 == 0 || $0.isNormal })
    }
  }
}
