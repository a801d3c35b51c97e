import Foundation
import TestSupport
import Testing

@Suite("The instrument organ.csd", .serialized)
struct OrganTests {
  /// Its instruments, with lines at the end of the header.
  private static func orchestra(_ more: String = "") throws -> String {
    try PanelData.orchestra("organ", more + "\n", before: "; ---- Keys\n")
  }

  /// Only 8', no percussion, no vibrato, the speaker at rest.
  private static let plain = """
    chnset 0, "upper16"
    chnset 0, "upper513"
    chnset 0, "lower16"
    chnset 0, "lower513"
    chnset 0, "pedal16"
    chnset 0, "percussion"
    chnset 0, "vibratoUpper"
    chnset 0, "speaker"
    """

  @Test("Each instrument plays its manual, in tune, and no key hangs")
  func manuals() throws {
    let samples = try perform(
      Self.orchestra(Self.plain),
      score: """
        i10 0 4
        i1.069 0.1 0.8 69 100
        i2.060 1.1 0.8 60 100
        i3.045 2.1 -1 45 100
        i-3.045 2.9 0
        """, ksmps: 32, channels: 2)[0]
    for (second, hertz) in [(0.3, 440), (1.3, 261.538), (2.3, 110)] {
      let first = Int(second * 48_000)
      let window = samples[first..<(first + 24_000)]
      let own = Partial(of: hertz, in: window).amplitude
      #expect(own > 0.005)
      let all = window.reduce(0) { $0 + $1 * $1 } / 24_000
      #expect(own * own / 2 / all > 0.95)
    }
    for second in [1.0, 2.0, 3.2] {
      let first = Int(second * 48_000)
      let loudest = samples[first..<(first + 2_400)].map { abs($0) }.max()!
      #expect(loudest < 1e-3)
    }
  }

  @Test("On two threads it has every key of a chord")
  func threads() throws {
    let score =
      "i10 0 1\n"
      + [60, 64, 67, 72, 76, 79].enumerated().map { place, key in
        "i1.0\(key) \(0.1 * Double(place)) 1 \(key) 100"
      }.joined(separator: "\n")
    let one = try perform(Self.orchestra(), score: score, ksmps: 32, channels: 2)
    for _ in 1...3 {
      let two = try perform(
        Self.orchestra(), score: score, ksmps: 32, channels: 2, options: ["-j2"])
      #expect(largestDifference(one[0], two[0]) == 0 && one[0].contains { abs($0) > 0.05 })
    }
  }

  @Test("The sustain switch keeps keys until it is off")
  func sustain() throws {
    let samples = try perform(
      Self.orchestra(Self.plain + "\nchnset 1, \"sustain\"") + Self.setting,
      score: "i10 0 2\ni1 0.1 0.2 60 100\ni1 0.4 0.1 67 100\ni20 1.2 0.1 0 \"sustain\"",
      ksmps: 32, channels: 2)[0]
    let window = samples[28_800..<52_800]
    #expect(Partial(of: 261.538, in: window).amplitude > 0.005)
    #expect(Partial(of: 392, in: window).amplitude > 0.005)
    #expect(samples[67_200...].allSatisfy { abs($0) < 1e-3 })
  }

  /// An instrument that sets a channel.
  private static let setting = """

    instr 20
      chnset p4, strget(p5)
    endin
    """

  @Test("Switching the vibrato on and off does not click", arguments: ["Upper", "Lower"])
  func vibratoSwitch(manual: String) throws {
    let instrument = manual == "Upper" ? 1 : 2
    let samples = try perform(
      Self.orchestra(
        Self.plain + "\nchnset 0, \"click\"\nchnset 0, \"leakage\"\nchnset 0, \"drive\"")
        + Self.setting,
      score: """
        i10 0 1.5
        i\(instrument).048 0.05 1.4 48 100
        i\(instrument).052 0.05 1.4 52 100
        i20 0.5 0.01 1 "vibrato\(manual)"
        i20 1 0.01 0 "vibrato\(manual)"
        """, ksmps: 32, channels: 2)[0]
    let high = highPassed(samples, above: 2_000)
    for second in [0.5, 1] {
      let level = loudest(samples, from: second - 0.2, to: second, window: 0.1)
      let click = loudest(high, from: second - 0.01, to: second + 0.06, window: 0.02)
      let decibels = 10 * log10(click / level)
      #expect(level > 1e-5 && decibels < -70, "\(second) s: \(decibels) dB")
    }
  }

