/// Corrects for the overlap of opcodes that tracing prevents. Without tracing, out-of-order execution
/// overlaps neighbouring passes; with tracing, a fence after each pass makes the next one wait.
///
/// The loss of all passes together is known, from how much longer traced k-cycles took than untraced
/// ones, but not how it is distributed. A processor looks some hundred instructions ahead, so a pass
/// can overlap with the next one for at most `window`, and at most for its own length. The loss is
/// distributed in proportion to this maximum. The engine's work before a note is as a pass: the fence of the note's
/// first pass makes that wait.
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
  /// The overhead of tracing where a note begins, in seconds.
  private let entering: Double

  /// `tracingFactor` is the actual overhead of tracing, divided by its overhead for opcodes that do
  /// nothing.
  init(_ trace: ProfileTake.Trace, tracingFactor: Double) {
    // Only the main thread's calls: the work of the other threads is waiting time of the main thread.
    let calls = trace.calls.filter { $0.thread == 0 }
    let (engine, entering) = (trace.engine, trace.cost.entering)
    let own =
      calls.map { (seconds: $0.seconds - $0.tracing, passes: $0.estimatedPasses) }
      + [(engine.beforeNotes, engine.tracingBefore), (engine.betweenNotes, engine.tracingBetween)]
      .map { (seconds: $0 - $1, passes: Self.entries($1, entering)) }
    let found = own.reduce(engine.afterNotes) { $0 + max(0, $1.seconds) }
    let whole = trace.cycles.seconds - trace.cycles.tracing * tracingFactor
    let possible = own.reduce(0) { $0 + Self.mostLost($1.seconds, passes: $1.passes) }
    part = possible > 0 ? min(1, max(0, (found - whole) / possible)) : 0
    self.entering = entering
    let tracing = calls.reduce(0) { $0 + $1.tracing }
    costPart = tracing > 0 ? max(0.5, min(1, 1 - (whole - found) / tracing)) : 1
  }

  /// The estimated seconds of a call without tracing, in the k-cycles that the figures cover.
  func seconds(of call: ProfileTake.Call) -> Double {
    max(0, call.seconds - call.tracing * costPart - part * mostLost(call))
  }

  /// The uncertainty of those seconds, in seconds.
  func doubt(of call: ProfileTake.Call) -> Double {
    Self.doubtfulPart * (part * mostLost(call) + (1 - costPart) * call.tracing)
  }

  private func mostLost(_ call: ProfileTake.Call) -> Double {
    Self.mostLost(call.seconds - call.tracing, passes: call.estimatedPasses)
  }

  /// The estimated seconds of the engine's work before notes, which tracing made longer by `tracing`.
  func seconds(ofEngine seconds: Double, tracing: Double) -> Double {
    let own = seconds - tracing
    return max(0, own - part * Self.mostLost(own, passes: Self.entries(tracing, entering)))
  }

  private static func entries(_ tracing: Double, _ entering: Double) -> Double {
    entering > 0 ? tracing / entering : 0
  }

  private static func mostLost(_ seconds: Double, passes: Double) -> Double {
    max(0, min(seconds, passes * window))
  }
}
