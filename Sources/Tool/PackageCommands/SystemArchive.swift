import Foundation
import HarnessBase
import Targets

/// An archive for the users of one operating system: the plugins for it, pages, examples and checksums, in one folder.
struct SystemArchive {
  let contents: Contents
  let release: Release
  let system: OperatingSystem

  /// The archives of a package, one for each operating system that it has plugins for.
  static func all(of contents: Contents, _ release: Release) -> [SystemArchive] {
    ([.linux] + contents.systems).map {
      SystemArchive(contents: contents, release: release, system: $0)
    }
  }

  /// The name of the folder in the archive.
  private var name: String { "\(contents.build.product)-\(release.version)-\(system.rawValue)" }

  /// `tar` and `gzip` are on every Linux; the other systems open ZIP without a further program.
  var file: String { name + (system == .linux ? ".tar.gz" : ".zip") }

  /// The path of a target's plugin in the archive.
  func path(of target: BuildTarget) -> String {
    "\(name)/\(target.plugin(givenAwayOf: contents.build.product))"
  }

  /// Writes the archive into a folder. The same commit gives the same bytes. `page` plays the opcodes in a browser.
  func write(to folder: PackageFolder, page listening: String?) throws(Failure) {
    let scratch = try ScratchDirectory("archive")
    defer { scratch.remove() }
    let tree = try PackageFolder("\(scratch.path)/\(name)")
    try contents.write(to: tree, for: system)
    let page = InstallPage(contents: contents, release: release, system: system)
    try tree.write(page.text, to: "INSTALL.md")
    if let listening, system == .web { try tree.write(listening, to: Contents.page) }
    try tree.finish()
    if system == .linux {
      try writeTar(in: scratch.path)
      try folder.copy("\(scratch.path)/\(name).tar.gz", to: file)
    } else {
      try folder.write(try zipped(in: scratch.path), to: file)
    }
  }

  private func writeTar(in scratch: String) throws(Failure) {
    try run(
      "tar",
      [
        "--create", "--file", "\(name).tar", "--format=gnu", "--sort=name",
        "--mtime=@\(release.epoch)", "--owner=0", "--group=0", "--numeric-owner",
        "--mode=u=rwX,go=rX", name,
      ], in: scratch)
    try run("gzip", ["-9n", "\(name).tar"], in: scratch)
  }

  /// The folder as a ZIP file. The fields are those of PKWARE's APPNOTE.TXT, 4.3.
  private func zipped(in scratch: String) throws(Failure) -> Data {
    let files = PackageFolder.contents(of: "\(scratch)/\(name)").map { "\(name)/\($0)" }
    try run("gzip", ["-9n", "--"] + files, in: scratch)
    var (archive, directory) = (Data(), Data())
    for file in files {
      guard let entry = ZipEntry(file, gzipped: "\(scratch)/\(file).gz", at: release.epoch) else {
        throw Failure(.unavailable, "'gzip' has written no usable '\(file).gz'.")
      }
      directory.append(entry.record(at: archive.count))
      archive.append(entry.file)
    }
    let place = archive.count
    archive.append(directory)
    archive.append(little: 0x0605_4b50, 4)
    archive.append(little: 0, 4)
    for _ in 0..<2 { archive.append(little: files.count, 2) }
    archive.append(little: directory.count, 4)
    archive.append(little: place, 4)
    archive.append(little: 0, 2)
    return archive
  }

  private func run(_ program: String, _ words: [String], in directory: String) throws(Failure) {
    let finished = try ChildProcess.run("/usr/bin/env", [program] + words, directory: directory)
    guard finished.isGood else {
      throw Failure(
        .unavailable,
        "'\(program)' failed: \(finished.errors.trimmingCharacters(in: .whitespacesAndNewlines))")
    }
  }
}

/// A file in a ZIP archive. Its compressed bytes, size and checksum come from a file that gzip has written.
private struct ZipEntry {
  private let name: Data
  private let compressed: Data
  /// The fields that stand before the file's bytes and in the archive's directory: from the needed version to the
  /// length of the name.
  private let fields: Data

  /// `epoch` is the file's date, in seconds since 1970. Nil if the file cannot be read.
  init?(_ name: String, gzipped path: String, at epoch: Int) {
    // Without a name and a date, the header has ten bytes; the checksum and the size stand at the end.
    guard let whole = FileManager.default.contents(atPath: path), whole.count >= 18 else {
      return nil
    }
    self.name = Data(name.utf8)
    compressed = whole[10..<whole.count - 8]
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(secondsFromGMT: 0)!
    let date = calendar.dateComponents(
      [.year, .month, .day, .hour, .minute, .second],
      // ZIP's dates begin in 1980.
      from: Date(timeIntervalSince1970: max(Double(epoch), 315_532_800)))
    var fields = Data()
    fields.append(little: 20, 2)
    // The name is in UTF-8.
    fields.append(little: 0x0800, 2)
    fields.append(little: 8, 2)
    fields.append(little: date.hour! << 11 | date.minute! << 5 | date.second! / 2, 2)
    fields.append(little: (date.year! - 1980) << 9 | date.month! << 5 | date.day!, 2)
    fields.append(whole.suffix(8).prefix(4))
    fields.append(little: compressed.count, 4)
    fields.append(whole.suffix(4))
    fields.append(little: self.name.count, 2)
    fields.append(little: 0, 2)
    self.fields = fields
  }

  /// What the archive has of the file.
  var file: Data {
    var data = Data()
    data.append(little: 0x0403_4b50, 4)
    return data + fields + name + compressed
  }

  /// What the archive's directory says of the file. `place` is where its bytes begin in the archive.
  func record(at place: Int) -> Data {
    var data = Data()
    data.append(little: 0x0201_4b50, 4)
    // Made on Unix, whose permissions follow.
    data.append(little: 3 << 8 | 20, 2)
    data.append(fields)
    data.append(little: 0, 6)
    data.append(little: 0o100644 << 16, 4)
    data.append(little: place, 4)
    return data + name
  }
}

extension Data {
  /// Appends the lowest bytes of a number, the lowest first.
  fileprivate mutating func append(little number: Int, _ count: Int) {
    for index in 0..<count { append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
  }
}
