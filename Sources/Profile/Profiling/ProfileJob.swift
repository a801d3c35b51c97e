import HarnessBase
public import Rendering

/// Renders an orchestra and measures its time, with or without the time of each opcode call.
public struct ProfileJob: Job {
  public var orchestra: Orchestra
  /// Seconds of sound after which it stops; nil for the score's end.
  public var limit: Double?
  /// The largest part of the rendering time that tracing may take, 0 to 1. With 0 every call is timed;
  /// nil for no tracing.
  public var tracingShare: Double?
  /// The seed of the random choice of k-cycles to time.
  public var seed: UInt64

  public var mode = Mode.times
  /// In `faster`: the sandbox the piece plays in, and the time in seconds after which it stops.
  public var stage: PieceStage?
  public var cutOff: Double?

  public enum Mode: String, Codable, Sendable {
    case times
    /// Counts the instructions of each call, under Callgrind.
    case counts
    /// Lists the addresses of opcodes' functions, for samples of the program counter.
    case functions
  }

  public init(
    orchestra: Orchestra, limit: Double?, tracingShare: Double?, seed: UInt64 = 1,
    mode: Mode = .times
  ) {
    (self.orchestra, self.limit, self.tracingShare) = (orchestra, limit, tracingShare)
    (self.seed, self.mode) = (seed, mode)
  }

  public func perform(in worker: WorkerContext) throws(Failure) -> ProfileTake {
    try Tracer(
      renderer: worker.renderer, counter: mode == .counts ? CallCounter() : nil,
      listsFunctions: mode == .functions
    ).render(self)
  }
}

/// The measurements of one render. Times are in seconds.
public struct ProfileTake: Codable, Sendable {
  public var sampleRate: Double
  public var ksmps: Int
  public var soundSeconds: Double
  /// A digest of all samples (FNV-1a, 64 bits).
  public var digest: UInt64
  /// The time to read and compile the orchestra, including its global init pass.
  public var startSeconds: Double
  /// The elapsed time of all k-cycles, including the measuring around them.
  public var performSeconds: Double
  public var load: Load
  public var trace: Trace?
  /// The addresses of opcodes' functions, and the time from the first k-cycle to the last, in seconds of
  /// the system's monotonic clock.
  public var functions: FunctionMap?
  public var performance: ClosedRange<Double>?
  public var noteErrors: [String]
  /// Whether a render without a limit was stopped at `Renderer.longestUnlimited` or at `cutOff`.
  public var wasCutOff: Bool

  /// The times of all k-cycles.
  public struct Load: Codable, Sendable {
    public var cycles: Int
    /// k-cycles during which the system gave the processor to other threads. They are left out of the
    /// following figures.
    public var disturbedCycles: Int
    /// The time of all k-cycles, extrapolated from the undisturbed ones, and of the longest.
    public var seconds: Double
    public var worst: Double
    /// The number of the longest k-cycle, counted from 0.
    public var worstCycle: Int
    /// k-cycles that took longer than their sound lasts.
    public var lateCycles: Int
    /// The largest delay behind real time; an output buffer of that length avoids dropouts.
    public var largestBacklog: Double
    public var cyclesPerStretch: Int
    public var stretches: [Stretch]
  }

  /// The times of a stretch of consecutive k-cycles.
  public struct Stretch: Codable, Sendable {
    public var cycles: Int
    /// k-cycles that were not disturbed. The following figures are based on them.
    public var calmCycles: Int
    /// The time of all k-cycles of the stretch, extrapolated, and of the longest.
    public var seconds: Double
    public var worst: Double
    public var lateCycles: Int
    /// The largest number of notes at the same time; known only with tracing.
    public var mostNotes: Int
  }

  public struct Trace: Codable, Sendable {
    public var cost: Cost
    public var cycles: Cycles
    public var engine: Engine
    /// Each call comes after its caller.
    public var calls: [Call]
    public var instruments: [Instrument]
  }

