import Foundation

/// The path of a program on the PATH, or in another colon-separated list of directories.
package func installedProgram(_ name: String, in directories: String? = nil) -> String? {
  let path = directories ?? ProcessInfo.processInfo.environment["PATH"] ?? ""
  return path.split(separator: ":").map { "\($0)/\(name)" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }
}

/// The path of a program that an option needs, and that a Debian package has.
package func requiredProgram(
  _ name: String, ofDebian debian: String, for option: String
) throws(Failure) -> String {
  if let found = installedProgram(name) { return found }
  throw .unavailable(
    "--\(option) needs the Debian package '\(debian)', which is not installed; as root, run:"
      + " apt-get install -y \(debian).")
}

/// A temporary directory for files that other programs write. The owner removes it.
package struct ScratchDirectory: Sendable {
  package let path: String

  package init(_ purpose: String) throws(Failure) {
    let place = URL(fileURLWithPath: NSTemporaryDirectory()).path
    path = "\(place)/opcodekit-\(purpose)-\(UUID().uuidString)"
    try makeDirectory(path)
  }

  package func remove() { try? FileManager.default.removeItem(atPath: path) }
}
