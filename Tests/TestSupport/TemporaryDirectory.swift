import Foundation

/// A new empty directory, which is removed when the tests end.
package func temporaryDirectory() throws -> String {
  let path = temporaryRoot + "/" + UUID().uuidString
  try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  return path
}

private let temporaryRoot: String = {
  atexit { try? FileManager.default.removeItem(atPath: temporaryRoot) }
  // Without symbolic links, as `getcwd` returns it.
  let place = URL(filePath: NSTemporaryDirectory(), directoryHint: .isDirectory)
  return place.resolvingSymlinksInPath().appending(path: "opcodekit-tests-\(getpid())").path
}()
