import HarnessBase
import Panels

/// Panic, recording and pausing, for pages and OSC alike; and the values that were taken up.
extension PanelDesk {
  /// Lets go of all that pages hold, and ends the notes that were played from outside the score. Bundles of OSC that
  /// wait are dropped.
  func panic() throws(Failure) {
    panics += 1
    morph = nil
    releaseAll()
    try piece.endNotes()
  }

  /// Begins or ends a recording, on a thread that may wait for the disk. `orElse` is called, in turn, if that fails.
  func record(_ isOn: Bool, orElse: @escaping @Sendable (Failure) -> Void) throws(Failure) {
    let transport = try requireTransport()
    recordings.async { [self] in
      do throws(Failure) {
        try transport.record(isOn)
      } catch {
        inTurn { orElse(error) }
      }
    }
  }

  /// Writes the trace of the last seconds, on a thread that may wait. `then` is called, in turn, with its path.
  func trace(then: @escaping @Sendable (Result<String, Failure>) -> Void) throws(Failure) {
    let transport = try requireTransport()
    recordings.async { [self] in
      let result = Result { () throws(Failure) in try transport.trace() }
      inTurn { then(result) }
    }
  }

  func pause(_ isOn: Bool) throws(Failure) { try requireTransport().pause(isOn) }

  private func requireTransport() throws(Failure) -> any PanelTransport {
    guard let transport else {
      throw .unavailable("This performance can be neither recorded nor paused from here.")
    }
    return transport
  }

  /// Recalls a preset by its place in the list, from 1 on, and returns its name.
  func recall(number: Int) throws(Failure) -> String {
    let all = presets.all(beside: panel)
    guard number >= 1, number <= all.count else {
      throw .usage("There is no preset \(number); the piece has \(all.count).")
    }
    try recall(all[number - 1], within: 0)
    return all[number - 1].name
  }

  /// Keeps the values of the last time, or goes back to the piece's own.
  func settleTaken(keepsThem: Bool) throws(Failure) {
    if !keepsThem { try apply(values.ownValues) }
    values.settleTaken()
  }

  /// Recalls a preset by its place in the list, as `recall` does; nil if the panel has no presets at all.
  func recallAny(_ number: Int) throws(Failure) -> String? {
    try inTurn { () throws(Failure) in
      presets.all(beside: panel).isEmpty ? nil : try recall(number: number)
    }
  }
}
