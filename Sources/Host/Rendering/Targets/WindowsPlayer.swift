import Foundation
import HarnessBase

/// The program player.c for Windows, which plays pieces with the Csound 7 for Windows from PyPI. Wine executes it.
package struct WindowsPlayer: Sendable {
  private let wine, server, program, library: String
  /// The directory of Csound's own plugins.
  package let plugins: String
  /// What Wine keeps of its Windows.
  private let prefix: String

  /// Where Debian's package wine64 has the program, if it is not on the PATH.
  private static let usualWine = "/usr/lib/wine/wine64"

  /// Fetches Csound 7 for Windows if it is missing, and compiles the program if it is missing or out of date. `systems`
  /// is the folder that holds the directories of target systems.
  package init(
    kit: String, wine usual: String = usualWine, path: String? = nil, systems: String = "/usr"
  ) throws(Failure) {
    let isThere = FileManager.default.isExecutableFile(atPath: usual)
    // Since Wine 10 one program may be for both sizes.
    guard
      let wine = installedProgram("wine64", in: path) ?? (isThere ? usual : nil)
        ?? installedProgram("wine", in: path)
    else {
      throw .unavailable(
        "Playing plugins for Windows needs the Debian package 'wine64', which is not installed; as root, run: apt-get"
          + " install -y --no-install-recommends wine64.")
    }
    self.wine = wine
    // Debian has it beside the program, and not on the PATH.
    server =
      installedProgram("wineserver", in: path)
      ?? URL(fileURLWithPath: wine).resolvingSymlinksInPath().path.parentPath + "/wineserver"
    // Says what is missing for compiling.
    _ = try ForeignCompiler(
      for: BuildTarget(.seven, .x86_64, system: .windows), kit: kit, systems: systems)
    let host = try PublishedCsound(kit: kit).windowsLibrary()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: host)) ?? []
    library = "\(host)/\(names.first { $0.hasSuffix(".dll") } ?? "csound7_64.dll")"
    plugins = host + "/plugins"
    prefix = kit + "/.build/csound7/wine"
    program = kit + "/.build/csound7/player.exe"
    try compile(kit + "/Sources/Host/Rendering/Targets/player.c", kit: kit, systems: systems)
    try begin()
    try keepServer()
  }

  private func compile(_ source: String, kit: String, systems: String) throws(Failure) {
    guard dateWritten(program) ?? .distantPast < dateWritten(source) ?? .distantFuture else {
      return
    }
    let clang = try requiredProgramOfSwift("clang")
    let linker = try requiredProgramOfSwift("ld.lld")
    let system = systems + "/x86_64-w64-mingw32"
    let fresh = "\(program).\(getpid())"
    defer { for name in [".o", ".stack.o", ".new"] { unlink(fresh + name) } }
    let stack = kit + "/Sources/Kit/CCsound/stack.S"
    for (file, ending) in [(source, ".o"), (stack, ".stack.o")] {
      let compiled = try ChildProcess.run(
        clang,
        [
          "--target=x86_64-w64-windows-gnu", "-O2", "-isystem", system + "/include", "-c", file,
          "-o", fresh + ending,
        ])
      try compiled.require(.unavailable, "'\(file)' cannot be compiled: ")
    }
    let linked = try ChildProcess.run(
      linker,
      [
        "-m", "i386pep", "-o", fresh + ".new", system + "/lib/crt2.o", fresh + ".o",
        fresh + ".stack.o", "-L\(system)/lib", "-lmingw32", "-lmingwex", "-lmsvcrt", "-lkernel32",
        "-ladvapi32", "-luser32",
      ])
    guard linked.isGood, rename(fresh + ".new", program) == 0 else {
      throw .unavailable("'\(program)' cannot be linked: \(linked.errors)")
    }
  }

  /// Lets Wine make its Windows, which takes some seconds; otherwise the first pieces would, side by side.
  private func begin() throws(Failure) {
    guard !FileManager.default.fileExists(atPath: prefix + "/system.reg") else { return }
    var variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let part = "\(prefix).\(getpid()).part"
    variables["WINEPREFIX"] = part
    defer { try? FileManager.default.removeItem(atPath: part) }
    // Without arguments the program ends with 64.
    let begun = try ChildProcess.run(wine, [program], environment: variables)
    // Wine writes the file some seconds later, when its server ends.
    let file = part + "/system.reg"
    for _ in 0..<300 where !FileManager.default.fileExists(atPath: file) { usleep(100_000) }
    // Another run may have made the directory meanwhile.
    guard rename(part, prefix) == 0 || FileManager.default.fileExists(atPath: prefix) else {
      throw .unavailable("Wine cannot make '\(prefix)': \(begun.errors.prefix(500))")
    }
  }

  /// Starts Wine's server, unless it runs already, so that it stays for a minute after its last program. The one that
  /// Debian's Wine starts ends with that program, and one that begins at this moment is refused. The server also stays
  /// when the tool ends, because another run may use it.
  private func keepServer() throws(Failure) {
    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let words = Orphans.outliving([server, "-p60"])
    // It ends with 2 if the server runs already.
    let started = try ChildProcess.run(words[0], Array(words.dropFirst()), environment: variables)
    // A server that has never had a program does not end.
    if started.isGood { _ = try ChildProcess.run(wine, [program], environment: variables) }
  }

  /// The program and its first arguments; the arguments of the command `csound` follow.
  package var words: [String] { [wine, program, library] }

  /// Environment variables that make it load Csound's own plugins and no others, and keep Wine from saying what it
  /// lacks. Wine looks for its server in TMPDIR, which each worker process has its own of.
  package var environment: [String: String] {
    [
      "OPCODE7DIR64": plugins, "CS_USER_PLUGINDIR": "/nonexistent", "CSOUND7RC": "/dev/null",
      "TMPDIR": "/tmp", "WINEPREFIX": prefix, "WINEDEBUG": "-all",
      "WINEDLLOVERRIDES": "mscoree,mshtml,winemenubuilder.exe=",
    ]
  }
}
