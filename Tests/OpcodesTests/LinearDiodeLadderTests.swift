import Foundation
import OpcodeKit
import Opcodes
import Testing

@Suite("DIODELADDER in Csound", .serialized)
struct LinearDiodeLadderTests {
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
    let decibelsPerSecond = 10 * log10(energies[0] / energies[1]) / 3
    let minutes = told[2] / decibelsPerSecond / 60
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
}
