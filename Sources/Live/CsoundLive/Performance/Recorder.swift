import Foundation
import HarnessBase
import Synchronization

/// Writes the audio loop's output to a file, on a thread of its own.
///
/// The audio thread only copies each period into a ring of two seconds. If the disk is too slow, periods are left out
/// and counted.
final class Recorder: Sendable {
  /// The writing side of the ring, for the audio loop; freed with the recorder.
  nonisolated(unsafe) let tape: UnsafeMutablePointer<RingWriter>
  private let ring: Ring
  private let isEnding = Atomic<Bool>(false)
  private let outcome = Mutex<Result<Int, Failure>>(.success(0))
  private let ended = DispatchSemaphore(value: 0)

  /// Opens the file; the format is that of its extension.
  init(_ path: String, sampleRate: Double, channels: Int) throws(Failure) {
    let seconds = Int(2 * sampleRate) * channels * MemoryLayout<Double>.stride
    guard let ring = Ring(capacity: seconds) else {
      throw .unavailable("There is no memory left for recording.")
    }
    self.ring = ring
    PartFile.rescue(path)
    let output = try OutputFile(path)
    let file = try SoundWriter(
      output, format: SoundFormat(forPath: path), sampleRate: sampleRate, channelCount: channels)
    tape = .allocate(capacity: 1)
    tape.initialize(to: ring.writer)
    nonisolated(unsafe) let writer = file
    Thread { [self] in
      let end = Result { () throws(Failure) in try self.write(writer, output, channels) }
      outcome.withLock { $0 = end }
      ended.signal()
    }.start()
  }

  deinit { tape.deallocate() }

  private func write(
    _ file: SoundWriter, _ output: OutputFile, _ channels: Int
  ) throws(Failure) -> Int {
    var reader = ring.reader
    var frames = 0
    let size = channels * MemoryLayout<Double>.stride
    while true {
      // Read before the ring, so that what was written before the end is not missed.
      let isLast = isEnding.load(ordering: .acquiring)
      let bytes = reader.count() / size * size
      if bytes > 0, let place = reader.peek(bytes) {
        let samples = UnsafeBufferPointer(
          start: place.assumingMemoryBound(to: Double.self), count: bytes / 8)
        try file.write(samples)
        reader.advance(bytes)
        frames += bytes / size
      } else if isLast {
        try file.close()
        defer { output.discard() }
        try output.finish()
        return frames
      } else {
        usleep(10_000)
      }
    }
  }

  /// Why nothing is recorded any more, which `finish` then throws; nil: all is well.
  var failure: Failure? {
    if case .failure(let failure) = outcome.withLock({ $0 }) { failure } else { nil }
  }

  /// The failure for a recording that lacks this many periods.
  static func incomplete(_ periods: Int, _ period: Int) -> Failure {
    Failure.unwritableOutput(
      "The disk was too slow: \(periods) periods of \(period) frames are missing from the recording."
    )
  }

  /// Finishes the file and returns its length in frames. The audio loop must no longer use `tape`.
  func finish() throws(Failure) -> Int {
    isEnding.store(true, ordering: .releasing)
    ended.wait()
    ended.signal()
    return try outcome.withLock { $0 }.get()
  }
}
