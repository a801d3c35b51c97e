import CommandKit
import Foundation
import HarnessBase
import Rendering

extension PluginBuild {
  /// Builds a plugin for another operating system than Linux. Returns its path in the build directory.
  func foreign(for target: BuildTarget) throws(Failure) -> String {
    try requireFixedWidths(for: target.system)
    var parts: [String] = []
    for slice in target.slices {
      guard let compiler = try ForeignCompiler(for: slice, kit: Project.kit) else { continue }
      parts.append(try part(for: slice, of: target, by: compiler))
    }
    guard parts.count > 1 else { return parts[0] }
    let plugin = "\(directory)/\(target.scratch)/\(target.plugin(of: product))"
    try UniversalLibrary.write(parts, to: plugin)
    return plugin
  }

  /// Builds the part of a plugin for one kind of processor.
  private func part(
    for slice: BuildTarget, of target: BuildTarget, by compiler: ForeignCompiler
  ) throws(Failure) -> String {
    let place = "\(directory)/\(slice.scratch)/plugin"
    var newer: (level: String, objects: ForeignCompiler.Objects)?
    if let usual = slice.usual, let other = try ForeignCompiler(for: usual, kit: Project.kit) {
      let level = usual.compiledLevel
      let made = try objects(of: compiled(for: usual), by: other, in: "\(place)-\(level)")
      if made.runsWhenLoaded {
        NewerCode.sayNone(in: target.plugin(of: product), level)
      } else {
        newer = (
          level, try other.renamed(made, NewerCode.beginnings, in: "\(place)-\(level)")
        )
      }
    }
    let own = try objects(
      of: compiled(for: slice, holding: newer?.level), by: compiler, in: place)
    let plugin = "\(place)/\(target.plugin(of: product))"
    try compiler.link(own.paths + (newer?.objects.paths ?? []), to: plugin, in: place)
    return plugin
  }

  private func objects(
    of compiled: Compiled, by compiler: ForeignCompiler, in directory: String
  ) throws(Failure) -> ForeignCompiler.Objects {
    try compiler.objects(
      of: ForeignCompiler.paths(in: compiled.objects) + (compiled.kit?.objects ?? []), in: directory
    )
  }

  /// Fails if Swift code and C code of an author's package would disagree about the size of a type. Swift's Int stands
  /// for C's `long`, which has 32 bits on Windows.
  private func requireFixedWidths(for system: OperatingSystem) throws(Failure) {
    guard system == .windows, let package = AuthorPackage.current else { return }
    let names =
      FileManager.default.enumerator(atPath: package.sources)?
      .compactMap { $0 as? String }.sorted() ?? []
    for name in names {
      let isHeader = [".h", ".hpp"].contains { name.hasSuffix($0) }
      guard isHeader || name.hasSuffix(".swift"),
        let text = try? String(contentsOfFile: "\(package.sources)/\(name)", encoding: .utf8)
      else { continue }
      for (index, line) in text.textLines.enumerated() {
        let code = line.replacing(/\/\/.*|\/\*.*?\*\//, with: "")
          .replacing(/\blong\s+(long|double)\b/, with: "")
        let isWrong =
          isHeader
          ? code.contains(/\b(long|wchar_t)\b/)
          : code.contains(/@(c|_cdecl|convention\(c\))\b.*\bU?Int\b/)
        guard isWrong else { continue }
        let place = "\((package.sources as NSString).lastPathComponent)/\(name):\(index + 1)"
        throw .badInput(
          isHeader
            ? "\(place) has a type that is smaller on Windows, 'long' or 'wchar_t'; write int32_t, int64_t or"
              + " ptrdiff_t, which Swift reads as Int32, Int64 and Int."
            : "\(place) has an Int of a C function, which is C's 'long' and smaller on Windows; write Int32 or"
              + " Int64.")
      }
    }
  }

  /// What a plugin for a target lacks of the sources' opcodes and GEN routines, in a sentence; nil if nothing.
  package func lack(for target: BuildTarget) -> String? {
    guard target.system == .web else { return nil }
    let sources = AuthorPackage.current?.sources ?? directory + "/Opcodes"
    let files = FileManager.default.enumerator(atPath: sources)?.compactMap { $0 as? String } ?? []
    let names = files.sorted().filter { $0.hasSuffix(".swift") }.flatMap { name in
      let text = (try? String(contentsOfFile: "\(sources)/\(name)", encoding: .utf8)) ?? ""
      return text.matches(of: /registry\.add\("([^"]+)"\)/).map { String($0.output.1) }
    }
    guard !names.isEmpty else { return nil }
    return "\(file(for: target)) has no GEN routine, as Csound in a browser takes none: left out"
      + " \(names.count == 1 ? "is" : "are") \(names.joined(separator: ", "))."
  }

  /// The size of a plugin for another operating system and what it needs, in one line.
  func foreignSummary(for target: BuildTarget) throws(Failure) -> String {
    let beginning = "\(file(for: target)): for Csound \(target.csound.release)"
    let end =
      "\(size(for: target)) bytes, depends on \(try needs(for: target).joined(separator: ", "))"
    if target.system == .macos {
      let library = try LibraryFile(path(for: target))
      let processors = library.machProcessors.map { name in
        Processor.allCases.first { $0.appleName == name }?.rawValue ?? "another processor"
      }
      return
        "\(beginning) on macOS \(library.oldestMacOS ?? "?") or newer,"
        + " \(processors.joined(separator: " and ")), \(end)"
    }
    return beginning
      + (target.system == .web ? " in browsers (wasm32), " : " on 64-bit Windows, ") + end
  }
}
