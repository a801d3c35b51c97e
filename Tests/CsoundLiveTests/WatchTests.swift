import Foundation
import TestSupport
import Testing

@Suite("The audio thread outside Csound", .serialized)
struct WatchTests {
  /// How often it allocated and locked, as Tests/LiveWatch has counted.
  private func watched(_ words: String...) throws -> (allocations: Int, locks: Int) {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: products + "/LiveWatch")
    process.arguments = [words[0], Rig.file() + ".wav"] + words.dropFirst()
    process.standardOutput = output
    try process.run()
    process.waitUntilExit()
    let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    let match = try #require(text.firstMatch(of: /(\d+) allocations, (\d+) locks/), "\(text)")
    return (Int(match.1)!, Int(match.2)!)
  }

  @Test("It allocates nothing and takes no lock")
  func nothing() throws {
    let alone = try watched("null")
    #expect(alone.allocations == 0 && alone.locks == 0)
    // ALSA locks its own device, which nobody else uses.
    #expect(try watched(Rig.name(["FORMATS=S16_LE"])).allocations == 0)
  }

  @Test("A function of a binding that allocates is caught")
  func caught() throws {
    #expect(try watched("null", "allocating").allocations > 50)
  }
}
