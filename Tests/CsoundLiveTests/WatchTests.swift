import Foundation
import HarnessBase
import TestSupport
import Testing

@Suite("The audio thread outside Csound", .serialized)
struct WatchTests {
  /// What Tests/LiveWatch says.
  private func said(_ words: [String]) throws -> String {
    try ChildProcess.run(products + "/LiveWatch", words, showsErrors: true).output
  }

  /// How often it allocated and locked.
  private func watched(_ words: String...) throws -> (allocations: Int, locks: Int) {
    let text = try said([words[0], Rig.file() + ".wav"] + words.dropFirst())
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

  @Test("Performances come and go in one process: no descriptor and little memory stays")
  func remains() throws {
    let text = try said(["cycles", "40"])
    let match = try #require(text.firstMatch(of: /(-?\d+) descriptors, (-?\d+) pages/), "\(text)")
    #expect(match.1 == "0")
    // Each has rings of some megabytes: a leak of one of them alone would be 40 times as much.
    #expect(Int(match.2)! < 40 * 256)
  }

  @Test("A function of a binding that allocates is caught, and one that locks")
  func caught() throws {
    #expect(try watched("null", "allocating").allocations > 50)
    let locking = try watched("null", "locking")
    #expect(locking.allocations == 0 && locking.locks > 50)
  }

  @Test(
    "For long, on the rig: what is heard is the offline render, whatever the period and ksmps",
    arguments: [("1", "256"), ("100", "64")])
  func long(ksmps: String, period: String) throws {
    _ = Rig.configuration
    let text = try said(["hour", "6", ksmps, period, "10"])
    let match = try #require(text.firstMatch(of: /(\d+) frames of 288000, (\d+) differ/), "\(text)")
    #expect(Int(match.1)! >= 288_000 && match.2 == "0")
  }
}
