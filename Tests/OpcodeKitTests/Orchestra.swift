import CCsound
import CsoundHost
import Foundation
import OpcodeKit
import TestOpcodes

/// What an orchestra of the test opcodes put out.
struct Performance {
  /// Samples by channel.
  var channels: [[Double]]
  var messages: [String]
}

/// Performs an orchestra in-process, with the test opcodes registered.
func perform(
  _ orchestra: String, score: String, sampleRate: Int = 48_000, ksmps: Int = 10, channels: Int = 1,
  options: [String] = []
) throws -> Performance {
  _ = withoutPlugins
  let csound = try Csound(registering: registerTestOpcodes)
  return try perform(
    orchestra, score: score, sampleRate: sampleRate, ksmps: ksmps, channels: channels,
    options: options, on: csound)
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
  options: [String] = [], on csound: Csound
) throws -> Performance {
  let path = NSTemporaryDirectory() + "/opcodekit-\(UUID().uuidString).csd"
  defer { try? FileManager.default.removeItem(atPath: path) }
  try """
  <CsoundSynthesizer>
  <CsInstruments>
  sr = \(sampleRate)
  ksmps = \(ksmps)
  nchnls = \(channels)
  0dbfs = 1
  \(orchestra)
  </CsInstruments>
  <CsScore>
  \(score)
  </CsScore>
  </CsoundSynthesizer>
  """.write(toFile: path, atomically: true, encoding: .utf8)
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

/// Makes Csound load no plugins of its own into this process, which some of them bear only a thousand
/// times (OpenMP takes a thread key for each).
private let withoutPlugins: Void = csoundSetOpcodedir("/nonexistent")
