import Foundation
import HarnessBase

/// Compiles plugins for another operating system than Linux, on Linux.
///
/// Swift has no standard library for Embedded code on these systems, but that library is the same for all: it needs
/// nothing of a system. What does depend on the system is decided by C: the sizes of types, the layout of structs, how
/// structs and variadic arguments are passed, what headers define. All that is in Swift's importer of C, which is given
/// the other system's triple and headers; it also decides the format and the calling convention of Swift's own code.
///
/// Swift's compiler writes LLVM's text, not objects, because its functions have no unwind tables, which Windows needs
/// of each function; the text is easily changed.
package struct ForeignCompiler: Sendable {
  private let target: BuildTarget
  private let kit: String
  /// The directory of directories with headers and libraries of target systems.
  private let systems: String

  /// The linker for macOS of the newest LLVM installed, such as that of Debian's package lld-14 or lld-19; Swift's own
  /// does not link for x86-64. In Debian its name has the version, elsewhere it may be that of Swift's.
  private static func linkerForMac() -> String? {
    let directories = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let names = directories.flatMap { directory in
      ((try? FileManager.default.contentsOfDirectory(atPath: String(directory))) ?? [])
        .filter { $0.hasPrefix("ld64.lld-") }
    }
    if let newest = names.max(by: { $0.compare($1, options: .numeric) == .orderedAscending }) {
      return installedProgram(newest)
    }
    let ownOfSwift = programOfSwift("ld64.lld")
    return directories.map { $0 + "/ld64.lld" }
      .first { $0 != ownOfSwift && FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// The package for which `lld` stands here, which has no programs of the names of Swift's.
  private static func packageOfLinker() -> String {
    let said = try? ChildProcess.run("/usr/bin/env", ["apt-cache", "depends", "lld"])
    return said?.output.firstMatch(of: /lld-\d+/).map { String($0.output) } ?? "lld"
  }

  /// Nil for Linux. `systems` is the folder that holds the directories of target systems.
  package init?(
    for target: BuildTarget, kit: String, systems: String = "/usr"
  ) throws(Failure) {
    guard target.system != .linux else { return nil }
    (self.target, self.kit, self.systems) = (target, kit, systems)
    var packages: [String] = []
    if target.system == .windows, !Self.exists(windows + "/lib/libucrt.a") {
      packages.append("mingw-w64-x86-64-dev")
    }
    if target.system == .macos {
      if Self.linkerForMac() == nil { packages.append(Self.packageOfLinker()) }
      for slice in target.slices where slice.processor != .own {
        guard !Self.exists(linux(slice.processor) + "/stdio.h") else { continue }
        packages.append("libc6-dev-\(slice.processor.debianName)-cross")
      }
    }
    if target.system == .web, !Self.exists(systems + "/include/wasm32-wasi/stdio.h") {
      packages.append("wasi-libc")
    }
    guard packages.isEmpty else {
      let names = packages.joined(separator: " ")
      throw .unavailable(
        "Building for \(target.system.title) needs what is not installed, Debian's \(names); as root, run: apt-get"
          + " install -y --no-install-recommends \(names).")
    }
  }

  private static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path)
  }

  /// The directory of Windows' headers and import libraries.
  private var windows: String { systems + "/x86_64-w64-mingw32" }

  /// The directory of Linux's headers for another kind of processor than this machine's.
  private func linux(_ processor: Processor) -> String {
    "\(systems)/\(processor.gnuName)-linux-gnu/include"
  }

  // MARK: Compiling

  private var triple: String {
    switch target.system {
    case .web: Self.tripleOfWeb
    case .macos: "\(target.processor.appleName)-apple-macosx11.0.0"
    default: "x86_64-w64-windows-gnu"
    }
  }

  /// The triple of plugins for the web.
  package static let tripleOfWeb = "wasm32-unknown-none-wasm"

  private var code: [String] {
    if target.system == .web {
      // The kit's headers there have what wasi-libc lacks. Every browser has vectors of 128 bits since 2023.
      return [
        "--target=\(triple)", "-msimd128", "-mbulk-memory", "-D__wasi__=1",
        "-isystem", kit + "/Sources/Kit/CCsound/web",
        "-isystem", systems + "/include/wasm32-wasi",
      ]
    }
    let common = ["--target=\(triple)", "-march=\(target.compiledLevel)"]
    guard target.system == .macos else {
      // Clang's header mm_malloc.h would define functions of stdlib.h a second time.
      return common + ["-isystem", windows + "/include", "-D_UCRT", "-D__MM_MALLOC_H"]
    }
    // macOS's headers are not to be had, so Linux's are read. libSystem.tbd lists the functions that are the same on
    // both systems; others are not found when the plugin is linked.
    let processor = target.processor
    let headers =
      processor == .own
      ? ["\(systems)/include/\(processor.gnuName)-linux-gnu", systems + "/include"]
      : [linux(processor)]
    return common + [
      "-U__APPLE__", "-U__MACH__", "-U__nonnull", "-D__ELF__=1", "-D__linux=1",
      "-D__linux__=1", "-D__unix__=1", "-DOPCODEKIT_MACOS=1",
      // As on Linux: without it, clang turns powers of ten into another function.
      "-fmath-errno",
    ] + headers.flatMap { ["-idirafter", $0] }
  }

  /// Arguments for SwiftPM. Writes files into the build directory `scratch`.
  package func words(in scratch: String) throws(Failure) -> [String] {
    let tools = URL(fileURLWithPath: scratch).path + "/tools"
    try makeDirectory(tools)
    // Nothing is linked by the package manager.
    for tool in ["clang", "swift-autolink-extract"] {
      guard symlink("/bin/true", "\(tools)/\(tool)") == 0 || errno == EEXIST else {
        throw .unwritableOutput(
          "'\(tools)' cannot be written: \(String(cString: strerror(errno))).")
      }
    }
    var swift = ["-Xfrontend", "-emit-ir", "-tools-directory", tools]
    var words = ["-debug-info-format", "none"]
    if let triple = otherTriple {
      // As for another kind of processor on Linux.
      swift += ["-Xfrontend", "-disable-emit-type-malloc-for-coro-frame"]
      words += ["--triple", triple]
    }
    let toolset = Toolset(c: code, swift: swift + code.flatMap { ["-Xcc", $0] })
    return ["--toolset", try toolset.write(into: scratch)] + words
  }

  /// The triple that SwiftPM is told; nil for this machine's own.
  private var otherTriple: String? {
    if target.system == .web { return Self.tripleOfWeb }
    return target.processor == .own ? nil : target.processor.bareTriple
  }

  /// The path of a product's plugin, relative to the build directory.
  package func plugin(of product: String) -> String {
    (otherTriple.map { $0 + "/" } ?? "") + "release/" + target.plugin(of: product)
  }

  /// The paths in a list that SwiftPM writes for the linker, one a line. It quotes paths with spaces.
  package static func paths(in list: String) throws(Failure) -> [String] {
    guard let text = try? String(contentsOfFile: list, encoding: .utf8) else {
      throw .badInput("'\(list)', which Swift's package manager writes, cannot be read.")
    }
    return text.split(separator: "\n").map {
      $0.trimmingCharacters(in: CharacterSet(charactersIn: "'\""))
    }
  }

  /// The objects of a module for what Swift's package manager has compiled.
  package struct Objects {
    /// Their paths.
    package fileprivate(set) var paths: [String] = []
    /// Whether some of the code runs when the library is loaded.
    package fileprivate(set) var runsWhenLoaded = false
  }

  /// Makes objects of files that SwiftPM writes for the linker, in the folder `directory`. Those that are objects already
  /// are taken as they are.
  package func objects(of files: [String], in directory: String) throws(Failure) -> Objects {
    try? FileManager.default.removeItem(atPath: directory)
    try makeDirectory(directory)
    var objects = Objects()
    for path in files {
      guard let file = FileHandle(forReadingAtPath: path) else { continue }
      let beginning = (try? file.read(upToCount: 10)) ?? Data()
      // Of a module that is compiled as a whole, the first file has everything.
      guard !beginning.isEmpty else { continue }
      guard beginning == Data("; ModuleID".utf8) else {
        objects.paths.append(path)
        let sections = try run("llvm-objdump", ["--section-headers", path])
        if sections.contains(/\s(\.ctors|__mod_init_func)/) { objects.runsWhenLoaded = true }
        continue
      }
      let place = "\(directory)/\(objects.paths.count)"
      let text = try run(named: "sed", "/usr/bin/env", ["sed", "-E"] + edits + [path])
      if text.contains("@llvm.global_ctors") { objects.runsWhenLoaded = true }
      try OutputFile(place + ".ll").write(Data(text.utf8))
      try run(
        "clang",
        [
          "--target=\(triple)", "-O2", "-Xclang", "-disable-llvm-passes", "-ffp-contract=off",
          "-ffunction-sections", "-fomit-frame-pointer", "-Wno-override-module",
        ] + (target.system == .web ? ["-fPIC"] : ["-mllvm", "-align-all-functions=6"])
          + ["-c", "-x", "ir", place + ".ll", "-o", place + ".o"])
      unlink(place + ".ll")
      objects.paths.append(place + ".o")
    }
    return objects
  }

  /// What sed changes in LLVM's text.
  private var edits: [String] {
    // An unwind table for each function.
    let tables = [#"s/^(attributes #[0-9]+ = \{) /\1 uwtable /"#]
    // Mach-O has no groups of sections, needs none for functions that several files define, and names sections with
    // their segments.
    let groups = [
      #"/^\$.* = comdat any$/d"#, #"/^(define|@)/s/,? comdat(\([^)]*\))?//"#,
      #"s/section "\.swift1_autolink_entries"/section "__LLVM,__swift_auto"/"#,
    ]
    // What a module says that it uses, wasm-ld would export.
    let uses = [#"/^@llvm\.used = /d"#]
    let edits: [OperatingSystem: [String]] = [
      .windows: tables, .macos: tables + groups, .web: uses,
    ]
    return (edits[target.system] ?? []).flatMap { ["-e", $0] }
  }

  /// Gives everything that objects define another name, so that they can be linked with objects of the same code for
  /// another processor level. `names` has the new names of the entry points.
  package func renamed(
    _ objects: Objects, _ names: [String: String], in directory: String
  ) throws(Failure) -> Objects {
    let listed = try run(
      "llvm-nm", ["--format=posix", "--defined-only", "--extern-only"] + objects.paths)
    let lines: [[Substring]] = listed.split(separator: "\n").map { $0.split(separator: " ") }
    let symbols = lines.filter { $0.count > 2 && !$0[0].hasPrefix("@") }
    let defined = Set(symbols.map { String($0[0]) })
    let list = directory + "/names"
    // In Mach-O, names of C functions begin with '_'.
    let mark = target.system == .macos ? "_" : ""
    let given: [String: String] = Dictionary(
      uniqueKeysWithValues: names.map { (mark + $0.key, mark + $0.value) })
    let changes: [String] = defined.sorted().map { name in
      let other: String = given[name] ?? name + "$newer"
      return "\(name) \(other)\n"
    }
    try OutputFile(list).write(Data(changes.joined().utf8))
    var renamed = objects
    for (index, path) in objects.paths.enumerated() {
      renamed.paths[index] = "\(directory)/renamed-\(index).o"
      try run("llvm-objcopy", ["--redefine-syms=\(list)", path, renamed.paths[index]])
    }
    return renamed
  }

  // MARK: Linking

  /// The functions that a plugin shows to Csound.
  private static let shown = ["csoundModuleInfo", "csound_fgen_init", "csound_opcode_init"]

  /// Links a plugin. Uses the folder `directory` for further files.
  package func link(
    _ objects: [String], to plugin: String, in directory: String
  ) throws(Failure) {
    let sources: [OperatingSystem: [String]] = [
      .windows: ["foreign.c", "stack.S"], .macos: ["foreign.c"],
      .web: ["web/library.c", "web/mathematics.c"],
    ]
    let own = (sources[target.system] ?? []).map {
      (kit + "/Sources/Kit/CCsound/" + $0, "\(directory)/\(($0 as NSString).lastPathComponent).o")
    }
    for (source, object) in own {
      try run(
        "clang",
        code + ["-O2", "-fno-builtin", "-ffunction-sections", "-Wno-unused-command-line-argument"]
          + (target.system == .web ? ["-fPIC", "-ffp-contract=off"] : [])
          + ["-c", source, "-o", object])
    }
    switch target.system {
    case .macos: try linkForMac(objects + own.map(\.1), to: plugin)
    case .web: try linkForWeb(objects + own.map(\.1), to: plugin)
    default: try linkForWindows(objects + own.map(\.1), to: plugin, in: directory)
    }
  }

  private func linkForWindows(
    _ objects: [String], to plugin: String, in directory: String
  ) throws(Failure) {
    let list = directory + "/shown.def"
    try OutputFile(list).write(
      Data(("EXPORTS\n" + Self.shown.map { $0 + "\n" }.joined()).utf8))
    let words =
      [
        "-m", "i386pep", "--shared", "-e", "DllMainCRTStartup", "--no-insert-timestamp",
        "--gc-sections", "--strip-all", "--error-limit=0", "-o", plugin,
      ] + objects + [list, "-L\(windows)/lib", "-lucrt", "-lkernel32"]
    let linker = try requiredProgramOfSwift("ld.lld")
    let errors = try errors(of: linker, words)
    // What Swift defines in one module and copies into another is the same. ELF's linkers take either.
    let grave = errors.filter { !$0.hasPrefix("duplicate symbol: $") }
    try refuse(plugin, grave)
    if !errors.isEmpty {
      try refuse(plugin, self.errors(of: linker, words + ["--allow-multiple-definition"]))
    }
  }

  private func linkForMac(_ objects: [String], to plugin: String) throws(Failure) {
    let linker = Self.linkerForMac() ?? "ld64.lld"
    try refuse(
      plugin,
      errors(
        of: linker,
        [
          "-arch", target.processor.appleName, "-platform_version", "macos", "11.0", "11.0",
          "-dylib", "-dead_strip", "-adhoc_codesign", "-S", "-x", "-install_name",
          "@rpath/" + (plugin as NSString).lastPathComponent, "-o", plugin,
          kit + "/Sources/Kit/CCsound/libSystem.tbd",
        ] + Self.shown.flatMap { ["-exported_symbol", "_" + $0] } + objects))
  }

  // Csound's loader in browsers gives a plugin its memory, its place in the table of functions and the stack, and no
  // functions but those that Csound exports.
  private func linkForWeb(_ objects: [String], to plugin: String) throws(Failure) {
    let shown = ["__wasm_call_ctors", "csoundModuleInfo", "csoundModuleCreate", "csoundModuleInit"]
    let errors = try errors(
      of: requiredProgramOfSwift("wasm-ld"),
      [
        "--experimental-pic", "-shared", "-Bsymbolic", "--no-export-dynamic",
        "--unresolved-symbols=report-all", "--gc-sections", "--strip-all", "--error-limit=0", "-o",
        plugin,
      ] + shown.map { "--export=" + $0 } + ["--export-if-defined=__wasm_apply_data_relocs"]
        + objects)
    // This linker names the object before what is wrong with it.
    try refuse(plugin, errors.map { $0.replacing(/^.*: (?=undefined symbol)/, with: "") })
  }

  /// The errors that a linker prints; empty if it has linked.
  private func errors(of linker: String, _ words: [String]) throws(Failure) -> [String] {
    let finished = try ChildProcess.run(linker, words)
    guard !finished.isGood else { return [] }
    let errors = finished.errors.matches(of: /error: (.*)/).map { String($0.output.1) }
    return errors.isEmpty ? [finished.errors] : errors
  }

  private func refuse(_ plugin: String, _ errors: [String]) throws(Failure) {
    guard let reason = errors.first else { return }
    throw .badInput(
      "'\((plugin as NSString).lastPathComponent)' cannot be linked: the linker says '\(reason)'."
        + (reason.hasPrefix("undefined symbol")
          ? " \(target.system.library) has no such function; write it, or do without." : ""))
  }

  // MARK: Programs

  @discardableResult
  private func run(_ name: String, _ words: [String]) throws(Failure) -> String {
    try run(named: name, requiredProgramOfSwift(name), words)
  }

  @discardableResult
  private func run(
    named name: String, _ program: String, _ words: [String]
  ) throws(Failure) -> String {
    let finished = try ChildProcess.run(program, words)
    try finished.require(.badInput, "\(name) cannot make a plugin for \(target.system.title):\n")
    return finished.output
  }
}
