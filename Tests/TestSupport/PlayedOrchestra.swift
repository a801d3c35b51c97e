package import CsoundHost
import Foundation

/// What an orchestra put out: a collection of its channels, and what Csound said.
package struct PlayedOrchestra: RandomAccessCollection {
  /// Samples by channel.
  package var channels: [[Double]]
  package var messages: [String]

  package init(channels: Int, messages: [String] = []) {
    self.channels = Array(repeating: [], count: channels)
    self.messages = messages
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { channels.count }
  package subscript(channel: Int) -> [Double] { channels[channel] }

  /// Adds samples of all channels, frame by frame.
  package mutating func append(_ samples: some Sequence<Double>) {
    for (index, sample) in samples.enumerated() { channels[index % count].append(sample) }
  }

  /// Whether Csound said a sentence.
  package func said(_ sentence: String) -> Bool { messages.contains { $0.contains(sentence) } }
}

extension Csound {
  /// Performs the CSD at a path to its end.
  package func perform(
    _ path: String, options: [String] = [], channels: Int
  ) throws -> PlayedOrchestra {
    try compile(path, options: options)
    var performance = PlayedOrchestra(channels: channels)
    while performKsmps() { performance.append(output) }
    performance.messages = messages
    return performance
  }
}

/// Hands over the path of a CSD, which goes afterwards.
package func withOrchestra<Result>(
  _ orchestra: String, score: String, sampleRate: Int = 48_000, ksmps: Int, channels: Int,
  fullScale: Int = 1, _ body: (String) throws -> Result
) throws -> Result {
  let path = NSTemporaryDirectory() + "/opcodekit-\(UUID().uuidString).csd"
  defer { unlink(path) }
  try """
  sr = \(sampleRate)
  ksmps = \(ksmps)
  nchnls = \(channels)
  0dbfs = \(fullScale)
  \(orchestra)
  """.csd(score: score).save(to: path)
  return try body(path)
}

/// Instrument 1 with these lines, and how many channels it has: one for each of the `heard`, which are separated by
/// commas.
package func instrument(_ lines: String, heard: String) -> (text: String, channels: Int) {
  var (depth, channels) = (0, 1)
  for character in heard {
    if "([".contains(character) { depth += 1 }
    if ")]".contains(character) { depth -= 1 }
    if character == ",", depth == 0 { channels += 1 }
  }
  return ("instr 1\n\(lines)\noutc \(heard)\nendin", channels)
}
