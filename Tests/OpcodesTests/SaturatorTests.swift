import Foundation
import Testing

@Suite("SATURATE in Csound", .serialized)
struct SaturatorTests {
  @Test(
    "The short form is tanh, at both rates and in every part of a block", arguments: [1, 7, 64])
  func tanh(ksmps: Int) throws {
    let channels = try perform(
      """
      instr 1
        asignal rand 3, 0.3, 1
        a1 SATURATE asignal
        ksignal downsamp asignal
        k1 SATURATE ksignal
        asignal SATURATE asignal
        outch 1, a1, 2, asignal, 3, upsamp(ksignal), 4, upsamp(k1)
      endin
      """, score: "i1 0 0.05", ksmps: ksmps, channels: 4)
    let expected = try perform(
      "instr 1\nasignal rand 3, 0.3, 1\noutch 1, asignal\nendin", score: "i1 0 0.05", ksmps: ksmps)[
        0
      ].map { Foundation.tanh($0) }
    #expect(largestDifference(channels[0], expected) < 1e-15)
    #expect(channels[1] == channels[0])
    #expect(largestDifference(channels[3], channels[2].map { Foundation.tanh($0) }) < 1e-15)
  }

  @Test("The long form is its equation in every mode", arguments: [0, 1, 2])
  func distortion(mode: Int) throws {
    let (pregain, postgain, shape1, shape2) = (1.5, 0.7, 0.3, -0.2)
    let channels = try perform(
      """
      instr 1
        asignal rand \(mode == 0 ? 20000 : 2), 0.3, 1
        a1 SATURATE asignal, \(pregain), \(postgain), \(shape1), \(shape2), \(mode)
        outch 1, asignal, 2, a1
      endin
      """, score: "i1 0 0.05", channels: 2)
    let factors = [(0.0002, 20_000, 0.000125), (6.5536, 0.61035156, 4.096), (1, 1, pregain)][mode]
    let gain = pregain * factors.0
    let above = gain + shape1 * factors.2
    let below = shape2 * factors.2 * (mode == 2 ? -1 : 1) - gain
    let expected = channels[0].map {
      postgain * factors.1 / 2 * (exp($0 * above) - exp($0 * below)) / cosh($0 * gain)
    }
    let peak = expected.map(abs).max()!
    #expect(peak > 0.1)
    #expect(largestDifference(channels[1], expected) < 1e-8 * peak)
  }

  @Test("Where distort1's exponents overflow the curve goes on")
  func overflow() throws {
    let samples = try perform(
      """
      instr 1
        asignal linseg -1e6, p3, 1e6
        a1 SATURATE asignal, 1, 1, 0, 0, 2
        outch 1, a1
      endin
      """, score: "i1 0 0.05")[0]
    #expect(samples.allSatisfy { abs(abs($0) - 1) < 1e-8 || abs($0) < 1 })
    #expect(samples.first == -1 && samples.last == 1)
  }

  @Test("Notes that start and end inside a k-cycle are silent outside")
  func accurate() throws {
    let notes = try performAccurately(
      "aone linseg 1, 1, 1\ngasignal SATURATE aone", start: 13, length: 101)
    #expect(notes.isSilentOutside)
    for note in notes.notes {
      #expect(note.count >= 100 && note.allSatisfy { abs($0 - Foundation.tanh(1)) < 1e-15 })
    }
  }
}
