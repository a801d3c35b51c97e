import CCsound
import CsoundHost
import Foundation
import OpcodeKit
import TestOpcodes
import TestSupport

/// What an orchestra of the test opcodes put out.
struct Performance {
  /// Samples by channel.
  var channels: [[Double]]
  var messages: [String]
}

/// Performs an orchestra in-process, with the test opcodes registered; or by another player, where one
/// is named.
func perform(
  _ orchestra: String, score: String, sampleRate: Int = 48_000, ksmps: Int = 10, channels: Int = 1,
  options: [String] = [], fullScale: Int = 1
) throws -> Performance {
  if let words = Player.words {
    return try withOrchestra(orchestra, score, sampleRate, ksmps, channels, fullScale) { path in
      try Player.play(
        path, by: words, options: options, channels: channels, fullScale: Double(fullScale))
    }
  }
  _ = withoutPlugins
  let csound = try Csound(registering: registerTestOpcodes)
  return try perform(
    orchestra, score: score, sampleRate: sampleRate, ksmps: ksmps, channels: channels,
    options: options, fullScale: fullScale, on: csound)
}

func registerTestOpcodes(_ engine: CsoundPointer) {
  var registry = CsoundRegistry(engine)
  registerConformanceOpcodes(in: &registry)
  registerTypeOpcodes(in: &registry)
  registerStateOpcodes(in: &registry)
  var generators = CsoundGeneratorRegistry(engine)
  registerTypeGenerators(in: &generators)
  generators.install()
}

func perform(
  _ orchestra: String, score: String, sampleRate: Int = 48_000, ksmps: Int = 10, channels: Int = 1,
  options: [String] = [], fullScale: Int = 1, on csound: Csound
) throws -> Performance {
  try withOrchestra(orchestra, score, sampleRate, ksmps, channels, fullScale) { path in
    try csound.compile(path, options: options)
    var performance = Performance(channels: Array(repeating: [], count: channels), messages: [])
    while csound.performKsmps() {
      for (index, sample) in csound.output.enumerated() {
        performance.channels[index % channels].append(sample)
      }
    }
    performance.messages = csound.messages
    return performance
  }
}

/// Hands over the path of a CSD, which goes afterwards.
private func withOrchestra(
  _ orchestra: String, _ score: String, _ sampleRate: Int, _ ksmps: Int, _ channels: Int,
  _ fullScale: Int, _ body: (String) throws -> Performance
) throws -> Performance {
  let path = NSTemporaryDirectory() + "/opcodekit-\(UUID().uuidString).csd"
  defer { try? FileManager.default.removeItem(atPath: path) }
  try """
  sr = \(sampleRate)
  ksmps = \(ksmps)
  nchnls = \(channels)
  0dbfs = \(fullScale)
  \(orchestra)
  """.csd(score: score).save(to: path)
  return try body(path)
}

/// Makes Csound load no plugins of its own into this process, which some of them bear only a thousand
/// times (OpenMP takes a thread key for each).
private let withoutPlugins: Void = csoundSetOpcodedir("/nonexistent")
