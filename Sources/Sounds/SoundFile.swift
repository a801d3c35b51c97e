import CSndfile
import Foundation
import HarnessBase

/// Sound in memory: interleaved frames, full scale at 1.
public struct Sound: Equatable, Sendable {
  public var sampleRate: Double
  public var channelCount: Int
  /// `frameCount * channelCount` samples.
  public var samples: [Double]

  public init(sampleRate: Double, channelCount: Int, samples: [Double] = []) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.samples = samples
  }

  public var frameCount: Int { samples.count / channelCount }
  public var duration: Double { Double(frameCount) / sampleRate }

  /// Reads any file libsndfile knows.
  public init(readingFrom path: String) throws(Failure) {
    try requireReadableFile(path)
    var info = SF_INFO()
    guard let file = sf_open(path, Int32(SFM_READ), &info) else {
      throw Failure(
        .badInput, "'\(path)' is no sound file libsndfile can read: \(Self.error(nil))")
    }
    defer { sf_close(file) }
    channelCount = Int(info.channels)
    sampleRate = Double(info.samplerate)
    samples = try Self.samples(of: file, info, path)
    guard !samples.isEmpty else {
      throw Failure(.badInput, "'\(path)' is a sound file without any samples.")
    }
    if let missing = SoundHeader(path)?.missingBytes {
      throw Failure(
        .badInput,
        "'\(path)' is \(missing) bytes shorter than its header promises; it was not copied or written"
          + " to its end.")
    }
  }

  /// All samples of a file. How many frames there are is not known before where a stream was written
  /// without going back, as FLAC can be.
  private static func samples(
    of file: OpaquePointer, _ info: SF_INFO, _ path: String
  ) throws(Failure) -> [Double] {
    let channels = Int(info.channels)
    let isKnown = info.frames < unknownLength
    var samples: [Double] = []
    var block = [Double](repeating: 0, count: blockLength * channels)
    while true {
      let read = sf_readf_double(file, &block, sf_count_t(blockLength))
      guard read > 0 else { break }
      samples += block[..<(Int(read) * channels)]
    }
    let frames = samples.count / max(1, channels)
    guard !isKnown || frames == info.frames else {
      throw Failure(
        .badInput,
        "'\(path)' ends after \(frames) of the \(info.frames) frames its header promises.")
    }
    guard sf_error(file) == 0 else {
      throw Failure(
        .badInput, "'\(path)' cannot be read after \(frames) frames: \(error(file))")
    }
    return samples
  }

  /// What libsndfile calls the length of a file that does not tell: the largest number there is.
  private static let unknownLength = sf_count_t.max
  /// Frames that are read at a time.
  private static let blockLength = 4096

  /// Writes a WAV file of 64-bit floats.
  public func write(to path: String) throws(Failure) {
    let writer = try SoundWriter(
      path: path, temporaryPath: "\(path).\(getpid()).part", format: .wavDouble,
      sampleRate: sampleRate,
      channelCount: channelCount)
    try samples.withUnsafeBufferPointer { buffer throws(Failure) in try writer.write(buffer) }
    try writer.close()
  }

  static func error(_ file: OpaquePointer?) -> String {
    let text = String(cString: sf_strerror(file)).trimmingCharacters(in: .whitespacesAndNewlines)
    return text.hasSuffix(".") ? text : text + "."
  }
}

/// The sound files we write.
public enum SoundFormat: Sendable {
  case wavDouble, wavFloat, aiffFloat, flac24

  /// The format a file name's extension stands for.
  public init(forPath path: String) throws(Failure) {
    switch (path as NSString).pathExtension.lowercased() {
    case "wav": self = .wavFloat
    case "aif", "aiff": self = .aiffFloat
    case "flac": self = .flac24
    default:
      throw Failure(
        .usage, "'\(path)' names no format; a sound file must end in .wav, .aif, .aiff or .flac.")
    }
  }

  var code: Int {
    switch self {
    // A plain WAV file unless it grows beyond the 4 GB that one can hold: see `SoundWriter`.
    case .wavDouble: SF_FORMAT_RF64 | SF_FORMAT_DOUBLE
    case .wavFloat: SF_FORMAT_RF64 | SF_FORMAT_FLOAT
    case .aiffFloat: SF_FORMAT_AIFF | SF_FORMAT_FLOAT
    case .flac24: SF_FORMAT_FLAC | SF_FORMAT_PCM_24
    }
  }

  /// Whether samples beyond full scale survive.
  package var clips: Bool { if case .flac24 = self { true } else { false } }
}

/// A sound file being written. It carries a temporary name until `close`, so that a render that
/// fails leaves an existing file alone.
public final class SoundWriter {
  private let path: String
  private let temporaryPath: String
  private var file: OpaquePointer?
  private let channelCount: Int
  private let clips: Bool
  /// Samples that were beyond full scale and had to be clipped.
  public private(set) var clippedCount = 0

  public init(
    path: String, temporaryPath: String, format: SoundFormat, sampleRate: Double,
    channelCount: Int
  ) throws(Failure) {
    self.path = path
    self.temporaryPath = temporaryPath
    self.channelCount = channelCount
    clips = format.clips
    var info = SF_INFO()
    info.samplerate = Int32(sampleRate.rounded())
    info.channels = Int32(channelCount)
    info.format = Int32(format.code)
    guard sf_format_check(&info) != 0 else {
      throw Failure(
        .usage,
        "'\(path)': this file format cannot hold \(channelCount) channels at"
          + " \(Int(sampleRate.rounded())) Hz; write a .wav file instead.")
    }
    guard let file = sf_open(temporaryPath, Int32(SFM_WRITE), &info) else {
      throw Failure(.unwritableOutput, "'\(path)' cannot be written: \(Sound.error(nil))")
    }
    sf_command(file, Int32(SFC_SET_CLIPPING), nil, Int32(SF_TRUE))
    sf_command(file, Int32(SFC_RF64_AUTO_DOWNGRADE), nil, Int32(SF_TRUE))
    self.file = file
  }

  deinit { discard() }

  /// Appends interleaved frames, full scale at 1.
  public func write(_ samples: UnsafeBufferPointer<Double>) throws(Failure) {
    if clips { for sample in samples where abs(sample) > 1 { clippedCount += 1 } }
    let frames = sf_count_t(samples.count / channelCount)
    guard sf_writef_double(file, samples.baseAddress, frames) == frames else {
      throw Failure(.unwritableOutput, "'\(path)' cannot be written further: \(Sound.error(file))")
    }
  }

  /// Finishes the file under its own name.
  public func close() throws(Failure) {
    sf_close(file)
    file = nil
    guard rename(temporaryPath, path) == 0 else {
      let reason = String(cString: strerror(errno))
      unlink(temporaryPath)
      throw Failure(.unwritableOutput, "'\(path)' cannot be written: \(reason).")
    }
  }

  private func discard() {
    guard let file else { return }
    sf_close(file)
    unlink(temporaryPath)
  }
}
