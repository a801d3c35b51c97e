import HarnessBase

/// How far a run came that was stopped before its end. The files that it writes contain this.
package struct PartialRun: Codable, Equatable, Sendable {
  /// How many rows, pieces or the like were finished, and how many there were to do.
  package var finished, count: Int

  private enum CodingKeys: String, CodingKey {
    case finished
    case count = "of"
  }

  package var sentence: String {
    "The run was stopped: \(finished) of \(count) were finished, and these are all."
  }

  /// Does work, then prints what was found and writes the files. If the work fails or is interrupted, this is done for
  /// what was finished until then, and the failure is thrown afterwards.
  ///
  /// - Parameters:
  ///   - things: what is counted, such as `pieces`.
  ///   - finished: returns how many of them are finished.
  ///   - conclude: prints and writes; its argument is nil if all are finished. Not called if none is.
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
        ? Failure.interrupted(
          "interrupted; \(partial.finished) of \(count) \(things) were finished, and are kept.")
        : error
    }
    return try conclude(nil)
  }
}

/// How much of its work a run has done.
package enum RunExtent: Equatable, Sendable {
  case whole
  /// It was stopped before its end.
  case stopped(PartialRun)
  /// It came to its end, but refused a part of the work, whose results are missing.
  case refused

  package init(_ partial: PartialRun?, isRefused: Bool = false) {
    self = partial.map(Self.stopped) ?? (isRefused ? .refused : .whole)
  }

  package var partial: PartialRun? {
    if case .stopped(let partial) = self { partial } else { nil }
  }
}

/// The findings of a stopped run, and how far it came. Rows are put into an object, so that a reader of the file does
/// not take them for all rows.
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
