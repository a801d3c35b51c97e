import CsoundLive
import HarnessBase
import Playing

/// Stands for a piece where none plays: the panel shows its initial values.
struct SilentPiece: PanelledPiece {
  var channels: [ChannelDescription] { [] }
  var sampleRate: Double { 0 }
  func set(_ channel: String, to value: Double) {}
  func set(_ channel: String, to text: String) {}
  func press(_ channel: String) {}
  func value(of channel: String) -> Double? { nil }
  func text(of channel: String) -> String? { nil }
  func table(_ number: Int) throws(Failure) -> [Double] {
    throw .unavailable("Nothing plays that has tables.")
  }
  func setTable(_ number: Int, to samples: [Double]) {}
  func output(_ count: Int) -> [Double] { [] }
  func send(line: String) {}
  func send(midi message: MIDIMessage) {}
  func endNotes() {}
}
