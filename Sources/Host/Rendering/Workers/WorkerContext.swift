public import CsoundHost

/// What a worker provides to its jobs.
public struct WorkerContext {
  /// Registers the worker's own opcodes with an engine.
  public let register: Csound.Registration
  /// Reports that the worker is alive, and how many seconds of sound it has rendered.
  public let progress: (_ seconds: Double) -> Void
}
