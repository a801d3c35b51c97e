import Foundation
import HarnessBase
import TestSupport
import Testing

@Suite("Example programs", .serialized)
struct ExampleTests {
  @Test("A melody is scheduled, heard and recorded, by a program of at most 60 lines")
  func melody() throws {
    let source = try String(file: root + "/Tests/Examples/Melody/main.swift")
    #expect(source.split(separator: "\n", omittingEmptySubsequences: false).count <= 61)
    // The article shows the same program.
    #expect(Page.named("LivePrograms").blocks.first { $0.language == "swift" }?.text == source)
    let (raw, recording) = (Rig.file(), Rig.file() + ".wav")
    let ending = try run(
      products + "/Melody", [Rig.name(["FILE=\(raw)", "RATE=48000"]), recording]
    ).good()
    #expect(ending.output.hasPrefix("plays at 48000 Hz\n") && ending.output.contains("####"))
    let sound = try Sound(readingFrom: recording).channel(0)
    let begin = try #require(sound.firstIndex { abs($0) > 1e-4 })
    #expect(begin >= 6000)
    // Eight notes an eighth of a second apart: each sounds, and after the last there is silence.
    for note in 0..<8 {
      #expect(
        sound[(begin + 6000 * note)..<(begin + 6000 * note + 3000)].contains { abs($0) > 0.01 })
    }
    #expect(try run(products + "/Melody", ["nosuch"]).exitCode == 69)
  }

  @Test("A loop station plays a recorded bar where it was heard, to the sample")
  func loopStation() throws {
    let (input, raw) = (Rig.file(), Rig.file())
    // At 480 beats per minute and 48 kHz a bar has 24000 frames: each has a click at the same place.
    var frames = [Float](repeating: 0, count: 2 * 24_000 * 10)
    for bar in 0..<10 { frames[2 * (24_000 * bar + 5000)] = 0.25 }
    try frames.withUnsafeBytes { Data($0) }.write(to: URL(fileURLWithPath: input))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: products + "/LoopStation")
    process.arguments = [
      Rig.name(["FILE=\(raw)", "RATE=48000"]), Rig.name(["FILE=\(input)", "RATE=48000"]), "480",
    ]
    let keys = Pipe()
    process.standardInput = keys
    let said = Rig.file()
    _ = FileManager.default.createFile(atPath: said, contents: nil)
    process.standardOutput = FileHandle(forWritingAtPath: said)
    process.environment = ProcessInfo.processInfo.environment
    try process.run()
    usleep(1_000_000)
    keys.fileHandleForWriting.write(Data("\n".utf8))
    usleep(2_000_000)
    keys.fileHandleForWriting.write(Data("q\n".utf8))
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let sound = try Rig.samples(of: raw)
    let clicks = stride(from: 0, to: sound.count, by: 2).filter { abs(sound[$0]) > 0.02 }
    let hadXruns = try String(file: said).contains("xruns")
    #expect(clicks.count >= 2 && clicks.count <= 8, "\(clicks.count)")
    #expect(clicks.allSatisfy { $0 / 2 % 24_000 == 5000 } || hadXruns, "\(clicks)")
  }
}
