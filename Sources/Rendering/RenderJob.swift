import HarnessBase
import Workers

extension WorkerContext {
  /// Performs orchestras with the opcodes of the worker, and says that it is alive meanwhile.
  package var renderer: Renderer { Renderer(registering: register, progress: progress) }
}

/// Renders an orchestra to a sound file.
public struct RenderJob: Job {
  public var orchestra: Orchestra
  public var path: String
  /// The file's name until it is finished; whoever outlives the worker removes it.
  public var temporaryPath: String
  public var limit: Double?

  public init(orchestra: Orchestra, path: String, temporaryPath: String, limit: Double?) {
    self.orchestra = orchestra
    self.path = path
    self.temporaryPath = temporaryPath
    self.limit = limit
  }

  public func perform(in worker: WorkerContext) throws(Failure) -> Renderer.Summary {
    try worker.renderer.render(orchestra, to: path, temporaryPath: temporaryPath, limit: limit)
  }
}

/// Finds out whether Csound compiles an orchestra.
public struct CompileJob: Job {
  public var orchestra: Orchestra

  public init(_ orchestra: Orchestra) { self.orchestra = orchestra }

  /// What forbids it, if anything does.
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
