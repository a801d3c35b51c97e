import Foundation

/// The C compiler that comes with Swift.
public enum Clang {
  /// The clang on the PATH, or else beside `swift`; nil where there is none.
  public static var path: String? { installedProgram("clang") ?? programOfSwift("clang") }
}

/// The path of a program that comes with Swift, from the toolchain of the `swiftc` on the PATH; from the
/// PATH only where that toolchain has none.
///
/// - Parameter path: the PATH; that of this process unless given.
package func programOfSwift(_ name: String, path: String? = nil) -> String? {
  let onPath = installedProgram(name, in: path)
  guard let compiler = installedProgram("swiftc", in: path) else { return onPath }
  let directory = URL(fileURLWithPath: compiler).resolvingSymlinksInPath().path.parentPath
  return installedProgram(name, in: directory)
    ?? toolchainPrograms(of: compiler).flatMap { installedProgram(name, in: $0) } ?? onPath
}

/// The directory of a toolchain's programs, as its compiler says: a `swiftc` that chooses among several
/// toolchains, such as swiftly's, is not in one of them.
private func toolchainPrograms(of compiler: String) -> String? {
  struct Target: Decodable {
    struct Paths: Decodable { var runtimeResourcePath: String }
    var paths: Paths
  }
  guard let said = try? ChildProcess.run(compiler, ["-print-target-info"]), said.isGood,
    let target = try? JSONDecoder().decode(Target.self, from: Data(said.output.utf8))
  else { return nil }
  // Of .../usr/lib/swift it is .../usr/bin.
  return target.paths.runtimeResourcePath.parentPath.parentPath + "/bin"
}
