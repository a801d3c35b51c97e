import CommandKit
import Foundation
import HarnessBase
import LibraryCommands

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
    var concernsSources: Bool
    var concernsPiece: Bool

    /// What sentences call it.
    var names: String { files.map { ($0 as NSString).lastPathComponent }.joined(separator: ", ") }
  }

  let package: AuthorPackage
  let piece: String
  private var stamps: [String: Stamp]

  init(_ package: AuthorPackage, piece: String) {
    (self.package, self.piece) = (package, piece)
    stamps = Self.stamps(package, piece)
  }

  /// The Swift files of a package, in order. What tools have put beside them is not looked at.
  static func sources(of package: AuthorPackage) -> [String] {
    guard let names = FileManager.default.enumerator(atPath: package.sources) else { return [] }
    var files: [String] = []
    while let name = names.nextObject() as? String {
      let last = (name as NSString).lastPathComponent
      if last.hasPrefix(".") || package.sources == package.directory && name == "build" {
        names.skipDescendants()
      } else if last.hasSuffix(".swift"), name != "Package.swift" {
        files.append("\(package.sources)/\(name)")
      }
    }
    return files.sorted()
  }

  private static func stamps(_ package: AuthorPackage, _ piece: String) -> [String: Stamp] {
    var stamps: [String: Stamp] = [:]
    for path in sources(of: package) + [package.directory + "/Package.swift", piece] {
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
      var now = Self.stamps(package, piece)
      guard now != stamps else { continue }
      while true {
        usleep(50_000)
        let later = Self.stamps(package, piece)
        if later == now { break }
        now = later
      }
      let files = Set(now.keys).union(stamps.keys).filter { now[$0] != stamps[$0] }.sorted()
      // A file that is away is on its way back: editors replace it.
      if now[piece] == nil { continue }
      stamps = now
      return Change(
        files: files, concernsSources: files.contains { $0 != piece },
        concernsPiece: files.contains(piece))
    }
  }
}
