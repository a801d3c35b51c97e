import CALSA
import Foundation

/// Where MIDI can come from: what `MIDIPort` takes by its name.
public struct MIDISource: Sendable, Equatable {
  public var name: String
  /// What it is, in words.
  public var summary: String

  /// Clients of ALSA's sequencer that can be heard, and raw devices.
  public static func all() -> [MIDISource] { SequencerClient.sources() + devices() }

  private static func devices() -> [MIDISource] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/snd")) ?? []
    return names.filter { $0.hasPrefix("midi") }.sorted().map {
      MIDISource(name: "/dev/snd/" + $0, summary: "A raw MIDI device")
    }
  }
}
