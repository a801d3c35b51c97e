import CsoundHost
import Foundation
import OpcodeKit
import Opcodes

/// What an orchestra with this library's opcodes puts out, performed in-process: samples by channel.
func perform(
  _ orchestra: String, score: String, sampleRate: Int = 48_000, ksmps: Int = 64, channels: Int = 1,
  options: [String] = []
) throws -> [[Double]] {
  let csound = try Csound(registering: registerLibrary)
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
  var samples = Array(repeating: [Double](), count: channels)
  while csound.performKsmps() {
    for (index, sample) in csound.output.enumerated() { samples[index % channels].append(sample) }
  }
  return samples
}
