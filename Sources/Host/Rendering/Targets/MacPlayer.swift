import Foundation
import HarnessBase

/// Plays plugins for macOS in a Csound for Linux, never on macOS: the loader macho.c is a plugin for that Csound. It
/// maps the part for the processor into memory, binds it to Linux's C library and hands on what it registers.
package struct MacPlayer: Sendable {
  /// The plugin that Csound loads in place of the one for macOS.
  package let loader: String
  /// The Csound and the processor whose part is played.
  package let target: BuildTarget
  /// The program and its first arguments; the arguments of the command `csound` follow.
  package let words: [String]
  /// Environment variables that make it load `plugin` and Csound's own plugins, and no others.
  package let environment: [String: String]

  /// Fetches a Csound if it is missing, and compiles the loader. `plugin` is the path of a plugin for macOS. Csound 7.0
  /// plays the part for x86-64; Csound 6.18 that for arm64, emulated, or on request that for this machine's processor.
  package init(
    for csound: CsoundVersion, _ processor: Processor = .arm64, plugin: String, kit: String
  ) throws(Failure) {
    target = BuildTarget(csound, csound == .six ? processor : .x86_64)
    if csound == .six, processor == .own {
      words = ["/usr/bin/env", "csound"]
      environment = ["CS_USER_PLUGINDIR": "/nonexistent", "MACHO": plugin]
    } else if csound == .six {
      let player = try DebianCsound(for: target.processor)
      words = player.words
      environment = [
        "OPCODE6DIR64": player.plugins, "CS_USER_PLUGINDIR": "/nonexistent", "MACHO": plugin,
      ]
    } else {
      let player = try CsoundLibrary("7", kit: kit)
      words = player.words
      environment = player.environment.merging(["MACHO": plugin]) { $1 }
    }
    // Nil for this machine's own kind of processor.
    let compiling = try CrossCompiler(for: target)?.clangWords ?? []
    loader = "\(kit)/.build/macho\(target.suffix).so"
    let clang = try requiredProgramOfSwift("clang")
    let fresh = "\(loader).\(getpid()).new"
    defer { unlink(fresh) }
    let source = kit + "/Sources/Host/Rendering/Targets/macho.c"
    let compiled = try ChildProcess.run(
      clang,
      compiling + [
        "-O1", "-shared", "-fPIC", "-Wno-unused-command-line-argument", "-o", fresh, source, "-lm",
        "-lc",
      ])
    guard compiled.isGood, rename(fresh, loader) == 0 else {
      throw .unavailable("'\(source)' cannot be compiled: \(compiled.errors)")
    }
  }
}
