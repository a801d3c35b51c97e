import Foundation
import HarnessBase
import TestSupport
import Testing

@Suite("Sound files")
struct SoundFileTests {
  let directory: String

  init() throws { directory = try temporaryDirectory() }

  @Test("A WAV file is a plain one with room for the header of one beyond 4 GB")
  func largeWAV() throws {
    let path = directory + "/a.wav"
    let output = try OutputFile(path)
    let writer = try SoundWriter(
      output, format: .wavFloat, sampleRate: 48_000, channelCount: 1)
    let samples = [Double](repeating: 0.5, count: 100_000)
    try samples.withUnsafeBufferPointer { try writer.write($0) }
    try writer.close()
    try output.finish()
    let head = try Data(file: path).prefix(16)
    #expect(head.prefix(4) == Data("RIFF".utf8))
    #expect(head.suffix(8) == Data("WAVEJUNK".utf8))
  }

  @Test("A sound survives the way to a file and back, beyond full scale too")
  func roundTrip() throws {
    let sound = Sound(sampleRate: 44_100, channelCount: 2, samples: [0, 1, -1, 0.1, 3.7, -1e-9])
    try sound.write(to: directory + "/a.wav")
    #expect(try Sound(readingFrom: directory + "/a.wav") == sound)
  }

  @Test("A missing, an unreadable and an empty sound file each have their own sentence")
  func unreadable() throws {
    let missing = failure { _ = try Sound(readingFrom: directory + "/none.wav") }
    #expect(missing?.kind == .missingInput)
    try "no sound".save(to: directory + "/text.wav")
    let text = failure { _ = try Sound(readingFrom: directory + "/text.wav") }
    #expect(text?.kind == .badInput)
    let folder = failure { _ = try Sound(readingFrom: directory) }
    #expect(folder?.message.contains("is a directory") == true)
  }

