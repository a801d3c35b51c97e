public import CCsound
import Foundation
import HarnessBase

/// A piece to play: its text, options and opcodes.
public struct Piece: Sendable {
  /// The text of a piece, or where it is.
  public enum Text: Sendable, Equatable {
    /// A CSD file.
    case file(String)
    /// An orchestra and a score. With an empty score it plays until it is stopped.
    case orchestra(String, score: String)
  }

  public typealias Registration = @Sendable (UnsafeMutablePointer<CSOUND>) -> Void

  public var text: Text
  /// Options of the `csound` command; they override those of the CSD.
  public var options: [String]
  /// Frames in a k-cycle; nil: the orchestra's own.
  public var ksmps: Int?
  /// The path of a plugin to load; nil: none.
  public var plugin: String?
  /// Whether events with a time start at their exact sample instead of at the beginning of a k-cycle.
  public var isSampleAccurate: Bool
  /// Whether k-cycles and notes are recorded, for `Performance.flight` and `instrumentLoads`.
  public var isRecorded = true
  /// Called for each new engine, to add opcodes of this program to it.
  public var register: Registration

  public init(
    _ text: Text, options: [String] = [], ksmps: Int? = nil, plugin: String? = nil,
    isSampleAccurate: Bool = false, registering register: @escaping Registration = { _ in }
  ) {
    (self.text, self.options, self.ksmps, self.plugin) = (text, options, ksmps, plugin)
    (self.isSampleAccurate, self.register) = (isSampleAccurate, register)
  }

  /// Calls `body` with the path of a CSD, which may be deleted afterwards.
  func withFile<Result>(_ body: (String) throws(Failure) -> Result) throws(Failure) -> Result {
    switch text {
    case .file(let path):
      try requireReadableFile(path)
      return try body(path)
    case .orchestra(let orchestra, let score):
      let directory = try ScratchDirectory("live")
      defer { directory.remove() }
      let path = directory.path + "/orchestra.csd"
      let csd = """
        <CsoundSynthesizer>
        <CsInstruments>
        \(orchestra)
        </CsInstruments>
        <CsScore>
        \(score)
        </CsScore>
        </CsoundSynthesizer>

        """
      try writing(path) { try csd.write(toFile: path, atomically: false, encoding: .utf8) }
      return try body(path)
    }
  }

  /// Its name in messages.
  var name: String {
    switch text {
    case .file(let path): path
    case .orchestra: "the orchestra"
    }
  }
}
