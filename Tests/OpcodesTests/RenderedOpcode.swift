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

/// Two sample-accurate notes of an instrument, the second in the memory of the first.
struct AccurateNotes {
  /// The samples inside each note.
  var notes: [[Double]]
  /// Whether every sample outside a note, in a k-cycle the note is in, is 0.
  var isSilentOutside: Bool
}

/// Performs lines of an instrument that write `gasignal`, as notes that start and end inside k-cycles
/// of 10 samples; `start` and `length` are in samples.
///
/// Csound's outputs mask what lies outside a note. Another instrument looks into the vector itself, and
/// leaves a mark in it for the next k-cycle to replace.
func performAccurately(
  _ lines: String, start: Int, length: Int, header: String = ""
) throws -> AccurateNotes {
  let performance = try perform(
    """
    \(header)
    gasignal init 0
    gainside init 0
    instr 1
      gainside linseg 1, 1, 1
      \(lines)
    endin
    instr 2
      outch 1, gasignal, 2, gainside
      kmark init -7
      gasignal upsamp kmark
      gainside upsamp kmark
    endin
    """,
    score: """
      i1 [\(start)/48000] [\(length)/48000]
      i1 [(\(start)+500)/48000] [\(length)/48000]
      i2 0 0.02
      """, ksmps: 10, channels: 2, options: ["--sample-accurate"])
  let (signal, inside) = (performance[0], performance[1])
  func note(_ frames: Range<Int>) -> [Double] {
    frames.filter { inside[$0] == 1 }.map { signal[$0] }
  }
  return AccurateNotes(
    notes: [note(0..<400), note(400..<960)],
    isSilentOutside: signal.indices.allSatisfy { inside[$0] != 0 || signal[$0] == 0 }
      && inside.contains(0))
}

/// Makes Csound load no plugins of its own into this process, which some of them bear only a thousand
/// times (OpenMP takes a thread key for each).
private let withoutPlugins: Void = csoundSetOpcodedir("/nonexistent")
