import Foundation

/// The C compiler that comes with Swift.
public enum Clang {
  /// The clang on the PATH, or else beside `swift`; nil where there is none.
  public static var path: String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let directories = path.split(separator: ":").map(String.init)
    let beside = directories.map { URL(fileURLWithPath: "\($0)/swift").resolvingSymlinksInPath() }
      .map { $0.deletingLastPathComponent().path }
    return (directories + beside).map { "\($0)/clang" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
