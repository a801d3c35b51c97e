import Foundation
import HarnessBase
import TestSupport
import Testing

@testable import Comparing

@Suite("Benchmarks of a pair", .serialized)
struct BenchmarkTests {
  private let grid: Grid

  init() throws {
    grid = Grid(
      root: root, evidenceDirectory: try temporaryDirectory(), plugin: nil,
      worker: [products + "/TestWorker"])
  }

  @Test("A benchmark whose empty orchestra still has the opcode in it is refused")
  func fullOrchestra() throws {
    var pairing = try Pairing.ladder(replacing: "#ifndef EMPTY", with: "#ifndef FULL")
    pairing.cases = []
    let failure = #expect(throws: Failure.self) { try grid.benchmark(pairing) }
    #expect(failure?.message.contains("#ifndef EMPTY") == true)
  }

  @Test("A benchmark whose note fails is refused, because a note that does not sound costs nothing")
  func failedNote() throws {
    var pairing = try Pairing.ladder(
      "FAULTY_NO", replacing: "instr 1\n", with: "instr 1\n  kwrong table 0, 99999\n")
    pairing.cases = []
    let rows = try grid.benchmark(pairing, Selection(ksmps: [64], rates: ["kk"]))
    #expect(!rows.isEmpty)
    for row in rows {
      #expect(row.measurement == nil)
      #expect(row.report.failure(of: "The row").message.contains("INIT ERROR"))
    }
  }

  @Test("A silent row is timed after its signal has ended, with one call")
  func silence() throws {
    let pairing = try Pairing(readingFrom: root + "/Benchmarks/kit/MOOGLADDER-quality.json")
    let rows = try grid.rows(pairing, Selection(ksmps: [64], rates: ["k, iquality 0"]), seed: 1)
    #expect(rows.map(\.place.isSilence) == [false, true])
    #expect(rows.map(\.job.calls) == [8, 0])
    #expect(rows[0].job.cyclesBefore == 2)
    // The signal of the orchestra lasts 0.1 s.
    #expect(Double(rows[1].job.cyclesBefore) * 64 / 48_000 > 0.4)
  }

  @Test("A self-check times the calls that bench times")
  func selfCheckedRow() throws {
    let pairing = try Pairing(readingFrom: root + "/Benchmarks/kit/MOOGLADDER-quality.json")
    let row = grid.selfCheckRow(of: pairing, Selection())
    #expect(try grid.rows(pairing, row, seed: 1).first?.job.calls == 8)
  }

  @Test("The slower half of the rounds does not count")
  func undisturbed() {
    #expect(Benchmark.undisturbed([[1, 9], [3, 2], [8, 8], [2, 2]]) == [[2, 2], [3, 2]])
  }

  @Test("A benchmark measures subject and rival and gives the ratio an interval")
  func benchmark() throws {
    var pairing = try Pairing.ladder("FAULTY_NO")
    pairing.cases = []
    let rows = try grid.benchmark(pairing, Selection(ksmps: [64], rates: ["kk"]))
    #expect(rows.map(\.isSilence) == [false, true])
    let measurement = try #require(rows[0].measurement)
    #expect(measurement.subject > 0)
    #expect(measurement.rival > 0)
    #expect(measurement.ratio.low <= measurement.ratio.value)
    #expect(measurement.ratio.value <= measurement.ratio.high)
  }
}
