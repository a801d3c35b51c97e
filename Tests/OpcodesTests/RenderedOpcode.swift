import CCsound
import CsoundHost
import Foundation
import OpcodeKit
import Opcodes
import Testing

/// What an orchestra with this library's opcodes put out: a collection of its channels, and what
/// Csound said.
struct Performance: RandomAccessCollection {
  /// Samples by channel.
  var channels: [[Double]]
  var messages: [String]

  var startIndex: Int { 0 }
  var endIndex: Int { channels.count }
  subscript(channel: Int) -> [Double] { channels[channel] }

  /// Whether Csound said a sentence.
  func said(_ sentence: String) -> Bool { messages.contains { $0.contains(sentence) } }
}

/// Performs an orchestra in-process, with this library's opcodes and GEN routines.
func perform(
  _ orchestra: String, score: String, sampleRate: Int = 48_000, ksmps: Int = 64, channels: Int = 1,
  options: [String] = []
) throws -> Performance {
  _ = withoutPlugins
  let csound = try Csound(registering: Library.install)
  let path = NSTemporaryDirectory() + "/opcodekit-\(UUID().uuidString).csd"
  defer { try? FileManager.default.removeItem(atPath: path) }
  try """
  sr = \(sampleRate)
  ksmps = \(ksmps)
  nchnls = \(channels)
  0dbfs = 1
  \(orchestra)
  """.csd(score: score).save(to: path)
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

/// Performs one note from the start of a performance, of an instrument with these lines. Each of the `heard`, which are
/// separated by commas, is a channel. `note` is the duration and the p-fields behind it.
func performNote(
  _ lines: String, heard: String, note: String, header: String = "", sampleRate: Int = 48_000,
  ksmps: Int = 64, options: [String] = []
) throws -> Performance {
  var (depth, channels) = (0, 1)
  for character in heard {
    if "([".contains(character) { depth += 1 }
    if ")]".contains(character) { depth -= 1 }
    if character == ",", depth == 0 { channels += 1 }
  }
  return try perform(
    "\(header)\ninstr 1\n\(lines)\noutc \(heard)\nendin", score: "i1 0 \(note)",
    sampleRate: sampleRate, ksmps: ksmps, channels: channels, options: options)
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

/// Makes Csound load no plugins of its own into this process, which some of them bear only a thousand
/// times (OpenMP takes a thread key for each).
private let withoutPlugins: Void = csoundSetOpcodedir("/nonexistent")
