public import CCsound
import Foundation
import HarnessBase

/// What is to be played, and with which opcodes.
public struct Piece: Sendable {
  /// Where the text is.
  public enum Text: Sendable, Equatable {
    /// A CSD file.
    case file(String)
    /// An orchestra, and a score, which may be empty: then it plays until it is stopped.
    case orchestra(String, score: String)
  }

  public typealias Registration = @Sendable (UnsafeMutablePointer<CSOUND>) -> Void

  public var text: Text
  /// Options of the `csound` command, which win over those of the CSD.
  public var options: [String]
  /// Frames of a k-cycle; the orchestra's own unless given.
  public var ksmps: Int?
  /// A plugin to be loaded.
  public var plugin: String?
  /// Whether events with a time sound on their exact sample, not with the k-cycle they fall into.
  public var isSampleAccurate: Bool
  /// Whether it is told how much of the time each instrument takes, which is set to take 2 % itself. Only the first
  /// version of the first piece of a program that plays is timed.
  public var timesInstruments = false
  /// Adds opcodes of the program to each engine.
  public var register: Registration

  public init(
    _ text: Text, options: [String] = [], ksmps: Int? = nil, plugin: String? = nil,
    isSampleAccurate: Bool = false, registering register: @escaping Registration = { _ in }
  ) {
    self.text = text
    self.options = options
    self.ksmps = ksmps
    self.plugin = plugin
    self.isSampleAccurate = isSampleAccurate
    self.register = register
  }

  /// Calls `body` with the path of a CSD, which need not be there afterwards.
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
      do {
        try csd.write(toFile: path, atomically: false, encoding: .utf8)
      } catch {
        throw Failure(.unwritableOutput, "'\(path)' cannot be written.")
      }
      return try body(path)
    }
  }

  /// What sentences call it.
  var name: String {
    switch text {
    case .file(let path): path
    case .orchestra: "the orchestra"
    }
  }
}
