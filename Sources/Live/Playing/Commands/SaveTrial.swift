import CommandKit
import Foundation
import HarnessBase
import PluginBuilding

/// Simulated saves: touches the sources of a package in turn, and measures the time from each save to its result.
struct SaveTrial {
  private let files: [String]
  private let count: Int

  /// Fails if the package has no Swift file.
  init(_ package: AuthorPackage, count: Int) throws(Failure) {
    self.count = count
    files = SourceWatch.sources(of: package)
    guard !files.isEmpty else {
      throw Failure(.badInput, "There is no Swift file in '\(package.sources)'.")
    }
  }

  /// Calls `result` after each save, with the time of the save; returns a sentence with the median time.
  func run(
    _ ending: String, _ result: (Date) throws(Failure) -> Void
  ) throws(Failure) -> String {
    var seconds: [Double] = []
    for turn in 0..<count {
      let saved = Date()
      let path = files[turn % files.count]
      try? FileManager.default.setAttributes([.modificationDate: saved], ofItemAtPath: path)
      try result(saved)
      seconds.append(Date().timeIntervalSince(saved))
    }
    seconds.sort()
    return "From the save to \(ending): median \(seconds.median.formatted(2)) s of \(count),"
      + " \(seconds[0].formatted(2)) to \(seconds[count - 1].formatted(2)) s."
  }
}