  /// The overhead of tracing, measured on an opcode that does nothing, in seconds: `pass` is included in
  /// the measured time of a pass; `entering` is measured before the first pass of a body, `repeating`
  /// before the body runs again; `whole` is the total by which a pass becomes longer.
  public struct Cost: Codable, Sendable {
    public var pass: Double
    public var entering: Double
    public var repeating: Double
    public var whole: Double
  }

  /// The time of all k-cycles without the starting of notes, which is timed in every k-cycle.
  public struct Cycles: Codable, Sendable {
    /// k-cycles that were timed.
    public var drawn: Int
    /// k-cycles that the following figures cover.
    public var covered: Int
    /// Of the undisturbed k-cycles covered: those that were timed, and those in which no call was traced
    /// (plain).
    public var timed: Int
    public var plain: Int
    /// The time of the k-cycles covered, extrapolated from the timed and the plain ones; and the part of
    /// it that is the overhead of tracing opcodes that do nothing.
    public var seconds: Double
    public var tracing: Double
    /// The same for the timed k-cycles alone.
    public var timedSeconds: Double
    public var timedTracing: Double
    /// The additional time of timed k-cycles over plain ones, divided by the overhead of tracing opcodes
    /// that do nothing; 1 if it is unknown.
    public var tracingFactor: Double
    /// The tracer's time between k-cycles.
    public var beside: Double
  }

  /// The engine's own time in the k-cycles covered, extrapolated from the timed ones.
  public struct Engine: Codable, Sendable {
    public var beforeNotes: Double
    public var betweenNotes: Double
    public var afterNotes: Double
    /// The part of the first two that is the overhead of tracing opcodes that do nothing.
    public var tracingBefore: Double
    public var tracingBetween: Double
    /// Events and the starting of notes, without the notes' init passes, in all k-cycles.
    public var starting: Double
    /// The time to create records of calls.
    public var recording: Double
    public var unrecorded: Int
    public var threads: Int
  }

  /// A statement at its place in the tree of calls, with its times, which include tracing overhead.
  public struct Call: Codable, Sendable {
    /// The index of the call that contains it; nil for a call by the engine.
    public var caller: Int?
    public var statement: Statement
    /// The instrument or user-defined opcode the statement is in.
    public var body: Body
    public var thread: Int
    /// Samples in a pass.
    public var ksmps: Int
    /// Passes that were traced, and those of them that were timed in undisturbed k-cycles.
    public var passes: Int
    public var timedPasses: Int
    /// In the k-cycles covered, extrapolated from the timed passes: the number of passes, their own time,
    /// and the part of that time that is the overhead of tracing opcodes that do nothing.
    public var estimatedPasses: Double
    public var seconds: Double
    public var tracing: Double
    /// The standard error of `seconds` from not timing every k-cycle, as a part of the time of all
    /// k-cycles; nil if too few were timed.
    public var samplingError: Double?
    /// The longest time in one k-cycle, including the calls inside it.
    public var worst: Double
    public var inits: Int
    public var initSeconds: Double
    public var worstInit: Double
  }

  public struct Statement: Codable, Hashable, Sendable {
    /// Distinguishes statements with the same content.
    public var id: UInt64
    /// The opcode's name in Csound's opcode list, such as `oscili.a` or `##add.aa`.
    public var opcode: String
    public var outputs: [String]
    public var inputs: [String]
    /// The line that Csound reports: often the following line; 0 if it has none.
    public var line: Int
    /// Csound's number of the file: 1 is the CSD.
    public var file: Int
    /// Its index among the statements of its instrument.
    public var index: Int
    /// Whether it was compiled during the performance, from a string.
    public var isLate: Bool
  }

  public struct Body: Codable, Hashable, Sendable {
    public var id: UInt64
    public var number: Int
    public var name: String?
    public var isUserOpcode: Bool
    /// Its index among the instruments and user-defined opcodes of the file; nil if it was compiled
    /// during the performance.
    public var place: Int?
  }

  public struct Instrument: Codable, Sendable {
    public var body: Body
    public var notesBegun: Int
    public var mostNotes: Int
    /// The longest time of all its notes together in a timed k-cycle.
    public var worst: Double
    /// The seconds in each stretch, extrapolated from the timed k-cycles.
    public var seconds: [Double]
  }
}
