import Foundation
import Opcodes
import Testing

/// A signal convolved with a response, and delayed.
private func convolved(_ signal: [Double], _ response: [Double], delay: Int) -> [Double] {
  signal.indices.map { frame in
    var sum = 0.0
    let last = frame - delay
    guard last >= 0 else { return 0 }
    for index in 0...min(last, response.count - 1) { sum += response[index] * signal[last - index] }
    return sum
  }
}

/// Noise as the tables of the tests hold it.
private func noise(_ count: Int, _ factor: Double) -> [Double] {
  (0..<count).map { sin(Double($0 * $0 % 9973) * factor) }
}

@Suite("CONVOLVE in Csound", .serialized)
struct ConvolutionTests {
  /// Table 1 is `noise(count, 1.3)`.
  static func table(_ count: Int) -> String {
    """
    gicount = \(count)
    giresponse ftgen 1, 0, -gicount, -2, 0
    gindex = 0
    while gindex < gicount do
      tablew sin((gindex * gindex % 9973) * 1.3), gindex, 1
      gindex += 1
    od
    """.replacingOccurrences(of: "gindex", with: "giindex")
  }

  @Test(
    "It is the sum of the definition, whatever the lengths",
    arguments: [1, 7, 64, 1000],
    [(4, 3), (4, 4), (4, 5), (8, 200), (16, 33), (16, 900), (32, 1500), (64, 64), (4, 1500)])
  func definition(ksmps: Int, lengths: (partition: Int, response: Int)) throws {
    let performance = try perform(
      """
      \(Self.table(lengths.response))
      instr 1
        asignal rand 1, 0.3, 1
        outch 1, asignal, 2, CONVOLVE:a(asignal, 1, \(lengths.partition))
      endin
      """, score: "i1 0 0.0625", ksmps: ksmps, channels: 2)
    let expected = convolved(
      performance[0], noise(lengths.response, 1.3), delay: lengths.partition)
    #expect(largestDifference(performance[1], expected) < 1e-11)
    #expect(performance[1].contains { abs($0) > 0.5 })
  }

  @Test(
    "Each output has its channel of the table; a part of the response is used",
    arguments: [1, 7, 64])
  func channels(ksmps: Int) throws {
    let performance = try perform(
      """
      \(Self.table(3 * 400 + 1))
      instr 1
        asignal rand 1, 0.3, 1
        a1, a2, a3 CONVOLVE asignal, 1, 16, 11, 300
        a4, a5, a6 CONVOLVE asignal, 1, 16, -5
        outch 1, asignal, 2, a1, 3, a2, 4, a3, 5, a5
      endin
      """, score: "i1 0 0.03", ksmps: ksmps, channels: 5)
    let all = noise(1200, 1.3)
    for channel in 0..<3 {
      let part = (11..<311).map { all[3 * $0 + channel] }
      let expected = convolved(performance[0], part, delay: 16)
      #expect(largestDifference(performance[channel + 1], expected) < 1e-11)
    }
    let late = Array(repeating: 0, count: 5) + (0..<400).map { all[3 * $0 + 1] }
    #expect(largestDifference(performance[4], convolved(performance[0], late, delay: 16)) < 1e-11)
  }

  @Test("With iskipinit a note hears the note before, one in fresh memory nothing")
  func resumed() throws {
    let samples = try perform(
      """
      \(Self.table(1500))
      instr 1
        asignal = a(p4)
        outch 1, CONVOLVE:a(asignal, 1, 16, 0, 0, 1)
      endin
      """.replacingOccurrences(of: "asignal = a(p4)", with: "asignal upsamp k(p4)"),
      score: "i1 0 0.01 1\ni1 0.02 0.01 0", ksmps: 48)[0]
    let expected = convolved(
      Array(repeating: 1, count: 480) + Array(repeating: 0, count: 480), noise(1500, 1.3),
      delay: 16)
    #expect(largestDifference(samples[..<480], expected[..<480]) < 1e-10)
    #expect(largestDifference(samples[960..<1440], expected[480...]) < 1e-10)
  }

  @Test(
    "After a signal, or a NaN in it, comes silence, when the response is over",
    arguments: [1, 7, 64])
  func silence(ksmps: Int) throws {
    let performance = try perform(
      """
      \(Self.table(600))
      instr 1
        kcycle timeinstk
        kminus init -1
        kbad = (kcycle == 2 ? log(kminus) : 0)
        asignal mpulse 1e-200, 0
        outch 1, CONVOLVE:a(upsamp(kbad), 1, 16), 2, CONVOLVE:a(asignal, 1, 16)
      endin
      """, score: "i1 0 0.05", ksmps: ksmps, channels: 2)
    #expect(performance[0].contains { !$0.isFinite })
    #expect(performance[0][1500...].allSatisfy { $0 == 0 })
    #expect(performance[1].contains { $0 != 0 } && performance[1][1500...].allSatisfy { $0 == 0 })
  }

  @Test("Lengths and tables that cannot be are init errors with a sentence; other notes play")
  func errors() throws {
    let performance = try perform(
      """
      \(Self.table(100))
      instr 1
        knan = log(-1)
        outch 1, CONVOLVE:a(upsamp(k(1)), p4, p5, p6)
      endin
      instr 2
        a1, a2 CONVOLVE upsamp(k(1)), 1, log(-1)
      endin
      instr 3
        a1, a2 CONVOLVE upsamp(k(1)), 1, 16, 50
      endin
      """,
      score: """
        i1 0 0.01 99 16 0
        i1 0 0.01 1 0 0
        i1 0 0.01 1 2 0
        i1 0 0.01 1 48 0
        i1 0 0.01 1 1e300 0
        i1 0 0.01 1 16 100
        i2 0 0.01
        i3 0 0.01
        i1 0 0.01 1 16 99
        """)
    #expect(
      performance.said("CONVOLVE: 'ift' is 99; it must be the number of an existing table."))
    for value in ["0", "2", "48", "1e+300"] {
      #expect(
        performance.said(
          "CONVOLVE: 'iplen' is \(value); it must be a power of two from 4 to 16777216."))
    }
    #expect(performance.messages.count { $0.contains("CONVOLVE: 'iplen' is ") } == 5)
    for value in ["100", "50"] {
      #expect(
        performance.said(
          "CONVOLVE: 'iskipsamples' is \(value); it must be less than the samples of each channel"))
    }
    #expect(abs(performance[0][100] - noise(100, 1.3)[99]) < 1e-12)
  }
}
