import Foundation
import HarnessBase
import Rendering

/// Renders an orchestra and keeps the sound as a reference.
public struct RecordJob: Job {
  public var orchestra: Orchestra
  /// Seconds to render; nil to render to the end.
  public var duration: Double?
  /// The FLAC file; the job writes its temporary part.
  package var output: OutputFile
  public var maySilent: Bool

  public func perform(in worker: WorkerContext) throws(Failure) -> RecordedSound {
    try orchestra.enterDirectory()
    return try worker.renderer.record(self)
  }
}

/// The properties of a reference that was rendered.
public struct RecordedSound: Codable, Equatable, Sendable {
  public var sampleRate: Double
  public var frames: Int
  public var scales: [Double]
  /// Largest absolute sample, full scale at 1.
  public var peak: Double
}

/// Renders an orchestra and compares it with its reference.
public struct CheckJob: Job {
  public var orchestra: Orchestra
  public var duration: Double?
  public var reference: GoldenRecording.Reference
  /// The reference's FLAC file.
  public var path: String
  public var limits: GoldenRecording.Limits
  /// The files to write if the render differs; nil to write none.
  public var evidence: GoldenEvidence?

  public func perform(in worker: WorkerContext) throws(Failure) -> CheckedSound {
    try orchestra.enterDirectory()
    return try worker.renderer.check(self)
  }
}

extension Orchestra {
  /// Makes the orchestra's directory the current directory, so that the orchestra finds its files.
  fileprivate func enterDirectory() throws(Failure) {
    try requireReadableFile(path)
    let directory = path.parentPath
    guard FileManager.default.changeCurrentDirectoryPath(directory) else {
      throw .missingInput("The directory of '\(path)' cannot be entered.")
    }
  }
}

/// The files that show a difference: the two sounds, the difference, and a picture of them.
public struct GoldenEvidence: Codable, Equatable, Sendable {
  public var directory: String

  public var actual: String { directory + "/actual.wav" }
  public var expected: String { directory + "/expected.wav" }
  public var difference: String { directory + "/difference.wav" }
  public var picture: String { directory + "/picture.png" }
}

/// The result of a check.
public struct CheckedSound: Codable, Equatable, Sendable {
  public var comparison: GoldenComparison
  /// Why there is no picture, in one sentence; nil if there is one or none is needed.
  public var pictureProblem: String?
  /// Why there are no files that show the difference, in one sentence; nil if there are or none are needed.
  public var evidenceProblem: String?
}
