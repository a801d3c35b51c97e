import CCallgrind
import Counting
import Foundation
import HarnessBase
import Rendering

/// Instructions one unit of an opcode takes: with it minus without it.
public struct InstructionCount: Codable, Equatable, Sendable {
  public var subject: Double
  public var rival: Double

  public init(subject: Double, rival: Double) {
    self.subject = subject
    self.rival = rival
  }
}

/// The child's side of counting.
struct InstructionCounter {
  /// Seconds of sound before the count begins, in which a signal that ends has ended.
  static let warmUp = 0.3
  /// Seconds of sound that are counted.
  static let length = 0.1
  /// How often the count is interrupted to report that the worker is alive.
  private static let slices = 64

  let renderer: Renderer
  /// Where Callgrind writes.
  let directory: String

  /// Instructions per unit of the job's subject and rival.
  func count(_ job: BenchmarkJob) throws(Failure) -> InstructionCount {
    guard ccg_ask(ccg_running_on_valgrind, nil) != 0 else {
      throw Failure(.internalFault, "A worker was to count instructions, but not under valgrind.")
    }
    Callgrind.alignHeap
    let empty = try count(job.empty, job)
    return InstructionCount(
      subject: try count(job.subject, job) - empty, rival: try count(job.rival, job) - empty)
  }

  private func count(_ orchestra: Orchestra, _ job: BenchmarkJob) throws(Failure) -> Double {
    let engine = try renderer.start(orchestra)
    var heartbeat = renderer.heartbeat()
    let cyclesPerSecond = engine.sampleRate / Double(engine.ksmps)
    func perform(_ cycles: Int) throws(Failure) {
      for _ in 0..<cycles {
        guard engine.performKsmps() else {
          throw Failure(.badInput, "The benchmark's orchestra ended before its count did.")
        }
      }
    }
    let period = job.cyclesPerPeriod
    let cycles = (Int(Self.length * cyclesPerSecond) + period) / period * period
    let slice = (cycles + Self.slices - 1) / Self.slices
    for _ in 0..<Int((Self.warmUp * cyclesPerSecond / Double(slice)).rounded(.up)) {
      try perform(slice)
      heartbeat.beat(seconds: 0)
    }
    _ = ccg_ask(ccg_start_instrumentation, nil)
    for start in stride(from: 0, to: cycles, by: slice) {
      _ = ccg_ask(ccg_toggle_collect, nil)
      try perform(min(slice, cycles - start))
      _ = ccg_ask(ccg_toggle_collect, nil)
      heartbeat.beat(seconds: 0)
    }
    _ = ccg_ask(ccg_stop_instrumentation, nil)
    return try dump() / (Double(cycles) * job.unitsPerCycle)
  }

  /// What this thread was counted since the last dump: Callgrind writes a file for each thread, this
  /// one's ends in `-01`, and begins anew.
  private func dump() throws(Failure) -> Double {
    _ = "count".withCString { ccg_ask(ccg_dump_at, $0) }
    let files = ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [])
      .filter { $0.hasPrefix("\(getpid()).") }.map { "\(directory)/\($0)" }
    defer { for file in files { try? FileManager.default.removeItem(atPath: file) } }
    let lines = files.filter { $0.hasSuffix("-01") }
      .compactMap { try? String(contentsOfFile: $0, encoding: .utf8) }
      .flatMap { $0.split(separator: "\n") }
    let totals = lines.filter { $0.hasPrefix("totals: ") }
      .compactMap { Double($0.dropFirst("totals: ".count)) }
    guard totals.count == 1 else {
      throw Failure(.internalFault, "Callgrind wrote \(totals.count) counts where 1 was asked for.")
    }
    return totals[0]
  }
}
