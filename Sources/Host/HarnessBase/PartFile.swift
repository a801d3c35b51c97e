import Foundation

/// The temporary file or directory that is written first and then renamed to the target's name.
///
/// Each run names its own after its process number and removes it, unless the run is killed (SIGKILL).
package enum PartFile {
  /// The path of the temporary file for `path`. Temporary files that dead processes have left for the
  /// same path are removed, with a message on standard error.
  package static func path(of path: String) -> String {
    for abandoned in abandoned(path)
    where (try? FileManager.default.removeItem(atPath: abandoned)) != nil {
      let line = "opcodekit: removed '\(abandoned)', which a run that was killed had left.\n"
      try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
    }
    return "\(path).\(getpid()).part"
  }

  /// Gives temporary files that dead processes have left for `path` a name of their own beside it, such as
  /// `take-1234.wav` for `take.wav`, with a message on standard error: what was recorded until a crash is not removed.
  package static func rescue(_ path: String) {
    for found in abandoned(path) where found.hasSuffix(".part") {
      let process = found.dropLast(".part".count).split(separator: ".").last ?? ""
      let whole = path as NSString
      let name = "\(whole.deletingPathExtension)-\(process).\(whole.pathExtension)"
      // Fails if there is a file of that name; then both stay.
      guard link(found, name) == 0, unlink(found) == 0 else { continue }
      let line = "opcodekit: '\(name)' is what a run that was killed has recorded.\n"
      try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
    }
  }

  private static func abandoned(_ path: String) -> [String] {
    let directory = path.parentPath
    let name = (path as NSString).lastPathComponent
    let names =
      (try? FileManager.default.contentsOfDirectory(atPath: directory.isEmpty ? "." : directory))
      ?? []
    return names.compactMap { other in
      guard other.hasPrefix(name + "."),
        let match = other.dropFirst(name.count + 1).wholeMatch(of: /(\d+)\.part(\.csd|-.*)?/),
        let process = pid_t(match.1), kill(process, 0) != 0, errno == ESRCH
      else { return nil }
      return directory.isEmpty ? other : directory + "/" + other
    }
  }
}
