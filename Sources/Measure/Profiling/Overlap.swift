/// What tracing takes from the opcodes themselves: a fence after each lets the next one begin only when
/// it has ended, while otherwise the processor works at several at once.
///
/// How much that is of all passes together is known, by what traced k-cycles took beyond untouched ones,
/// but not of which. A processor looks some hundred instructions ahead, so that a pass can be worked at
/// together with the next one for no longer than `window`, nor longer than it takes: each pass is taken
/// to have lost in proportion to that.
struct Overlap {
  /// Seconds.
  private static let window = 100e-9
  /// By how much what a call is taken to have lost may be wrong, as a part of it: how far lines of
  /// `csd/removal` whose opcodes take a few nanoseconds were off.
  private static let doubtfulPart = 0.5

  /// What is lost, as a part of what could be.
  private let part: Double
  /// What tracing takes of a call over what it takes of an opcode that does nothing, where calls are found
  /// to take less altogether than the untouched k-cycles.
  private let costPart: Double

  /// `tracingFactor` is what tracing took over what it takes where opcodes do nothing.
  init(_ trace: ProfileTake.Trace, tracingFactor: Double) {
    // Of the thread that performs; what others do meanwhile is its waiting.
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

  /// What a call took without a trace, in the k-cycles covered.
  func seconds(of call: ProfileTake.Call) -> Double {
    max(0, call.seconds - call.tracing * costPart - part * Self.mostLost(call))
  }

  /// By how much that may be wrong.
  func doubt(of call: ProfileTake.Call) -> Double {
    Self.doubtfulPart * (part * Self.mostLost(call) + (1 - costPart) * call.tracing)
  }

  private static func mostLost(_ call: ProfileTake.Call) -> Double {
    max(0, min(call.seconds - call.tracing, call.estimatedPasses * window))
  }
}
