import Foundation
import HarnessBase

/// Which files a package and a piece are made of, and how they are now.
struct SourceWatch {
  /// What tells one state of a file from another; renaming and returning count, too.
  private struct Stamp: Equatable {
    var modified: Double
    var bytes: Int64
    var inode: UInt64
  }

  struct Change: Equatable {
    var files: [String]

    /// Whether the plugin must be built anew.
    func concernsSources(of directory: String) -> Bool {
      files.contains { $0.hasPrefix(directory + "/Sources/") || $0 == directory + "/Package.swift" }
    }
  }

  let directory: String
  let piece: String
  private var stamps: [String: Stamp]

  init(directory: String, piece: String) {
    (self.directory, self.piece) = (directory, piece)
    stamps = Self.stamps(directory, piece)
  }

  private static func stamps(_ directory: String, _ piece: String) -> [String: Stamp] {
    let sources = directory + "/Sources"
    let names = FileManager.default.enumerator(atPath: sources)?.compactMap { $0 as? String } ?? []
    let swift = names.filter { $0.hasSuffix(".swift") }.map { "\(sources)/\($0)" }
    var stamps: [String: Stamp] = [:]
    for path in swift + [directory + "/Package.swift", piece] {
      var status = stat()
      guard stat(path, &status) == 0 else { continue }
      let time = status.st_mtim
      stamps[path] = Stamp(
        modified: Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9, bytes: Int64(status.st_size),
        inode: UInt64(status.st_ino))
    }
    return stamps
  }

  /// Waits until something is another, and then until no more changes for a moment: editors write in
  /// several steps. Fails when the run is interrupted.
  mutating func next() throws(Failure) -> Change {
    while true {
      try Interruption.check()
      usleep(50_000)
      var now = Self.stamps(directory, piece)
      guard now != stamps else { continue }
      while true {
        usleep(50_000)
        let later = Self.stamps(directory, piece)
        if later == now { break }
        now = later
      }
      let files = Set(now.keys).union(stamps.keys).filter { now[$0] != stamps[$0] }.sorted()
      stamps = now
      // A file that is away is on its way back: editors replace it.
      if stamps[piece] == nil { continue }
      return Change(files: files)
    }
  }
}
