import HarnessBase
public import Pieces
import Rendering
import Workers

/// Renders an orchestra and measures what it takes, with each opcode call or without.
public struct ProfileJob: Job {
  public var orchestra: Orchestra
  /// Seconds of sound after which it stops; nil for the score's end.
  public var limit: Double?
  /// The largest part of the time that tracing may take; 0 times every call, nil none.
  public var tracingShare: Double?
  /// Says which k-cycles are drawn.
  public var seed: UInt64

  public var mode = Mode.times
  /// Where it plays, in a survey, with the time after which it stops, seconds.
  public var stage: PieceStage?
  public var cutOff: Double?

  public enum Mode: String, Codable, Sendable {
    case times
    /// Counts the instructions of each call, under Callgrind.
    case counts
    /// Tells where in memory the functions of opcodes are, for samples of the program counter.
    case functions
  }

  public init(
    orchestra: Orchestra, limit: Double?, tracingShare: Double?, seed: UInt64 = 1,
    mode: Mode = .times
  ) {
    self.orchestra = orchestra
    self.limit = limit
    self.tracingShare = tracingShare
    self.seed = seed
    self.mode = mode
  }

  public func perform(in worker: WorkerContext) throws(Failure) -> ProfileTake {
    try Tracer(
      renderer: worker.renderer, counter: mode == .counts ? CallCounter() : nil,
      listsFunctions: mode == .functions
    ).render(self)
  }
}

/// What one render took. Times are seconds.
public struct ProfileTake: Codable, Sendable {
  public var sampleRate: Double
  public var ksmps: Int
  public var soundSeconds: Double
  /// A digest of all samples (FNV-1a, 64 bits).
  public var digest: UInt64
  /// Reading and compiling the orchestra; its global init pass is in it.
  public var startSeconds: Double
  /// All k-cycles and what is measured around them, by the clock.
  public var performSeconds: Double
  public var load: Load
  public var trace: Trace?
  /// Where opcodes' functions were in memory, and from when to when the k-cycles took, by the system's
  /// monotonic clock, seconds.
  public var functions: FunctionMap?
  public var performance: ClosedRange<Double>?
  public var noteErrors: [String]
  /// Whether it was stopped because it had not ended after `Renderer.longestUnlimited`.
  public var wasCutOff: Bool

  /// What the k-cycles took together.
  public struct Load: Codable, Sendable {
    public var cycles: Int
    /// Those during which the system gave the processor to others: they are left out of what follows.
    public var disturbedCycles: Int
    /// In all k-cycles, as far as the undisturbed ones tell.
    public var seconds: Double
    public var worst: Double
    /// Number of the k-cycle that took longest.
    public var worstCycle: Int
    /// k-cycles that took longer than they sound.
    public var lateCycles: Int
    /// How far the rendering fell behind real time, which a buffer of that length hides.
    public var largestBacklog: Double
    public var cyclesPerStretch: Int
    public var stretches: [Stretch]
  }

  /// What a stretch of k-cycles took.
  public struct Stretch: Codable, Sendable {
    public var cycles: Int
    /// Those that were not disturbed, which the rest is about.
    public var calmCycles: Int
    /// As far as they tell, in all.
    public var seconds: Double
    public var worst: Double
    public var lateCycles: Int
    /// The most notes that performed in a k-cycle; known with a trace only.
    public var mostNotes: Int
  }

  public struct Trace: Codable, Sendable {
    public var cost: Cost
    public var cycles: Cycles
    public var engine: Engine
    /// Callers come before what they call.
    public var calls: [Call]
    public var instruments: [Instrument]
  }

  /// What tracing costs, measured on an opcode that does nothing, in seconds: what a pass is found to take
  /// too long; what is found before a body's first pass, and before it comes again; all that a pass takes
  /// longer.
  public struct Cost: Codable, Sendable {
    public var pass: Double
    public var entering: Double
    public var repeating: Double
    public var whole: Double
  }

  /// What all k-cycles took but for the starting of notes, which is timed in every one.
  public struct Cycles: Codable, Sendable {
    /// Those drawn for timing.
    public var drawn: Int
    /// Those that what follows is about.
    public var covered: Int
    /// Those of them, not disturbed, that were timed, and those in which no call was traced.
    public var timed: Int
    public var plain: Int
    /// By the timed and the plain ones; and what tracing takes of it where opcodes do nothing.
    public var seconds: Double
    public var tracing: Double
    /// The same of the timed ones.
    public var timedSeconds: Double
    public var timedTracing: Double
    /// What timed k-cycles took beyond plain ones over what tracing takes where opcodes do nothing; 1 if
    /// nothing tells.
    public var tracingFactor: Double
    /// What the tracer took between k-cycles.
    public var beside: Double
  }

  /// The engine's own time in the k-cycles covered, as far as the timed ones tell.
  public struct Engine: Codable, Sendable {
    public var beforeNotes: Double
    public var betweenNotes: Double
    public var afterNotes: Double
    /// What tracing takes of them where opcodes do nothing.
    public var tracingBefore: Double
    public var tracingBetween: Double
    /// Events and the starting of notes, without their init passes, in all k-cycles.
    public var starting: Double
    /// What making records took.
    public var recording: Double
    public var unrecorded: Int
    public var threads: Int
  }

  /// A statement at its place in the tree of calls, and what it took, tracing included.
  public struct Call: Codable, Sendable {
    /// Index of the call it is in; nil for one that the engine makes.
    public var caller: Int?
    public var statement: Statement
    /// The instrument or user-defined opcode the statement is in.
    public var body: Body
    public var thread: Int
    /// Samples in a pass.
    public var ksmps: Int
    /// Those that were traced, and those of them that were timed in undisturbed k-cycles.
    public var passes: Int
    public var timedPasses: Int
    /// In the k-cycles covered, as far as the timed passes tell: passes, their own time, and what
    /// tracing takes of that where opcodes do nothing.
    public var estimatedPasses: Double
    public var seconds: Double
    public var tracing: Double
    /// The standard error of that time, as a part of the whole, that comes of not timing every
    /// k-cycle; nil when they are too few to tell.
    public var samplingError: Double?
    /// The longest in one k-cycle, with what it called.
    public var worst: Double
    public var inits: Int
    public var initSeconds: Double
    public var worstInit: Double
  }

  public struct Statement: Codable, Hashable, Sendable {
    /// Tells statements apart that are alike.
    public var id: UInt64
    /// The opcode as Csound's list has it, such as `oscili.a` or `##add.aa`.
    public var opcode: String
    public var outputs: [String]
    public var inputs: [String]
    /// As Csound reports it: often the line behind, 0 where it has none.
    public var line: Int
    /// Csound's number of the file: 1 is the CSD.
    public var file: Int
    /// Its place among the statements of its instrument.
    public var index: Int
    /// Whether it was compiled in performance, from a string.
    public var isLate: Bool
  }

  public struct Body: Codable, Hashable, Sendable {
    public var id: UInt64
    public var number: Int
    public var name: String?
    public var isUserOpcode: Bool
    /// Its place among the instruments and user-defined opcodes of the file; nil for one that was
    /// compiled in performance.
    public var place: Int?
  }

  public struct Instrument: Codable, Sendable {
    public var body: Body
    public var notesBegun: Int
    public var mostNotes: Int
    /// The longest its notes took together in a timed k-cycle.
    public var worst: Double
    /// By stretch, as far as the timed k-cycles tell.
    public var seconds: [Double]
  }
}
