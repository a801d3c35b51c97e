import Foundation
public import HarnessBase
import Synchronization

/// The file in which a piece's panel keeps its values while the piece plays: `PIECE.values.json` beside `PIECE.csd`.
public final class KeptValues: Sendable {
  private let file: PieceFile<PanelPreset>
  public var path: String { file.path }
  /// The socket whose name is this program's claim; -1 without a claim.
  private let claimed = Mutex<Int32>(-1)

  public init(forPiece csd: String) {
    file = PieceFile("values", "file of a panel's values", forPiece: csd)
  }

  deinit { claimed.withLock { if $0 >= 0 { close($0) } } }

  /// Claims the file for this program, until this object goes or the program ends in any way. False if another program
  /// on this computer has it, and keeps it for half a second.
  public func claim() -> Bool {
    let name = "opcodekit-values-" + key
    for attempt in 0..<6 {
      // A program that was killed a moment ago has its sockets a little longer.
      if attempt > 0 { usleep(100_000) }
      if let socket = Self.bind(name) {
        claimed.withLock { $0 = socket }
        return true
      }
      guard errno == EADDRINUSE else { return true }
    }
    return false
  }

  /// A name for the piece that is the same in every program and by every path to it: hexadecimal digits.
  package var key: String { String(Self.hash(of: resolvedPath), radix: 16) }

  /// The path without symbolic links.
  private var resolvedPath: String {
    let parent = path.parentPath
    guard let directory = realpath(parent.isEmpty ? "." : parent, nil) else { return path }
    defer { free(directory) }
    return String(cString: directory) + "/" + (path as NSString).lastPathComponent
  }

  /// FNV-1a.
  private static func hash(of text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  /// Takes a name among the sockets that have no file; Linux frees it when the socket is closed. Nil if that fails.
  private static func bind(_ name: String) -> Int32? {
    let descriptor = socket(
      AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.dropFirst().copyBytes(from: name.utf8) }
    let length = MemoryLayout<sa_family_t>.size + 1 + name.utf8.count
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(descriptor, $0, socklen_t(length))
      }
    }
    guard status != 0 else { return descriptor }
    let error = errno
    close(descriptor)
    errno = error
    return nil
  }

  /// The values of the last time, with the time as their name; nil if there is no file.
  public func read() throws(Failure) -> PanelPreset? { try file.read() }

  /// Writes the values, and returns when the disk has them. An existing file stays as it is until the new one is
  /// complete.
  public func write(_ values: PanelPreset) throws(Failure) {
    try file.write(values, isDurable: true)
  }

  /// Removes the file, if there is one.
  public func remove() throws(Failure) {
    guard unlink(path) != 0 else { return OutputFile.synchroniseDirectory(of: path) }
    guard errno != ENOENT else { return }
    throw .unwritableOutput("'\(path)' cannot be removed: \(String(cString: strerror(errno))).")
  }
}
