public import CsoundLive
public import HarnessBase
import Panels

/// A playing piece as a panel uses it. All functions are called on the thread of the server or of OSC, and must not wait
/// for the audio thread; except those for tables, which are called on another thread and may wait.
public protocol PanelledPiece: ChannelPort {
  /// The text of a string channel; nil while the channel does not exist.
  func text(of channel: String) throws(Failure) -> String?
  /// The samples of a function table; waits for the audio thread.
  func table(_ number: Int) throws(Failure) -> [Double]
  /// Replaces the samples of a function table; waits for the audio thread.
  func setTable(_ number: Int, to samples: [Double]) throws(Failure)
  /// The last `count` samples of the output, oldest first: the mean of all channels, full scale at 1.
  func output(_ count: Int) -> [Double]
  /// The sample rate of the output in Hz; 0 while nothing plays.
  var sampleRate: Double { get }
  /// Plays a line of the score at once.
  func send(line: String) throws(Failure)
  /// Plays a MIDI message at once.
  func send(midi message: MIDIMessage) throws(Failure)
  /// Ends the notes that were played from outside the score.
  func endNotes() throws(Failure)
}

extension PanelledPiece {
  /// Sets a channel to a number or a text.
  func set(_ channel: String, to value: ChannelValue) throws(Failure) {
    switch value {
    case .number(let number): try set(channel, to: number)
    case .text(let text): try set(channel, to: text)
    }
  }
}

extension PerformancePort: PanelledPiece {
  public func text(of channel: String) throws(Failure) -> String? {
    try performance.string(of: channel)
  }

  public func table(_ number: Int) throws(Failure) -> [Double] { try performance.table(number) }

  public func setTable(_ number: Int, to samples: [Double]) throws(Failure) {
    try performance.setTable(number, to: samples)
  }

  public func output(_ count: Int) -> [Double] { performance.recentOutput(count) }

  public var sampleRate: Double { performance.format?.sampleRate ?? 0 }

  public func send(line: String) throws(Failure) { try performance.send(line: line) }

  public func send(midi message: MIDIMessage) throws(Failure) {
    try performance.send(midi: message)
  }

  public func endNotes() throws(Failure) { try performance.endNotes() }
}
