import Foundation
import HarnessBase
import Synchronization

/// An engine as a channel of a mixer.
struct EngineSource: BitwiseCopyable {
  let voice: UnsafeMutablePointer<EngineVoice>
  /// One period in the engine's own channels.
  let frames: UnsafeMutablePointer<Double>
}

@c(csound_live_mix_engine) @_noLocks @_noAllocation
func mixEngine(
  _ memory: UnsafeMutableRawPointer?, _ frames: UnsafeMutablePointer<Double>, _ count: Int,
  _ channels: Int
) {
  guard let source = memory?.assumingMemoryBound(to: EngineSource.self) else { return }
  let voice = source.pointee.voice
  var adapter = voice.pointee.adapter
  adapter.fill(source.pointee.frames, count, from: nil, &voice.pointee)
  voice.pointee.adapter = adapter
  let (width, scale) = (voice.pointee.channels, voice.pointee.outputScale)
  for frame in 0..<count {
    for channel in 0..<channels {
      let from = width == 1 && channel == 1 ? 0 : channel
      let sample = from < width ? source.pointee.frames[frame &* width &+ from] * scale : 0
      // An infinite sample or NaN would stay in every mix to come.
      frames[frame &* channels &+ channel] = abs(sample) < .infinity ? sample : 0
    }
  }
}

/// A sound file that another thread reads ahead of the audio thread.
struct FileSource: BitwiseCopyable {
  var reader: RingReader
  let channels: Int
}

@c(csound_live_mix_file) @_noLocks @_noAllocation
func mixFile(
  _ memory: UnsafeMutableRawPointer?, _ frames: UnsafeMutablePointer<Double>, _ count: Int,
  _ channels: Int
) {
  guard let source = memory?.assumingMemoryBound(to: FileSource.self) else { return }
  let width = source.pointee.channels
  let size = width &* MemoryLayout<Double>.stride
  let ready = min(count, source.pointee.reader.count() / size)
  var frame = 0
  if ready > 0, let place = source.pointee.reader.peek(ready &* size) {
    let samples = place.assumingMemoryBound(to: Double.self)
    while frame < ready {
      for channel in 0..<channels {
        let from = width == 1 && channel == 1 ? 0 : channel
        frames[frame &* channels &+ channel] = from < width ? samples[frame &* width &+ from] : 0
      }
      frame &+= 1
    }
    source.pointee.reader.advance(ready &* size)
  }
}

/// The thread that reads a file for a mixer, two seconds ahead. `init` returns when the first two seconds are read.
final class FileStreamer: Sendable {
  nonisolated(unsafe) let source: UnsafeMutablePointer<FileSource>
  private let ring: Ring
  private let isEnding = Atomic<Bool>(false)

  init(_ path: String, sampleRate: Double) throws(Failure) {
    let file = try SoundReader(path)
    guard file.sampleRate == sampleRate else {
      throw .badInput(
        "'\(path)' has \(Int(file.sampleRate)) Hz and the performance \(Int(sampleRate)) Hz;"
          + " they must be the same.")
    }
    let size = file.channelCount * MemoryLayout<Double>.stride
    guard let ring = Ring(capacity: 2 * Int(sampleRate) * size) else {
      throw .unavailable("There is no memory left for the sound file.")
    }
    self.ring = ring
    source = .allocate(capacity: 1)
    source.initialize(to: FileSource(reader: ring.reader, channels: file.channelCount))
    nonisolated(unsafe) let reader = file
    let ready = DispatchSemaphore(value: 0)
    Thread { [self] in read(reader, size, ready) }.start()
    ready.wait()
  }

  deinit { source.deallocate() }

  func end() { isEnding.store(true, ordering: .releasing) }

  private func read(_ file: SoundReader, _ size: Int, _ ready: DispatchSemaphore) {
    var writer = ring.writer
    let block = UnsafeMutableBufferPointer<Double>.allocate(capacity: 4096 * file.channelCount)
    defer {
      block.deallocate()
      ready.signal()
    }
    while !isEnding.load(ordering: .acquiring) {
      guard let count = try? file.read(block), count > 0 else { return }
      while !writer.write(block.baseAddress!, count * size) {
        ready.signal()
        guard !isEnding.load(ordering: .acquiring) else { return }
        usleep(10_000)
      }
    }
  }
}
