import CommandKit
import Foundation
import FoundationXML
import Linting
import PluginBuilding
import Reporting
import TestSupport
import Testing

@Suite("What the report's pages show")
struct ReportTests {
  /// What is measured of these opcodes.
  func items(_ names: String...) throws -> [Portraits.Item] {
    let manuals = try Manual.all(in: root + "/Opcodes").filter { names.contains($0.name) }
    return try Portraits(root: root, plugin: nil, worker: [products + "/TestWorker"])
      .measure(
        manuals, examples: [:],
        arguments: ArgumentFile(readingFrom: root + "/Opcodes/arguments.json"), parallel: 2
      ) { _, _ in }
  }

  @Test(
    "The frequency response of a Butterworth and of a one-pole lowpass is 3.01 dB down at 1 kHz")
  func cutoff() throws {
    let responses = try items("BUTTERLP", "ONEPOLE").filter { $0.kind == .response }
    #expect(
      responses.map(\.subject) == ["aout BUTTERLP ain, 1000", "aout ONEPOLE ain, 1000"])
    for item in responses {
      let response = try #require(try item.result.get().spectrum.first)
      #expect(abs(try #require(response.value(at: 1000)) + 3.01) < 0.02, "\(item.subject)")
      #expect(abs(try #require(response.value(at: 30))) < 0.01)
    }
    // The next octave but one: 12 dB per octave, and 6.
    let slopes = try responses.map { item in
      let response = try #require(try item.result.get().spectrum.first)
      return try #require(response.value(at: 4000)) - #require(response.value(at: 2000))
    }
    #expect(abs(slopes[0] + 12) < 0.6 && abs(slopes[1] + 6) < 1)
  }

  @Test("A sine between two bins has the same level as one in the middle of a bin")
  func sines() throws {
    let item = try #require(try items("POSCIL").first { $0.kind == .generated })
    #expect(item.details == ["ifn ftgen 0, 0, 8192, 10, 1, 0.5"])
    let portrait = try item.result.get()
    let spectrum = try #require(portrait.spectrum.first)
    func peak(_ low: Double, _ high: Double) -> Double {
      zip(spectrum.x, spectrum.y).filter { (low...high).contains($0.0) }.map(\.1).max() ?? .nan
    }
    // The second harmonic has half the amplitude of the first.
    #expect(abs(peak(400, 480) - peak(840, 920) - 6.02) < 0.15)
    #expect(portrait.waveform.first?.x.last.map { abs($0 - 0.05) < 0.001 } == true)
  }

  @Test("The difference to the rival lies below both as far as the null depth says")
  func difference() throws {
    let item = try #require(try items("ONEPOLE").first { $0.kind == .contrast })
    let portrait = try item.result.get()
    let depth = try #require(portrait.nullDepth)
    #expect(depth < -100)
    let means = portrait.spectrum.map { curve in
      curve.y.filter(\.isFinite).reduce(0, +) / Double(max(1, curve.y.count))
    }
    #expect(portrait.spectrum.map(\.name).first == "ONEPOLE")
    #expect(depth == -.infinity || abs(means[2] - means[1] - depth) < 40)
  }

  @Test("An opcode without audio output has no call to measure")
  func silent() throws {
    #expect(try items("FTOM").allSatisfy { $0.kind == .contrast })
  }

  /// Whether a text is well-formed XML.
  func isWellFormed(_ text: String) -> Bool {
    let parser = XMLParser(data: Data(text.utf8))
    // It goes on after some errors and calls that success.
    return parser.parse() && parser.parserError == nil
  }

  @Test("Pictures are well-formed, follow the page's colours and share no identifier")
  func pictures() throws {
    let chart = Chart(
      x: .frequency, y: .decibels(span: 100),
      [
        Curve("a & b's <c>_1", x: [20, 200, 2000], y: [0, -.infinity, -40]),
        Curve("flat", x: [20, 2000], y: [-3, -3]),
        Curve("none", x: [20, 2000], y: [.nan, -.infinity]),
      ])
    #expect(chart.curves.map(\.name) == ["a & b's <c>_1", "flat"])
    let intervals = IntervalChart(
      [
        .init(label: "A & B", ratio: .init(value: 2, low: 1.9, high: 2.1), verdict: .faster),
        .init(label: "C", ratio: .init(value: 0.5, low: 0.4, high: 0.6), verdict: .slower),
      ], axis: "ratio")
    let pictures = try Gnuplot().svg([chart, intervals, intervals], prefix: "test")
    #expect(pictures.count == 3)
    for picture in pictures {
      #expect(isWellFormed(picture))
      #expect(!isWellFormed(String(picture.dropLast(8))))
      #expect(!picture.contains("rgb(") && picture.contains("var(--curve-1)"))
    }
    #expect(pictures[0].contains("a &amp; b's &lt;c>_1"))
    let identifiers = pictures.flatMap { picture in
      picture.matches(of: /\bid=['"]([^'"]+)['"]/).map { String($0.1) }
    }
    #expect(Set(identifiers).count == identifiers.count && !identifiers.isEmpty)
  }
}
