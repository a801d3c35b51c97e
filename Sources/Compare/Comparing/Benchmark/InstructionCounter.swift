import CCallgrind
import Foundation
import HarnessBase
import Rendering

/// An opcode's instructions per unit: the orchestra's with the timed calls minus those without them.
public struct InstructionCount: Codable, Equatable, Sendable {
  public var subject: Double
  public var rival: Double
}

/// Counts instructions, in a worker process under Callgrind.
struct InstructionCounter {
  /// Seconds of sound before the count begins; long enough for a signal that is to end to have ended.
  static let warmUp = 0.3
  /// Seconds of sound that are counted.
  static let length = 0.1
  /// The number of parts the count is divided into, so that the worker can report that it is alive.
  private static let slices = 64
  static let fileOfInstructions = "instructions"

  let renderer: Renderer
  /// The directory of Callgrind's output files.
  let directory: String

  private func prepare() throws(Failure) {
    guard ccg_ask(ccg_running_on_valgrind, nil) != 0 else {
      throw .internalFault("A worker that counts instructions must run under valgrind.")
    }
    Callgrind.alignHeap
  }

  /// Leaves the counts of an orchestra's instructions, address by address, in Callgrind's file of the name
  /// `fileOfInstructions`. Returns the number of k-cycles.
  func leave(_ orchestra: Orchestra, _ job: BenchmarkJob) throws(Failure) -> Int {
    try prepare()
    let cycles = try perform(orchestra, job)
    _ = Self.fileOfInstructions.withCString { ccg_ask(ccg_dump_at, $0) }
    return cycles
  }

  /// Instructions per unit of the job's subject and rival.
  func count(_ job: BenchmarkJob) throws(Failure) -> InstructionCount {
    try prepare()
    let bases = try job.bases.map { base throws(Failure) in try count(base, job) }
    return InstructionCount(
      subject: try count(job.subject, job) - bases.first!,
      rival: try count(job.rival, job) - bases.last!)
  }

  private func count(_ orchestra: Orchestra, _ job: BenchmarkJob) throws(Failure) -> Double {
    let cycles = try perform(orchestra, job)
    return try dump() / (Double(cycles) * job.unitsPerCycle)
  }

  /// Performs an orchestra, counted after the warm-up. Returns the number of counted k-cycles.
  private func perform(_ orchestra: Orchestra, _ job: BenchmarkJob) throws(Failure) -> Int {
    let engine = try renderer.start(orchestra)
    var heartbeat = renderer.heartbeat()
    let cyclesPerSecond = engine.sampleRate / Double(engine.ksmps)
    func perform(_ cycles: Int) throws(Failure) {
      guard engine.performKsmps(count: cycles) else {
        throw .badInput("The benchmark's orchestra ended before its count did.")
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
    try renderer.requireNotes(of: orchestra, in: engine)
    return cycles
  }

  /// The instructions of this thread since the last dump. At each dump Callgrind writes a file for each
  /// thread and resets its counts; the name of this thread's file ends in `-01`.
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
      throw .internalFault("Callgrind wrote \(totals.count) counts instead of 1.")
    }
    return totals[0]
  }
}
