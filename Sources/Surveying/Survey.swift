import CLandlock
import Foundation
import HarnessBase
import Synchronization
import Workers

/// Swaps Csound's own opcodes for their counterparts in pieces, and listens for a difference.
public struct Survey: Sendable {
  public var counterparts: Counterparts
  /// Seconds of sound that are rendered of each piece.
  public var duration = 10.0
  /// Largest null depth that passes, dB.
  public var limit = -100.0
  /// Seconds a render may take; one that says nothing for so long hangs.
  public var timeLimit = 30.0
  public var jobs = 1
  /// A plugin with the counterparts; without one they are the worker's own.
  public var plugin: String?
  /// The program that serves as worker, and its arguments.
  let worker: [String]

  /// Whether pieces are kept from writing files beside themselves: Linux's Landlock does it.
  public static var confinesPieces: Bool { landlock_is_there() != 0 }

  public init(_ counterparts: Counterparts, worker: [String]) {
    self.counterparts = counterparts
    self.worker = worker
  }

  /// The CSDs that paths name: files, and all below directories; each once, in alphabetical order.
  public static func pieces(_ paths: [String]) throws(Failure) -> [String] {
    var found: Set<String> = []
    for path in paths {
      let path = URL(fileURLWithPath: path).path
      var isDirectory: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
        throw Failure(.missingInput, "'\(path)' does not exist.")
      }
      guard isDirectory.boolValue else {
        found.insert(path)
        continue
      }
      guard let names = FileManager.default.enumerator(atPath: path) else {
        throw Failure(.missingInput, "The directory '\(path)' cannot be read.")
      }
      for case let name as String in names where name.lowercased().hasSuffix(".csd") {
        found.insert(path + "/" + name)
      }
    }
    return found.sorted()
  }

  /// Surveys those of the pieces that call an opcode with a counterpart.
  ///
  /// `found` is called for each of them in the order of `pieces`, as soon as it and all before it are
  /// done, on any thread but one at a time.
  public func survey(
    _ pieces: [String], found: @escaping @Sendable (SurveyedPiece) -> Void
  ) throws(Failure) -> [SurveyedPiece] {
    struct State {
      var next = 0
      var told = 0
      var results: [SurveyedPiece??]
      var failure: Failure?
    }
    let scratch =
      URL(fileURLWithPath: NSTemporaryDirectory()).path + "/opcodekit-survey-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    let state = Mutex(State(results: Array(repeating: .none, count: pieces.count)))
    DispatchQueue.concurrentPerform(iterations: max(1, min(jobs, pieces.count))) { number in
      while true {
        let next: Int? = state.withLock { state in
          guard state.next < pieces.count, state.failure == nil else { return nil }
          defer { state.next += 1 }
          return state.next
        }
        guard let index = next else { return }
        do throws(Failure) {
          let result = try survey(pieces[index], scratch: "\(scratch)/\(number)")
          state.withLock { state in
            state.results[index] = .some(result)
            while state.told < pieces.count, let done = state.results[state.told] {
              if let done { found(done) }
              state.told += 1
            }
          }
        } catch {
          state.withLock { $0.failure = $0.failure ?? error }
        }
      }
    }
    return try state.withLock { state throws(Failure) in
      if let failure = state.failure { throw failure }
      return state.results.compactMap { $0 ?? nil }
    }
  }

  /// Nil where the piece calls no opcode with a counterpart.
  private func survey(_ path: String, scratch: String) throws(Failure) -> SurveyedPiece? {
    let piece = try SwappedPiece(readingFrom: path)
    let opcodes = piece.opcodes(among: Set(counterparts.subjects.keys)).sorted()
    guard !opcodes.isEmpty else { return nil }
    try? FileManager.default.removeItem(atPath: scratch)
    do {
      try FileManager.default.createDirectory(
        atPath: scratch, withIntermediateDirectories: true)
    } catch {
      throw Failure(.unwritableOutput, "The directory '\(scratch)' cannot be made.")
    }
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    return try SurveyTrial(survey: self, path: path, piece: piece, scratch: scratch).run(opcodes)
  }

  /// Does one job in a process of its own.
  func perform(_ job: SurveyJob) throws(Failure) -> Report<SurveyTake> {
    let pool = WorkerPool(
      executable: worker[0], arguments: Array(worker.dropFirst()), pinsPlugins: false,
      timeLimit: timeLimit, jobsPerWorker: 1)
    return try pool.run([job])[0]
  }
}
