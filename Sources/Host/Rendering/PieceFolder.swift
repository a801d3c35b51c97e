import Foundation

/// The folder that a piece lies in.
enum PieceFolder {
  /// The paths that a piece may read of its folder: the whole folder. If that is the home directory or
  /// contains it, only the files directly in it that are not hidden.
  static func readable(_ directory: String) -> [String] {
    guard let real = realPath(directory) else { return [] }
    guard homes.contains(where: { isInside($0, real) }) else { return [real] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: real)) ?? []
    return names.filter { !$0.hasPrefix(".") }.map { real == "/" ? "/" + $0 : real + "/" + $0 }
      .filter(isFile)
  }

  /// The user's home directory, from the environment and from the system's user database.
  private static var homes: [String] {
    let entry = getpwuid(getuid()).map { String(cString: $0.pointee.pw_dir) }
    return [ProcessInfo.processInfo.environment["HOME"], entry].compactMap { $0.flatMap(realPath) }
  }

  private static func isInside(_ path: String, _ directory: String) -> Bool {
    directory == "/" || path == directory || path.hasPrefix(directory + "/")
  }

  private static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// Whether a path is a regular file, and not a symbolic link, which could point to any other file.
  private static func isFile(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
