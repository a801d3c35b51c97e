import Foundation
import OpcodeKit
import Opcodes
import Testing

/// The filter's recurrence by the tangent; a cutoff of 0 or less holds it.
private func lowpassed(_ signal: [Double], _ cutoff: (Int) -> Double) -> [Double] {
  var (t1, t2) = (0.0, 0.0)
  return signal.indices.map { frame in
    guard cutoff(frame) > 0 else { return 0 }
    let c = 1 / tan(Double.pi * min(cutoff(frame) / 48_000, 0.49999))
    let gain = 1 / (1 + 2.0.squareRoot() * c + c * c)
    let t =
      signal[frame] - 2 * (1 - c * c) * gain * t1 - (1 - 2.0.squareRoot() * c + c * c) * gain * t2
    let y = gain * (t + 2 * t1 + t2)
    (t2, t1) = (t1, t)
    return y
  }
}

@Suite("BUTTERLP in Csound", .serialized)
struct ButterworthLowpassTests {
  @Test("It is its equations at both rates", arguments: [1, 7, 8, 11, 64])
  func equations(ksmps: Int) throws {
    let channels = try performNote(
      """
      asignal rand 1, 0.3, 1
      acutoff oscili 15000, 50
      acutoff += 10000
      kcutoff oscili 15000, 50
      kcutoff += 10000
      a1 BUTTERLP asignal, acutoff
      a2 BUTTERLP asignal, kcutoff
      """, heard: "asignal, acutoff, upsamp(kcutoff), a1, a2", note: "0.1", ksmps: ksmps)
    // Above sr/2 and below 0 too.
    #expect(channels[1].max()! > 24_000 && channels[1].min()! < 0)
    for rate in [1, 2] {
      let expected = lowpassed(channels[0]) { channels[rate][$0] }
      #expect(expected.contains { abs($0) > 0.5 } && expected.dropFirst(64).contains(0))
      #expect(largestDifference(channels[rate + 2], expected) < 1e-8)
    }
  }

  @Test("At cutoff 0, below and NaN it is silent and holds its state", arguments: [1, 7, 64])
  func held(ksmps: Int) throws {
    let channels = try performNote(
      """
      kcycle timeinstk
      kminus init -1
      knan = log(kminus)
      kcutoff = (kcycle == 2 ? 0 : (kcycle == 3 ? -5 : (kcycle == 4 ? knan : 300)))
      a1 BUTTERLP upsamp(k(1)), kcutoff
      a2 BUTTERLP upsamp(k(1)), upsamp(kcutoff)
      """, heard: "a1, a2", note: "0.01", ksmps: ksmps)
    for channel in channels {
      #expect(channel[ksmps..<(4 * ksmps)].allSatisfy { $0 == 0 })
      let heard = Array(channel[..<ksmps]) + channel[(4 * ksmps)..<448]
      let expected = lowpassed(heard.map { _ in 1 }) { _ in 300 }
      #expect(largestDifference(heard, expected) < 1e-11)
    }
  }
}
