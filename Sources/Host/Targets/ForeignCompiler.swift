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
  /// The directory of the system's headers and import libraries.
  private let system: String

  /// Nil for Linux. `systems` is the folder that holds the directories of target systems.
  package init?(
    for target: BuildTarget, kit: String, systems: String = "/usr"
  ) throws(Failure) {
    guard target.system != .linux else { return nil }
    (self.target, self.kit) = (target, kit)
    system = systems + "/x86_64-w64-mingw32"
    guard FileManager.default.fileExists(atPath: system + "/lib/libucrt.a") else {
      throw Failure(
        .unavailable,
        "Building for Windows needs the Debian package 'mingw-w64-x86-64-dev', which is not installed; as root, run:"
          + " apt-get install -y --no-install-recommends mingw-w64-x86-64-dev.")
    }
  }

  // MARK: Compiling

  private var triple: String { "x86_64-w64-windows-gnu" }

  private var code: [String] {
    // Clang's header mm_malloc.h would define functions of stdlib.h a second time.
    [
      "--target=\(triple)", "-march=\(target.compiledLevel)", "-isystem", system + "/include",
      "-D_UCRT", "-D__MM_MALLOC_H",
    ]
  }

  /// Arguments for SwiftPM. Writes files into the build directory `scratch`.
  package func words(in scratch: String) throws(Failure) -> [String] {
    let tools = URL(fileURLWithPath: scratch).path + "/tools"
    do {
      try FileManager.default.createDirectory(atPath: tools, withIntermediateDirectories: true)
    } catch {
      throw Failure(.unwritableOutput, "'\(tools)' cannot be made: \(error.localizedDescription)")
    }
    // Nothing is linked by the package manager.
    for tool in ["clang", "swift-autolink-extract"] {
      guard symlink("/bin/true", "\(tools)/\(tool)") == 0 || errno == EEXIST else {
        throw Failure(
          .unwritableOutput, "'\(tools)' cannot be written: \(String(cString: strerror(errno))).")
      }
    }
    let toolset = Toolset(
      c: code, swift: ["-Xfrontend", "-emit-ir", "-tools-directory", tools])
    return ["--toolset", try toolset.write(into: scratch), "-debug-info-format", "none"]
  }

  /// The paths in a list that SwiftPM writes for the linker, one a line. It quotes paths with spaces.
  private static func paths(in list: String) throws(Failure) -> [String] {
    guard let text = try? String(contentsOfFile: list, encoding: .utf8) else {
      throw Failure(.badInput, "'\(list)', which Swift's package manager writes, cannot be read.")
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

  /// Makes objects of the files in a list that SwiftPM writes for the linker, in the folder `directory`.
  package func objects(of list: String, in directory: String) throws(Failure) -> Objects {
    try? FileManager.default.removeItem(atPath: directory)
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true)
    } catch {
      throw Failure(
        .unwritableOutput, "'\(directory)' cannot be made: \(error.localizedDescription)")
    }
    var objects = Objects()
    for path in try Self.paths(in: list) {
      let data = FileManager.default.contents(atPath: path) ?? Data()
      // Of a module that is compiled as a whole, the first file has everything.
      guard !data.isEmpty else { continue }
      guard data.starts(with: Data("; ModuleID".utf8)) else {
        objects.paths.append(path)
        let sections = try run("llvm-objdump", ["--section-headers", path])
        if sections.contains(" .ctors") { objects.runsWhenLoaded = true }
        continue
      }
      if data.range(of: Data("@llvm.global_ctors".utf8)) != nil { objects.runsWhenLoaded = true }
      let place = "\(directory)/\(objects.paths.count)"
      try write(Self.withUnwindTables(data), to: place + ".ll")
      try run(
        "clang",
        [
          "--target=\(triple)", "-O2", "-Xclang", "-disable-llvm-passes", "-ffp-contract=off",
          "-ffunction-sections", "-fomit-frame-pointer", "-mllvm", "-align-all-functions=6",
          "-Wno-override-module", "-c", "-x", "ir", place + ".ll", "-o", place + ".o",
        ])
      objects.paths.append(place + ".o")
    }
    return objects
  }

  /// LLVM's text with an unwind table for each function.
  private static func withUnwindTables(_ text: Data) -> Data {
    var made = Data(capacity: text.count)
    var rest = text[...]
    // The attributes of functions, in groups: `attributes #0 = { nounwind … }`.
    while let line = rest.range(of: Data("\nattributes #".utf8)),
      let brace = rest[line.upperBound...].range(of: Data("{ ".utf8))
    {
      made += rest[..<brace.upperBound]
      made += Data("uwtable ".utf8)
      rest = rest[brace.upperBound...]
    }
    return made + rest
  }

  /// Gives everything that objects define another name, so that they can be linked with objects of the same code for
  /// another processor level. `names` has the new names of the entry points.
  package func renamed(
    _ objects: Objects, _ names: [String: String], in directory: String
  ) throws(Failure) -> Objects {
    let listed = try run(
      "llvm-nm", ["--format=posix", "--defined-only", "--extern-only"] + objects.paths)
    let defined = Set(
      listed.split(separator: "\n").map { $0.split(separator: " ") }
        .filter { $0.count > 2 && !$0[0].hasPrefix("@") }.map { String($0[0]) })
    let list = directory + "/names"
    try write(
      Data(defined.sorted().map { "\($0) \(names[$0] ?? $0 + "$newer")\n" }.joined().utf8),
      to: list)
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
    let own = ["foreign.c", "stack.S"].map {
      (kit + "/Sources/Kit/CCsound/" + $0, "\(directory)/\($0).o")
    }
    for (source, object) in own {
      try run(
        "clang",
        code + ["-O2", "-fno-builtin", "-ffunction-sections", "-Wno-unused-command-line-argument"]
          + ["-c", source, "-o", object])
    }
    let list = directory + "/shown.def"
    try write(Data(("EXPORTS\n" + Self.shown.map { $0 + "\n" }.joined()).utf8), to: list)
    let words =
      [
        "-m", "i386pep", "--shared", "-e", "DllMainCRTStartup", "--no-insert-timestamp",
        "--gc-sections", "--strip-all", "--error-limit=0", "-o", plugin,
      ] + objects + own.map(\.1) + [list, "-L\(system)/lib", "-lucrt", "-lkernel32"]
    let said = try ChildProcess.run(try Self.program("ld.lld"), words)
    guard !said.isGood else { return }
    let errors = said.errors.matches(of: /error: (.*)/).map { String($0.output.1) }
    // What Swift defines in one module and copies into another is the same. ELF's linkers take either.
    let isOfSwift = errors.map { $0.hasPrefix("duplicate symbol: $") }
    guard isOfSwift.allSatisfy(\.self), !errors.isEmpty else {
      let reason = zip(errors, isOfSwift).first { !$0.1 }?.0 ?? said.errors
      throw Failure(
        .badInput,
        "'\((plugin as NSString).lastPathComponent)' cannot be linked: ld.lld says '\(reason)'."
          + (reason.hasPrefix("undefined symbol")
            ? " \(target.system.title) has no such function; write it, or do without." : ""))
    }
    try run("ld.lld", words + ["--allow-multiple-definition"])
  }

  // MARK: Programs

  private static func program(_ name: String) throws(Failure) -> String {
    guard let program = programOfSwift(name) else {
      throw Failure(
        .unavailable,
        "'\(name)', which comes with Swift, is neither beside 'swift' nor on the PATH; install Swift as a whole."
      )
    }
    return program
  }

  @discardableResult
  private func run(_ name: String, _ words: [String]) throws(Failure) -> String {
    let finished = try ChildProcess.run(try Self.program(name), words)
    guard finished.isGood else {
      throw Failure(
        .badInput,
        "\(name) cannot make a plugin for \(target.system.title):\n\(finished.errors)")
    }
    return finished.output
  }

  private func write(_ text: Data, to path: String) throws(Failure) {
    do {
      try text.write(to: URL(fileURLWithPath: path))
    } catch {
      throw Failure(.unwritableOutput, "'\(path)' cannot be written: \(error.localizedDescription)")
    }
  }
}
