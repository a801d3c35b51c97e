import Foundation

/// What a shared library, or an object file, says about itself, as `llvm-objdump` prints it: ELF, 64-bit PE, or 64-bit
/// Mach-O, for any processor.
package struct LibraryFile {
  /// The headers and sections; of a Mach-O file the headers alone, for each processor.
  package let text: String

  /// Fails if the file is none of these.
  package init(_ path: String) throws(Failure) {
    let program = try requiredProgramOfSwift("llvm-objdump")
    let words = ["--private-headers", "--section-headers", path]
    var printed = try ChildProcess.run(program, words)
    if printed.output.contains("Mach header") {
      printed = try ChildProcess.run(program, ["--macho", "--arch=all", "--private-headers", path])
    }
    try printed.require(.badInput, "'\(path)' is no library or object: ")
    text = printed.output
  }

  /// The libraries this one needs, such as `libm.so.6`, each once.
  package var needs: [String] {
    let names = text.matches(
      of: /\n *(?:NEEDED|DLL Name:|cmd LC_LOAD_DYLIB\n *cmdsize \d+\n *name) +(\S+)/)
    return names.map { String($0.1) }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The newest version it needs of an ELF library's family such as `GLIBC_`, as `major.minor` alone, such as `2.29`.
  package func newest(_ family: String) -> String? {
    let versions = text.matches(of: /\n +0x\w+ 0x\w+ \d+ (\S+)/).map { String($0.1) }
    return versions.filter { $0.hasPrefix(family) }.map { String($0.dropFirst(family.count)) }
      .max { $0.compare($1, options: .numeric) == .orderedAscending }
  }

  /// Whether it has initialisers, which the loader runs when it loads the library.
  package var runsWhenLoaded: Bool {
    text.contains(/\s(\.(pre)?init_array|\.ctors|__mod_init_func)/)
  }

  /// For each part of a Mach-O file the kind of processor, as Apple calls it in lower case.
  package var machProcessors: [String] {
    text.matches(of: /MH_MAGIC_64 +(\w+)/).map { $0.1.lowercased() }
  }

  /// The oldest macOS a Mach-O file runs on, such as `11.0`.
  package var oldestMacOS: String? { text.firstMatch(of: /minos (\S+)/).map { String($0.1) } }

  /// ELF's number of the processor (`e_machine`) a file is for, read without a program; nil if it is not 64-bit
  /// little-endian ELF.
  package static func machine(of path: String) -> Int? {
    guard let file = FileHandle(forReadingAtPath: path),
      let head = try? file.read(upToCount: 20), head.count == 20,
      head.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1])
    else { return nil }
    return Int(head[18]) | Int(head[19]) << 8
  }
}
