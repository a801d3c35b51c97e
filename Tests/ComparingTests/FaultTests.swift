@testable import Comparing
import Foundation
import HarnessBase
import Synchronization
import TestSupport
import Testing

@Suite("Compare catches every faulty ladder, and not the clean one", .serialized)
struct FaultTests {
  let evidence: String

  init() throws { evidence = try temporaryDirectory() }

  func compare(
    _ subject: String, _ cases: Set<String>? = ["noise", "impulse"], timeLimit: Double = 60
  ) throws -> [ComparedCase] {
    var pairing = try Pairing.ladder(subject)
    if let cases { pairing.cases.removeAll { !cases.contains($0.name) } }
    let grid = Grid(
      root: root, evidenceDirectory: evidence, plugin: nil, worker: [products + "/TestWorker"],
      timeLimit: timeLimit)
    let compared = try grid.compare(
      pairing, Selection(ksmps: [64], sampleRates: [48_000], rates: ["kk"]))
    #expect(compared.count == cases?.count ?? 12)
    return compared
  }

  @Test(
    "A wrong gain, delay, click or edge exceeds the tolerance",
    arguments: ["FAULTY_GAIN", "FAULTY_DELAY", "FAULTY_CLICK", "FAULTY_EDGE", "FAULTY_SILENCE"])
  func audible(subject: String) throws {
    for item in try compare(subject) {
      #expect(item.comparison?.verdict == .exceedsTolerance, "\(item.name)")
      let difference = try Sound(readingFrom: item.evidence.difference)
      let worst = try #require(item.comparison?.worst)
      #expect(difference.samples[worst.frame] == worst.subject - worst.rival)
      #expect(difference.samples.map(abs).max() == abs(worst.subject - worst.rival))
    }
  }

  @Test("The click is found at its sample")
  func clickPosition() throws {
    for item in try compare("FAULTY_CLICK") { #expect(item.comparison?.worst.frame == 4999) }
  }

  @Test("NaN is found at its first sample")
  func notFinite() throws {
    for item in try compare("FAULTY_NAN") {
      #expect(item.comparison?.verdict == .notFinite)
      #expect(item.comparison?.worst.frame == 1000)
    }
  }

  @Test(
    "A crash costs its own case, one that never returns is stopped, one nobody has fails in Csound's words",
    arguments: ["FAULTY_CRASH", "FAULTY_HANG", "NOBODY_HAS_THIS"])
  func fails(subject: String) throws {
    for item in try compare(subject, timeLimit: 2) {
      switch (subject, item.report) {
      case ("FAULTY_CRASH", .crashed), ("FAULTY_HANG", .timedOut): #expect(!item.passed)
      case ("NOBODY_HAS_THIS", .failed(let failure)):
        #expect(failure.kind == .badInput && failure.message.contains(subject))
      default: Issue.record("\(item.name): \(item.report)")
      }
    }
  }

  @Test("An orchestra that does not take the opcode from outside is refused")
  func fixedOpcode() throws {
    let pairing = try Pairing.ladder(
      replacing: "afiltered $OPCODE", with: "afiltered moogladder")
    let grid = Grid(
      root: root, evidenceDirectory: evidence, plugin: nil, worker: [products + "/TestWorker"])
    let failure = #expect(throws: Failure.self) { try grid.compare(pairing) }
    #expect(failure?.message.contains("never uses the macro OPCODE") == true)
  }

  @Test("After four time-outs the rest of a run is not started, and does not pass")
  func manyHangs() throws {
    let cases = try compare("FAULTY_HANG", nil, timeLimit: 1)
    #expect(cases.allSatisfy { !$0.passed })
    let notRun = cases.filter { if case .notRun = $0.report { true } else { false } }
    #expect(notRun.count >= 6)
  }

  @Test("A row of bench that does not come to an end is told")
  func hangingRow() throws {
    let grid = Grid(
      root: root, evidenceDirectory: evidence, plugin: nil, worker: [products + "/TestWorker"],
      timeLimit: 1)
    var pairing = try Pairing.ladder("FAULTY_HANG")
    pairing.cases.removeAll { $0.name != "impulse" }
    let rows = Mutex<[BenchmarkRow]>([])
    _ = try grid.benchmark(
      pairing, Selection(ksmps: [64], sampleRates: [48_000], rates: ["kk"]),
      effort: .verdict, finished: { row in rows.withLock { $0.append(row) } })
    let failure = rows.withLock { $0.first?.failure }
    #expect(failure?.message.contains("nothing happened for 1 s while it performed") == true)
  }
}

extension Pairing {
  /// MOOGLADDER's pair with another subject, or with something else in its orchestra.
  static func ladder(
    _ subject: String = "MOOGLADDER", replacing text: String = "", with other: String = ""
  ) throws -> Pairing {
    var pairing = try Pairing(readingFrom: root + "/Benchmarks/MOOGLADDER.json")
    pairing.subject = subject
    guard !text.isEmpty else { return pairing }
    let orchestra = try String(file: root + "/" + pairing.orchestra)
    pairing.orchestra = try temporaryDirectory() + "/ladder.csd"
    try orchestra.replacing(text, with: other).save(to: pairing.orchestra)
    return pairing
  }
}
