import Foundation
import Testing

@Suite("FREEVERB in Csound", .serialized)
struct FreeverbTests {
  @Test("An impulse comes out first after the shortest comb, without damping as loud as eight")
  func firstEcho() throws {
    let samples = try performNote(
      """
      aimpulse mpulse 1, 0
      aleft, aright FREEVERB aimpulse, aimpulse, 0.5, 0
      """, heard: "aleft, aright", note: "0.05")
    let told = try pageFigures("Delays/Freeverb.swift", "delay lines are 23 samples longer")
    for (channel, first) in [(0, 1116), (1, 1116 + Int(told[0]))] {
      #expect(samples[channel].firstIndex { $0 != 0 } == first && samples[channel][first] == 0.015)
    }
  }
}
