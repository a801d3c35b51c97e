import CommandKit
import Foundation
import HarnessBase
import Rendering

/// What an orchestra must sound like: how it is rendered, how close a render must be, and the
/// reference of each variant. A JSON file, NAME.golden.json, in the directory of the references'
/// FLAC files.
public struct GoldenRecording: Codable, Equatable, Sendable {
  /// The path of the CSD, or of the orchestra file, relative to the file's directory.
  public var csd: String
  /// The path of the orchestra file's score, relative to the file's directory; nil if there is none.
  public var score: String?
  /// The path, relative to the file's directory, of a plugin that provides the opcodes; nil for the
  /// tool's own opcodes.
  public var plugin: String?
  /// The version of the Csound that it was recorded with, such as `6.18`; nil in files from before this was kept.
  public var csound: String?
  /// Orchestra macros, as `--omacro` sets them.
  public var macros: [String: String]?
  /// Seconds to render, unless the orchestra ends sooner; nil to render to its end.
  public var duration: Double?
  public var limits = Limits()
  public var references: [Reference] = []

  /// The largest allowed deviations of a render from its reference.
  public struct Limits: Codable, Equatable, Sendable {
    /// The largest RMS of the difference divided by the RMS of the reference, in any channel, in
    /// dB.
    public var tolerance = -90.0
    /// The largest `SpectralDistance` of any channel, in dB.
    public var spectralDistance = 0.1
    /// Whether a sound may be silent, with a peak below `silence`.
    public var maySilent = false

    public init() {}

    /// The peak below which a sound counts as silent, in dBFS.
    public static let silence = -120.0
    public static let toleranceRange = -200.0...40
    public static let spectralRange = 0.0...100
  }

  /// The settings that override the CSD's for one render; nil keeps the CSD's value.
  public struct Variant: Codable, Equatable, Sendable {
    public var sampleRate: Double?
    public var ksmps: Int?

    /// The variant's name, such as `sr96000-ksmps1`; empty if nothing is set.
    public var name: String {
      let rate = sampleRate.map { "sr" + ($0 == $0.rounded() ? "\(Int($0))" : "\($0)") }
      return [rate, ksmps.map { "ksmps\($0)" }].compactMap { $0 }.joined(separator: "-")
    }

    /// A failure of the variant, which says at what settings.
    func told(_ failure: Failure) -> Failure {
      let settings = [sampleRate.map { "sr \($0.formatted(0))" }, ksmps.map { "ksmps \($0)" }]
        .compactMap(\.self).joined(separator: " and ")
      return settings.isEmpty
        ? failure : Failure(failure.kind, "at \(settings): \(failure.message)")
    }
  }

  /// A variant's sound: a 24-bit FLAC file.
  public struct Reference: Codable, Equatable, Sendable {
    public var variant: Variant
    /// The file's name, in the recording's directory.
    public var file: String
    public var sampleRate: Double
    public var frames: Int
    /// For each channel, the factor for the file's samples; see `Sound.scales`.
    public var scales: [Double]

    public var duration: Double { Double(frames) / sampleRate }
  }

  public static let durationRange = 0.001...3600.0
}

/// A recording and its path.
public struct GoldenFile: Codable, Sendable {
  public static let suffix = ".golden.json"

  public let path: String
  public var recording: GoldenRecording
  /// The path of the plugin to play instead of the recording's; nil for the recording's.
  public var played: String?
  /// The path of the CSD that was made of the orchestra file; nil if the recording is of a CSD.
  var made: String?
  /// Why it cannot be checked; nil if it can.
  var obstacle: Failure?

  public var directory: String { path.parentPath }
  /// The recording's name, that of its CSD.
  public var name: String {
    String((path as NSString).lastPathComponent.dropLast(Self.suffix.count))
  }
  public var csd: String { absolute(recording.csd) }
  /// The path of the plugin that the recording names; nil if it names none.
  public var plugin: String? { recording.plugin.map(absolute) }

  /// A new recording of a CSD in a directory; both paths are absolute.
  public init(of csd: String, in directory: String) {
    path = Self.path(of: csd, in: directory)
    recording = GoldenRecording(csd: "")
    recording.csd = relative(csd)
  }

