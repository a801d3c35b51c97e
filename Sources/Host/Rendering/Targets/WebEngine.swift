import Foundation
import HarnessBase

/// A program in WebAssembly that calls the opcodes of a plugin for the web.
package enum WebEngine {
  /// Builds it from one file in C; `functions` can be called from outside. The plugin uses the program's memory, stack
  /// and table of functions.
  package static func build(
    _ source: String, to program: String, functions: [String], kit: String
  ) throws(Failure) {
    // Says what is missing.
    _ = try ForeignCompiler(for: BuildTarget(.seven, .own, system: .web), kit: kit)
    let headers = try CsoundHeaders(of: .seven, kit: kit).compilerWords(for: .web)
    let object = program + ".o"
    try run(
      "clang",
      [
        "--target=wasm32-wasi", "-D__wasi__=1", "-isystem", kit + "/Sources/Kit/CCsound/web",
        "-isystem", "/usr/include/wasm32-wasi", "-O2", "-w", "-c", source, "-o", object,
      ] + headers.filter { $0.hasPrefix("-I") })
    try run(
      "wasm-ld",
      [
        "--no-entry", "--export-table", "--growable-table", "--stack-first", "-z",
        "stack-size=1048576", "--allow-undefined", "--strip-all", "-o", program, object,
        "-L/usr/lib/wasm32-wasi", "-lc", "-lc-printscan-long-double", "--export=__stack_pointer",
      ] + functions.map { "--export=" + $0 })
  }

  private static func run(_ name: String, _ words: [String]) throws(Failure) {
    let finished = try ChildProcess.run(requiredProgramOfSwift(name), words)
    try finished.require(.badInput, "\(name) cannot make the engine for the web:\n")
  }
}
