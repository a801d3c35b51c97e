import Foundation
public import HarnessBase
import Synchronization

/// Does the same work for many pieces, several at a time.
public enum PieceRun {
  /// Calls `work` for each piece, with an empty directory that is removed afterwards. Pieces for which
  /// it returns nil are left out.
  ///
  /// Calls `found` with each result in the order of the pieces, as soon as it and all before it are
  /// done, and `leftOut` for each piece that is left out; on any thread, but never two calls at a time.
  /// If the run fails, they have been called for all pieces that were done.
  public static func results<Result: Sendable>(
    of pieces: [String], jobs: Int,
    _ work: @Sendable (_ path: String, _ scratch: String) throws(Failure) -> Result?,
    found: @Sendable (Result) -> Void, leftOut: @Sendable () -> Void = {}
  ) throws(Failure) -> [Result] {
    let scratch =
      URL(fileURLWithPath: NSTemporaryDirectory()).path + "/opcodekit-pieces-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    let state = Mutex(State<Result>(results: Array(repeating: .none, count: pieces.count)))
    DispatchQueue.concurrentPerform(iterations: max(1, min(jobs, pieces.count))) { number in
      while true {
        let next: Int? = state.withLock { state in
          guard state.next < pieces.count, state.failure == nil else { return nil }
          defer { state.next += 1 }
          return state.next
        }
        guard let index = next else { return }
        do throws(Failure) {
          let place = "\(scratch)/\(number)"
          let result = try withScratch(place) { () throws(Failure) in
            try work(pieces[index], place)
          }
          state.withLock { state in
            state.results[index] = .some(result)
            while state.told < pieces.count, let done = state.results[state.told] {
              if let done { found(done) } else { leftOut() }
              state.told += 1
            }
          }
        } catch {
          state.withLock { $0.failure = $0.failure ?? error }
        }
      }
    }
    return try state.withLock { state throws(Failure) in
      if let failure = state.failure {
        for case .some(let done) in state.results[state.told...] {
          if let done { found(done) } else { leftOut() }
        }
        throw failure
      }
      return state.results.compactMap { $0 ?? nil }
    }
  }

  /// Calls `body` with an empty directory at `path`, which is removed afterwards.
  public static func withScratch<Result>(
    _ path: String, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try? FileManager.default.removeItem(atPath: path)
    try makeDirectory(path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try body()
  }
}

/// The progress of a run.
private struct State<Result: Sendable> {
  var next = 0
  var told = 0
  var results: [Result??]
  var failure: Failure?
}
