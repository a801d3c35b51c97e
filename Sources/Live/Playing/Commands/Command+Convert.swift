import CommandKit
import Foundation
import HarnessBase

extension Command {
  static let convert = Command(
    name: "convert", operands: "IN OUT",
    summary: "Write a sound file in another format: \(SoundFormat.extensions).", options: []
  ) { arguments throws(Failure) in
    try arguments.requireOperands(atMost: 2)
    guard arguments.operands.count == 2 else {
      throw Failure(.usage, "convert needs two sound files; see ./opcodekit convert --help.")
    }
    let (input, output) = (arguments.operands[0], arguments.operands[1])
    Interruption.begin()
    let reader = try SoundReader(input)
    let format = try SoundFormat(forPath: output)
    let file = try OutputFile(output, inputs: [input])
    defer { file.discard() }
    let writer = try SoundWriter(
      file, format: format, sampleRate: reader.sampleRate,
      channelCount: reader.channelCount, keepsPart: false)
    let begin = Date()
    let frames = try copy(reader, writer)
    ProgressLine.clear()
    try writer.close()
    try file.finish()
    let seconds = Double(frames) / reader.sampleRate
    let speed = seconds / max(1e-6, Date().timeIntervalSince(begin))
    let clipped =
      writer.clippedCount == 0 ? "" : ", \(writer.clippedCount.counted("sample")) clipped"
    print(
      "\(output): \(seconds.formatted(3)) s, \(reader.channelCount.counted("channel")),"
        + " \(Int(reader.sampleRate)) Hz\(clipped), \(speed.formatted(0)) × real time")
    return .success
  }

  /// Copies the sound; returns the number of frames. If it is stopped, it leaves no file, because the writer uses a
  /// temporary name until it is closed.
  private static func copy(_ reader: SoundReader, _ writer: SoundWriter) throws(Failure) -> Int {
    let block = UnsafeMutableBufferPointer<Double>.allocate(capacity: 65536 * reader.channelCount)
    defer { block.deallocate() }
    var frames = 0
    while true {
      if Interruption.hasHappened { ProgressLine.clear() }
      try Interruption.check()
      let count = try reader.read(block)
      guard count > 0 else { return frames }
      try writer.write(UnsafeBufferPointer(rebasing: block[..<(count * reader.channelCount)]))
      frames += count
      if let total = reader.frameCount, total > 0 {
        ProgressLine.show("\(100 * frames / total) %")
      }
    }
  }
}
