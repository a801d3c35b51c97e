import Foundation
import HarnessBase
import LibraryCommands

/// The plugins of a package that is built again and again, each under a path of its own: whoever has loaded a
/// plugin would take the same path for the same plugin.
struct PluginVersions {
  let build: PluginBuild
  private let scratch: ScratchDirectory
  private var count = 0

  init(_ build: PluginBuild) throws(Failure) {
    self.build = build
    scratch = try ScratchDirectory("watch")
  }

  /// For other files of the run.
  var directory: String { scratch.path }

  /// Builds the package as it is now; the path of the new plugin.
  mutating func next() throws(Failure) -> String {
    let built = try build.plain()
    count += 1
    let copy = "\(scratch.path)/lib\(build.product)-\(count).so"
    do {
      try FileManager.default.copyItem(atPath: built, toPath: copy)
    } catch {
      throw Failure(
        .unwritableOutput, "'\(copy)' cannot be written: \(error.localizedDescription)")
    }
    return copy
  }

  func remove() { scratch.remove() }
}
