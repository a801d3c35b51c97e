import Foundation
import HarnessBase
import TestSupport
import Testing

@Suite("Output files")
struct OutputFileTests {
  let directory: String

  init() throws { directory = try temporaryDirectory() }

  private func path(_ name: String) -> String { "\(directory)/\(name)" }

  private func text(_ name: String) -> String? {
    FileManager.default.contents(atPath: path(name)).map { String(decoding: $0, as: UTF8.self) }
  }

  private func put(_ text: String, _ name: String) throws {
    try text.save(to: path(name))
  }

  /// The kind and permissions of what has that name itself.
  private func mode(_ name: String) -> mode_t {
    var status = stat()
    return lstat(path(name), &status) == 0 ? status.st_mode : 0
  }

  private var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).sorted()
  }

  @Test("A file is replaced in one step when it is finished, and keeps its permissions")
  func regular() throws {
    try put("old", "a")
    chmod(path("a"), 0o640)
    let file = try OutputFile(path("a"))
    let part = try file.open()
    #expect(write(part, "new", 3) == 3)
    close(part)
    #expect(text("a") == "old")
    try file.finish()
    #expect(text("a") == "new" && mode("a") == S_IFREG | 0o640)
    #expect(names == ["a"])
  }

  @Test("A file that is not finished leaves the old one and nothing else")
  func discarded() throws {
    try put("old", "a")
    let file = try OutputFile(path("a"))
    close(try file.open())
    file.discard()
    #expect(text("a") == "old" && names == ["a"])
  }

  @Test("A symbolic link stays, and the file it leads to is replaced or made")
  func links() throws {
    try FileManager.default.createDirectories(path("below"))
    try put("old", "below/there")
    for (link, target) in [("a", "b"), ("b", "below/there"), ("c", "below/new")] {
      symlink(target, path(link))
    }
    try OutputFile(path("a")).write(Data("one".utf8))
    try OutputFile(path("c")).write(Data("two".utf8))
    #expect(text("below/there") == "one" && text("below/new") == "two")
    for link in ["a", "b", "c"] { #expect(mode(link) & S_IFMT == S_IFLNK) }
    symlink("d", path("d"))
    #expect(failure { _ = try OutputFile(path("d")) }?.kind == .unwritableOutput)
  }

  @Test("A part of the content goes beside a file that is there")
  func unfinished() throws {
    let below = path("below")
    try FileManager.default.createDirectories(below)
    for name in ["a.json", "b", "below/c.tar.gz"] { try put("whole", name) }
    symlink("below/c.tar.gz", path("link.json"))
    let written = try ["a.json", "b", "link.json", "new.json"].map { name in
      let file = try OutputFile(path(name)).sparingExisting
      try file.write(Data("part".utf8))
      return file.path
    }
    #expect(written[0] == path("a.unfinished.json") && written[1] == path("b.unfinished"))
    #expect(written[2].hasSuffix("/below/c.tar.unfinished.gz") && written[3] == path("new.json"))
    #expect(["a.json", "b", "below/c.tar.gz"].map(text) == ["whole", "whole", "whole"])
    for path in written { #expect(FileManager.default.contents(atPath: path) == Data("part".utf8)) }
    // A file of the same kind that an earlier run has left is replaced.
    try OutputFile(path("a.json")).sparingExisting.write(Data("later".utf8))
    #expect(text("a.unfinished.json") == "later" && text("a.json") == "whole")
  }

  @Test("A part of the content is written to what is never replaced")
  func unfinishedElsewhere() throws {
    mkfifo(path("pipe"), 0o600)
    for place in [path("pipe"), "/dev/null", "/dev/stdout"] {
      #expect(try OutputFile(place).sparingExisting.path == place)
    }
  }

  @Test("A named pipe gets the content, however late somebody reads it, and stays a pipe")
  func pipes() async throws {
    mkfifo(path("pipe"), 0o600)
    let pipe = path("pipe")
    // More than a pipe holds.
    let content = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
    let reader = Thread.detached { () -> Data in
      usleep(100_000)
      return FileHandle(forReadingAtPath: pipe)!.readDataToEndOfFile()
    }
    try OutputFile(pipe).write(content)
    #expect(await reader.value == content)
    #expect(mode("pipe") & S_IFMT == S_IFIFO && names == ["pipe"])
  }

  @Test(
    "A device is written to and stays a device, and what it cannot take is a failure",
    .enabled(if: geteuid() == 0, "only root can make a device of its own"))
  func devices() throws {
    for (name, minor) in [("null", 3), ("full", 7)] {
      try #require(mknod(path(name), S_IFCHR | 0o666, dev_t(1 << 8 | minor)) == 0)
    }
    #expect(failure { try OutputFile(path("null")).write(Data("x".utf8)) } == nil)
    let full = failure { try OutputFile(path("full")).write(Data("x".utf8)) }
    #expect(full?.kind == .unwritableOutput && full?.message.contains("No space left") == true)
    for name in ["null", "full"] { #expect(mode(name) & S_IFMT == S_IFCHR) }
  }

  @Test("A socket, a directory and a place without a directory are refused before the work")
  func refused() throws {
    let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // Addresses of sockets are short.
    let here = FileManager.default.currentDirectoryPath
    let short = "/tmp/opcodekit-\(getpid()).socket"
    unlink(short)
    defer { unlink(short) }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: short.utf8) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0)
    for (path, said) in [
      (short, "is a socket"), (directory, "is a directory"), (here, "is a directory"),
      (path("none/a"), "cannot be written"), ("", "cannot be written"),
    ] {
      let found = failure { _ = try OutputFile(path) }
      #expect(found?.kind == .unwritableOutput && found?.message.contains(said) == true, "\(path)")
    }
    var status = stat()
    #expect(lstat(short, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK)
  }

  @Test("What is read is not overwritten, under none of its names")
  func inputs() throws {
    try put("precious", "a")
    symlink("a", path("link"))
    link(path("a"), path("hard"))
    try put("other", "b")
    for name in ["a", "link", "hard"] {
      let found = failure { _ = try OutputFile(path(name), inputs: [path("b"), path("a")]) }
      #expect(found?.kind == .usage && found?.message.contains("same file") == true, "\(name)")
    }
    #expect(failure { _ = try OutputFile(path("b"), inputs: [path("a")]) } == nil)
  }

  @Test("Where a file must be new, or has become something else, what is there stays")
  func meanwhile() throws {
    let file = try OutputFile(path("a"))
    try put("theirs", "a")
    let late = failure { try file.write(Data("ours".utf8), mustBeNew: true) }
    #expect(late?.message.contains("by another run meanwhile") == true)
    #expect(text("a") == "theirs")
    unlink(path("a"))
    mkfifo(path("a"), 0o600)
    #expect(failure { try file.write(Data("ours".utf8)) }?.kind == .unwritableOutput)
    #expect(mode("a") & S_IFMT == S_IFIFO && names == ["a"])
  }
}

extension Thread {
  /// The value that work gives on a thread of its own.
  fileprivate static func detached<Value: Sendable>(
    _ work: @escaping @Sendable () -> Value
  ) -> Task<Value, Never> {
    Task {
      await withCheckedContinuation { continuation in
        Thread { continuation.resume(returning: work()) }.start()
      }
    }
  }
}
