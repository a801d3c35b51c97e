import CSndfile
import Foundation

/// A sound file that is read block by block.
public final class SoundReader {
  private let path: String
  private let file: OpaquePointer
  public let sampleRate: Double
  public let channelCount: Int
  /// Nil if the file does not say, as a FLAC file that was written as a stream.
  public let frameCount: Int?

  /// Opens a file of any format that libsndfile reads.
  public init(_ path: String) throws(Failure) {
    try requireReadableFile(path)
    var info = SF_INFO()
    guard let file = sf_open(path, Int32(SFM_READ), &info) else {
      throw .badInput("'\(path)' is no sound file libsndfile can read: \(Sound.error(nil))")
    }
    self.path = path
    self.file = file
    sampleRate = Double(info.samplerate)
    channelCount = Int(info.channels)
    let isKnown = info.frames < sf_count_t.max && !Self.isGuessed(info, path)
    frameCount = isKnown ? Int(info.frames) : nil
    if let missing = SoundHeader(path)?.missingBytes {
      throw .badInput(
        "'\(path)' is \(missing) bytes shorter than its header promises; it was not copied or written"
          + " to its end.")
    }
  }

  /// Whether libsndfile guesses the length from the size: that of an MP3 file without a tag, such as one that was not
  /// completed.
  private static func isGuessed(_ info: SF_INFO, _ path: String) -> Bool {
    guard info.format & Int32(SF_FORMAT_SUBMASK) == SF_FORMAT_MPEG_LAYER_III else { return false }
    let head = (try? FileHandle(forReadingFrom: URL(fileURLWithPath: path)).read(upToCount: 4096))
    return !["Xing", "Info"].contains { head?.range(of: Data($0.utf8)) != nil }
  }

  deinit { sf_close(file) }

  /// Reads interleaved frames, full scale at 1, as many as fit into `samples`.
  ///
  /// - Returns: the number of frames read; 0 at the end of the file.
  public func read(_ samples: UnsafeMutableBufferPointer<Double>) throws(Failure) -> Int {
    let frames = sf_readf_double(
      file, samples.baseAddress, sf_count_t(samples.count / channelCount))
    guard sf_error(file) == 0 else {
      throw .badInput("'\(path)' cannot be read further: \(Sound.error(file))")
    }
    return Int(frames)
  }

  /// The length of the rest in seconds, found by reading it.
  func duration() throws(Failure) -> Double {
    let block = UnsafeMutableBufferPointer<Double>.allocate(capacity: 4096 * channelCount)
    defer { block.deallocate() }
    var frames = 0
    while case let count = try read(block), count > 0 { frames += count }
    return Double(frames) / sampleRate
  }
}
