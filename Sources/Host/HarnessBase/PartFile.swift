import Foundation

/// The file or directory beside another that is written first and then takes the other's name.
///
/// Each run has its own, named after its process, and removes it; one that is killed (SIGKILL) cannot.
package enum PartFile {
  /// The part of a file. Parts of that file that were left behind by processes that are gone are
  /// removed, and said so on standard error.
  package static func path(of path: String) -> String {
    for abandoned in abandoned(path)
    where (try? FileManager.default.removeItem(atPath: abandoned)) != nil {
      let line = "opcodekit: removed '\(abandoned)', which a run that was killed had left.\n"
      try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
    }
    return "\(path).\(getpid()).part"
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
