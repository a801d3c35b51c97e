import CSndfile
import Foundation
import HarnessBase

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
      // libsndfile may have made it before it found the format impossible.
      unlink(temporaryPath)
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
