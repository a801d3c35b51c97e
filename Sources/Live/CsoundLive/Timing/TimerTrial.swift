import Dispatch
import Foundation
import Synchronization

/// Measures how late actions run on this machine: with a `PreciseTimer`, and with a timer of Dispatch.
package enum TimerTrial {
  /// How much later than asked for, in microseconds.
  package struct Lateness: Sendable {
    package var mean, median, least, largest: Double

    init(_ values: [Int]) {
      let sorted = values.sorted()
      mean = Double(values.reduce(0, +)) / Double(values.count) / 1000
      median = Double(sorted[sorted.count / 2]) / 1000
      (least, largest) = (Double(sorted.first!) / 1000, Double(sorted.last!) / 1000)
    }
  }

  /// `count` actions, 3 to 23 ms apart.
  private static func times(_ count: Int) -> [Int] {
    let begin = PreciseTimer.now + 20_000_000
    return (0..<count).map { begin + $0 * 13_000_000 + ($0 * 7919) % 10_000_000 }
  }

  package static func precise(_ count: Int, priority: Int) -> Lateness {
    let timer = PreciseTimer(priority: priority)
    let late = Mutex<[Int]>([])
    for time in times(count) {
      timer.schedule(at: time) { late.withLock { $0.append(PreciseTimer.now - time) } }
    }
    while late.withLock({ $0.count < count }) { usleep(5000) }
    return Lateness(late.withLock { $0 })
  }

  package static func dispatch(_ count: Int) -> Lateness {
    let queue = DispatchQueue(label: "timer", qos: .userInteractive)
    let late = Mutex<[Int]>([])
    for time in times(count) {
      let distance = time - PreciseTimer.now
      queue.asyncAfter(deadline: .now() + .nanoseconds(distance)) {
        late.withLock { $0.append(PreciseTimer.now - time) }
      }
    }
    while late.withLock({ $0.count < count }) { usleep(5000) }
    return Lateness(late.withLock { $0 })
  }

  private final class Flag: Sendable { let isOver = Atomic<Bool>(false) }

  /// Keeps two threads busy for each processor while `body` runs.
  package static func underLoad<Result>(_ body: () -> Result) -> Result {
    let flag = Flag()
    for _ in 0..<2 * ProcessInfo.processInfo.activeProcessorCount {
      Thread { while !flag.isOver.load(ordering: .relaxed) {} }.start()
    }
    defer { flag.isOver.store(true, ordering: .relaxed) }
    return body()
  }
}
