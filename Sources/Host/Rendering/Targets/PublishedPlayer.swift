import Foundation
import HarnessBase

/// A program (player.c) that plays pieces with the Csound 7 from PyPI, which has no command `csound`.
package struct PublishedPlayer: Sendable {
  private let program, library: String
  /// The directory of Csound's own plugins.
  package let plugins: String

  /// Fetches Csound 7 if it is missing, and compiles the program if it is missing or out of date.
  package init(kit: String) throws(Failure) {
    let host = try PublishedCsound(kit: kit).library()
    (library, plugins) = (host + "/libcsound64.so.7.0", host + "/plugins")
    let source = kit + "/Sources/Host/Rendering/Targets/player.c"
    program = kit + "/.build/csound7/player"
    guard Self.date(program) ?? .distantPast < Self.date(source) ?? .distantFuture else { return }
    guard let clang = Clang.path else {
      throw Failure(.unavailable, "Swift's C compiler 'clang' is missing; it comes with Swift.")
    }
    let fresh = "\(program).\(getpid()).new"
    let compiled = try ChildProcess.run(clang, ["-O2", "-o", fresh, source, "-ldl"])
    guard compiled.isGood, rename(fresh, program) == 0 else {
      throw Failure(.unavailable, "'\(source)' cannot be compiled: \(compiled.errors)")
    }
  }

  private static func date(_ path: String) -> Date? {
    (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
  }

  /// The program and its first argument; the arguments of the command `csound` follow.
  package var words: [String] { [program, library] }

  /// Environment variables that make it load Csound's own plugins and no others.
  package var environment: [String: String] {
    [
      "OPCODE7DIR64": plugins, "CS_USER_PLUGINDIR": "/nonexistent", "CSOUND7RC": "/dev/null",
    ]
  }
}
