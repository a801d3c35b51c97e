import HarnessBase
import Panels

/// Panic, recording and pausing, for pages and OSC alike; and the values that were taken up.
extension PanelDesk {
  /// Lets go of all that pages hold, and ends the notes that were played from outside the score. Bundles of OSC that
  /// wait are dropped.
  func panic() throws(Failure) {
    panics += 1
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

  func pause(_ isOn: Bool) throws(Failure) { try requireTransport().pause(isOn) }

  private func requireTransport() throws(Failure) -> any PanelTransport {
    guard let transport else {
      throw Failure(.unavailable, "This performance can be neither recorded nor paused from here.")
    }
    return transport
  }

  /// Keeps the values of the last time, or goes back to the piece's own.
  func settleTaken(keepsThem: Bool) throws(Failure) {
    if !keepsThem { try apply(values.ownValues) }
    values.settleTaken()
  }
}
