import HarnessBase

/// How far a run came that was stopped before its end. The files it writes say so.
package struct PartialRun: Codable, Equatable, Sendable {
  /// How many rows, pieces or the like were finished, and how many there were to do.
  package var finished, count: Int

  package init(finished: Int, count: Int) { (self.finished, self.count) = (finished, count) }

  private enum CodingKeys: String, CodingKey {
    case finished
    case count = "of"
  }

  package var sentence: String {
    "The run was stopped: \(finished) of \(count) were finished, and these are all."
  }

  /// Does work and concludes it: prints what was found and writes the files. Where the work is interrupted
  /// or fails, what was finished until then is concluded all the same, and the failure is thrown afterwards.
  ///
  /// - Parameters:
  ///   - things: what is counted, such as `pieces`.
  ///   - finished: how many of them are finished.
  ///   - conclude: is given nil where all are; not called where none is.
  package static func keeping(
    _ things: String, of count: Int, finished: () -> Int, work: () throws(Failure) -> Void,
    conclude: (PartialRun?) throws(Failure) -> ExitCode
  ) throws(Failure) -> ExitCode {
    Interruption.begin()
    do throws(Failure) {
      try work()
    } catch {
      let isInterrupted = error.kind == .interrupted || Interruption.hasHappened
      let partial = PartialRun(finished: finished(), count: count)
      guard partial.finished > 0 else {
        throw isInterrupted
          ? Failure(.interrupted, "interrupted; nothing was finished, and no file was written.")
          : error
      }
      do throws(Failure) {
        _ = try conclude(partial)
      } catch {
        guard error.kind != .unwritableOutput else { throw error }
        printError("opcodekit: \(error.message)")
      }
      throw isInterrupted
        ? Failure(
          .interrupted,
          "interrupted; \(partial.finished) of \(count) \(things) were finished, and are kept.")
        : error
    }
    return try conclude(nil)
  }
}

/// What a stopped run found, and how much of the work that is. Rows stand in an object then: what reads
/// the file does not take them for all.
struct PartialExport<Value: Encodable>: Encodable {
  var value: Value
  var partial: PartialRun

  private enum Key: CodingKey { case partial, rows }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(partial, forKey: .partial)
    if value is any Collection {
      try container.encode(value, forKey: .rows)
    } else {
      try value.encode(to: encoder)
    }
  }
}
