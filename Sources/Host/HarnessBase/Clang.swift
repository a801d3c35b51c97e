import Foundation

/// The C compiler that comes with Swift.
public enum Clang {
  /// The path of `clang`: the one on the PATH, otherwise the one that comes with Swift, otherwise nil.
  public static var path: String? { installedProgram("clang") ?? programOfSwift("clang") }
}

/// The path of a program that comes with Swift: from the toolchain of the `swiftc` on the PATH, or
/// from the PATH if that toolchain does not have it.
///
/// - Parameter path: the PATH; this process's PATH by default.
package func programOfSwift(_ name: String, path: String? = nil) -> String? {
  let onPath = installedProgram(name, in: path)
  guard let compiler = installedProgram("swiftc", in: path) else { return onPath }
  let directory = URL(fileURLWithPath: compiler).resolvingSymlinksInPath().path.parentPath
  return installedProgram(name, in: directory)
    ?? toolchainPrograms(of: compiler).flatMap { installedProgram(name, in: $0) } ?? onPath
}

/// The path of a program that comes with Swift; fails if it is nowhere.
package func requiredProgramOfSwift(_ name: String) throws(Failure) -> String {
  guard let program = programOfSwift(name) else {
    throw .unavailable(
      "'\(name)', which comes with Swift, is neither beside 'swift' nor on the PATH; install Swift as a whole."
    )
  }
  return program
}

/// The directory of a toolchain's programs, found by asking its compiler. A `swiftc` that chooses
/// among several toolchains, such as swiftly's, is not in a toolchain's directory itself.
private func toolchainPrograms(of compiler: String) -> String? {
  struct Target: Decodable {
    struct Paths: Decodable { var runtimeResourcePath: String }
    var paths: Paths
  }
  guard let said = try? ChildProcess.run(compiler, ["-print-target-info"]), said.isGood,
    let target = try? JSONDecoder().decode(Target.self, from: Data(said.output.utf8))
  else { return nil }
  // The resource path is .../usr/lib/swift; the programs are in .../usr/bin.
  return target.paths.runtimeResourcePath.parentPath.parentPath + "/bin"
}
