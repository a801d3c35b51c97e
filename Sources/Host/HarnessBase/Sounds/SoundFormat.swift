import CSndfile
import Foundation

/// The formats of sound files that can be written.
public enum SoundFormat: Sendable {
  case wavDouble, wavFloat, aiffFloat, flac24, oggVorbis, opus, mp3

  /// The format a file name's extension stands for.
  public init(forPath path: String) throws(Failure) {
    switch (path as NSString).pathExtension.lowercased() {
    case "wav": self = .wavFloat
    case "aif", "aiff": self = .aiffFloat
    case "flac": self = .flac24
    case "ogg", "oga": self = .oggVorbis
    case "opus": self = .opus
    case "mp3": self = .mp3
    default:
      throw .usage("'\(path)' names no format; a sound file must end in \(Self.extensions).")
    }
  }

  /// The allowed extensions, for messages.
  package static let extensions = ".wav, .aif, .aiff, .flac, .ogg, .opus or .mp3"

  var code: Int {
    switch self {
    // RF64 becomes a plain WAV file unless it exceeds the 4 GB of WAV: see `SoundWriter`.
    case .wavDouble: SF_FORMAT_RF64 | SF_FORMAT_DOUBLE
    case .wavFloat: SF_FORMAT_RF64 | SF_FORMAT_FLOAT
    case .aiffFloat: SF_FORMAT_AIFF | SF_FORMAT_FLOAT
    case .flac24: SF_FORMAT_FLAC | SF_FORMAT_PCM_24
    case .oggVorbis: SF_FORMAT_OGG | SF_FORMAT_VORBIS
    case .opus: SF_FORMAT_OGG | SF_FORMAT_OPUS
    case .mp3: SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III
    }
  }

  /// The bytes of a sample; nil if an encoder writes them.
  var sampleSize: Int? {
    switch self {
    case .wavDouble: 8
    case .wavFloat, .aiffFloat: 4
    case .flac24, .oggVorbis, .opus, .mp3: nil
    }
  }

  /// Whether samples beyond full scale are clipped.
  package var clips: Bool {
    switch self {
    case .wavDouble, .wavFloat, .aiffFloat, .oggVorbis, .opus: false
    case .flac24, .mp3: true
    }
  }
}
