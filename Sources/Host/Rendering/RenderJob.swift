import HarnessBase

extension WorkerContext {
  /// A renderer with the worker's opcodes, which reports meanwhile that the worker is alive.
  package var renderer: Renderer { Renderer(registering: register, progress: progress) }
}

/// Renders an orchestra to a sound file.
public struct RenderJob: Job {
  public var orchestra: Orchestra
  /// The worker writes its temporary part; the parent process finishes or discards it.
  package var output: OutputFile
  public var limit: Double?
  /// The file for a trace, which the worker writes; nil for none.
  var trace: OutputFile?
  /// The size of the largest file that the piece may write, in megabytes.
  var largest: Int

  package init(
    orchestra: Orchestra, output: OutputFile, limit: Double?, largest: Int = FileLimit.standard,
    trace: OutputFile? = nil
  ) {
    (self.orchestra, self.output, self.limit, self.largest) = (orchestra, output, limit, largest)
    self.trace = trace
  }

  public func perform(in worker: WorkerContext) throws(Failure) -> Renderer.Summary {
    FileLimit.set(largest)
    return try worker.renderer.render(
      orchestra, to: output, limit: limit, largest: largest, trace: trace)
  }
}

/// Checks whether Csound compiles an orchestra.
public struct CompileJob: Job {
  public var orchestra: Orchestra

  public init(_ orchestra: Orchestra) { self.orchestra = orchestra }

  /// Why Csound refuses the orchestra; nil if it compiles.
  public struct Reply: Codable, Sendable {
    public var refusal: Failure?
  }

  public func perform(in worker: WorkerContext) throws(Failure) -> Reply {
    do throws(Failure) {
      if let player = orchestra.player {
        try player.compile(orchestra)
      } else {
        _ = try worker.renderer.start(orchestra)
      }
      return Reply(refusal: nil)
    } catch {
      guard error.kind == .badInput else { throw error }
      return Reply(refusal: error)
    }
  }
}
