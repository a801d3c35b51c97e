import Foundation
import Opcodes
import Testing

@Suite("CLIP in Csound", .serialized)
struct ClipTests {
  @Test("Each curve is its formula", arguments: [1, 7, 64])
  func curves(ksmps: Int) throws {
    let channels = try performNote(
      """
      aramp line -2, p3, 2
      a1 CLIP aramp, 0, 0.8, 0.25
      a2 CLIP aramp, 1, 0.8
      a3 CLIP aramp, 2, 0.8
      a4 CLIP aramp, 0, 0
      """, heard: "aramp, a1, a2, a3, a4", note: "0.05", ksmps: ksmps)
    #expect(channels[0].min()! < -1.9 && channels[0].max()! > 1.9)
    for (frame, x) in channels[0].enumerated() {
      let size = min(abs(x), 0.8)
      let above = max(0, size - 0.2)
      let corner = min(size, 0.2) + above / (1 + above * above / 0.36)
      #expect(abs(channels[1][frame] - (x < 0 ? -corner : corner)) < 1e-12)
      #expect(abs(channels[2][frame] - 0.8 * sin(x < 0 ? -size : size, 0.8)) < 1e-12)
      #expect(
        abs(channels[3][frame] - 0.8 * tanh((x < 0 ? -size : size) / 0.8) / tanh(1.0)) < 1e-12)
      #expect(channels[4][frame] == 0)
    }
  }

  private func sin(_ x: Double, _ limit: Double) -> Double {
    Foundation.sin(Double.pi / 2 * x / limit)
  }
}
