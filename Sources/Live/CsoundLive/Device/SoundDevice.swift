import CALSA
import Foundation
import HarnessBase

/// A sound device as ALSA lists them.
public struct SoundDevice: Sendable, Equatable {
  /// Its name for `Settings.Device` and the command line.
  public var name: String
  /// ALSA's description of it, on one line.
  public var summary: String
  public var isOutput: Bool
  public var isInput: Bool
  /// Why it cannot be opened now; nil if it can.
  public var problem: String?

  /// All devices, those that can be opened first.
  public static func all() -> [SoundDevice] {
    alsa_be_quiet()
    var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    guard snd_device_name_hint(-1, "pcm", &hints) == 0, let first = hints else { return [] }
    defer { snd_device_name_free_hint(first) }
    var devices: [SoundDevice] = []
    var place = first
    while let hint = place.pointee {
      // ALSA's own `null` does not keep time; `Settings.Device.null` does.
      if let device = SoundDevice(hint), device.name != "null" { devices.append(device) }
      place += 1
    }
    return devices.filter { $0.problem == nil } + devices.filter { $0.problem != nil }
  }

  /// A question that suggests similar names, for a name that no device has; empty if there are none.
  static func meant(by name: String) -> String {
    let known = Set(all().map(\.name))
    let near = known.contains(name) ? [] : NearNames.of(name, among: known)
    return near.isEmpty ? "" : "did you mean \(near.joined(separator: " or "))? "
  }

  private init?(_ hint: UnsafeMutableRawPointer) {
    func text(_ key: String) -> String? {
      guard let text = snd_device_name_get_hint(hint, key) else { return nil }
      defer { free(text) }
      return String(cString: text)
    }
    guard let name = text("NAME") else { return nil }
    let direction = text("IOID")
    self.name = name
    summary = (text("DESC") ?? "").split(separator: "\n").joined(separator: ", ")
    isOutput = direction != "Input"
    isInput = direction != "Output"
    problem = Self.problem(name, isOutput ? SND_PCM_STREAM_PLAYBACK : SND_PCM_STREAM_CAPTURE)
  }

  private static func problem(_ name: String, _ stream: snd_pcm_stream_t) -> String? {
    var pcm: OpaquePointer?
    let error = snd_pcm_open(&pcm, name, stream, CInt(SND_PCM_NONBLOCK))
    guard error == 0 else { return String(cString: snd_strerror(error)) }
    snd_pcm_close(pcm)
    return nil
  }
}
