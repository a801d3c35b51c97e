import Foundation
import HarnessBase

/// A folder that is written under another name and moved to its place when it is complete. An older folder there is
/// replaced only if all its files are named in its SHA256SUMS.
struct PackageFolder {
  static let sums = "SHA256SUMS"

  /// Where the finished folder goes.
  let path: String
  /// Where the folder is written until then.
  let part: String

  init(_ path: String) throws(Failure) {
    self.path = path
    try Self.requireOurs(path)
    part = PartFile.path(of: path)
    try writing(path) {
      try FileManager.default.createDirectory(atPath: part, withIntermediateDirectories: true)
    }
  }

  private static func requireOurs(_ path: String) throws(Failure) {
    guard FileManager.default.fileExists(atPath: path) else { return }
    guard isDirectory(path) else {
      throw .unwritableOutput("'\(path)' is no folder; name another with --out.")
    }
    let sums = (try? String(contentsOfFile: path + "/" + self.sums, encoding: .utf8)) ?? ""
    let own = Set(sums.split(separator: "\n").map { $0.dropFirst(66) }).union([self.sums[...]])
    let foreign = contents(of: path, withOthers: true).first { !own.contains($0[...]) }
    guard let foreign else { return }
    throw .unwritableOutput(
      "'\(path)' has '\(foreign)' in it, which no package put there; name a new or empty folder with"
        + " --out.")
  }

  /// The files in a folder and its subfolders, as paths from the folder, sorted; with others also links and empty folders.
  static func contents(of folder: String, withOthers: Bool = false) -> [String] {
    let files = FileManager.default
    let names = files.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return names.filter { name in
      let path = folder + "/" + name
      guard isDirectory(path) else { return withOthers || files.fileExists(atPath: path) }
      return withOthers
        && ((try? files.destinationOfSymbolicLink(atPath: path)) != nil
          || (try? files.contentsOfDirectory(atPath: path).isEmpty) == true)
    }.sorted()
  }

  func write(_ text: String, to name: String) throws(Failure) {
    try write(Data(text.utf8), to: name)
  }

  func write(_ bytes: Data, to name: String) throws(Failure) {
    try put(name) { try bytes.write(to: URL(fileURLWithPath: $0)) }
  }

  func copy(_ source: String, to name: String) throws(Failure) {
    // What a link leads to, not the link.
    let source = URL(fileURLWithPath: source).resolvingSymlinksInPath().path
    try put(name) { try FileManager.default.copyItem(atPath: source, toPath: $0) }
  }

  private func put(_ name: String, _ write: (String) throws -> Void) throws(Failure) {
    let target = part + "/" + name
    try writing("\(path)/\(name)") {
      try FileManager.default.createDirectory(
        atPath: target.parentPath, withIntermediateDirectories: true)
      try write(target)
      // Readable for all, whatever the user's umask is.
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: target)
    }
  }

  /// Writes the checksums and moves the folder to its place.
  func finish() throws(Failure) {
    try write(try Self.sums(of: part, by: "sha256sum"), to: Self.sums)
    let old = part + ".old"
    let files = FileManager.default
    do {
      if files.fileExists(atPath: path) { try files.moveItem(atPath: path, toPath: old) }
      try files.moveItem(atPath: part, toPath: path)
    } catch {
      try? files.moveItem(atPath: old, toPath: path)
      throw .unwritableOutput("'\(path)' cannot be written: \(error.localizedDescription)")
    }
    try? files.removeItem(atPath: old)
  }

  /// Removes the folder if it was not moved to its place.
  func discard() { try? FileManager.default.removeItem(atPath: part) }

  /// A line with the checksum of each file of a folder that is no link, sorted by path, as `md5sum` and others print it.
  static func sums(of folder: String, by program: String) throws(Failure) -> String {
    let finished = try ChildProcess.run(
      "/usr/bin/env",
      [program, "--"]
        + contents(of: folder).filter {
          (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == nil
        }, directory: folder)
    try finished.require(.unavailable, "'\(program)' failed: ")
    return finished.output
  }
}
