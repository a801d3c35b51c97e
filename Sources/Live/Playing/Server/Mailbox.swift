import Panels
import Synchronization

/// News that other threads leave for the server's thread.
final class Mailbox: Sendable {
  struct Contents {
    var panel: Panel?
    var status: PanelStatus?
    var lines: [String] = []
    var lost = 0
    var tables: [Int: TablePicture] = [:]
    var notice: String?
    /// Channels that a MIDI controller or a typed line has set since the last look of a morph.
    var set: Set<String> = []
  }

  /// The most lines of the console that are kept, for the server here and for pages.
  static let lineLimit = 200
  private let contents = Mutex(Contents())

  func put(_ picture: TablePicture, of table: Int) {
    contents.withLock { $0.tables[table] = picture }
  }

  func put(set channel: String) { _ = contents.withLock { $0.set.insert(channel) } }

  func takeSet() -> Set<String> {
    contents.withLock { contents in
      defer { contents.set = [] }
      return contents.set
    }
  }

  func put(notice: String) { contents.withLock { $0.notice = notice } }

  func put(_ panel: Panel) { contents.withLock { $0.panel = panel } }

  func put(_ status: PanelStatus) {
    contents.withLock { contents in
      contents.status = contents.status.map { status.merged(with: $0) } ?? status
    }
  }

  func put(_ line: String) {
    contents.withLock { contents in
      contents.lines.append(line)
      if contents.lines.count > Self.lineLimit {
        contents.lines.removeFirst()
        contents.lost += 1
      }
    }
  }

  /// Takes out everything since the last call.
  func take() -> Contents {
    contents.withLock { contents in
      defer { contents = Contents(set: contents.set) }
      return contents
    }
  }
}
