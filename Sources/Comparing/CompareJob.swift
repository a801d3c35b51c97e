import CsoundHost
import Foundation
import HarnessBase
import Rendering
import Sounds
import Workers

/// Renders a subject and a rival and compares them.
public struct CompareJob: Job {
  public var subject: Orchestra
  public var rival: Orchestra
  /// A sound file for the orchestras' input channels.
  public var input: String?
  /// Largest null depth that passes, dB.
  public var tolerance: Double
  /// Where to write the sounds when they do not pass.
  public var evidence: Evidence

  public init(
    subject: Orchestra, rival: Orchestra, input: String? = nil, tolerance: Double,
    evidence: Evidence
  ) {
    self.subject = subject
    self.rival = rival
    self.input = input
    self.tolerance = tolerance
    self.evidence = evidence
  }

  public func perform(in worker: WorkerContext) throws(Failure) -> Comparison {
    let renderer = worker.renderer
    var sound: Sound?
    if let input { sound = try Sound(readingFrom: input) }
    let limit = max(600, 2 * (sound?.duration ?? 0))
    let subject = try renderer.render(subject, input: sound, limit: limit)
    let rival = try renderer.render(rival, input: sound, limit: limit)
    FloatMode.current = .precise
    let comparison = Comparison(subject: subject, rival: rival, tolerance: tolerance)
    if comparison.verdict != .passed { try evidence.write(subject: subject, rival: rival) }
    return comparison
  }
}

/// Three WAV files of 64-bit floats that show a difference.
public struct Evidence: Codable, Equatable, Sendable {
  public var subject: String
  public var rival: String
  public var difference: String

  package init(directory: String) {
    subject = directory + "/subject.wav"
    rival = directory + "/rival.wav"
    difference = directory + "/difference.wav"
  }

  /// Writes the two sounds and, when their shapes agree, subject minus rival.
  package func write(subject: Sound, rival: Sound) throws(Failure) {
    let directory = (self.subject as NSString).deletingLastPathComponent
    try? FileManager.default.removeItem(atPath: directory)
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true)
    } catch {
      throw Failure(.unwritableOutput, "The directory '\(directory)' cannot be made.")
    }
    try subject.write(to: self.subject)
    try rival.write(to: self.rival)
    guard subject.samples.count == rival.samples.count else { return }
    var difference = subject
    for index in difference.samples.indices { difference.samples[index] -= rival.samples[index] }
    try difference.write(to: self.difference)
  }
}
