import Foundation
import Panels

/// The token of a panel in the local network, kept in a file while the piece plays. After a crash the next run has the
/// same token, so that phones find the panel again by themselves; after an orderly end it has a new one.
package struct KeptToken: Sendable {
  package let path: String
  /// Seconds after which the token of a run that has crashed is no longer used.
  private static let lifetime = 12.0 * 3600

  package init(forPiece csd: String, in directory: String = PanelCertificate.standardDirectory) {
    path = "\(directory)/panel-token-\(KeptValues(forPiece: csd).key)"
  }

  /// The kept token if there is one, otherwise a new one, which is kept from now on if that is possible.
  package func take() -> String {
    let token = kept ?? PanelAccess.newToken()
    let part = "\(path).\(getpid())"
    unlink(part)
    let file = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { return token }
    let isWritten = Array(token.utf8).withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    close(file)
    if isWritten != token.utf8.count || rename(part, path) != 0 { unlink(part) }
    return token
  }

  /// A token that only this user can have written and read.
  private var kept: String? {
    let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 == 0,
      Date().timeIntervalSince1970 - Double(status.st_mtim.tv_sec) < Self.lifetime
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(file, &bytes, bytes.count)
    guard count == 32, bytes[..<count].allSatisfy({ Character(UnicodeScalar($0)).isHexDigit })
    else { return nil }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  /// Removes the token, at an orderly end.
  package func forget() { unlink(path) }
}
