/// Corrects for the overlap of opcodes that tracing prevents. Without tracing, out-of-order execution
/// overlaps neighbouring passes; with tracing, a fence after each pass makes the next one wait.
///
/// The loss of all passes together is known, from how much longer traced k-cycles took than untraced
/// ones, but not how it is distributed. A processor looks some hundred instructions ahead, so a pass
/// can overlap with the next one for at most `window`, and at most for its own length. The loss is
/// distributed in proportion to this maximum.
struct Overlap {
  /// The longest overlap of a pass with the next one, in seconds.
  private static let window = 100e-9
  /// The relative uncertainty of a call's loss: the measured error of lines in `csd/removal` whose
  /// opcodes take a few nanoseconds.
  private static let doubtfulPart = 0.5

  /// The loss of all passes, as a part of the largest possible loss, 0 to 1.
  private let part: Double
  /// The factor, 0.5 to 1, by which the subtracted overhead is reduced if the calls would otherwise
  /// take less altogether than the untraced k-cycles.
  private let costPart: Double

  /// `tracingFactor` is the actual overhead of tracing, divided by its overhead for opcodes that do
  /// nothing.
  init(_ trace: ProfileTake.Trace, tracingFactor: Double) {
    // Only the main thread's calls: the work of the other threads is waiting time of the main thread.
    let calls = trace.calls.filter { $0.thread == 0 }
    let engine = trace.engine
    let found = calls.reduce(
      max(0, engine.beforeNotes - engine.tracingBefore)
        + max(0, engine.betweenNotes - engine.tracingBetween) + engine.afterNotes
    ) { $0 + max(0, $1.seconds - $1.tracing) }
    let whole = trace.cycles.seconds - trace.cycles.tracing * tracingFactor
    let possible = calls.reduce(0) { $0 + Self.mostLost($1) }
    part = possible > 0 ? min(1, max(0, (found - whole) / possible)) : 0
    let tracing = calls.reduce(0) { $0 + $1.tracing }
    costPart = tracing > 0 ? max(0.5, min(1, 1 - (whole - found) / tracing)) : 1
  }

  /// The estimated seconds of a call without tracing, in the k-cycles that the figures cover.
  func seconds(of call: ProfileTake.Call) -> Double {
    max(0, call.seconds - call.tracing * costPart - part * Self.mostLost(call))
  }

  /// The uncertainty of those seconds, in seconds.
  func doubt(of call: ProfileTake.Call) -> Double {
    Self.doubtfulPart * (part * Self.mostLost(call) + (1 - costPart) * call.tracing)
  }

  private static func mostLost(_ call: ProfileTake.Call) -> Double {
    max(0, min(call.seconds - call.tracing, call.estimatedPasses * window))
  }
}
