public import CsoundHost

/// What a worker lends to the jobs it does.
public struct WorkerContext {
  /// Registers the opcodes that the worker has itself.
  public let register: Csound.Registration
  /// Says that the worker is alive, and how many seconds of sound it has rendered.
  public let progress: (_ seconds: Double) -> Void

  public init(
    registering register: @escaping Csound.Registration,
    progress: @escaping (_ seconds: Double) -> Void
  ) {
    self.register = register
    self.progress = progress
  }
}
