import CSndfile
import Foundation

/// The file that libsndfile writes through the functions in `calls`. They note errors, because
/// libsndfile does not report it when an encoder cannot write, such as the last frames of FLAC and
/// MP3.
///
/// After the first failure the file ends with the last whole write before it. From then on only the header of a format
/// without an encoder can be written: an encoder's header would tell of frames that are missing.
final class FilePart {
  let file: Int32
  /// Why the file cannot be written; nil if nothing has failed.
  private(set) var problem: String?
  private let isEncoded: Bool
  /// The first bytes that can still be written after a failure; nil before.
  private var limit: Int?
  /// The most bytes the file takes.
  private let room: Int

  init(_ file: Int32, isEncoded: Bool, room: Int) {
    (self.file, self.isEncoded, self.room) = (file, isEncoded, room)
  }

  var status: stat {
    var status = stat()
    fstat(file, &status)
    return status
  }

  /// Fails if another program has shortened the file to less than `length` bytes.
  func require(_ length: Int) {
    let now = Int(status.st_size)
    if now < length { fail("another program has shortened it", at: now) }
  }

  /// Notes if the file's name has been removed. What is written is whole nevertheless.
  func requireName() {
    if status.st_nlink == 0, problem == nil { problem = "another program has removed it" }
  }

  private func fail(_ reason: String, at length: Int) {
    guard problem == nil else { return }
    problem = reason
    cut(to: length)
  }

  func cut(to length: Int) {
    ftruncate(file, off_t(length))
    limit = isEncoded ? 0 : length
  }

  func close() {
    if Glibc.close(file) != 0 { _ = checked(-1) }
  }

  private func checked(_ result: Int) -> sf_count_t {
    if result < 0, problem == nil { problem = String(cString: strerror(errno)) }
    return sf_count_t(result)
  }

  private func write(_ bytes: UnsafeRawPointer, _ count: Int) -> sf_count_t {
    let begin = Int(lseek(file, 0, SEEK_CUR))
    if let limit, begin + count > limit { return 0 }
    var written = 0
    while written < count {
      if begin + count > room { errno = ENOSPC }
      let more = begin + count > room ? -1 : Glibc.write(file, bytes + written, count - written)
      guard more >= 0 else {
        fail(String(cString: strerror(errno)), at: begin)
        return 0
      }
      written += more
    }
    return sf_count_t(written)
  }

  static var calls: SF_VIRTUAL_IO {
    SF_VIRTUAL_IO(
      get_filelen: { context in
        let part = FilePart.of(context)
        var status = stat()
        guard part.checked(Int(fstat(part.file, &status))) == 0 else { return -1 }
        return sf_count_t(status.st_size)
      },
      seek: { offset, origin, context in
        let part = FilePart.of(context)
        return part.checked(lseek(part.file, Int(offset), origin))
      },
      read: { bytes, count, context in
        let part = FilePart.of(context)
        return part.checked(read(part.file, bytes, Int(count)))
      },
      write: { bytes, count, context in
        FilePart.of(context).write(bytes!, Int(count))
      },
      tell: { context in
        let part = FilePart.of(context)
        return part.checked(lseek(part.file, 0, SEEK_CUR))
      })
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> FilePart {
    Unmanaged.fromOpaque(context!).takeUnretainedValue()
  }
}
