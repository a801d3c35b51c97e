import Foundation
import HarnessBase
import Sounds
import TestSupport
import Testing

@Suite("Sound files")
struct SoundFileTests {
  let directory: String

  init() throws { directory = try temporaryDirectory() }

  func failure(_ work: () throws -> Void) -> Failure? {
    do {
      try work()
      return nil
    } catch {
      return error as? Failure
    }
  }

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
    let head = try Data(contentsOf: URL(fileURLWithPath: path)).prefix(16)
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
    try "no sound".write(toFile: directory + "/text.wav", atomically: true, encoding: .utf8)
    let text = failure { _ = try Sound(readingFrom: directory + "/text.wav") }
    #expect(text?.kind == .badInput)
    let folder = failure { _ = try Sound(readingFrom: directory) }
    #expect(folder?.message.contains("is a directory") == true)
  }

  @Test("A file that cannot be written is an output failure")
  func unwritable() {
    let sound = Sound(sampleRate: 44_100, channelCount: 1, samples: [0])
    #expect(failure { try sound.write(to: directory + "/no/a.wav") }?.kind == .unwritableOutput)
  }

  @Test("A writer that is not closed leaves an existing file alone")
  func abandoned() throws {
    let path = directory + "/a.wav"
    try "precious".write(toFile: path, atomically: true, encoding: .utf8)
    do {
      let writer = try SoundWriter(
        try OutputFile(path), format: .wavDouble, sampleRate: 48_000, channelCount: 1)
      try [0.5].withUnsafeBufferPointer { try writer.write($0) }
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
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
      try "half".write(toFile: file, atomically: true, encoding: .utf8)
    }
    let sound = Sound(sampleRate: 44_100, channelCount: 1, samples: [0.5])
    try sound.write(to: path)
    #expect(try Sound(readingFrom: path) == sound)
    let files = FileManager.default
    #expect(!files.fileExists(atPath: gone))
    #expect(([alive] + others).allSatisfy(files.fileExists))
  }
}
