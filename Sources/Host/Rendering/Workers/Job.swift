import HarnessBase

/// Work for a worker process, and the type of its result. Each feature declares its own jobs.
public protocol Job: Codable, Sendable {
  /// The result of the job.
  associatedtype Reply: Codable & Sendable
  /// The job's name in messages between processes; unique within a registry.
  static var id: String { get }
  /// Does the job, in the worker process.
  func perform(in worker: WorkerContext) throws(Failure) -> Reply
}

extension Job {
  public static var id: String { String(describing: Self.self) }
}
