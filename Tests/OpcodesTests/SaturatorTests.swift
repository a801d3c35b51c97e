import Foundation
import Testing

@Suite("SATURATE in Csound", .serialized)
struct SaturatorTests {
  @Test("Where distort1's exponents overflow the curve goes on")
  func overflow() throws {
    let samples = try performNote(
      """
      asignal linseg -1e6, p3, 1e6
      a1 SATURATE asignal, 1, 1, 0, 0, 2
      """, heard: "a1", note: "0.05")[0]
    #expect(samples.allSatisfy { abs(abs($0) - 1) < 1e-8 || abs($0) < 1 })
    #expect(samples.first == -1 && samples.last == 1)
  }

  @Test("Values and arrays of values are tanh, at i-time and at k-rate, in place too")
  func values() throws {
    let channels = try performNote(
      """
      iarray[] fillarray -30, -1, -1e-9, 0, 0.3, 2, 700
      ishaped[] SATURATE iarray
      ione SATURATE iarray[4]
      itwo = SATURATE(0.3)
      karray[] init 7
      kindex = 0
      while kindex < 7 do
        karray[kindex] = iarray[kindex]
        kindex += 1
      od
      kshaped[] SATURATE karray
      karray SATURATE karray
      icopy[] = iarray
      icopy SATURATE icopy
      kcycle timeinstk
      kat = (kcycle - 1) % 7
      kfirst = ishaped[kat]
      klast = icopy[kat]
      """,
      heard:
        "upsamp(kfirst), upsamp(kshaped[kat]), upsamp(karray[kat]), upsamp(klast), upsamp(k(ione)), upsamp(k(itwo))",
      note: "0.01", ksmps: 48)
    let values = [-30, -1, -1e-9, 0, 0.3, 2, 700]
    for (index, value) in values.enumerated() {
      for channel in 0..<4 {
        let expected = Foundation.tanh(value)
        #expect(abs(channels[channel][index * 48] - expected) <= 1e-15 * abs(expected))
      }
    }
    #expect(abs(channels[4][0] - Foundation.tanh(0.3)) < 1e-15 && channels[5][0] == channels[4][0])
  }

  @Test(
    "A k-rate array that shrinks or grows keeps its note playing; an empty one is an init error")
  func arrayLength() throws {
    let performance = try perform(
      """
      instr 1
        karray[] init 6
        trim_i karray, 4
        kcycle timeinstk
        if kcycle == 1 then
          karray[0] = 1
        elseif kcycle == 3 then
          trim karray, 1
        elseif kcycle == 5 then
          trim karray, 6
        endif
        kshaped[] SATURATE karray
        outch 1, upsamp(kshaped[0]), 2, upsamp(k(lenarray(kshaped)))
      endin
      instr 2
        kone = 1
        karray[] fillarray kone, kone
        kshaped[] SATURATE karray
      endin
      """, score: "i1 0 0.01\ni2 0 0.01", ksmps: 48, channels: 2)
    #expect(performance[0].prefix(480).allSatisfy { abs($0 - Foundation.tanh(1)) < 1e-15 })
    #expect(performance[1].prefix(480).allSatisfy { $0 == 4 })
    #expect(
      performance.said("SATURATE: the array kin[] is empty at init; give it its length there"))
  }
}
