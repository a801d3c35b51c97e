import Foundation
import HarnessBase

/// A program that plays pieces with the Csound 7 that PyPI has, as the command `csound` would, which that
/// lacks.
package struct PublishedPlayer: Sendable {
  private let program, library: String
  /// Where Csound's own plugins are.
  package let plugins: String

  /// Fetches Csound 7 and compiles the program where they are missing.
  package init(kit: String) throws(Failure) {
    let host = try PublishedCsound(kit: kit).library()
    (library, plugins) = (host + "/libcsound64.so.7.0", host + "/plugins")
    let source = kit + "/Sources/Host/Targets/player.c"
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

  /// What comes before the words one gives to the command `csound`.
  package var words: [String] { [program, library] }

  /// Has it load Csound's own plugins and no others.
  package var environment: [String: String] {
    [
      "OPCODE7DIR64": plugins, "CS_USER_PLUGINDIR": "/nonexistent", "CSOUND7RC": "/dev/null",
    ]
  }
}
