import CCsound
import CsoundHost
import OpcodeKit
import Opcodes
import TestSupport

typealias Performance = PlayedOrchestra

/// Takes what a library registers.
struct Overloads: OpcodeRegistry {
  private var list: [Overload] = []
  mutating func add(_ overload: Overload) { list.append(overload) }

  /// Those of this library.
  static var all: [Overload] {
    var overloads = Overloads()
    Library.registerOpcodes(in: &overloads)
    return overloads.list
  }
}

/// Performs an orchestra in-process, with this library's opcodes and GEN routines.
func perform(
  _ orchestra: String, score: String, sampleRate: Int = 48_000, ksmps: Int = 64, channels: Int = 1,
  options: [String] = []
) throws -> Performance {
  _ = withoutPlugins
  let csound = try Csound(registering: Library.install)
  return try withOrchestra(
    orchestra, score: score, sampleRate: sampleRate, ksmps: ksmps, channels: channels
  ) { try csound.perform($0, options: options, channels: channels) }
}

/// Performs one note from the start of a performance, of an instrument with these lines. Each of the `heard`, which are
/// separated by commas, is a channel. `note` is the duration and the p-fields behind it.
func performNote(
  _ lines: String, heard: String, note: String, header: String = "", sampleRate: Int = 48_000,
  ksmps: Int = 64, options: [String] = []
) throws -> Performance {
  let (orchestra, channels) = instrument(lines, heard: heard)
  return try perform(
    "\(header)\n\(orchestra)", score: "i1 0 \(note)", sampleRate: sampleRate, ksmps: ksmps,
    channels: channels, options: options)
}

/// The largest difference of two signals; infinite when one is not finite or longer than the other.
func largestDifference(_ one: some Sequence<Double>, _ other: some Sequence<Double>) -> Double {
  let (one, other) = (Array(one), Array(other))
  guard one.count == other.count else { return .infinity }
  return zip(one, other).reduce(0) { worst, pair in
    let difference = abs(pair.0 - pair.1)
    return difference.isFinite ? Swift.max(worst, difference) : .infinity
  }
}

/// The largest step between two samples.
func steepest(_ samples: [Double]) -> Double {
  zip(samples, samples.dropFirst()).map { abs($1 - $0) }.max()!
}

/// Makes Csound load no plugins of its own into this process, which some of them bear only a thousand
/// times (OpenMP takes a thread key for each).
private let withoutPlugins: Void = csoundSetOpcodedir("/nonexistent")
