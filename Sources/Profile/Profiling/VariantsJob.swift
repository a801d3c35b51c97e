import CTrace
import CsoundHost
import HarnessBase
import Rendering

/// Renders a piece unchanged and in variants without some statements, in turns of a few k-cycles, and
/// measures the time of each variant. The last results of a statement that is left out stay in its
/// variables.
public struct VariantsJob: Job {
  /// A statement, by the index of its instrument or user-defined opcode in the file and its own index
  /// there.
  public struct Statement: Codable, Hashable, Sendable {
    public var body: Int
    public var index: Int
  }

  public var orchestra: Orchestra
  /// Seconds of sound after which it stops; nil for the score's end.
  public var limit: Double?
  /// The statements whose performance passes each variant leaves out.
  public var variants: [[Statement]]
  /// The seed of the random order of the variants.
  public var seed: UInt64

  public func perform(in worker: WorkerContext) throws(Failure) -> VariantsTake {
    try Tracer(renderer: worker.renderer).render(self)
  }
}

/// The times of one render's k-cycles, without the starting of notes.
public struct VariantsTake: Codable, Sendable {
  public var turns: [Turn]
  public var soundSeconds: Double
  public var noteErrors: [String]

  /// The times of one turn, in which each variant is performed once, in random order.
  public struct Turn: Codable, Sendable {
    /// The number of k-cycles of each variant.
    public var cycles: Double
    /// The mean time of a k-cycle in ticks of the time-stamp counter: first of the unchanged piece, then
    /// of each variant. Nil if other processes interrupted it.
    public var ticks: [Double?]

    public init(cycles: Double, ticks: [Double?]) {
      self.cycles = cycles
      self.ticks = ticks
    }
  }
}

extension Tracer {
  func render(_ job: VariantsJob) throws(Failure) -> VariantsTake {
    var statements: [VariantsJob.Statement: UInt64] = [:]
    for (number, variant) in job.variants.enumerated() {
      for statement in variant { statements[statement, default: 0] |= 1 << UInt64(number) }
    }
    let list = statements.map { statement, variants in
      trace_statement(body: statement.body, index: statement.index, variants: variants)
    }
    let rate = TickRate()
    trace_reset()
    let csound = try renderer.start(job.orchestra) { csound throws(CsoundError) in
      guard trace_attach(csound.engine, 0, job.seed, 0) == 0,
        trace_vary(list, list.count, job.variants.count, job.seed) == 0
      else { throw .unavailable("There is no memory for a trial, or no such statement.") }
    }
    _ = Unmanaged.passRetained(csound)
    try requireEnd(of: job.orchestra, csound, limit: job.limit)
    defer { FloatMode.current = .precise }
    var functions: FunctionMap?
    let (cycles, _, _) = perform(&functions, csound, limit: job.limit, rate.soFar)
    try requireSound(of: job.orchestra, csound, cycles)
    trace_finish()
    var first: UnsafePointer<Double>?
    let count = trace_variants(&first)
    let rows = UnsafeBufferPointer(start: first, count: count)
    let width = job.variants.count + 2
    return VariantsTake(
      turns: stride(from: 0, to: rows.count, by: width).map { row in
        VariantsTake.Turn(
          cycles: rows[row],
          ticks: rows[(row + 1)..<(row + width)].map { $0.isFinite ? $0 : nil })
      },
      soundSeconds: Double(cycles * csound.ksmps) / csound.sampleRate,
      noteErrors: csound.noteErrors)
  }
}
