import CommandKit
import Foundation
import HarnessBase
import PluginBuilding

/// What distinguishes one state of a file from another; a file that is renamed and comes back counts as changed.
struct FileStamp: Equatable {
  private let inode, seconds, nanoseconds: Int
  let bytes: Int

  /// Nil if there is no such file.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (inode, bytes) = (Int(status.st_ino), Int(status.st_size))
    (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
  }
}

/// The files of a package and a piece, and their present state.
struct SourceWatch {
  struct Change: Equatable {
    var files: [String]
    /// Whether the plugin must be built again.
    var concernsSources: Bool
    var concernsPiece: Bool

    /// The names of the changed files, for messages.
    var names: String { files.map { ($0 as NSString).lastPathComponent }.joined(separator: ", ") }
  }

  let package: AuthorPackage
  /// What the piece was made of; nil for a CSD.
  private let source: OrchestraAndScore.Source?
  /// The files of the piece.
  private let pieces: [String]
  private var stamps: [String: FileStamp]

  init(_ package: AuthorPackage, piece: String) {
    self.package = package
    source = OrchestraAndScore.source(of: piece)
    pieces = source?.files ?? [piece]
    stamps = Self.stamps(package, pieces)
  }

  /// The Swift and C files of a package, sorted, without directories that tools have made.
  static func sources(of package: AuthorPackage) -> [String] {
    guard let names = FileManager.default.enumerator(atPath: package.sources) else { return [] }
    var files: [String] = []
    while let name = names.nextObject() as? String {
      let last = (name as NSString).lastPathComponent
      if last.hasPrefix(".") || package.sources == package.directory && name == "build" {
        names.skipDescendants()
      } else if kinds.contains((last as NSString).pathExtension), name != "Package.swift" {
        files.append("\(package.sources)/\(name)")
      }
    }
    return files.sorted()
  }

  private static let kinds: Set = [
    "swift", "c", "h", "cc", "cpp", "cxx", "hpp", "m", "mm", "s", "S", "modulemap",
  ]

  private static func stamps(_ package: AuthorPackage, _ pieces: [String]) -> [String: FileStamp] {
    let paths = sources(of: package) + [package.directory + "/Package.swift"] + pieces
    let stamps = paths.compactMap { path in FileStamp(path).map { (path, $0) } }
    return Dictionary(stamps) { $1 }
  }

  /// Waits for a change, and then until nothing changes for a moment, because editors write in several steps. Fails if
  /// the run is interrupted.
  mutating func next() throws(Failure) -> Change {
    while true {
      try Interruption.check()
      usleep(50_000)
      var now = Self.stamps(package, pieces)
      guard now != stamps else { continue }
      while true {
        usleep(50_000)
        let later = Self.stamps(package, pieces)
        if later == now { break }
        now = later
      }
      let files = Set(now.keys).union(stamps.keys).filter { now[$0] != stamps[$0] }.sorted()
      // An editor may replace the file by deleting it first, so wait until it is back.
      guard pieces.allSatisfy({ now[$0] != nil }) else { continue }
      stamps = now
      let concernsPiece = files.contains(where: pieces.contains)
      if concernsPiece { try source?.write() }
      return Change(
        files: files, concernsSources: files.contains { !pieces.contains($0) },
        concernsPiece: concernsPiece)
    }
  }
}
