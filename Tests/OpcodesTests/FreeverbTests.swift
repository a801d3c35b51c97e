import Foundation
import Testing

/// Freeverb of one channel by its equations, sample by sample.
private struct Channel {
  private struct Line {
    var frames: [Double]
    var place = 0
    var lowpass = 0.0

    init(_ length: Int) { frames = Array(repeating: 0, count: length) }
  }

  private var combs, allpasses: [Line]

  init(spread: Double, rate: Double) {
    func line(_ frames: Double) -> Line { Line(Int((frames + spread) / 44_100 * rate + 0.5)) }
    combs = [1116, 1188, 1277, 1356, 1422, 1491, 1557, 1617].map(line)
    allpasses = [556, 441, 341, 225].map(line)
  }

  mutating func next(_ input: Double, feedback: Double, pole: Double) -> Double {
    var sum = 0.0
    for index in combs.indices {
      let place = combs[index].place
      let out = combs[index].frames[place]
      sum += out
      combs[index].lowpass = combs[index].lowpass * pole + out * (1 - pole)
      combs[index].frames[place] = combs[index].lowpass * feedback + input
      combs[index].place = (place + 1) % combs[index].frames.count
    }
    for index in allpasses.indices {
      let place = allpasses[index].place
      let out = allpasses[index].frames[place]
      allpasses[index].frames[place] = out * 0.5 + sum
      sum = out - sum
      allpasses[index].place = (place + 1) % allpasses[index].frames.count
    }
    return sum * 0.015
  }
}

@Suite("FREEVERB in Csound", .serialized)
struct FreeverbTests {
  @Test(
    "It is its equations, with and without iSRate", arguments: [1, 7, 64],
    [-1, 999, 1000, 11_025, 48_000, 96_000.0])
  func equations(ksmps: Int, tuning: Double) throws {
    let performance = try performNote(
      """
      aleft rand 1, 0.3, 1
      aright rand 1, 0.6, 1
      awetleft, awetright FREEVERB aleft, aright, 0.8, 0.6, \(tuning)
      """, heard: "aleft, aright, awetleft, awetright", note: "0.15", ksmps: ksmps)
    let rate = tuning < 1000 ? 44_100 : tuning
    let pole = tuning < 1000 ? 0.24 : pow(0.24, pow(44_100 / tuning, 0.8))
    let told = try pageFigures("Delays/Freeverb.swift", "delay lines are 23 samples longer")
    for (channel, spread) in [(0, 0.0), (1, told[0])] {
      var model = Channel(spread: spread, rate: rate)
      let expected = performance[channel].map {
        model.next($0, feedback: 0.28 * 0.8 + 0.7, pole: pole)
      }
      #expect(largestDifference(performance[channel + 2], expected) < 1e-12)
      #expect(expected.contains { abs($0) > 0.01 })
    }
  }

  @Test("An impulse comes out first after the shortest comb, without damping as loud as eight")
  func firstEcho() throws {
    let samples = try performNote(
      """
      aimpulse mpulse 1, 0
      aleft, aright FREEVERB aimpulse, aimpulse, 0.5, 0
      """, heard: "aleft, aright", note: "0.05")
    #expect(samples[0].firstIndex { $0 != 0 } == 1116 && samples[0][1116] == 0.015)
    #expect(samples[1].firstIndex { $0 != 0 } == 1139 && samples[1][1139] == 0.015)
  }

  @Test("Room size, damping and a NaN of either are clamped", arguments: [1, 7, 64])
  func clamped(ksmps: Int) throws {
    let performance = try performNote(
      """
      asignal rand 1, 0.3, 1
      kminus init -1
      knan = log(kminus)
      a1, a0 FREEVERB asignal, asignal, 0.5, 1
      a2, a0 FREEVERB asignal, asignal, 0.5, 7
      a3, a0 FREEVERB asignal, asignal, 0.5, 0
      a4, a0 FREEVERB asignal, asignal, 0.5, -1
      a5, a0 FREEVERB asignal, asignal, 0.5, knan
      a6, a0 FREEVERB asignal, asignal, 0, 0
      a7, a0 FREEVERB asignal, asignal, knan, 0
      a8, a0 FREEVERB asignal, asignal, 1.0714285714285714, 0
      a9, a0 FREEVERB asignal, asignal, 1e300, 0
      """, heard: "a1, a2, a3, a4, a5, a6, a7, a8, a9", note: "0.2", ksmps: ksmps)
    for (one, other) in [(0, 1), (2, 3), (2, 4), (5, 6), (7, 8)] {
      #expect(largestDifference(performance[one], performance[other]) < 1e-12)
      #expect(performance[one].contains { abs($0) > 0.01 })
    }
    #expect(performance[0] != performance[2] && performance[5] != performance[7])
  }

  @Test("Damping that moves each k-cycle changes only the lowpass", arguments: [1, 7, 64])
  func moving(ksmps: Int) throws {
    let performance = try performNote(
      """
      asignal rand 1, 0.3, 1
      kroom line 0, p3, 1
      kdamp line 1, p3, 0
      aleft, aright FREEVERB asignal, asignal, kroom, kdamp
      """, heard: "asignal, aleft, upsamp(kroom), upsamp(kdamp)", note: "0.2", ksmps: ksmps)
    var model = Channel(spread: 0, rate: 44_100)
    let expected = performance[0].indices.map {
      model.next(
        performance[0][$0], feedback: 0.28 * performance[2][$0] + 0.7,
        pole: 0.4 * performance[3][$0])
    }
    #expect(largestDifference(performance[1], expected) < 1e-12)
  }

  @Test("A tail ends in zero, and what comes in after silence is heard whole", arguments: [7, 64])
  func decay(ksmps: Int) throws {
    let performance = try performNote(
      """
      kcycle timeinstk
      asignal rand (kcycle == 1 || kcycle == p4 ? 1 : 0), 0.3, 1
      a1, a0 FREEVERB asignal, asignal, -2.5, 0, 1000
      a2, a0 FREEVERB asignal, asignal, 0, 0.5
      """, heard: "a1, a2", note: "9 \(8 * 48_000 / ksmps)", ksmps: ksmps)
    // Feedback 0.7 in lines of about 1400 samples: 600 dB in 6 s.
    for channel in 0..<2 {
      let samples = performance[channel]
      let quiet = samples[(7 * 48_000 + 24_000)..<(8 * 48_000 - ksmps)]
      #expect(quiet.allSatisfy { $0 == 0 })
      let (first, second) = (samples.prefix(9_000), samples.dropFirst(8 * 48_000).prefix(9_000))
      #expect(first.contains { abs($0) > 1e-3 } && second.contains { abs($0) > 1e-3 })
    }
    #expect(performance[1].allSatisfy { $0 == 0 || abs($0) > 1e-100 })
  }
}
