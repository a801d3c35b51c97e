import CsoundHost
import Foundation
import HarnessBase

/// A Csound that can be played: a release, an installation, a build directory of Csound's sources or a library file.
package struct CsoundLibrary: Codable, Equatable, Sendable {
  /// The library's path, without links.
  package private(set) var path: String
  /// The major version, which decides how plugins are built.
  package let csound: CsoundVersion
  /// Its version, such as `6.18.1`.
  package let version: String
  /// The commit it was built from; nil if it does not say.
  package let commit: String?
  /// The directory of its own plugins; nil if the library has a place of its own for them.
  package private(set) var plugins: String?

  /// What stays true on another machine.
  package var withoutPlace: CsoundLibrary {
    var library = self
    (library.path, library.plugins) = ("", nil)
    return library
  }

  /// For messages and tables, such as `Csound 6.19.0 (commit 2536da284dd7)`.
  package var title: String {
    "Csound \(version)" + (commit.map { " (commit \($0.prefix(12)))" } ?? "")
  }

  /// Whether it is a release that the tool is linked with or that PyPI has.
  package var isKnownRelease: Bool { path == Self.installed || path == Self.published }

  /// `6`, `7`, a directory that has Csound's library in it, or the library's file.
  package init(_ given: String, kit: String) throws(Failure) {
    switch given {
    case "6":
      guard let installed = Self.installed else {
        throw .unavailable(
          "No Csound 6 is installed; its Debian package is 'libcsound64-6.0', or --csound names a library."
        )
      }
      self = try Self(library: installed)
    case "7":
      self = try Self(library: PublishedCsound(kit: kit).library() + "/libcsound64.so.7.0")
    default: self = try Self(library: Self.library(in: given))
    }
  }

  private init(library: String) throws(Failure) {
    try Self.makePlayer()
    path = library
    let said = try ChildProcess.run(
      Self.player, [library, "--about"],
      environment: ["CSOUND6RC": "/dev/null", "CSOUND7RC": "/dev/null"])
    guard said.isGood,
      let numbers = said.output.firstMatch(of: /^(\d)(\d\d)(\d) (\d+)\n/),
      let found = Int(numbers.1).flatMap(CsoundVersion.init)
    else {
      let reason = (said.errors + said.output).split(separator: "\n").first.map(String.init)
      throw .badInput(
        "'\(library)' cannot be used as Csound 6 or 7: \(reason ?? "it says no version").")
    }
    guard numbers.4 == "8" else {
      throw .badInput(
        "'\(library)' computes with samples of 32 bits; the kit needs a Csound built with USE_DOUBLE=ON."
      )
    }
    csound = found
    version = "\(numbers.1).\(Int(numbers.2)!).\(numbers.3)"
    commit = (said.output + said.errors).firstMatch(of: /\[commit: ([0-9a-f]{7,40})\]/)
      .map { String($0.1) }
    plugins = Csound.plugins(of: library, major: found.rawValue)
  }

  /// The folders of a system's root that hold libraries.
  private static let folders = ["/lib", "/lib/\(Processor.own.gnuName)-linux-gnu", "/lib64"]

  /// The file in which a linker finds the installed Csound 6, without links.
  private static var installed: String? {
    ["/usr/local", "/usr"].flatMap { root in folders.map { root + $0 } }
      .map { $0 + "/libcsound64.so.6.0" }
      .first { FileManager.default.fileExists(atPath: $0) }.map(\.withoutLinks)
  }

  /// The library that was fetched from PyPI, if it was.
  private static var published: String? {
    let path = kitBuildDirectory + "/csound7/host/libcsound64.so.7.0"
    return FileManager.default.fileExists(atPath: path) ? path.withoutLinks : nil
  }

  /// The library in what the user gave, without links.
  private static func library(in given: String) throws(Failure) -> String {
    let path = URL(fileURLWithPath: given).standardizedFileURL.path
    guard FileManager.default.fileExists(atPath: path) else {
      let allowed =
        "it takes 6, 7, a directory with Csound's library 'libcsound64.so', such as a build directory, or that"
        + " file."
      // A mistyped number is no path.
      throw Int(given) != nil
        ? Failure(.usage, "--csound is '\(given)'; \(allowed)")
        : Failure(.missingInput, "--csound is '\(given)', which does not exist; \(allowed)")
    }
    guard isDirectory(path) else { return path.withoutLinks }
    let folders = ["", "/build"] + folders
    for folder in folders.map({ path + $0 }) {
      let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
      if let name = names.first(where: { $0.hasPrefix("libcsound64") && $0.contains(".so") }) {
        return (folder + "/" + name).withoutLinks
      }
    }
    throw .missingInput(
      "--csound is '\(given)', where no library 'libcsound64.so' is: not there and not in"
        + " \(folders.dropFirst().map { String($0.dropFirst()) }.joined(separator: ", ")).")
  }

  /// The directory of the headers it was built with, as `CsoundHeaders` takes it; nil if none is found.
  package var headers: String? {
    let place = path.parentPath
    let source = (try? String(contentsOfFile: place + "/CMakeCache.txt", encoding: .utf8))?
      .firstMatch(of: /CMAKE_HOME_DIRECTORY:INTERNAL=(.+)/).map { String($0.1) }
    let candidates = [
      place.parentPath + "/include/csound", place.parentPath.parentPath + "/include/csound",
      place + "/include/csound", place.parentPath + "/include",
    ]
    return ([source.map { $0 + "/include" }].compactMap(\.self) + candidates)
      .first { FileManager.default.fileExists(atPath: $0 + "/csdl.h") }
  }

  // MARK: Playing

  /// Compiles the program player.c if it is missing or out of date.
  package static func makePlayer() throws(Failure) {
    guard !isInstalled else { return }
    let source = kitDirectory + "/Sources/Host/Rendering/Targets/player.c"
    guard dateWritten(player) ?? .distantPast < dateWritten(source) ?? .distantFuture else {
      return
    }
    let clang = try requiredProgramOfSwift("clang")
    let fresh = "\(player).\(getpid()).new"
    let compiled = try ChildProcess.run(clang, ["-O2", "-o", fresh, source, "-ldl"])
    guard compiled.isGood, rename(fresh, player) == 0 else {
      throw .unavailable("'\(source)' cannot be compiled: \(compiled.errors)")
    }
  }

  package static let player = (isInstalled ? kitDirectory + "/bin" : kitBuildDirectory) + "/player"

  /// The player and its first argument; the arguments of the command `csound` follow.
  package var words: [String] { [Self.player, path] }

  /// Environment variables that make it load its own plugins and no others.
  package var environment: [String: String] {
    let variable = "OPCODE\(csound.rawValue)DIR64"
    let own = ["CS_USER_PLUGINDIR": "/nonexistent", "CSOUND\(csound.rawValue)RC": "/dev/null"]
    return plugins.map { own.merging([variable: $0]) { $1 } } ?? own
  }

  /// Environment variables with which the tool for this version of Csound runs in this library instead of its own: a
  /// directory of links to the library, by the names that programs are linked with, comes first in the search.
  package func toolEnvironment() throws(Failure) -> [String: String] {
    let name = path.utf8.reduce(UInt64(5381)) { ($0 &* 33) ^ UInt64($1) }
    let links = "\(kitBuildDirectory)/csounds/\(String(name, radix: 36))"
    let linked = "libcsound64.so.\(csound.rawValue).0"
    let published = kitBuildDirectory + "/csound7/host"
    let others = (try? FileManager.default.contentsOfDirectory(atPath: published)) ?? []
    try writing(links) {
      try FileManager.default.createDirectory(atPath: links, withIntermediateDirectories: true)
      for link in Set([linked] + others.filter { $0.hasSuffix(".so.\(csound.rawValue).0") }) {
        let place = links + "/" + link
        guard !FileManager.default.fileExists(atPath: place) else { continue }
        try? FileManager.default.removeItem(atPath: place)
        try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: path)
      }
    }
    let already = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"].map { ":" + $0 } ?? ""
    var environment = ["LD_LIBRARY_PATH": links + already]
    if let plugins { environment["OPCODE\(csound.rawValue)DIR64"] = plugins }
    return environment
  }
}

extension String {
  fileprivate var withoutLinks: String { (self as NSString).resolvingSymlinksInPath }
}
