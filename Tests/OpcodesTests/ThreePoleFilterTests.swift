import Foundation
import Testing

/// The recurrence as it is written, one line after the other.
private func filtered(
  _ signal: [Double], cutoff: (Int) -> Double, resonance: (Int) -> Double,
  distortion: (Int) -> Double
) -> [Double] {
  var (x, d1, d2, d3) = (0.0, 0.0, 0.0, 0.0)
  return signal.indices.map { frame in
    let f = 2 * min(max(cutoff(frame), 0) / 48_000, 0.44)
    let p = -2.7528 * f * f * f + 3.0429 * f * f + 1.718 * f - 0.9984
    let s = p + 1
    let r = resonance(frame) * (-2.7079 * s * s * s + 10.963 * s * s - 14.934 * s + 8.4974)
    let v = 1 + distortion(frame) * (1.5 + 2 * r * (1 - f))
    let next = signal[frame] - tanh(r * d3)
    let next1 = s / 2 * (next + x) - p * d1
    let next2 = s / 2 * (next1 + d1) - p * d2
    d3 = s / 2 * (next2 + d2) - p * d3
    (x, d1, d2) = (next, next1, next2)
    return tanh(d3 * v)
  }
}

@Suite("LPF18 in Csound", .serialized)
struct ThreePoleFilterTests {
  @Test("It is its equations, whatever the rates", arguments: [1, 7, 64])
  func equations(ksmps: Int) throws {
    let channels = try performNote(
      """
      asignal rand 2, 0.3, 1
      acutoff line -100, p3, 12000
      aresonance oscili 1, 30
      adistortion line 0, p3, 10
      kcutoff line 20, p3, 12000
      kresonance line 0, p3, 1.1
      kdistortion line 0, p3, 10
      a1 LPF18 asignal, acutoff, aresonance, adistortion
      a2 LPF18 asignal, kcutoff, kresonance, kdistortion
      a3 LPF18 asignal, kcutoff, aresonance, 1
      """,
      heard:
        "asignal, acutoff, aresonance, adistortion, upsamp(kcutoff), upsamp(kresonance), upsamp(kdistortion), a1, a2, a3",
      note: "0.1", ksmps: ksmps)
    let signal = channels[0]
    let audio = filtered(
      signal, cutoff: { channels[1][$0] }, resonance: { channels[2][$0] },
      distortion: { channels[3][$0] })
    let control = filtered(
      signal, cutoff: { channels[4][$0] }, resonance: { channels[5][$0] },
      distortion: { channels[6][$0] })
    let mixed = filtered(
      signal, cutoff: { channels[4][$0] }, resonance: { channels[2][$0] }, distortion: { _ in 1 })
    #expect(audio.contains { abs($0) > 0.5 } && channels[1].min()! < 0)
    #expect(largestDifference(channels[7], audio) < 1e-7)
    #expect(largestDifference(channels[8], control) < 1e-7)
    #expect(largestDifference(channels[9], mixed) < 1e-7)
  }

  @Test("Low frequencies pass at unity, high ones lose 18 dB per octave")
  func response() throws {
    func level(_ frequency: Double) throws -> Double {
      let samples = try performNote(
        """
        asine oscili 0.001, \(frequency)
        a1 LPF18 asine, 300, 0, 0
        """, heard: "a1", note: "0.5")[0].suffix(12_000)
      return 10 * log10(samples.reduce(0) { $0 + $1 * $1 } / 6000e-6)
    }
    #expect(abs(try level(8)) < 0.1)
    #expect(abs(try level(2000) - (try level(4000)) - 18) < 1)
  }

  @Test("Cutoffs beyond 0.44 sr and below 0 count as these, and the sound stays finite")
  func clamped() throws {
    let channels = try performNote(
      """
      asignal rand 1, 0.3, 1
      a1 LPF18 asignal, 0.44 * sr, 1.5, 1
      a2 LPF18 asignal, 1e9, 1.5, 1
      a3 LPF18 asignal, 0, 0.5, 1
      a4 LPF18 asignal, -1e9, 0.5, 1
      """, heard: "a1, a2, a3, a4", note: "0.2")
    #expect(channels[0] == channels[1] && channels[2] == channels[3])
    #expect(channels[0].allSatisfy { abs($0) <= 1 } && channels[0].contains { abs($0) > 0.1 })
  }
}
