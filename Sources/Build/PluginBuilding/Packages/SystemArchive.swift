import Foundation
import HarnessBase
import Rendering

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
      try Self.writeTar(of: name, release, in: scratch.path)
    } else {
      try writeZip(in: scratch.path)
    }
    try folder.copy("\(scratch.path)/\(file)", to: file)
  }

  /// Makes NAME.tar.gz of the folder NAME in `scratch`.
  static func writeTar(of name: String, _ release: Release, in scratch: String) throws(Failure) {
    try run(
      "tar",
      [
        "--create", "--file", "\(name).tar", "--format=gnu", "--sort=name",
        "--mtime=@\(release.epoch)", "--owner=0", "--group=0", "--numeric-owner",
        "--mode=u=rwX,go=rX", name,
      ], in: scratch)
    try run("gzip", ["-9n", "\(name).tar"], in: scratch)
  }

  private func writeZip(in scratch: String) throws(Failure) {
    let files = PackageFolder.contents(of: "\(scratch)/\(name)").map { "\(name)/\($0)" }
    // ZIP's dates begin in 1980.
    let date = Date(timeIntervalSince1970: max(Double(release.epoch), 315_532_800))
    for file in files {
      try? FileManager.default.setAttributes(
        [.modificationDate: date, .posixPermissions: 0o644], ofItemAtPath: "\(scratch)/\(file)")
    }
    // ZIP's dates have no time zone, and ZIPOPT may hold the user's own options.
    try Self.run(
      "env", ["--unset=ZIPOPT", "TZ=UTC", "zip", "-qX9", "\(name).zip"] + files, in: scratch)
  }

  private static func run(_ program: String, _ words: [String], in directory: String)
    throws(Failure)
  {
    let finished = try ChildProcess.run("/usr/bin/env", [program] + words, directory: directory)
    try finished.require(.unavailable, "'\(program)' failed: ")
  }
}
