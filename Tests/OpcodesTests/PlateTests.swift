import Foundation
import Testing

@Suite("PLATE in Csound", .serialized)
struct PlateTests {
  private static let inputs = [0.3, 0.39, 0.4, 7, 1, 2]
  private static let outputs = [0.25, 0.67, 1.6, -30, -0.7, 4, 0, 0, 1]
  private static let tables = """
    gi1 ftgen 1, 0, -6, -2, \(inputs.map { "\($0)" }.joined(separator: ", "))
    gi2 ftgen 2, 0, -9, -2, \(outputs.map { "\($0)" }.joined(separator: ", "))
    """

  @Test(
    "It is platerev on grids of every width, with more outputs than inputs",
    arguments: [8000.0, 2000, 1000, 500, 300, 200, 150, 60, 15])
  func builtin(stiffness: Double) throws {
    for (boundary, aspect) in [(0, 1.4), (1, 1.1), (2, stiffness < 400 ? 0.4 : 1)] {
      let plate = "1, 2, \(boundary), \(aspect), \(stiffness), 0.2, 0.01, a1, a2"
      let sounds = try performNote(
        """
        a1 rand 1, 0.3, 1
        a2 rand 1, 0.6, 1
        a3, a4, a5 PLATE \(plate)
        a6, a7, a8 platerev \(plate)
        """, heard: "a3, a4, a5, a6, a7, a8", note: "0.02", header: Self.tables)
      for output in 0..<3 {
        #expect(sounds[output].contains { abs($0) > 1e-3 })
        #expect(largestDifference(sounds[output], sounds[output + 3]) < 1e-6, "\(boundary)")
      }
    }
  }

  @Test(
    "Without loss of high frequencies the sound falls by 120 dB in idecay", arguments: [0.2, 1])
  func decay(seconds: Double) throws {
    let sound = try performNote(
      """
      a1 mpulse 1, 0
      a2, a3, a4 PLATE 1, 2, 2, 0.73, 20, \(seconds), 0, a1, a1
      """, heard: "a2", note: "\(0.6 * seconds)", header: Self.tables)[0]
    func level(_ from: Double) -> Double {
      let start = Int(from * seconds * 48_000)
      let part = sound[start..<(start + Int(0.1 * seconds * 48_000))]
      return 10 * log10(part.reduce(0) { $0 + $1 * $1 })
    }
    let told = try pageFigures(
      "Delays/Plate.swift", "falls by 120 dB, above 0: by 60 dB in half of it")
    #expect(abs(level(0.1) - level(0.5) - 0.8 * told[2]) < 3)
  }
}
