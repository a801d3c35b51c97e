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
    let reader = try SoundReader(path)
    (sampleRate, channelCount, samples) = (reader.sampleRate, reader.channelCount, [])
    var block = [Double](repeating: 0, count: 4096 * channelCount)
    while true {
      let frames = try block.withUnsafeMutableBufferPointer { buffer throws(Failure) in
        try reader.read(buffer)
      }
      guard frames > 0 else { break }
      samples += block[..<(frames * channelCount)]
    }
    if let promised = reader.frameCount, promised != frameCount {
      throw .badInput(
        "'\(path)' ends after \(frameCount) of the \(promised) frames its header promises.")
    }
    guard !samples.isEmpty else {
      throw .badInput("'\(path)' is a sound file without any samples.")
    }
  }

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
