import Foundation

/// Whether there is a directory at a path.
package func isDirectory(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// Fails if `path` is not a regular file that this user may read.
public func requireReadableFile(_ path: String) throws(Failure) {
  guard FileManager.default.fileExists(atPath: path) else {
    throw .missingInput("'\(path)' does not exist.")
  }
  guard !isDirectory(path) else {
    throw .missingInput("'\(path)' is a directory; name a file.")
  }
  var status = stat()
  guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
    throw .missingInput("'\(path)' is a pipe or a device; name a regular file.")
  }
  guard FileManager.default.isReadableFile(atPath: path) else {
    throw .missingInput("'\(path)' may not be read by this user; check its permissions.")
  }
}
