import HarnessBase
import Rendering

/// Measures the costs of a subject and a rival.
public struct BenchmarkJob: Job {
  public var subject: Orchestra
  public var rival: Orchestra
  /// The calls in each note that are timed beside a first one; 0 if the only call is timed.
  public var calls: Int
  public var unitsPerCycle: Double
  /// The number of k-cycles after which the opcodes' work repeats.
  public var cyclesPerPeriod: Int
  /// The k-cycles before the first that is timed, 2 at least: the first one allocates the notes.
  public var cyclesBefore = 2
  public var seed: UInt64
  /// The fraction of uncounted extra work the subject does; 0 except to check the benchmark itself.
  public var extraWork = 0.0
  public var effort = Benchmark.Effort.full
  /// Whether the memory per note is measured, too.
  public var countsBytes = false

  /// What is subtracted from the subject's cost, and from the rival's: the orchestra with the first call alone, or,
  /// the same for both, without any.
  var bases: [Orchestra] {
    (calls > 0 ? [subject, rival] : [subject]).map { $0.with(["EMPTY": "1"]) }
  }

  public func perform(in worker: WorkerContext) throws(Failure) -> ProcessTiming {
    var benchmark = Benchmark()
    benchmark.seed = seed
    benchmark.extraWork = extraWork
    benchmark.engineSets = effort.engineSets
    benchmark.countsBytes = countsBytes
    return try benchmark.measure(
      subject: subject, rival: rival, bases: bases, calls: max(1, calls),
      unitsPerCycle: unitsPerCycle, cyclesPerPeriod: cyclesPerPeriod,
      cyclesBefore: cyclesBefore, with: worker.renderer)
  }
}

/// Counts the instructions of the orchestras that a benchmark would time, in a worker under Callgrind.
public struct CountJob: Job {
  public var benchmark: BenchmarkJob
  /// The directory of Callgrind's output files.
  public var directory: String

  public func perform(in worker: WorkerContext) throws(Failure) -> InstructionCount {
    try InstructionCounter(renderer: worker.renderer, directory: directory).count(benchmark)
  }
}

/// Counts the instructions of a benchmark's subject, or of its rival, address by address, in a worker under Callgrind.
/// The reply is the number of k-cycles.
struct AddressCountJob: Job {
  var benchmark: BenchmarkJob
  var isOfRival: Bool
  /// The directory of Callgrind's output files.
  var directory: String

  func perform(in worker: WorkerContext) throws(Failure) -> Int {
    try InstructionCounter(renderer: worker.renderer, directory: directory)
      .leave(isOfRival ? benchmark.rival : benchmark.subject, benchmark)
  }
}
