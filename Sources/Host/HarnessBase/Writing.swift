import Foundation

/// Does what writes a file or a directory. An error becomes a failure that names `path`; a failure stays as it is.
package func writing<Result>(
  _ path: String, _ body: () throws -> Result
) throws(Failure) -> Result {
  do {
    return try body()
  } catch let failure as Failure {
    throw failure
  } catch {
    throw .unwritableOutput("'\(path)' cannot be written: \(error.localizedDescription)")
  }
}

/// Makes a directory, and those above it, unless it is there.
package func makeDirectory(_ path: String) throws(Failure) {
  do {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  } catch {
    throw .unwritableOutput("The directory '\(path)' cannot be made: \(error.localizedDescription)")
  }
}

/// When a file, or a link itself, was last written; nil if there is none.
package func dateWritten(_ path: String) -> Date? {
  // FileManager reads all attributes, and every command asks for the dates of hundreds of files.
  var status = stat()
  guard lstat(path, &status) == 0 else { return nil }
  let time = status.st_mtim
  return Date(timeIntervalSince1970: Double(time.tv_sec) + 1e-9 * Double(time.tv_nsec))
}
