import Foundation
import Testing

@Suite("ONEPOLE in Csound", .serialized)
struct OnePoleTests {
  @Test("At the cutoff a sine comes out 3.01 dB down", arguments: [100, 1000, 6000, 12_000])
  func cutoff(frequency: Int) throws {
    let performance = try performNote(
      """
      a1 oscili 1, \(frequency), -1
      a2 oscili 1, \(frequency), -1, 0.25
      """, heard: "ONEPOLE:a(a1, \(frequency)), ONEPOLE:a(a2, \(frequency))", note: "0.3")
    // Sine and cosine together show the level at every sample.
    let told = try pageFigures("Filters/OnePole.swift", "which gives -3 dB at the cutoff")
    #expect(told == [-3])
    let levels = zip(performance[0], performance[1]).dropFirst(9600).map { hypot($0, $1) }
    for level in levels { #expect(abs(20 * log10(level) + 3.0103) < 0.01) }
  }

  @Test("A cutoff of 0 Hz holds the output")
  func held() throws {
    let performance = try performNote(
      """
      anoise rand 0.5, 0.3, 1
      kcycle timeinstk
      """, heard: "ONEPOLE:a(anoise, kcycle < 9 ? 1000 : 0)", note: "0.03")
    let held = performance[0][600...]
    #expect(Set(held).count == 1 && held.first! != 0)
  }
}
