import Foundation
import HarnessBase
import Rendering

/// A plugin in C, C++ or Faust that provides a pairing's rival; it is built when it is needed.
package struct ReferencePlugin {
  private let source, root: String
  private let libraries, opened: [String: String]
  private let target: BuildTarget
  /// The path of the plugin after it is built.
  package let path: String

  /// The compiler's options. Without contraction, products and sums are rounded separately, as in
  /// Swift.
  private static let flags = ["-O3", "-fPIC", "-DUSE_DOUBLE", "-ffp-contract=off"]

  /// `source` is relative to the project's root. `libraries` are linked, and the plugin opens those in `opened` itself:
  /// their names, and the Debian package of each. On this machine's processor it is compiled for `level`, that of the
  /// opcode it is compared with.
  package init(
    _ source: String, _ root: String, libraries: [String: String] = [:],
    opened: [String: String] = [:], csound: CsoundVersion = .six, for processor: Processor = .own,
    level: String = Processor.playedLevel
  ) {
    (self.source, self.root) = (root + "/" + source, root)
    (self.libraries, self.opened) = (libraries, opened)
    target = BuildTarget(csound, processor, level: processor == .own ? level : nil)
    // Sources in two folders, or in two languages, can have one name.
    let name = source.replacing("/", with: "+")
    path = "\(root)/build/reference/\(name)\(target.suffix).so"
  }

  /// What the compiler or the linker says when a library is not installed.
  private static var lacksFile: Regex<Substring> {
    /file not found|cannot find -l|unable to find library/
  }

  /// The compiler's options for Csound's headers.
  private func headers() throws(Failure) -> [String] {
    guard target.csound != .six else { return ["-I/usr/include/csound"] }
    let place = try CsoundHeaders(of: target.csound, kit: root).directory
    return ["-I\(place)", "-I\(place)/csound"]
  }

  private var isCPlusPlus: Bool { source.hasSuffix(".cpp") }

  private func program(_ clang: String) -> String { isCPlusPlus ? clang + "++" : clang }

  /// The compiler's words but for the source and what it writes.
  private func words() throws(Failure) -> [String] {
    // Csound 6.18's plugin.h has 'opaddr' for its own 'opadr' in a template, which clang refuses and g++ does not.
    try Self.flags + (isCPlusPlus ? ["-std=gnu++17", "-Dopaddr=opadr"] : ["-std=gnu11"]) + headers()
      + (CrossCompiler(for: target)?.clangWords ?? ["-march=\(target.compiledLevel)"])
  }

  private var linkWords: [String] { libraries.keys.sorted().map { "-l\($0)" } + ["-lm", "-lc"] }

  /// How it is compiled and linked; nil for Faust, whose C code nobody has written. `build` says what is missing.
  func code() throws(Failure) -> CodeBuild? {
    guard !source.hasSuffix(".dsp"), let clang = Clang.path else { return nil }
    return CodeBuild(
      modules: [
        .init(
          program(clang), try words() + ["-g", "-I" + source.parentPath], sources: [source],
          objects: [], isSwift: false)
      ], linker: program(clang), words: ["-shared"] + linkWords, objects: [])
  }

  /// Builds the plugin unless it is newer than its source.
  package func build() throws(Failure) {
    try requireReadableFile(source)
    try requireOpened()
    if let built = dateWritten(path), let written = lastWritten, isInstalled || built > written {
      return
    }
    guard let clang = Clang.path else {
      throw .unavailable(
        "'\(source)' needs clang, which comes with Swift; put the directory of 'swift' on the PATH."
      )
    }
    let fresh = "\(path).\(getpid()).new"
    defer {
      unlink(fresh)
      unlink("\(path).\(getpid()).c")
    }
    try makeDirectory(path.parentPath)
    let name = (path as NSString).lastPathComponent
    let finished = try ChildProcess.run(
      program(clang),
      try words() + ["-shared", "-Wl,-soname,\(name)"] + sources() + ["-o", fresh] + linkWords)
    guard finished.isGood else {
      if !libraries.isEmpty, finished.errors.contains(Self.lacksFile) {
        let packages = Set(libraries.values).sorted().joined(separator: " ")
        throw .unavailable(
          "'\(source)' needs \(packages); as root, run: apt-get install \(packages)")
      }
      throw .badInput("clang cannot compile '\(source)':\n\(finished.errors)")
    }
    guard rename(fresh, path) == 0 else {
      throw .unwritableOutput("'\(path)' cannot be written: \(String(cString: strerror(errno))).")
    }
  }

  /// Fails if a library that the plugin opens is not installed. Libraries for another processor cannot be tried here.
  private func requireOpened() throws(Failure) {
    guard target.processor == .own else { return }
    for (library, package) in opened.sorted(by: { $0.key < $1.key }) {
      guard let handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL) else {
        throw .unavailable(
          "'\(source)' opens \(library), which is not installed; as root, run: apt-get install \(package)"
        )
      }
      dlclose(handle)
    }
  }

  /// The compiler's words for the C code: the source, or what Faust makes of it inside a frame that makes it an opcode.
  private func sources() throws(Failure) -> [String] {
    guard source.hasSuffix(".dsp") else { return [source] }
    guard let faust = installedProgram("faust") else {
      throw .unavailable("'\(source)' needs the program faust; as root, run: apt-get install faust")
    }
    let name = ((source as NSString).lastPathComponent as NSString).deletingPathExtension
    let code = "\(path).\(getpid()).c"
    let finished = try ChildProcess.run(
      faust, ["-lang", "c", "-double", "-cn", "faust", source, "-o", code])
    try finished.require(.badInput, "faust cannot compile '\(source)':\n")
    return [
      "-DFAUST_CODE=\"\(code)\"", "-DFAUST_OPCODE=\"faust_\(name)\"",
      "\(builtKitDirectory)/Sources/Compare/Comparing/faust.c",
    ]
  }

  /// The latest modification date of the source and the headers in its directory.
  private var lastWritten: Date? {
    let directory = source.parentPath
    let headers = ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [])
      .filter { $0.hasSuffix(".h") }.map { "\(directory)/\($0)" }
    return ([source] + headers).compactMap(dateWritten).max()
  }
}