  /// Its power with the percussion off and the swell open, over two turns of the slow horn. setBfree's: version
  /// 0.8.11 as it starts, with all drawbars, rendered by Benchmarks/organ/lv2render.c.
  @Test(
    "A key and a chord are as loud as setBfree's",
    arguments: zip([[60], [60, 64, 67, 72]], [-17.6, -12.1]))
  func level(keys: [Int], expected: Double) throws {
    let drawbars = ["16", "513", "8", "4", "223", "2", "135", "113", "1"]
    let lines = drawbars.map { "chnset 8, \"upper\($0)\"" }
    let performance = try perform(
      Self.orchestra(
        lines.joined(separator: "\n") + "\nchnset 0, \"percussion\"\nchnset 1, \"swell\""),
      score: "i10 0 4\n" + keys.map { "i1.0\($0) 0.1 4 \($0) 100" }.joined(separator: "\n"),
      ksmps: 32, channels: 2)
    let power = performance.channels.reduce(0) { sum, samples in
      sum + samples[48_000..<190_800].reduce(0) { $0 + $1 * $1 } / (2 * 142_800)
    }
    #expect(abs(10 * log10(power) - expected) < 2, "\(10 * log10(power)) dB")
  }

  @Test("Its panel's widgets and presets set channels that it has, within their ranges")
  func panel() throws {
    let panel = try PanelData("organ")
    try panel.checkChannels(Self.orchestra(), count: 34)
    #expect(panel.widgets.count { $0.kind == "keyboard" } == 3)
    #expect(panel.presets.allSatisfy { $0.values.count >= 29 })
  }
}

/// What of a panel's file the tests of instruments look at.
struct PanelData: Decodable {
  struct Widget: Decodable {
    var kind: String
    var channels: [String]?
  }
  struct Preset: Decodable {
    var name: String
    var values: [String: Double]
  }
  var widgets: [Widget]
  var presets: [Preset]

  /// The panel of an instrument in csd/instruments.
  init(_ instrument: String) throws {
    let file = "\(root)/csd/instruments/\(instrument).panel.json"
    self = try JSONDecoder().decode(PanelData.self, file: file)
  }

  /// The orchestra of an instrument in csd/instruments, with lines before the first `marker`.
  static func orchestra(
    _ instrument: String, _ lines: String, before marker: String
  ) throws -> String {
    let text = try String(file: "\(root)/csd/instruments/\(instrument).csd")
      .components(separatedBy: "<CsInstruments>")[1].components(separatedBy: "</CsInstruments>")[0]
    #expect(text.contains(marker))
    return text.replacing(marker, with: lines + marker, maxReplacements: 1)
  }

  /// Whether each channel that the orchestra declares, and each of the `more` from 0 to 1, has its widget, and presets
  /// keep within their ranges.
  func checkChannels(_ orchestra: String, count: Int, more: [String] = []) throws {
    var ranges: [String: ClosedRange<Double>] = [:]
    let declaration = /chn_k "(\w+)", [12], \d, [\d.]+, (-?[\d.]+), ([\d.]+)/
    for match in orchestra.matches(of: declaration) {
      ranges[String(match.1)] = Double(match.2)!...Double(match.3)!
    }
    #expect(ranges.count == count)
    for channel in more { ranges[channel] = 0...1 }
    let channels = widgets.flatMap { $0.channels ?? [] }
    #expect(Set(channels) == Set(ranges.keys) && channels.count == ranges.count)
    #expect(presets.count >= 12 && Set(presets.map(\.name)).count == presets.count)
    for preset in presets {
      for (channel, value) in preset.values {
        #expect(ranges[channel]?.contains(value) == true, "\(channel) \(value)")
      }
    }
  }
}
