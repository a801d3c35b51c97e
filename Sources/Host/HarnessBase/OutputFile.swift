import Foundation
import Synchronization

/// A file that the user named for output.
///
/// The content is first written to `part`; `finish` then puts it in place:
/// - A regular file, or one that does not exist yet, is replaced in one step and keeps its permissions
///   and owner. Until then it stays as it was.
/// - A symbolic link stays; the file it points to is replaced or created.
/// - A device, a named pipe or an open descriptor such as `/dev/stdout` is written to, and never
///   replaced.
package struct OutputFile: Codable, Sendable {
  /// The path as the user gave it, for messages.
  package let path: String
  /// The file that holds the content until `finish`: in the target's directory, or in the temporary
  /// directory if the target is not replaced.
  package let part: String
  /// Whether the target is a regular file or does not exist yet.
  package let isReplaced: Bool
  /// The path without symbolic links.
  private let target: String

  /// Fails if the file cannot be written, or if it is the same file as one of `inputs` or an orchestra file that is read.
  package init(_ path: String, inputs: [String] = []) throws(Failure) {
    self.path = path
    guard let found = Self.resolved(path) else { throw Self.unwritable(path) }
    let (directory, isDescriptor) = (found.parentPath, Self.isInProc(found))
    target = found
    var status = stat()
    guard stat(found, &status) == 0 else {
      guard !isDescriptor, access(directory, W_OK) == 0 else { throw Self.unwritable(path) }
      (isReplaced, part) = (true, PartFile.path(of: found))
      return
    }
    let kind = status.st_mode & S_IFMT
    isReplaced = kind == S_IFREG && !isDescriptor
    if kind == S_IFDIR { throw .unwritableOutput("'\(path)' is a directory; name a file.") }
    if kind == S_IFSOCK, !isDescriptor {
      throw .unwritableOutput(
        "'\(path)' is a socket, which cannot be written as a file; name a file, a pipe or a device."
      )
    }
    guard access(found, W_OK) == 0, !isReplaced || access(directory, W_OK) == 0 else {
      throw Self.unwritable(path)
    }
    let read = inputs + OrchestraAndScore.sources.flatMap(\.files)
    for input in read where isReplaced && Self.isSame(input, status) {
      throw .usage(
        "'\(path)' would overwrite '\(input)', which is the same file and is read; name another file."
      )
    }
    part =
      isReplaced
      ? PartFile.path(of: found) : NSTemporaryDirectory() + "/opcodekit-\(UUID().uuidString).part"
  }

  /// Creates `part` and opens it; the caller closes it.
  package func open() throws(Failure) -> Int32 {
    unlink(part)
    // A file beyond the limit of its size (RLIMIT_FSIZE) is a failure to write; the signal would end the process.
    signal(SIGXFSZ, SIG_IGN)
    let file = Glibc.open(part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, isReplaced ? 0o666 : 0o600)
    guard file >= 0 else { throw failure(errno) }
    return file
  }

  /// Writes the whole content and finishes the file. With `isDurable` it returns when the content and the name are on
  /// the disk, so that both outlast a loss of power.
  package func write(
    _ data: Data, mustBeNew: Bool = false, isDurable: Bool = false
  ) throws(Failure) {
    defer { discard() }
    let file = try open()
    var isOpen = true
    defer { if isOpen { close(file) } }
    try Array(data).withUnsafeBufferPointer { bytes throws(Failure) in
      try write(UnsafeRawBufferPointer(bytes), to: file)
    }
    // Pipes and some devices cannot be synchronised, and need not be.
    if isDurable, fsync(file) != 0, errno != EINVAL, errno != EROFS { throw failure(errno) }
    isOpen = false
    guard close(file) == 0 else { throw failure(errno) }
    try finish(mustBeNew: mustBeNew)
    if isDurable { Self.synchroniseDirectory(of: target) }
  }

  /// Renames a file that cannot be read, such as `piece.cc` to `piece.unreadable.cc`, and returns its new path. No file
  /// is replaced.
  package static func setAside(_ path: String) throws(Failure) -> String {
    let ending = (path as NSString).pathExtension
    for number in 1... {
      let mark = number == 1 ? "unreadable" : "unreadable-\(number)"
      let place = "\(path.dropLast(ending.count))\(mark).\(ending)"
      if link(path, place) == 0 {
        unlink(path)
        return place
      }
      guard errno == EEXIST else { break }
    }
    throw .unwritableOutput("'\(path)' cannot be renamed: \(String(cString: strerror(errno))).")
  }

  /// Waits until the disk has the names in the directory of a path. Some file systems cannot do this; then nothing
  /// happens.
  package static func synchroniseDirectory(of path: String) {
    let parent = path.parentPath
    let directory = Glibc.open(parent.isEmpty ? "." : parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { return }
    _ = fsync(directory)
    close(directory)
  }

  /// Puts the content of `part` in place. With `mustBeNew` it fails if the target exists.
  package func finish(mustBeNew: Bool = false) throws(Failure) {
    try finish(part, mustBeNew: mustBeNew)
  }

  /// Puts an incomplete `part` in place without replacing a whole file, and returns its path. `file` is `part`, open. If
  /// another program has removed its name, the content is copied to the target or else to the temporary directory.
  package func keepPart(_ file: Int32) throws(Failure) -> String {
    var status = stat()
    if fstat(file, &status) == 0, status.st_nlink > 0 {
      let place = try sparingExisting
      try place.finish(part)
      return place.path
    }
    let other = NSTemporaryDirectory() + "/" + (target as NSString).lastPathComponent
    var place = try OutputFile(other).sparingExisting
    if let named = try? OutputFile(path).sparingExisting { place = named }
    let copy = try place.open()
    defer {
      close(copy)
      place.discard()
    }
    lseek(file, 0, SEEK_SET)
    try place.copy(file, to: copy)
    try place.finish()
    return place.path
  }

  private func finish(_ part: String, mustBeNew: Bool = false) throws(Failure) {
    guard isReplaced else { return try copyToTarget(part) }
    var old = stat()
    let exists = lstat(target, &old) == 0
    guard !exists || old.st_mode & S_IFMT == S_IFREG else {
      throw .unwritableOutput(
        "'\(path)' was replaced by something else meanwhile and is left as it is; nothing was written."
      )
    }
    if mustBeNew {
      guard link(part, target) == 0 else {
        guard errno == EEXIST else { throw failure(errno) }
        throw .unwritableOutput(
          "'\(path)' was written by another run meanwhile and is left as it is; nothing was saved.")
      }
      unlink(part)
      return
    }
    if exists {
      // Only root may give a file to another owner.
      _ = chown(part, old.st_uid, old.st_gid)
      chmod(part, old.st_mode & 0o7777)
    }
    guard rename(part, target) == 0 else { throw failure(errno) }
  }

  /// Removes `part`; without effect after `finish`.
  package func discard() { unlink(part) }

  /// Why the file cannot be written, from a value of `errno`.
  package func failure(_ number: Int32) -> Failure { failure(String(cString: strerror(number))) }

  package func failure(_ reason: String) -> Failure {
    Failure(.unwritableOutput, "'\(path)' cannot be written: \(reason).")
  }
}

// MARK: Targets that are not replaced

extension OutputFile {
  private func copyToTarget(_ part: String) throws(Failure) {
    let source = Glibc.open(part, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw failure(errno) }
    defer { close(source) }
    let file = try openTarget()
    var isOpen = true
    defer { if isOpen { close(file) } }
    try copy(source, to: file)
    isOpen = false
    guard close(file) == 0 else { throw failure(errno) }
    unlink(part)
  }

  private func copy(_ source: Int32, to file: Int32) throws(Failure) {
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)
    defer { block.deallocate() }
    while true {
      let count = read(source, block.baseAddress, block.count)
      guard count >= 0 else { throw failure(errno) }
      guard count > 0 else { return }
      try write(UnsafeRawBufferPointer(rebasing: block[..<count]), to: file)
    }
  }

  /// Opens the target for writing; for a named pipe it waits until a reader opens the other end. One of
  /// this process's own descriptors is duplicated: if its file were opened again, it would be written
  /// from the beginning.
  private func openTarget() throws(Failure) -> Int32 {
    if target.parentPath == "/proc/\(getpid())/fd",
      let own = Int32((target as NSString).lastPathComponent)
    {
      fflush(nil)
      let file = dup(own)
      guard file >= 0 else { throw failure(errno) }
      return file
    }
    while true {
      // Non-blocking, because Ctrl-C does not interrupt a blocking `open`.
      let file = Glibc.open(target, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
      if file >= 0 { return file }
      var status = stat()
      guard errno == ENXIO, stat(target, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else {
        throw failure(errno)
      }
      try Interruption.check()
      usleep(20_000)
    }
  }

  private func write(_ bytes: UnsafeRawBufferPointer, to file: Int32) throws(Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Glibc.write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count >= 0 {
        rest = rest.dropFirst(count)
        continue
      }
      guard errno == EAGAIN || errno == EINTR else { throw failure(errno) }
      try Interruption.check()
      var ready = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
      poll(&ready, 1, 100)
    }
  }
}

// MARK: Paths

extension OutputFile {
  /// The file for a part of the content, which must not replace the whole: if there is a file of that name, the one
  /// beside it, such as `rows.unfinished.json` for `rows.json`; otherwise this file.
  package var sparingExisting: OutputFile {
    get throws(Failure) {
      var status = stat()
      guard isReplaced, stat(target, &status) == 0 else { return self }
      // Beside the file that a symbolic link leads to, where `init` has tried that it can be written.
      let isLink = lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
      let whole = isLink ? target : path
      let name = (whole as NSString).lastPathComponent as NSString
      let type = name.pathExtension
      return try OutputFile(
        whole.dropLast((name as String).count) + name.deletingPathExtension + ".unfinished"
          + (type.isEmpty ? "" : "." + type))
    }
  }

  /// The path without symbolic links; the file itself need not exist. Nil if its directory does not
  /// exist. Links in `/proc` are kept, because they stand for open files rather than paths.
  private static func resolved(_ path: String) -> String? {
    guard !path.isEmpty, !path.hasSuffix("/") else { return nil }
    var path = path
    // Linux, too, follows at most 40 links.
    for _ in 0..<40 {
      let parent = path.parentPath
      guard let directory = realpath(parent.isEmpty ? "." : parent, nil) else { return nil }
      defer { free(directory) }
      let place = String(cString: directory)
      let found = (place == "/" ? "" : place) + "/" + (path as NSString).lastPathComponent
      guard !isInProc(found),
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: found)
      else { return found }
      path = link.hasPrefix("/") ? link : place + "/" + link
    }
    return nil
  }

  private static func isInProc(_ path: String) -> Bool { path.hasPrefix("/proc/") }

  private static func isSame(_ path: String, _ status: stat) -> Bool {
    var other = stat()
    return stat(path, &other) == 0 && other.st_dev == status.st_dev && other.st_ino == status.st_ino
  }

  private static func unwritable(_ path: String) -> Failure {
    Failure.unwritableOutput(
      "'\(path)' cannot be written; name a file in a directory that exists and that you may write to."
    )
  }
}
