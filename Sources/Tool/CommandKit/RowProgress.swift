import Foundation
import Synchronization

/// Counts the rows of a command that prints each as soon as it is known.
package final class RowProgress: Sendable {
  /// How many rows there will be.
  package let count: Int
  private let start = Date()
  private let finished = Mutex<(count: Int, time: Date)>((0, Date()))

  package init(_ count: Int) { self.count = count }

  /// Clears the progress line for one more row; returns the row's number, such as `3/34`.
  package func next() -> String {
    ProgressLine.clear()
    return finished.withLock { finished in
      finished = (finished.count + 1, Date())
      return "\(finished.count)/\(count)"
    }
  }

  /// Prints one more row, numbered if there are several, and shows the progress. If the row is nil, it counts but is
  /// not printed.
  package func print(_ row: String?) {
    let number = next()
    if let row { CommandKit.print(count > 1 ? "\(number) \(row)" : row) }
    // A reader of a pipe gets each row at once, too.
    fflush(nil)
    show()
  }

  /// Shows on a terminal how many rows are done and how long the others may take, judged by those done; and what is
  /// being done now, if that is given.
  package func show(_ now: String? = nil) {
    let (finished, time) = finished.withLock(\.self)
    let others = count - finished
    guard others > 0 else { return }
    var words = count > 1 ? ["\(finished) of \(count) done"] : []
    if finished > 0 {
      let each = time.timeIntervalSince(start) / Double(finished)
      let left = Double(others) * each - min(Date().timeIntervalSince(time), each)
      words[0] += ", \(left.asDuration) left"
    }
    if let now { words.append(now) }
    ProgressLine.show(words.joined(separator: "; "))
  }
}

extension Double {
  /// Seconds in words: `40 s`, `12 min`.
  package var asDuration: String {
    self < 90 ? "\(Int(rounded(.up))) s" : "\(Int((self / 60).rounded(.up))) min"
  }
}
