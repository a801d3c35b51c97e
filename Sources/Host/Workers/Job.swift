import HarnessBase

/// Work for a worker process, and what comes of it. A feature declares its own.
public protocol Job: Codable, Sendable {
  /// What comes of it.
  associatedtype Reply: Codable & Sendable
  /// What it is called between processes; no other job of a registry is called so.
  static var id: String { get }
  /// The worker's side.
  func perform(in worker: WorkerContext) throws(Failure) -> Reply
}

extension Job {
  public static var id: String { String(describing: Self.self) }
}
