import Foundation
import HarnessBase
import PluginBuilding

/// The plugins of a package that is built again and again, each under a path of its own, because a process that has
/// loaded a plugin would not load another from the same path.
struct PluginVersions {
  let build: PluginBuild
  private let scratch: ScratchDirectory
  private var count = 0

  init(_ build: PluginBuild) throws(Failure) {
    self.build = build
    scratch = try ScratchDirectory("watch")
  }

  /// A directory for other files of the run.
  var directory: String { scratch.path }

  /// Builds the package as it is now; returns the path of the new plugin.
  mutating func next() throws(Failure) -> String {
    let built = try build.plain()
    count += 1
    let copy = "\(scratch.path)/lib\(build.product)-\(count).so"
    try writing(copy) { try FileManager.default.copyItem(atPath: built, toPath: copy) }
    return copy
  }

  func remove() { scratch.remove() }
}
