import Foundation
import HarnessBase

/// Compiling for a kind of processor that this machine is not: Swift for a processor without a system, which
/// is all that Embedded Swift needs, and C with the headers and the library that Debian has for the system.
package struct CrossCompiler: Sendable {
  private let processor: Processor
  private let level: String
  /// The directory of the system's headers and libraries.
  private let system: String

  /// Nil for this machine's own kind, for which there is nothing to be said. The directories of systems are
  /// in `systems`.
  package init?(for target: BuildTarget, systems: String = "/usr") throws(Failure) {
    guard target.processor != .own else { return nil }
    (processor, level) = (target.processor, target.compiledLevel)
    system = "\(systems)/\(processor.gnuName)-linux-gnu"
    guard FileManager.default.fileExists(atPath: system + "/include/stdio.h") else {
      let package = "libc6-dev-\(processor.debianName)-cross"
      throw Failure(
        .unavailable,
        "Building for \(processor.rawValue) needs the Debian package '\(package)', which is not installed; as"
          + " root, run: apt-get install -y \(package).")
    }
  }

  /// What Swift calls a processor without a system.
  private var triple: String {
    switch processor {
    case .x86_64: "x86_64-unknown-none-elf"
    case .arm64: "aarch64-none-none-elf"
    }
  }

  // Csound's headers are the same for all processors. They come after the system's, as all those beside
  // them are this machine's.
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

  /// Words for clang, which builds a plugin in C of them.
  package var clangWords: [String] { linking + ["-fuse-ld=lld"] + code }

  /// Words for Swift's package manager, which it takes apart from those for macros: these run here. Writes
  /// a file into the directory it builds in.
  package func words(in scratch: String) throws(Failure) -> [String] {
    struct Toolset: Encodable {
      struct Tool: Encodable { var extraCLIOptions: [String] }
      var schemaVersion = "1.0"
      var cCompiler, swiftCompiler: Tool
    }
    let toolset = Toolset(
      cCompiler: .init(extraCLIOptions: code + ["-fPIC"]),
      swiftCompiler: .init(
        extraCLIOptions: [
          // Without it memory for accessors is asked of Swift's runtime.
          "-Xfrontend", "-disable-emit-type-malloc-for-coro-frame", "-use-ld=lld", "-lc",
        ] + linking.flatMap { ["-Xclang-linker", $0] } + code.flatMap { ["-Xcc", $0] }))
    let path = scratch + "/toolset.json"
    do {
      try FileManager.default.createDirectory(
        atPath: scratch, withIntermediateDirectories: true)
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys]
      let text = try encoder.encode(toolset)
      if FileManager.default.contents(atPath: path) != text {
        try text.write(to: URL(fileURLWithPath: path), options: .atomic)
      }
    } catch {
      throw Failure(.unwritableOutput, "'\(path)' cannot be written: \(error.localizedDescription)")
    }
    return ["--triple", triple, "--toolset", path]
  }

  /// Where a product is then, from the directory it was built in.
  package func plugin(of product: String) -> String { "\(triple)/release/lib\(product).elf" }
}
