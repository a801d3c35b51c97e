import CCsound
import CsoundHost
import OpcodeKit
import TestOpcodes
import TestSupport

typealias Performance = PlayedOrchestra

/// Performs an orchestra in-process, with the test opcodes registered, or on `csound`; or by another player, where one
/// is named.
func perform(
  _ orchestra: String, score: String, sampleRate: Int = 48_000, ksmps: Int = 10, channels: Int = 1,
  options: [String] = [], fullScale: Int = 1, on csound: Csound? = nil
) throws -> Performance {
  try withOrchestra(
    orchestra, score: score, sampleRate: sampleRate, ksmps: ksmps, channels: channels,
    fullScale: fullScale
  ) { path in
    if let words = Player.words, csound == nil {
      return try Player.play(
        path, by: words, options: options, channels: channels, fullScale: Double(fullScale))
    }
    _ = withoutPlugins
    let csound = try csound ?? Csound(registering: registerTestOpcodes)
    return try csound.perform(path, options: options, channels: channels)
  }
}

/// Performs one note of an instrument with these lines. Each of the `heard`, which are separated by commas, is a channel.
func performNote(
  _ lines: String, heard: String, note: String, header: String = "", ksmps: Int = 10,
  options: [String] = []
) throws -> Performance {
  let (orchestra, channels) = instrument(lines, heard: heard)
  return try perform(
    "\(header)\n\(orchestra)", score: "i1 0 \(note)", ksmps: ksmps, channels: channels,
    options: options)
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

/// Makes Csound load no plugins of its own into this process, which some of them bear only a thousand
/// times (OpenMP takes a thread key for each).
private let withoutPlugins: Void = csoundSetOpcodedir("/nonexistent")
