import CSndfile
import Foundation

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

  /// Reads any file format that libsndfile reads.
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

  /// All samples of a file. The number of frames may be unknown before, as in a FLAC file that was
  /// written as a stream.
  private static func samples(
    of file: OpaquePointer, _ info: SF_INFO, _ path: String
  ) throws(Failure) -> [Double] {
    let channels = Int(info.channels)
    let isKnown = info.frames < unknownLength && !isGuessed(info, path)
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

  /// Whether libsndfile guesses the length from the size: that of an MP3 file without a tag, such as one that was not
  /// completed.
  private static func isGuessed(_ info: SF_INFO, _ path: String) -> Bool {
    guard info.format & Int32(SF_FORMAT_SUBMASK) == SF_FORMAT_MPEG_LAYER_III else { return false }
    let head = (try? FileHandle(forReadingFrom: URL(fileURLWithPath: path)).read(upToCount: 4096))
    return !["Xing", "Info"].contains { head?.range(of: Data($0.utf8)) != nil }
  }

  /// The length that libsndfile reports for a file of unknown length.
  private static let unknownLength = sf_count_t.max
  /// The number of frames that are read at a time.
  private static let blockLength = 4096

  /// Writes a file; a WAV file of 64-bit floats unless `format` is another one.
  public func write(to path: String, as format: SoundFormat = .wavDouble) throws(Failure) {
    let output = try OutputFile(path)
    let writer = try SoundWriter(
      output, format: format, sampleRate: sampleRate, channelCount: channelCount)
    try samples.withUnsafeBufferPointer { buffer throws(Failure) in try writer.write(buffer) }
    try writer.close()
    defer { output.discard() }
    try output.finish()
  }

  static func error(_ file: OpaquePointer?) -> String {
    let text = String(cString: sf_strerror(file)).trimmingCharacters(in: .whitespacesAndNewlines)
    return text.hasSuffix(".") ? text : text + "."
  }
}
