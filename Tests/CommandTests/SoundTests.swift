import Foundation
import TestSupport
import Testing

@Suite("Figures of sound")
struct SoundTests {
  private struct Run: Decodable {
    struct Row: Decodable, Equatable {
      var opcode, kind: String
      var quality: Int?
      var figures: [Double?]
    }
    var rows: [Row]

    init(readingFrom path: String) throws {
      self = try JSONDecoder().decode(Run.self, file: path)
    }
  }

  @Test("What is measured is what is recorded, and better with each quality")
  func recorded() throws {
    let path = try temporaryDirectory() + "/sound.json"
    try opcodekit("dev", "sound", "--json", path).good()
    let measured = try Run(readingFrom: path).rows
    let recorded = try Run(readingFrom: root + "/Benchmarks/sound/results.json").rows
    #expect(measured.map(\.opcode) == recorded.map(\.opcode))
    for (now, then) in zip(measured, recorded) {
      for (a, b) in zip(now.figures, then.figures) {
        guard let a, let b else {
          #expect(a == nil && b == nil, "\(now.opcode)")
          continue
        }
        // What lies below -120 dB is rounding.
        let isSame = abs(a - b) < 1 || min(abs(a), abs(b)) > 120
        #expect(isSame, "\(now.opcode), \(now.quality ?? -1): \(a), recorded \(b)")
      }
    }
    for best in measured where best.quality == 2 {
      let original = measured.first { $0.opcode == best.opcode && $0.quality == 0 }!
      for (index, figure) in best.figures.enumerated() {
        let (figure, before) = (try #require(figure), try #require(original.figures[index]))
        switch best.kind {
        case "distortion":
          #expect(figure > min(before + 40, 120), "\(best.opcode) \(figure) \(before)")
        case "oscillator": #expect(figure < -75 && figure < before, "\(best.opcode) \(figure)")
        case "tuning": #expect(abs(figure) < 3, "\(best.opcode) \(figure)")
        default: #expect(abs(figure) < 0.2, "\(best.opcode) \(figure)")
        }
      }
    }
  }

  @Test("An opcode without iquality is refused with the nearest name")
  func unknown() throws {
    try opcodekit("dev", "sound", "SATURATED").refused(64, "'SATURATED'", "SATURATE")
  }
}
