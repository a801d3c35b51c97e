import CCallgrind
import CTrace
import CsoundHost
import HarnessBase
import Rendering

/// Counts calls, in the worker process: makes Callgrind count the engine's work and nothing else.
struct CallCounter {
  /// The names of Callgrind's two dumps: before the first k-cycle and after the last.
  enum Dump: String { case start, cycles }

  /// To be called before the engine is created.
  func prepare() throws(Failure) {
    guard ccg_ask(ccg_running_on_valgrind, nil) != 0 else {
      throw .internalFault("A worker that counts instructions must run under valgrind.")
    }
    Callgrind.alignHeap
  }

  /// To be called before the engine starts. The handling of its messages is not counted.
  func begin(_ csound: Csound) {
    trace_set_aside_messages(
      csound.engine, unsafeBitCast(Csound.takeMessage, to: UnsafeMutableRawPointer.self))
    _ = ccg_ask(ccg_start_instrumentation, nil)
    _ = ccg_ask(ccg_toggle_collect, nil)
  }

  /// To be called when the engine has started.
  func endStart() {
    _ = ccg_ask(ccg_toggle_collect, nil)
    dump(.start)
  }

  /// Performs one k-cycle. Returns false when the score has ended.
  func performKsmps(_ csound: Csound) -> Bool { trace_perform_counted(csound.engine) == 0 }

  /// To be called after the last k-cycle.
  func finish() {
    _ = ccg_ask(ccg_stop_instrumentation, nil)
    dump(.cycles)
  }

  private func dump(_ dump: Dump) {
    _ = dump.rawValue.withCString { ccg_ask(ccg_dump_at, $0) }
  }
}