  /// A recording that cannot be read. Results name the recording itself, because its CSD is not known.
  init(unreadable path: String, _ failure: Failure) {
    self.path = path
    obstacle = failure
    recording = GoldenRecording(csd: (path as NSString).lastPathComponent)
    recording.references = [.init(variant: .init(), file: "", sampleRate: 1, frames: 1, scales: [])]
  }

  /// The path of a CSD's recording in a directory.
  public static func path(of csd: String, in directory: String) -> String {
    let name = ((csd as NSString).lastPathComponent as NSString).deletingPathExtension
    return directory + "/" + name + suffix
  }

  /// The default directory for the recording of a CSD.
  public static func directory(of csd: String) -> String {
    csd.parentPath + "/golden"
  }

  private static let keys = [
    "": ["csd", "score", "plugin", "csound", "macros", "duration", "limits", "references"],
    "limits": ["tolerance", "spectralDistance", "maySilent"],
    "references": ["variant", "file", "sampleRate", "frames", "scales"],
  ]

  public init(readingFrom path: String) throws(Failure) {
    self.path = path
    recording = try DataFile.read(
      GoldenRecording.self, from: path, as: "a recording", keys: Self.keys)
    if let fault { throw .badInput("'\(path)' is not a recording: \(fault)") }
    guard csd.hasSuffix(".orc") else { return }
    // Where a file is missing, the render of this recording says so.
    made = try? OrchestraAndScore.csd(of: csd, recording.score.map(absolute))
  }

  private var fault: String? {
    let limits = recording.limits
    guard !recording.references.isEmpty else { return "'references' is empty." }
    guard GoldenRecording.Limits.toleranceRange.contains(limits.tolerance) else {
      return "the tolerance \(limits.tolerance) is not between -200 and 40 dB."
    }
    guard GoldenRecording.Limits.spectralRange.contains(limits.spectralDistance) else {
      return "the spectral distance \(limits.spectralDistance) is not between 0 and 100 dB."
    }
    if let duration = recording.duration, !GoldenRecording.durationRange.contains(duration) {
      return "the duration \(duration) is not between 0.001 and 3600 s."
    }
    for reference in recording.references {
      if reference.file.contains("/") { return "'\(reference.file)' is no file name." }
      guard reference.frames > 0, reference.sampleRate > 0, !reference.scales.isEmpty,
        reference.scales.allSatisfy({ $0 > 0 && $0.isFinite })
      else { return "'frames', 'sampleRate' and 'scales' of '\(reference.file)' must be positive." }
      if let rate = reference.variant.sampleRate, !Orchestra.sampleRateRange.contains(rate) {
        return "the sample rate \(rate) is not between 1000 and 768000 Hz."
      }
      if let ksmps = reference.variant.ksmps, !Orchestra.ksmpsRange.contains(ksmps) {
        return "the ksmps \(ksmps) is not between 1 and 65536."
      }
    }
    return nil
  }

  /// The orchestra with a variant's settings.
  public func orchestra(_ variant: GoldenRecording.Variant) -> Orchestra {
    Orchestra(
      path: made ?? csd, macros: recording.macros ?? [:], sampleRate: variant.sampleRate,
      ksmps: variant.ksmps, plugin: played ?? plugin, opensMIDI: false)
  }

  /// The name of a variant's FLAC file.
  public func fileName(_ variant: GoldenRecording.Variant) -> String {
    name + (variant.name.isEmpty ? "" : "-" + variant.name) + ".flac"
  }

  /// The absolute path for a path in the recording.
  func absolute(_ path: String) -> String {
    URL(fileURLWithPath: path, relativeTo: URL(fileURLWithPath: directory + "/"))
      .standardizedFileURL.path
  }

  /// An absolute path relative to the recording's directory.
  public func relative(_ path: String) -> String {
    let here = (directory as NSString).pathComponents
    let there = (path as NSString).pathComponents
    let common = zip(here, there).prefix { $0 == $1 }.count
    let steps = Array(repeating: "..", count: here.count - common) + there.dropFirst(common)
    return steps.joined(separator: "/")
  }
}
