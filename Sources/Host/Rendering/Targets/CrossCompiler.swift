import Foundation
import HarnessBase

/// Compiles for another kind of processor than this machine's. Swift is compiled for a processor
/// without an operating system, which suffices for Embedded Swift; C with the headers and the library
/// that Debian has for cross-compiling.
package struct CrossCompiler: Sendable {
  private let processor: Processor
  private let level: String
  /// The directory of the target system's headers and libraries.
  private let system: String

  /// Nil for this machine's own kind, which needs no further arguments. `systems` is the folder that
  /// holds the directories of target systems.
  package init?(for target: BuildTarget, systems: String = "/usr") throws(Failure) {
    guard target.system == .linux, target.processor != .own else { return nil }
    (processor, level) = (target.processor, target.compiledLevel)
    system = "\(systems)/\(processor.gnuName)-linux-gnu"
    guard FileManager.default.fileExists(atPath: system + "/include/stdio.h") else {
      let package = "libc6-dev-\(processor.debianName)-cross"
      throw .unavailable(
        "Building for \(processor.rawValue) needs the Debian package '\(package)', which is not installed; as"
          + " root, run: apt-get install -y \(package).")
    }
  }

  // Csound's headers are the same for all processors. Their directories are searched after the target
  // system's, because the other headers in them are this machine's.
  private var code: [String] {
    [
      "-march=\(level)", "-D__linux=1", "-D__linux__=1", "-D__unix__=1", "-isystem",
      system + "/include", "-idirafter", "/usr/local/include",
      "-idirafter", "/usr/include",
    ]
  }

  private var linking: [String] {
    ["--target=\(processor.gnuName)-linux-gnu", "-nostdlib", "-L\(system)/lib"]
  }

  /// Arguments for clang to build a plugin in C.
  package var clangWords: [String] { linking + ["-fuse-ld=lld"] + code }

  /// Arguments for SwiftPM. They apply to the plugin but not to macros, which run on this machine.
  /// Writes the file `toolset.json` into the build directory `scratch`.
  package func words(in scratch: String) throws(Failure) -> [String] {
    let toolset = Toolset(
      c: code + ["-fPIC"],
      swift: [
        // Without this option, accessors allocate memory with a function of Swift's runtime.
        "-Xfrontend", "-disable-emit-type-malloc-for-coro-frame", "-use-ld=lld", "-lc",
      ] + linking.flatMap { ["-Xclang-linker", $0] } + code.flatMap { ["-Xcc", $0] })
    let path = try toolset.write(into: scratch)
    return ["--triple", processor.bareTriple, "--toolset", path]
  }

  /// The path of a product's plugin, relative to the build directory.
  package func plugin(of product: String) -> String {
    "\(processor.bareTriple)/release/lib\(product).elf"
  }
}
