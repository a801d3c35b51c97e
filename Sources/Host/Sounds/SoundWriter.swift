import CSndfile
import Foundation
import HarnessBase

/// Writes a sound file to the temporary part of an output file; the caller finishes the output
/// file.
package final class SoundWriter {
  private let output: OutputFile
  private let part: FilePart
  private var file: OpaquePointer?
  private let channelCount: Int
  private let clips: Bool
  /// The number of samples that were beyond full scale and were clipped.
  package private(set) var clippedCount = 0
  /// The bytes of sound written so far.
  package var byteCount: Int { part.byteCount }

  package init(
    _ output: OutputFile, format: SoundFormat, sampleRate: Double, channelCount: Int
  ) throws(Failure) {
    self.output = output
    self.channelCount = channelCount
    clips = format.clips
    var info = SF_INFO()
    info.samplerate = Int32(sampleRate.rounded())
    info.channels = Int32(channelCount)
    info.format = Int32(format.code)
    guard sf_format_check(&info) != 0 else {
      throw Failure(
        .usage,
        "'\(output.path)': this file format cannot hold \(channelCount) channels at"
          + " \(Int(sampleRate.rounded())) Hz; write a .wav file instead.")
    }
    part = FilePart(try output.open())
    var calls = FilePart.calls
    let context = Unmanaged.passUnretained(part).toOpaque()
    guard let file = sf_open_virtual(&calls, Int32(SFM_WRITE), &info, context) else {
      part.close()
      output.discard()
      if part.problem != 0 { throw output.failure(part.problem) }
      throw Failure(.unwritableOutput, "'\(output.path)' cannot be written: \(Sound.error(nil))")
    }
    sf_command(file, Int32(SFC_SET_CLIPPING), nil, Int32(SF_TRUE))
    sf_command(file, Int32(SFC_RF64_AUTO_DOWNGRADE), nil, Int32(SF_TRUE))
    self.file = file
  }

  /// Appends interleaved frames, full scale at 1.
  package func write(_ samples: UnsafeBufferPointer<Double>) throws(Failure) {
    if clips { for sample in samples where abs(sample) > 1 { clippedCount += 1 } }
    let frames = sf_count_t(samples.count / channelCount)
    let written = sf_writef_double(file, samples.baseAddress, frames)
    if part.problem != 0 { throw output.failure(part.problem) }
    guard written == frames else {
      throw Failure(
        .unwritableOutput, "'\(output.path)' cannot be written further: \(Sound.error(file))")
    }
  }

  /// Writes the remaining samples and closes the temporary file.
  package func close() throws(Failure) {
    sf_close(file)
    file = nil
    part.close()
    guard part.problem == 0 else {
      output.discard()
      throw output.failure(part.problem)
    }
  }

  deinit {
    guard let file else { return }
    sf_close(file)
    part.close()
    output.discard()
  }
}

/// The file that libsndfile writes through the functions in `calls`. They note errors, because
/// libsndfile does not report it when an encoder cannot write, such as the last frames of FLAC and
/// MP3.
private final class FilePart {
  private var file: Int32
  /// `errno` after the first call that failed; 0 if none failed.
  private(set) var problem: Int32 = 0
  private(set) var byteCount = 0

  init(_ file: Int32) { self.file = file }

  func close() {
    if Glibc.close(file) != 0, problem == 0 { problem = errno }
    file = -1
  }

  private func checked(_ result: Int) -> sf_count_t {
    if result < 0, problem == 0 { problem = errno }
    return sf_count_t(result)
  }

  private func write(_ bytes: UnsafeRawPointer, _ count: Int) -> sf_count_t {
    var written = 0
    while written < count {
      let more = Glibc.write(file, bytes + written, count - written)
      guard more >= 0 else {
        _ = checked(more)
        break
      }
      written += more
    }
    byteCount += written
    return sf_count_t(written)
  }

  static var calls: SF_VIRTUAL_IO {
    SF_VIRTUAL_IO(
      get_filelen: { context in
        let part = FilePart.of(context)
        var status = stat()
        guard part.checked(Int(fstat(part.file, &status))) == 0 else { return -1 }
        return sf_count_t(status.st_size)
      },
      seek: { offset, origin, context in
        let part = FilePart.of(context)
        return part.checked(lseek(part.file, Int(offset), origin))
      },
      read: { bytes, count, context in
        let part = FilePart.of(context)
        return part.checked(read(part.file, bytes, Int(count)))
      },
      write: { bytes, count, context in
        FilePart.of(context).write(bytes!, Int(count))
      },
      tell: { context in
        let part = FilePart.of(context)
        return part.checked(lseek(part.file, 0, SEEK_CUR))
      })
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> FilePart {
    Unmanaged.fromOpaque(context!).takeUnretainedValue()
  }
}
