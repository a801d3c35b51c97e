import HarnessBase
import Rendering
import Workers

/// Measures the costs of a subject and a rival.
public struct BenchmarkJob: Job {
  public var subject: Orchestra
  public var rival: Orchestra
  public var empty: Orchestra
  public var unitsPerCycle: Double
  /// The number of k-cycles after which the opcodes' work repeats.
  public var cyclesPerPeriod: Int
  public var seed: UInt64
  /// The fraction of uncounted extra work the subject does; 0 except to check the benchmark itself.
  public var extraWork = 0.0
  public var effort = Benchmark.Effort.full
  /// Whether the memory per note is measured, too.
  public var countsBytes = false

  public func perform(in worker: WorkerContext) throws(Failure) -> ProcessTiming {
    var benchmark = Benchmark()
    benchmark.seed = seed
    benchmark.extraWork = extraWork
    benchmark.engineSets = effort.engineSets
    benchmark.countsBytes = countsBytes
    return try benchmark.measure(
      subject: subject, rival: rival, empty: empty, unitsPerCycle: unitsPerCycle,
      cyclesPerPeriod: cyclesPerPeriod, with: worker.renderer)
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
