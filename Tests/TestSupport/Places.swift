import Foundation

/// The directory the test binary, the tool and the test worker were built into.
package let products: String = {
  endsTogether
  return URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().path
}()

/// The project's root, from where this file was compiled.
package let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent().path
