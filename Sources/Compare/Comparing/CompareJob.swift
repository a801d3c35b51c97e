import CsoundHost
import Foundation
import HarnessBase
import Rendering

/// Renders a subject and a rival and compares them.
public struct CompareJob: Job {
  public var subject: Orchestra
  public var rival: Orchestra
  /// A sound file for the orchestras' input channels.
  public var input: String?
  /// The largest null depth that passes, in dB.
  public var tolerance: Double
  /// The files to write if the comparison does not pass.
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
    let subjectSound = try renderer.render(subject, input: sound, limit: limit)
    let rivalSound = try renderer.render(rival, input: sound, limit: limit)
    FloatMode.current = .precise
    let comparison = Comparison(subject: subjectSound, rival: rivalSound, tolerance: tolerance)
    if comparison.verdict != .passed {
      try evidence.write(subject: subjectSound, rival: rivalSound)
      try evidence.write(subject, rival: rival)
    }
    return comparison
  }
}

/// The paths of three WAV files (64-bit float) that show a difference, and of the orchestra that
/// plays the case.
public struct Evidence: Codable, Equatable, Sendable {
  public var subject: String
  public var rival: String
  public var difference: String
  /// A CSD that plays the case with the subject; it needs no options.
  public var orchestra: String

  package init(directory: String) {
    subject = directory + "/subject.wav"
    rival = directory + "/rival.wav"
    difference = directory + "/difference.wav"
    orchestra = directory + "/orchestra.csd"
  }

  /// Writes the two sounds and, if they have the same number of samples, subject minus rival.
  package func write(subject: Sound, rival: Sound) throws(Failure) {
    let directory = self.subject.parentPath
    try? FileManager.default.removeItem(atPath: directory)
    try makeDirectory(directory)
    try subject.write(to: self.subject)
    try rival.write(to: self.rival)
    guard subject.samples.count == rival.samples.count else { return }
    var difference = subject
    for index in difference.samples.indices { difference.samples[index] -= rival.samples[index] }
    try difference.write(to: self.difference)
  }

  /// Writes the subject's CSD with the case's options and macros in it. Macros can still be set on the
  /// command line, such as those that make it play the rival.
  package func write(_ orchestra: Orchestra, rival: Orchestra) throws(Failure) {
    let text = try? String(contentsOfFile: orchestra.path, encoding: .utf8)
    guard let text, let start = text.firstRange(of: "<CsInstruments>") else { return }
    func macros(_ macros: [String: String]) -> [(key: String, value: String)] {
      macros.sorted { $0.key < $1.key }
    }
    let swapped = macros(rival.macros.filter { orchestra.macros[$0.key] != $0.value })
    let settings =
      [
        orchestra.sampleRate.map { "--sample-rate=\($0)" }, orchestra.ksmps.map { "--ksmps=\($0)" },
        orchestra.channelCount.map { "--nchnls=\($0) --nchnls_i=\($0)" },
      ].compactMap(\.self).joined(separator: " ")
    let definitions = macros(orchestra.macros).map {
      "#ifndef \($0.key)\n#define \($0.key) #\($0.value)#\n#end"
    }
    let played = """
      <CsOptions>
      \(settings)
      </CsOptions>
      <CsInstruments>
      ; A case in which subject and rival differ, as it was played. The rival plays with
      ; \(swapped.map { "--omacro:\($0.key)=\($0.value)" }.joined(separator: " ")).
      \(definitions.joined(separator: "\n"))
      """
    let piece = text[..<start.lowerBound] + played + text[start.upperBound...]
    try OutputFile(self.orchestra).write(Data(piece.utf8))
  }
}
