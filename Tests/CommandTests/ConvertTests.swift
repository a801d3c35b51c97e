import Foundation
import HarnessBase
import Testing

@Suite("convert")
struct ConvertTests {
  /// One second of a 440 Hz sine at 48 kHz.
  private func sine() throws -> String {
    let path = try temporaryDirectory() + "/sine.wav"
    let samples = (0..<48_000).map { 0.5 * sin(2 * Double.pi * 440 * Double($0) / 48_000) }
    try Sound(sampleRate: 48_000, channelCount: 1, samples: samples).write(to: path)
    return path
  }

  @Test(
    "Each format holds the sound, as exactly as it can",
    arguments: [
      ("wav", 1e-7), ("aiff", 1e-7), ("flac", 1e-6), ("ogg", 0.05), ("opus", 0.1), ("mp3", 0.1),
    ])
  func formats(suffix: String, limit: Double) throws {
    let input = try sine()
    let output = input + "." + suffix
    let ending = try opcodekit("convert", input, output).good()
    #expect(ending.output.contains("1.0"))
    let (before, after) = (try Sound(readingFrom: input), try Sound(readingFrom: output))
    #expect(after.sampleRate == 48_000 && after.channelCount == 1)
    #expect(abs(after.frameCount - 48_000) < 4000)
    // An encoder may add a delay, so the level in the middle of the sound is compared.
    func level(_ sound: Sound) -> Double {
      let middle = sound.samples[12_000..<36_000]
      return sqrt(middle.reduce(0) { $0 + $1 * $1 } / Double(middle.count))
    }
    #expect(abs(level(after) / level(before) - 1) < limit)
    if limit < 1e-5 {
      let worst = zip(before.samples, after.samples).map { abs($0 - $1) }.max() ?? 1
      #expect(worst < limit && after.frameCount == 48_000)
    }
  }

  @Test(
    "A file that cannot be written whole is an error, and what was there stays",
    arguments: ["wav", "aiff", "flac", "ogg", "opus", "mp3"], [1, 3, 5])
  func fullDisk(suffix: String, kilobytes: Int) throws {
    let input = try sine()
    let output = input + "." + suffix
    try opcodekit("convert", input, output).good()
    let size = try Data(file: output).count
    try #require(size > 1024 * kilobytes)
    try "precious".save(to: output)
    // A limit on file size, in blocks of 512 bytes, simulates a full disk.
    try run(
      "/bin/sh",
      [
        "-c", "trap '' XFSZ; ulimit -f \(2 * kilobytes); exec \"$0\" convert \"$1\" \"$2\"",
        tool, input, output,
      ],
      environment: ["OPCODEKIT_ROOT": root]
    ).refused(73, "cannot be written: File too large.")
    #expect(try String(file: output) == "precious")
    let names = try FileManager.default.contentsOfDirectory(
      atPath: (input as NSString).deletingLastPathComponent)
    #expect(names.count == 2)
  }

  @Test("A file is not converted onto itself, by no name")
  func itself() throws {
    let input = try sine()
    let before = try Data(file: input)
    let directory = (input as NSString).deletingLastPathComponent
    symlink("sine.wav", directory + "/link.wav")
    link(input, directory + "/hard.wav")
    for output in [input, directory + "/link.wav", directory + "/hard.wav"] {
      try opcodekit("convert", input, output).refused(64, "is the same file")
    }
    #expect(try Data(file: input) == before)
  }

  @Test("What cannot be converted is said, and nothing is left behind")
  func refusals() throws {
    let input = try sine()
    let directory = (input as NSString).deletingLastPathComponent
    #expect(try opcodekit("convert", input).exitCode == 64)
    #expect(try opcodekit("convert", input, directory + "/a.xyz").exitCode == 64)
    #expect(try opcodekit("convert", directory + "/none.wav", directory + "/a.wav").exitCode == 66)
    #expect(try opcodekit("convert", input, "/nosuch/a.wav").exitCode == 73)
    // Opus does not support 44.1 kHz.
    let odd = try temporaryDirectory() + "/odd.wav"
    try Sound(sampleRate: 44_100, channelCount: 1, samples: [0, 0]).write(to: odd)
    #expect(try opcodekit("convert", odd, directory + "/a.opus").exitCode == 73)
    try Data(count: 100).write(to: URL(fileURLWithPath: directory + "/noise.wav"))
    #expect(
      try opcodekit("convert", directory + "/noise.wav", directory + "/a.wav").exitCode == 65)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: directory).sorted() == [
        "noise.wav", "sine.wav",
      ])
  }
}
