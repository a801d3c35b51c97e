import CommandKit
import Foundation

extension PluginBuild {
  /// Removes what was built of a package in another directory. Swift's files contain the directory's path, so after the
  /// package was moved or copied its compiler fails with them.
  static func forgetMovedBuild(of directory: String) {
    let build = directory + "/.build"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: build)) ?? []
    let plans =
      [build + "/debug.yaml"]
      + names.filter { $0.hasPrefix("standalone") }.map { "\(build)/\($0)/release.yaml" }
    let isMoved = plans.contains { plan in
      (try? String(contentsOfFile: plan, encoding: .utf8))?.contains("\"\(build)/") == false
    }
    guard isMoved else { return }
    printError(
      "opcodekit: '\(Project.short(directory))' was somewhere else when it was built; building anew."
    )
    try? FileManager.default.removeItem(atPath: build)
  }
}
