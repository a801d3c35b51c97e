import Foundation
import HarnessBase
import Rendering
import Workers

/// Renders an orchestra and keeps the sound as a reference.
public struct RecordJob: Job {
  public var orchestra: Orchestra
  /// Seconds to render; nil to render to the end.
  public var duration: Double?
  /// The FLAC file; the job writes its part.
  package var output: OutputFile
  public var maySilent: Bool

  public func perform(in worker: WorkerContext) throws(Failure) -> RecordedSound {
    try orchestra.enterDirectory()
    return try worker.renderer.record(self)
  }
}

/// A reference that was rendered.
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
  /// Where to show a difference; nil to leave that out.
  public var evidence: GoldenEvidence?

  public func perform(in worker: WorkerContext) throws(Failure) -> CheckedSound {
    try orchestra.enterDirectory()
    return try worker.renderer.check(self)
  }
}

extension Orchestra {
  /// Makes the orchestra's directory the current one, so that it finds its files wherever it is run
  /// from.
  fileprivate func enterDirectory() throws(Failure) {
    try requireReadableFile(path)
    let directory = path.parentPath
    guard FileManager.default.changeCurrentDirectoryPath(directory) else {
      throw Failure(.missingInput, "The directory of '\(path)' cannot be entered.")
    }
  }
}

/// What shows a difference: the two sounds, the difference, and a picture of them.
public struct GoldenEvidence: Codable, Equatable, Sendable {
  public var directory: String

  public init(directory: String) { self.directory = directory }

  public var actual: String { directory + "/actual.wav" }
  public var expected: String { directory + "/expected.wav" }
  public var difference: String { directory + "/difference.wav" }
  public var picture: String { directory + "/picture.png" }
}

/// How a check ended.
public struct CheckedSound: Codable, Equatable, Sendable {
  public var comparison: GoldenComparison
  /// Why there is no picture, in one sentence; nil where there is one, or none is needed.
  public var pictureProblem: String?
}
