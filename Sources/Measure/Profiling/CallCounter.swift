import CCallgrind
import CTrace
import Counting
import CsoundHost
import HarnessBase

/// The child's side of counting calls: lets Callgrind count what the engine does, and nothing else.
struct CallCounter {
  /// What Callgrind counts are called that it writes before the first k-cycle and after the last.
  enum Dump: String { case start, cycles }

  /// Before the engine is made.
  func prepare() throws(Failure) {
    guard ccg_ask(ccg_running_on_valgrind, nil) != 0 else {
      throw Failure(.internalFault, "A worker was to count instructions, but not under valgrind.")
    }
    Callgrind.alignHeap
  }

  /// Before the engine starts. What we do with its messages is not counted.
  func begin(_ csound: Csound) {
    trace_set_aside_messages(
      csound.engine, unsafeBitCast(Csound.takeMessage, to: UnsafeMutableRawPointer.self))
    _ = ccg_ask(ccg_start_instrumentation, nil)
    _ = ccg_ask(ccg_toggle_collect, nil)
  }

  /// When it has started.
  func endStart() {
    _ = ccg_ask(ccg_toggle_collect, nil)
    dump(.start)
  }

  /// Performs one k-cycle. False when the score has ended.
  func performKsmps(_ csound: Csound) -> Bool { trace_perform_counted(csound.engine) == 0 }

  /// After the last k-cycle.
  func finish() {
    _ = ccg_ask(ccg_stop_instrumentation, nil)
    dump(.cycles)
  }

  private func dump(_ dump: Dump) {
    _ = dump.rawValue.withCString { ccg_ask(ccg_dump_at, $0) }
  }
}
