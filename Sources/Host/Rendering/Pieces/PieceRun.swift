import Foundation
public import HarnessBase

/// Work on one piece.
public enum PieceRun {
  /// Calls `body` with an empty directory at `path`, which is removed afterwards.
  public static func withScratch<Result>(
    _ path: String, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try? FileManager.default.removeItem(atPath: path)
    try makeDirectory(path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try body()
  }
}
