import Foundation
import Synchronization

/// Reads the tables that a panel shows. It has a thread of its own, as reading waits for the audio thread, which copies
/// tables between two k-cycles.
final class TableWatch: Sendable {
  /// Seconds between two looks at a table; `long` is for a table of more than `longTable` samples, which takes long to
  /// copy.
  private static let interval = (short: 0.1, long: 2.0)
  private static let longTable = 65536

  private struct State {
    var tables: Set<Int> = []
    /// The samples that pages have set and that are not yet in the tables: by table and index, the latest value.
    var changes: [Int: [Int: Double]] = [:]
    var isStopping = false
  }

  private let piece: any PanelledPiece
  private let mailbox: Mailbox
  private let state = Mutex(State())
  private let over = DispatchSemaphore(value: 0)

  init(_ piece: any PanelledPiece, _ mailbox: Mailbox) {
    (self.piece, self.mailbox) = (piece, mailbox)
    let thread = Thread { [self] in
      look()
      over.signal()
    }
    thread.name = "panel-tables"
    thread.start()
  }

  /// Sets the tables to read from now on; empty while there are no pages.
  func watch(_ tables: Set<Int>) { state.withLock { $0.tables = tables } }

  /// Sets a sample with the next look. Does nothing if the table or the index does not exist.
  func set(_ table: Int, _ index: Int, to value: Double) {
    state.withLock { state in
      guard state.changes[table, default: [:]].count < Self.longTable else { return }
      state.changes[table, default: [:]][index] = value
    }
  }

  private func carryOut(_ changes: [Int: [Int: Double]]) {
    for (table, samples) in changes {
      guard var all = try? piece.table(table) else { continue }
      for (index, value) in samples where all.indices.contains(index) { all[index] = value }
      try? piece.setTable(table, to: all)
    }
  }

  /// Stops the thread and waits for its end, but not for that of a k-cycle that never comes back.
  func stop() {
    state.withLock { $0.isStopping = true }
    guard over.wait(timeout: .now() + 1) == .success else { return }
    over.signal()
  }

  private func look() {
    var pictures: [Int: TablePicture] = [:]
    var due: [Int: Double] = [:]
    let start = ContinuousClock.now
    while true {
      let (tables, changes, isStopping) = state.withLock { state in
        defer { state.changes = [:] }
        return (state.tables, state.changes, state.isStopping)
      }
      if isStopping { return }
      carryOut(changes)
      let now = start.duration(to: .now) / .seconds(1)
      for table in tables where due[table] ?? 0 <= now {
        // A table that does not exist yet may be made by a note.
        guard let samples = try? piece.table(table) else {
          due[table] = now + Self.interval.short
          continue
        }
        let isLong = samples.count > Self.longTable
        due[table] = now + (isLong ? Self.interval.long : Self.interval.short)
        let picture = TablePicture(samples)
        guard picture != pictures[table] else { continue }
        pictures[table] = picture
        mailbox.put(picture, of: table)
      }
      // A table that is watched again later is sent again.
      pictures = pictures.filter { tables.contains($0.key) }
      usleep(tables.isEmpty ? 200_000 : 20_000)
    }
  }
}

/// The picture of a table: for each column the least and the greatest of its samples, so that no peak is lost, however
/// long the table is.
package struct TablePicture: Equatable, Sendable {
  package static let columns = 512

  /// How many samples the table has.
  package let length: Int
  /// A value for each column; if there are fewer samples than columns, one for each sample.
  package let low, high: [Double]

  package init(_ samples: [Double]) {
    length = samples.count
    let count = min(Self.columns, samples.count)
    var (low, high) = ([Double](), [Double]())
    for column in 0..<count {
      let part = samples[column * samples.count / count..<(column + 1) * samples.count / count]
      low.append(part.min() ?? 0)
      high.append(part.max() ?? 0)
    }
    (self.low, self.high) = (low, high)
  }
}
