import Foundation

/// The C compiler that comes with Swift.
public enum Clang {
  /// The clang on the PATH, or else beside `swift`; nil where there is none.
  public static var path: String? { installedProgram("clang") ?? programOfSwift("clang") }
}

/// The path of a program that comes with Swift: beside `swift`, or else on the PATH.
package func programOfSwift(_ name: String) -> String? {
  let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
  let beside = path.split(separator: ":").map {
    URL(fileURLWithPath: "\($0)/swift").resolvingSymlinksInPath().path.parentPath
  }
  return installedProgram(name, in: beside.joined(separator: ":")) ?? installedProgram(name)
}
