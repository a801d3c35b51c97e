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
    let performance = try performNote(
      """
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
      """, heard: "a1, asignal", note: "0.02", ksmps: 48)
    let start = 480
    let last = performance[0][start - 1]
    var signal = Array(performance[1][start..<960])
    signal[0] += 0.5 * last
    let expected = phased(signal, order: 9, feedback: 0.5) { _ in 500 }
    #expect(largestDifference(performance[0][start..<960], expected) < 1e-9)
    #expect(abs(last) > 0.01)
  }
}
