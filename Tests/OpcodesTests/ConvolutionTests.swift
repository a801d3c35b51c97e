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
    "Each output has its channel of the table; a part of the response is used",
    arguments: [1, 7, 64])
  func channels(ksmps: Int) throws {
    let performance = try performNote(
      """
      asignal rand 1, 0.3, 1
      a1, a2, a3 CONVOLVE asignal, 1, 16, 11, 300
      a4, a5, a6 CONVOLVE asignal, 1, 16, -5
      """, heard: "asignal, a1, a2, a3, a5", note: "0.03", header: Self.table(3 * 400 + 1),
      ksmps: ksmps)
    let all = noise(1200, 1.3)
    for channel in 0..<3 {
      let part = (11..<311).map { all[3 * $0 + channel] }
      let expected = convolved(performance[0], part, delay: 16)
      #expect(largestDifference(performance[channel + 1], expected) < 1e-11)
    }
    let late = Array(repeating: 0, count: 5) + (0..<400).map { all[3 * $0 + 1] }
    #expect(largestDifference(performance[4], convolved(performance[0], late, delay: 16)) < 1e-11)
  }
}
