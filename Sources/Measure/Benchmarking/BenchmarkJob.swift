import HarnessBase
import Rendering
import Workers

/// Measures a subject's cost against a rival's.
public struct BenchmarkJob: Job {
  public var subject: Orchestra
  public var rival: Orchestra
  public var empty: Orchestra
  public var unitsPerCycle: Double
  /// After how many k-cycles the opcodes' work repeats.
  public var cyclesPerPeriod: Int
  public var seed: UInt64
  /// The fraction of work the subject does beyond what is counted; 0 but where a benchmark is judged.
  public var extraWork = 0.0
  public var effort = Benchmark.Effort.full
  /// Whether the memory of a note is measured, too.
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

/// Counts the instructions of what a benchmark would time, in a worker under Callgrind.
public struct CountJob: Job {
  public var benchmark: BenchmarkJob
  /// Where Callgrind writes.
  public var directory: String

  public func perform(in worker: WorkerContext) throws(Failure) -> InstructionCount {
    try InstructionCounter(renderer: worker.renderer, directory: directory).count(benchmark)
  }
}
