import Foundation
import HarnessBase

/// Csound 7.0.0 from PyPI: the released library and its plugins, for Linux and for Windows, and the headers of the same
/// release. The script `fetch-csound7` fetches them once, into the kit's build directory.
package struct PublishedCsound: Sendable {
  private let kit: String

  package init(kit: String) { self.kit = kit }

  /// The directory that holds the headers in a folder `csound`.
  package func headers() throws(Failure) -> String { try kept("include") }

  /// The directory that holds `libcsound64.so.7.0` and a folder `plugins`.
  package func library() throws(Failure) -> String { try kept("host") }

  /// The directory that holds `csound7_64….dll` and a folder `plugins`. The plugins need the library by that name.
  package func windowsLibrary() throws(Failure) -> String { try kept("windows") }

  /// The directory `name` in the kit's build directory, which is made if it is missing.
  private func kept(_ name: String) throws(Failure) -> String {
    let script = kit + "/Sources/Host/Rendering/Targets/fetch-csound7"
    let fetched = try ChildProcess.run("/usr/bin/env", ["bash", script, kitBuildDirectory, name])
    guard !fetched.isGood else {
      return fetched.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }
    let kinds: [Failure.Kind] = [.badInput, .unwritableOutput]
    throw Failure(
      kinds.first { .exited(code: Failure($0, "").exitCode) == fetched.ending } ?? .unavailable,
      fetched.errors.trimmingCharacters(in: .whitespacesAndNewlines))
  }
}
