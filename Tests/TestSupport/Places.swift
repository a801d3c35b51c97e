import Foundation

/// The directory into which the test binary, the tool and the test worker were built.
package let products: String = {
  endsTogether
  return URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().path
}()

/// The project's root, found from the path of this source file.
package let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent().path
