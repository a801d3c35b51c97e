import Foundation
import Synchronization

/// Lets two threads wait for each other, so that they continue at the same time even on a busy
/// machine.
final class Rendezvous: Sendable {
  /// The longest wait, and the longest total of all waits, in nanoseconds.
  private static let (patience, totalPatience) = (10_000_000, 2_000_000_000)
  private static let nobody = 0

  /// The number of the arrival that waits; negative after a second thread has arrived, until the
  /// first has noticed it.
  private let waiting = Atomic(nobody)
  private let arrivals = Atomic(nobody)
  private let waited = Atomic(0)

  /// Returns when another thread has arrived and both run, or after the longest wait.
  func meet() {
    guard waited.load(ordering: .relaxed) < Self.totalPatience else { return }
    let me = arrivals.add(1, ordering: .relaxed).newValue
    let (isFirst, other) = waiting.compareExchange(
      expected: Self.nobody, desired: me, ordering: .acquiringAndReleasing)
    if isFirst {
      wait(while: me)
      // Releases the other thread, or ends a wait to which nobody came.
      waiting.store(Self.nobody, ordering: .releasing)
    } else if other > Self.nobody,
      waiting.compareExchange(expected: other, desired: -other, ordering: .acquiringAndReleasing)
        .exchanged
    {
      wait(while: -other)
    }
  }

  private func wait(while state: Int) {
    let start = Self.now()
    var elapsed = 0
    // Busy waiting: after a yield, one thread might do the work of both.
    while waiting.load(ordering: .acquiring) == state, elapsed < Self.patience {
      elapsed = Self.now() - start
    }
    waited.add(elapsed, ordering: .relaxed)
  }

  private static func now() -> Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return now.tv_sec * 1_000_000_000 + now.tv_nsec
  }
}