  @Test("A writer that is not closed leaves an existing file alone")
  func abandoned() throws {
    let path = directory + "/a.wav"
    try "precious".save(to: path)
    do {
      let writer = try SoundWriter(
        try OutputFile(path), format: .wavDouble, sampleRate: 48_000, channelCount: 1)
      try [0.5].withUnsafeBufferPointer { try writer.write($0) }
    }
    #expect(try String(file: path) == "precious")
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["a.wav"])
  }

  @Test(
    "What a killed run left beside a file is removed by the next one, what a live one writes is not"
  )
  func killed() throws {
    let path = directory + "/a.wav"
    // No process has the number 0 to others, the largest is 4194304, ours is alive.
    let (gone, alive) = ("\(path).99999999.part", "\(path).\(getppid()).part")
    let others = [directory + "/a.wav.part", directory + "/b.wav.99999999.part"]
    for file in [gone, alive] + others {
      try "half".save(to: file)
    }
    let sound = Sound(sampleRate: 44_100, channelCount: 1, samples: [0.5])
    try sound.write(to: path)
    #expect(try Sound(readingFrom: path) == sound)
    let files = FileManager.default
    #expect(!files.fileExists(atPath: gone))
    #expect(([alive] + others).allSatisfy(files.fileExists))
  }

  /// Noise, of which no encoder makes little.
  private static let noise: [Double] = {
    var state: UInt64 = 1
    return (0..<400_000).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 11) / Double(1 << 53) - 0.5
    }
  }()

  /// Writes a sound of two channels, and calls `between` when half is written. The failure that ends it.
  private func record(
    _ path: String, _ samples: [Double] = noise, keepsPart: Bool = true, room: Int = .max,
    between: () throws -> Void = {}
  ) throws -> Failure? {
    let output = try OutputFile(path)
    let writer = try SoundWriter(
      output, format: SoundFormat(forPath: path), sampleRate: 48_000, channelCount: 2,
      keepsPart: keepsPart, room: room)
    return failure {
      for half in [samples[..<(samples.count / 2)], samples[(samples.count / 2)...]] {
        try Array(half).withUnsafeBufferPointer { try writer.write($0) }
        if half.startIndex == 0 { try between() }
      }
      try writer.close()
      try output.finish()
    }
  }

  @Test(
    "On a full disk what fits of a sound file is whole and named, and replaces no other",
    arguments: ["wav", "aiff", "flac", "ogg", "opus", "mp3"])
  func fullDisk(type: String) throws {
    let path = directory + "/a.\(type)"
    // An odd limit, in the middle of a frame.
    let room = ["opus": 45_001, "mp3": 9001, "ogg": 15_001][type] ?? 150_001
    for place in [path, directory + "/a.unfinished.\(type)"] {
      let failure = try #require(try record(path, room: room))
      #expect(failure.kind == .unwritableOutput)
      #expect(
        failure.message.hasPrefix(
          "'\(path)' cannot be written: No space left on device. What fits is in '\(place)', "),
        "\(failure.message)")
      let sound = try Sound(readingFrom: place)
      #expect(sound.channelCount == 2 && sound.frameCount > 5000 && sound.frameCount < 180_000)
      #expect(failure.message.contains(String(format: "%.3f s.", sound.duration)))
      guard type == "wav" || type == "aiff" else { continue }
      let wrong = zip(sound.samples, Self.noise).count { Float($0) != Float($1) }
      #expect(wrong == 0 && sound.frameCount > 18_000, "\(wrong), \(sound.frameCount)")
    }
    let last = try #require(try record(path, keepsPart: false, room: room))
    #expect(!last.message.contains("What fits"))
    let files = try FileManager.default.contentsOfDirectory(atPath: directory)
    #expect(files.count == 2, "\(files)")
  }

  @Test(
    "Each format holds the sound, as exactly as it can",
    arguments: [
      ("wav", 1e-7), ("aiff", 1e-7), ("flac", 1e-6), ("ogg", 0.05), ("opus", 0.1), ("mp3", 0.1),
    ])
  func formats(type: String, limit: Double) throws {
    let path = directory + "/a." + type
    let sine = (0..<96_000).map { 0.5 * sin(Double.pi * 440 * Double($0 / 2) / 24_000) }
    #expect(try record(path, sine) == nil)
    let sound = try Sound(readingFrom: path)
    #expect(sound.sampleRate == 48_000 && abs(sound.frameCount - 48_000) < 4000)
    // An encoder may add a delay, so the level in the middle of the sound is compared.
    let middle = sound.samples[24_000..<72_000]
    let level = sqrt(middle.reduce(0) { $0 + $1 * $1 } / Double(middle.count))
    #expect(abs(level / sqrt(0.125) - 1) < limit)
    guard limit < 1e-5 else { return }
    let worst = zip(sine, sound.samples).map { abs($0 - $1) }.max() ?? 1
    #expect(worst < limit && sound.frameCount == 48_000)
  }

  @Test(
    "A sound file whose directory is removed meanwhile is kept, whole, in the temporary directory",
    arguments: ["wav", "flac"])
  func removedDirectory(type: String) throws {
    let (place, name) = (directory + "/removed", UUID().uuidString + "." + type)
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
    let failure = try #require(
      try record(place + "/" + name) { try FileManager.default.removeItem(atPath: place) })
    let kept = NSTemporaryDirectory() + "/" + name
    defer { unlink(kept) }
    #expect(
      failure.message
        == "'\(place)/\(name)' cannot be written: another program has removed it. What fits is in"
        + " '\(kept)', 4.167 s.")
    #expect(try Sound(readingFrom: kept).frameCount == 200_000)
  }

  @Test(
    "Of a sound file that another program shortens, what remains is whole", arguments: [0, 100_003])
  func shortened(length: Int) throws {
    let path = directory + "/a.wav"
    let failure = try #require(
      try record(path) { truncate("\(path).\(getpid()).part", length) })
    #expect(failure.message.contains("cannot be written: another program has shortened it."))
    #expect(failure.message.contains("What fits") == (length > 0))
    guard length > 0 else { return }
    let sound = try Sound(readingFrom: path)
    #expect(sound.frameCount > 12_000 && sound.frameCount <= length / 8)
    #expect(zip(sound.samples, Self.noise).allSatisfy { Float($0) == Float($1) })
  }
}
