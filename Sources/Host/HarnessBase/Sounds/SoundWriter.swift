import CSndfile
import Foundation

/// Writes a sound file to the temporary part of an output file; the caller finishes the output
/// file.
///
/// If the file cannot be written any more, as when the disk is full, what fits is completed and put in place at once. It
/// does not replace a whole file. The failure names it.
package final class SoundWriter {
  private let output: OutputFile
  private let part: FilePart
  private var file: OpaquePointer?
  private let format: SoundFormat
  private let channelCount: Int
  private let keepsPart: Bool
  /// The whole frames that the file has, and its length in bytes with them.
  private var complete = (frames: 0, length: 0)
  /// Frames that are written at a time, the most that a failure loses in a format without an encoder.
  private static let blockLength = 1024
  /// The number of samples that were beyond full scale and were clipped.
  package private(set) var clippedCount = 0
  /// The bytes that the file has after the last write.
  package var byteCount: Int { complete.length }

  /// With `keepsPart` false nothing is kept of a file that cannot be written to its end. `room` is the most bytes that
  /// the file may have.
  package init(
    _ output: OutputFile, format: SoundFormat, sampleRate: Double, channelCount: Int,
    keepsPart: Bool = true, room: Int = .max
  ) throws(Failure) {
    (self.output, self.format) = (output, format)
    (self.channelCount, self.keepsPart) = (channelCount, keepsPart)
    var info = SF_INFO()
    info.samplerate = Int32(sampleRate.rounded())
    info.channels = Int32(channelCount)
    info.format = Int32(format.code)
    guard sf_format_check(&info) != 0 else {
      throw .usage(
        "'\(output.path)': this file format cannot hold \(channelCount) channels at"
          + " \(Int(sampleRate.rounded())) Hz; write a .wav file instead.")
    }
    part = FilePart(try output.open(), isEncoded: format.sampleSize == nil, room: room)
    var calls = FilePart.calls
    let context = Unmanaged.passUnretained(part).toOpaque()
    guard let file = sf_open_virtual(&calls, Int32(SFM_WRITE), &info, context) else {
      part.close()
      output.discard()
      if let problem = part.problem { throw output.failure(problem) }
      throw .unwritableOutput("'\(output.path)' cannot be written: \(Sound.error(nil))")
    }
    sf_command(file, Int32(SFC_SET_CLIPPING), nil, Int32(SF_TRUE))
    sf_command(file, Int32(SFC_RF64_AUTO_DOWNGRADE), nil, Int32(SF_TRUE))
    self.file = file
  }

  /// Appends interleaved frames, full scale at 1.
  package func write(_ samples: UnsafeBufferPointer<Double>) throws(Failure) {
    if format.clips { for sample in samples where abs(sample) > 1 { clippedCount += 1 } }
    var rest = samples[...]
    while !rest.isEmpty {
      let block = UnsafeBufferPointer(rebasing: rest.prefix(Self.blockLength * channelCount))
      let frames = sf_count_t(block.count / channelCount)
      part.require(complete.length)
      let written = part.problem == nil ? sf_writef_double(file, block.baseAddress, frames) : 0
      guard part.problem == nil else { throw failure() }
      guard written == frames else {
        throw .unwritableOutput("'\(output.path)' cannot be written further: \(Sound.error(file))")
      }
      complete = (complete.frames + Int(frames), Int(part.status.st_size))
      rest = rest.dropFirst(block.count)
    }
  }

  /// Writes the remaining samples and closes the temporary file.
  package func close() throws(Failure) {
    part.require(complete.length)
    if part.problem == nil {
      sf_close(file)
      file = nil
      part.requireName()
      if part.problem == nil { part.close() }
    }
    guard part.problem == nil else { throw failure() }
  }

  /// Completes what fits, puts it in place, and says so.
  private func failure() -> Failure {
    let failure = output.failure(part.problem ?? "")
    if let file {
      if let size = format.sampleSize.map({ $0 * channelCount }) {
        let length = min(complete.length, Int(part.status.st_size))
        complete.frames = max(0, complete.frames - (complete.length - length + size - 1) / size)
        // libsndfile cannot cut what it writes through functions. It goes to the frame, and notes that it is the last.
        var frames = sf_count_t(complete.frames)
        sf_command(file, Int32(SFC_FILE_TRUNCATE), &frames, Int32(MemoryLayout<sf_count_t>.size))
        part.cut(to: Int(lseek(part.file, 0, SEEK_CUR)))
      }
      sf_close(file)
    }
    file = nil
    defer {
      part.close()
      output.discard()
    }
    guard keepsPart, complete.frames > 0 else { return failure }
    do throws(Failure) {
      let path = try output.keepPart(part.file)
      let seconds = (try? SoundReader(path).duration()).map { String(format: "%.3f s", $0) }
      return Failure(
        failure.kind,
        "\(failure.message) What fits is in '\(path)', \(seconds ?? "too little to be read").")
    } catch {
      return Failure(failure.kind, "\(failure.message) Nothing can be kept: \(error.message)")
    }
  }

  deinit {
    guard let file else { return }
    sf_close(file)
    part.close()
    output.discard()
  }
}
