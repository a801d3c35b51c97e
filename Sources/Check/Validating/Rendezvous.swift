import Foundation
import Synchronization

/// Where two threads wait for each other, so that what they do next they do at the same time, on a
/// machine that is busy too.
final class Rendezvous: Sendable {
  /// How long one waits, and all of them together, in nanoseconds.
  private static let (patience, totalPatience) = (10_000_000, 2_000_000_000)
  private static let nobody = 0

  /// Who waits; negative when another has come and waits for a sign that the first saw it.
  private let waiting = Atomic(nobody)
  private let arrivals = Atomic(nobody)
  private let waited = Atomic(0)

  /// Returns when another thread has come too and both run, or it does not come in time.
  func meet() {
    guard waited.load(ordering: .relaxed) < Self.totalPatience else { return }
    let me = arrivals.add(1, ordering: .relaxed).newValue
    let (isFirst, other) = waiting.compareExchange(
      expected: Self.nobody, desired: me, ordering: .acquiringAndReleasing)
    if isFirst {
      wait(while: me)
      // A sign to the other, or nobody came.
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
    // Giving the processor away would let one thread do the work of both.
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
