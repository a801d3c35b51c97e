import CALSA
import Foundation

/// A source of MIDI that `MIDIPort` can open by its name, or a receiver of MIDI for a piece's output.
public struct MIDISource: Sendable, Equatable {
  public var name: String
  /// A description in words.
  public var summary: String

  /// All clients of ALSA's sequencer that can be read, and all raw devices.
  public static func all() -> [MIDISource] { SequencerClient.list(.input) + devices() }

  /// All clients of ALSA's sequencer that take MIDI, and all raw devices.
  public static func receivers() -> [MIDISource] { SequencerClient.list(.output) + devices() }

  private static func devices() -> [MIDISource] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/snd")) ?? []
    return names.filter { $0.hasPrefix("midi") }.sorted().map {
      MIDISource(name: "/dev/snd/" + $0, summary: "A raw MIDI device")
    }
  }
}
