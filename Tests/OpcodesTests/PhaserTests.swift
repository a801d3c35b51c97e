import Foundation
import Testing

/// The phaser's equations, sample by sample.
private func phased(
  _ signal: [Double], order: Int, feedback: Double, frequency: (Int) -> Double
) -> [Double] {
  var (before, after) = (Array(repeating: 0.0, count: order), Array(repeating: 0.0, count: order))
  var last = 0.0
  return signal.indices.map { frame in
    let w = Double.pi * abs(frequency(frame)) / 48_000
    let b = (1 - w) / (1 + w)
    var sample = signal[frame] + feedback * last
    for stage in 0..<order {
      let output = b * (sample + after[stage]) - before[stage]
      (before[stage], after[stage]) = (sample, output)
      sample = output
    }
    last = sample
    return sample
  }
}

@Suite("PHASER in Csound", .serialized)
struct PhaserTests {
  @Test(
    "It is its equations at every order", arguments: [1, 7, 64],
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 100])
  func equations(ksmps: Int, order: Int) throws {
    let performance = try perform(
      """
      instr 1
        asignal rand 1, 0.3, 1
        kfrequency line -3000, p3, 9000
        a1 PHASER asignal, kfrequency, \(order).4, 0.8
        a2 PHASER asignal, kfrequency, \(order) - 0.4, 0.8
        outch 1, asignal, 2, upsamp(kfrequency), 3, a1, 4, a2
      endin
      """, score: "i1 0 0.1", ksmps: ksmps, channels: 4)
    let frequencies = performance[1]
    let expected = phased(performance[0], order: order, feedback: 0.8) { frequencies[$0] }
    #expect(largestDifference(performance[2], expected) < 1e-9)
    #expect(performance[2] == performance[3])
    #expect(expected.contains { abs($0) > 0.5 })
  }

  @Test("With the signal, two allpasses leave nothing of the frequency of a quarter turn each")
  func notch() throws {
    // b is 0 for pi f = sr, where an allpass is a delay of one sample, turned over: a quarter turn at
    // a quarter of the sample rate.
    let samples = try perform(
      """
      instr 1
        asine oscili 1, sr / 4
        a1 PHASER asine, sr / $M_PI, 2, 0
        outch 1, asine + a1
      endin
      """, score: "i1 0 0.02")[0]
    #expect(samples.dropFirst(10).allSatisfy { abs($0) < 1e-9 })
  }

  @Test("Feedback is clamped, and a NaN of an argument is 0", arguments: [1, 7, 64])
  func clamped(ksmps: Int) throws {
    let performance = try perform(
      """
      instr 1
        asignal rand 1, 0.3, 1
        kminus init -1
        knan = log(kminus)
        a1 PHASER asignal, 500, 5, 1
        a2 PHASER asignal, 500, 5, 3
        a3 PHASER asignal, 500, 5, -1
        a4 PHASER asignal, 500, 5, -1e300
        a5 PHASER asignal, 500, 5, 0
        a6 PHASER asignal, 500, 5, knan
        a7 PHASER asignal, 0, 5, 0.5
        a8 PHASER asignal, knan, 5, 0.5
        a9 PHASER asignal, 1e300, 5, 0.5
        outch 1, a1, 2, a2, 3, a3, 4, a4, 5, a5, 6, a6, 7, a7, 8, a8, 9, a9
      endin
      """, score: "i1 0 0.05", ksmps: ksmps, channels: 9)
    for (one, other) in [(0, 1), (2, 3), (4, 5), (6, 7)] {
      let isSame = performance[one] == performance[other]
      #expect(isSame && performance[one].contains { abs($0) > 0.5 })
    }
    #expect(performance[8].allSatisfy { abs($0) < 10 } && performance[8].contains { $0 != 0 })
  }

  @Test("Two instances, and in place", arguments: [1, 7, 64])
  func instances(ksmps: Int) throws {
    let performance = try perform(
      """
      instr 1
        asignal rand 1, 0.3, 1
        a1 PHASER asignal, 500, 8, 0.5
        a2 PHASER asignal, 900, 13, -0.5
        a3 = asignal
        a3 PHASER a3, 500, 8, 0.5
        a4 = asignal
        a4 PHASER a4, 900, 13, -0.5
        outch 1, a1, 2, a2, 3, a3, 4, a4
      endin
      """, score: "i1 0 0.05", ksmps: ksmps, channels: 4)
    let isSame = performance[0] == performance[2] && performance[1] == performance[3]
    #expect(isSame && performance[0] != performance[1])
  }

  @Test("A reinit begins in silence; iskip goes on", arguments: [3, 8, 13])
  func reinit(order: Int) throws {
    let performance = try perform(
      """
      instr 1
        kcycle timeinstk
        asignal rand (kcycle < 20 ? 1 : 0), 0.3, 1
        if kcycle == 21 then
          reinit again
        endif
        again:
        a1 PHASER asignal, 30, \(order), 0.95
        a2 PHASER asignal, 30, \(order), 0.95, 1
        rireturn
        a3 PHASER asignal, 30, \(order), 0.95
        outch 1, a1, 2, a2, 3, a3
      endin
      """, score: "i1 0 0.05", channels: 3)
    let isSame = performance[1] == performance[2]
    #expect(isSame && performance[1].dropFirst(21 * 64).contains { abs($0) > 1e-3 })
    #expect(performance[0].dropFirst(21 * 64).allSatisfy { $0 == 0 })
  }

  @Test("Order 0 is silent, and a reinit with another order plays", arguments: [0, 1])
  func orderFromChannel(skip: Int) throws {
    let performance = try perform(
      """
      chn_k "order", 1
      instr 1
        korder chnget "order"
        asignal rand 1, 0.3, 1
        kcycle timeinstk
        if changed(korder) == 1 && kcycle > 1 then
          reinit again
        endif
        again:
        a1 PHASER asignal, 500, korder, 0.5, \(skip)
        rireturn
        outch 1, a1, 2, asignal
      endin
      instr 2
        chnset p4, "order"
      endin
      """,
      score: "i1 0 0.05\ni2 0.01 0.001 8\ni2 0.02 0.001 3\ni2 0.03 0.001 0\ni2 0.04 0.001 5",
      ksmps: 48, channels: 2)
    func note(_ milliseconds: Range<Int>) -> Range<Int> {
      (milliseconds.lowerBound * 48)..<(milliseconds.upperBound * 48)
    }
    #expect(performance[0][note(0..<10)].allSatisfy { $0 == 0 })
    #expect(performance[0][note(30..<40)].allSatisfy { $0 == 0 })
    // What the note before left in the feedback is gone after order 0.
    for (frames, order) in [(note(10..<20), 8), (note(40..<50), 5)] {
      let expected = phased(Array(performance[1][frames]), order: order, feedback: 0.5) { _ in 500 }
      #expect(largestDifference(performance[0][frames], expected) < 1e-9)
      #expect(expected.contains { abs($0) > 0.3 })
    }
  }

  @Test("With iskip another order begins with new allpasses and goes on with the feedback")
  func resumedOrder() throws {
    let performance = try perform(
      """
      instr 1
        asignal rand 1, 0.3, 1
        kcycle timeinstk
        korder init 3
        if kcycle == 11 then
          korder = 9
          reinit again
        endif
        again:
        a1 PHASER asignal, 500, korder, 0.5, 1
        rireturn
        outch 1, a1, 2, asignal
      endin
      """, score: "i1 0 0.02", ksmps: 48, channels: 2)
    let start = 480
    let last = performance[0][start - 1]
    var signal = Array(performance[1][start..<960])
    signal[0] += 0.5 * last
    let expected = phased(signal, order: 9, feedback: 0.5) { _ in 500 }
    #expect(largestDifference(performance[0][start..<960], expected) < 1e-9)
    #expect(abs(last) > 0.01)
  }

  @Test("A note that starts and ends inside k-cycles is the same as another")
  func accurate() throws {
    let result = try performAccurately(
      """
      asignal mpulse 1, 0.001
      gasignal PHASER asignal, 1000, 9, 0.5
      """, start: 13, length: 233)
    #expect(result.isSilentOutside && result.notes.count == 2)
    #expect(result.notes[0].count > 200 && result.notes[0].contains { abs($0) > 0.1 })
    let length = min(result.notes[0].count, result.notes[1].count)
    let isSame = result.notes[0].prefix(length) == result.notes[1].prefix(length)
    #expect(isSame && length > 200)
  }

  @Test(
    "A NaN or infinity in the signal is gone after its k-cycle", arguments: [1, 7, 64], [2, 8, 13])
  func notANumber(ksmps: Int, order: Int) throws {
    for bad in ["log(kminus)", "-log(0 * kminus)"] {
      let samples = try perform(
        """
        instr 1
          kcycle timeinstk
          kminus init -1
          kbad = (kcycle == 2 ? \(bad) : 0.5)
          a1 PHASER upsamp(kbad), 1000, \(order), 0.5
          outch 1, a1
        endin
        """, score: "i1 0 0.05", ksmps: ksmps)[0]
      #expect(samples.count { !$0.isFinite } >= 1 && samples.count { !$0.isFinite } <= ksmps)
      #expect(samples[ksmps..<(2 * ksmps)].contains { !$0.isFinite })
      #expect(samples.suffix(500).allSatisfy { abs(abs($0)) < 2 } && samples.last! != 0)
    }
  }

  @Test("A tail ends in zero", arguments: [2, 8, 13])
  func decay(order: Int) throws {
    let samples = try perform(
      """
      instr 1
        aimpulse mpulse 1, 0
        a1 PHASER aimpulse, 3000, \(order), 0.5
        outch 1, a1
      endin
      """, score: "i1 0 0.5")[0]
    #expect(samples.prefix(100).contains { abs($0) > 0.01 })
    #expect(samples.suffix(1000).allSatisfy { $0 == 0 })
    #expect(samples.allSatisfy { $0 == 0 || abs($0) > 1e-50 })
  }

  @Test("An order that cannot be is an init error with a sentence; other notes play")
  func badOrder() throws {
    let performance = try perform(
      """
      instr 1
        aone upsamp k(1)
        korder init p4
        a1 PHASER aone, 500, korder, 0.5
        outch 1, a1
      endin
      """, score: "i1 0 0.02 -1\ni1 0 0.02 5000\ni1 0 0.02 -1e300\ni1 0 0.02 8")
    for value in ["-1", "5000", "-1e+300"] {
      #expect(performance.said("PHASER: 'kord' is \(value); it must be from 0 to 4999."))
    }
    #expect(performance[0].contains { $0 != 0 })
  }
}
