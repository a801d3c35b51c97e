import Foundation
import OpcodeKit
import Opcodes
import Testing

/// The ladder's equations, each sample's linear system solved by elimination.
private struct EliminatedLadder {
  var z = [0.0, 0, 0, 0]

  mutating func next(_ input: Double, cutoff: Double, feedback: Double) -> Double {
    let g = tan(Double.pi * cutoff)
    // Unknowns y1 … y4; x = input - k y4 is put into the first row.
    var rows = [
      [1 + g, -g, 0, g * feedback, z[0] + g * input],
      [-g / 2, 1 + g, -g / 2, 0, z[1]],
      [0, -g / 2, 1 + g, -g / 2, z[2]],
      [0, 0, -g / 2, 1 + g, z[3]],
    ]
    for pivot in 0..<4 {
      for row in 0..<4 where row != pivot {
        let factor = rows[row][pivot] / rows[pivot][pivot]
        for column in 0..<5 { rows[row][column] -= factor * rows[pivot][column] }
      }
    }
    let y = (0..<4).map { rows[$0][4] / rows[$0][$0] }
    for stage in 0..<4 { z[stage] = 2 * y[stage] - z[stage] }
    return y[3]
  }
}

@Suite("DIODELADDER in Csound", .serialized)
struct LinearDiodeLadderTests {
  @Test("It is its equations at every rate", arguments: [1, 7, 8, 64])
  func equations(ksmps: Int) throws {
    let channels = try performNote(
      """
      asignal rand 1, 0.3, 1
      amoving oscili 0.5, 50
      kmoving oscili 0.5, 50
      acutoff = 6000 + 11900 * amoving
      kcutoff = 6000 + 11900 * kmoving
      afeedback = 8 + 15 * amoving
      kfeedback = 8 + 15 * kmoving
      a1 DIODELADDER asignal, kcutoff, kfeedback
      a2 DIODELADDER asignal, acutoff, kfeedback
      a3 DIODELADDER asignal, kcutoff, afeedback
      a4 DIODELADDER asignal, acutoff, afeedback
      """, heard: "asignal, acutoff, upsamp(kcutoff), afeedback, upsamp(kfeedback), a1, a2, a3, a4",
      note: "0.05", ksmps: ksmps)
    for (output, cutoff, feedback) in [(5, 2, 4), (6, 1, 4), (7, 2, 3), (8, 1, 3)] {
      var ladder = EliminatedLadder()
      let expected = channels[0].indices.map { frame in
        ladder.next(
          channels[0][frame], cutoff: channels[cutoff][frame] / 48_000,
          feedback: max(channels[feedback][frame], 0))
      }
      #expect(expected.contains { abs($0) > 0.05 })
      #expect(largestDifference(channels[output], expected) < 1e-10)
    }
  }

  @Test("Below feedback 17 it rings down, from there on it rings on, at 0.707 of the cutoff")
  func threshold() throws {
    let channels = try performNote(
      """
      aimpulse mpulse 0.01, 0
      a1 DIODELADDER aimpulse, 1000, 16.9
      a2 DIODELADDER aimpulse, 1000, 17.1
      a3 DIODELADDER aimpulse, upsamp(k(1000)), upsamp(k(1000))
      """, heard: "a1, a2, a3", note: "0.5")
    func peak(_ channel: Int, _ range: Range<Int>) -> Double {
      channels[channel][range].map(abs).max()!
    }
    #expect(peak(0, 12_000..<14_000) < 0.5 * peak(0, 2000..<4000))
    for channel in 1...2 {
      let ratio = peak(channel, 12_000..<14_000) / peak(channel, 2000..<4000)
      #expect(ratio > 0.99 && ratio <= 1, "\(ratio)")
    }
    let crossings = (4800..<9600).filter { channels[0][$0 - 1] < 0 && channels[0][$0] >= 0 }
    let rate = Double(crossings.count - 1) * 48_000 / Double(crossings.last! - crossings.first!)
    #expect(abs(rate - 707) < 3)
    let told = try pageFigures(
      "Ladders/LinearDiodeLadder.swift",
      "with a cutoff of 1 kHz it takes 18 minutes to decay by 60 dB")
    let tail = try performNote(
      "a1 DIODELADDER mpulse:a(1, 0), 1000, 17", heard: "a1", note: "4.5")[0]
    let energies = [0.5, 3.5].map { second in
      tail[Int(second * 48_000)...].prefix(48_000).reduce(0) { $0 + $1 * $1 }
    }
    let minutes = told[2] / (10 * log10(energies[0] / energies[1]) / 3) / 60
    #expect(abs(minutes - told[1]) < 0.5, "\(minutes)")
  }

  @Test("Noise and its own pitch at any feedback stay bounded, where the built-in grows to NaN")
  func bounded() throws {
    let channels = try performNote(
      """
      asignal rand 1, 0.3, 1
      a1 DIODELADDER asignal, 1000, 17.5
      a2 DIODELADDER asignal, 1000, 1e6
      a3 DIODELADDER poscil:a(1, 707), 1000, 20, 2
      a4 DIODELADDER asignal, 2000 + 1900 * poscil:a(1, 811), upsamp(k(20))
      """, heard: "a1, a2, a3, a4", note: "8")
    for channel in channels { #expect(channel.allSatisfy { abs($0) < 1000 }) }
  }

  @Test("The input is saturated by tanh, scaled with 1 and not with 2", arguments: [1, 7, 64])
  func saturation(ksmps: Int) throws {
    let channels = try performNote(
      """
      asignal rand 9, 0.3, 1
      a1 DIODELADDER asignal, 3000, 5, 1, 2.5
      a2 DIODELADDER tanh(asignal * 2.5) / tanh(2.5), 3000, 5
      a3 DIODELADDER asignal, 3000, 5, 2, 0.3
      a4 DIODELADDER tanh(asignal * 0.3), 3000, 5
      a5 DIODELADDER asignal, 3000, 5, 1, 0
      a6 DIODELADDER asignal, 3000, 5
      """, heard: "a1, a2, a3, a4, a5, a6", note: "0.05", ksmps: ksmps)
    #expect(largestDifference(channels[0], channels[1]) < 1e-8)
    #expect(largestDifference(channels[2], channels[3]) < 1e-8)
    #expect(largestDifference(channels[4], channels[5]) == 0)
    #expect(channels.allSatisfy { $0.contains { abs($0) > 0.05 } })
    #expect(largestDifference(channels[0], channels[5]) > 0.1)
  }

  @Test("Cutoff and feedback are clamped, NaN is 0")
  func clamped() throws {
    let channels = try performNote(
      """
      asignal rand 1, 0.3, 1
      kminus init -1
      knan = log(kminus)
      a1 DIODELADDER asignal, 1000, -3
      a2 DIODELADDER asignal, 1000, 0
      a3 DIODELADDER asignal, upsamp(k(1e9)), knan
      a4 DIODELADDER asignal, sr * 0.4999, 0
      a5 DIODELADDER asignal, -100, 5
      a6 DIODELADDER asignal, knan, 5
      """, heard: "a1, a2, a3, a4, a5, a6", note: "0.02", ksmps: 1)
    #expect(largestDifference(channels[0], channels[1]) == 0)
    #expect(largestDifference(channels[2], channels[3]) < 1e-12)
    #expect(channels[1].contains { abs($0) > 0.01 } && channels[3].contains { abs($0) > 0.1 })
    #expect(channels[4].allSatisfy { $0 == 0 } && channels[5].allSatisfy { $0 == 0 })
  }
}
