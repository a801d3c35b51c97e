import CWatch
import HarnessBase
import Linting
import Synchronization

/// The state of the heap, with the overruns found so far.
struct Heap {
  var state: watch_heap

  /// Whether the check under way has its process to itself.
  static let isOwn = Atomic(false)

  static func requireOwn() {
    precondition(isOwn.load(ordering: .relaxed), "A check that watches its process is not alone.")
  }

  private static let install: Void = {
    requireOwn()
    watch_install_heap()
  }()

  /// The present state of the heap. From the first call on, heap blocks are counted and their ends
  /// are marked.
  static func now() -> Heap {
    install
    return Heap(state: watch_heap_result())
  }

  private static let guardedInstall: Void = {
    requireOwn()
    watch_guard_heap()
  }()

  /// From now on, access to a larger heap block (144 bytes or more) after it was freed ends the
  /// process.
  static func guardFreed() { guardedInstall }

  /// Fails if, up to the end of the body, something was written behind a block.
  @discardableResult
  static func requireNoOverrun<Result>(
    _ body: () throws(Outcome) -> Result
  ) throws(Outcome) -> Result {
    _ = now()
    let result = try body()
    let state = now().state
    guard state.overruns > 0 else { return result }
    throw .failed(
      "it writes behind a block of \(state.size) bytes on the heap"
        + " (\(Int(state.overruns).counted("time")), seen when it was freed)")
  }
}
