import Foundation
import HarnessBase

/// Csound 7.0.0 from PyPI: the wheel of the package cycsound holds the released library and its
/// plugins, for Linux and for Windows; its sources hold the headers of the same release. Fetched once, into the kit's build
/// directory.
package struct PublishedCsound: Sendable {
  /// A file to fetch, and its SHA-256.
  struct Parcel {
    let file: String
    let sum: String
    /// pip's arguments that select the file.
    let words: [String]
  }

  static let wheel = Parcel(
    file: "cycsound-0.2.3-cp311-cp311-manylinux_2_31_x86_64.manylinux_2_34_x86_64.whl",
    sum: "9ba09fd6de962f1232ca5ed1ccc7ffb403d1f5d821c3b8c4cd360cce0c502713",
    words: [
      "--only-binary", ":all:", "--python-version", "3.11", "--platform",
      "manylinux_2_34_x86_64",
    ])
  static let windowsWheel = Parcel(
    file: "cycsound-0.2.3-cp311-cp311-win_amd64.whl",
    sum: "583a827f69f03e28fc361582f13b8feb16aa13637b6ea92f1ecdea8a1a1faa88",
    words: ["--only-binary", ":all:", "--python-version", "3.11", "--platform", "win_amd64"])
  static let sources = Parcel(
    file: "cycsound-0.2.3.tar.gz",
    sum: "6b621cfc2369210f32d30b6ecb8b37f8dbd962739188a0ef9a701011162c5fd6",
    words: ["--no-binary", "cycsound"])

  private let directory: String

  package init(kit: String) { directory = kit + "/.build/csound7" }

  /// The directory that holds the headers in a folder `csound`.
  package func headers() throws(Failure) -> String {
    try kept("include") { (part) throws(Failure) in
      let archive = try fetch(Self.sources, to: part)
      try run("tar", ["-xzf", archive, "-C", part])
      try move(part + "/cycsound-0.2.3/include", to: part + "/kept/csound")
    }
  }

  /// The directory that holds `libcsound64.so.7.0` and a folder `plugins`.
  package func library() throws(Failure) -> String {
    try library(of: Self.wheel, in: "host") { $0.hasPrefix("libcsound64") ? Self.libraryName : nil }
  }

  /// The directory that holds `csound7_64….dll` and a folder `plugins`. The plugins need the library by that name.
  package func windowsLibrary() throws(Failure) -> String {
    try library(of: Self.windowsWheel, in: "windows") { $0.hasPrefix("csound7_64") ? $0 : nil }
  }

  /// The directory `place`, with the library and the plugins of a wheel. `name` says what a file of the wheel is called
  /// there, nil if it is not the library.
  private func library(
    of wheel: Parcel, in place: String, _ name: (String) -> String?
  ) throws(Failure) -> String {
    try kept(place) { (part) throws(Failure) in
      let archive = try fetch(wheel, to: part)
      try run("python3", ["-m", "zipfile", "-e", archive, part])
      let libraries = part + "/cycsound.libs"
      let names = (try? FileManager.default.contentsOfDirectory(atPath: libraries)) ?? []
      guard let library = names.first(where: { name($0) != nil }) else {
        throw Failure(.unavailable, "'\(wheel.file)' has no Csound library; it was not used.")
      }
      try move(libraries + "/" + library, to: part + "/kept/" + name(library)!)
      try move(part + "/cycsound/plugins", to: part + "/kept/plugins")
    }
  }

  /// The library's file name in the kit's build directory.
  static let libraryName = "libcsound64.so.7.0"
  /// The library's own name (SONAME), which programs linked with it look for.
  static let linkedName = "libcsound64-e55a4e17.so.7.0"

  /// The directory `name` in the kit's build directory. If it is missing, it is created from what
  /// `make` puts into the folder `kept` of the directory it is passed.
  private func kept(
    _ name: String, _ make: (_ part: String) throws(Failure) -> Void
  ) throws(Failure) -> String {
    let place = directory + "/" + name
    guard !FileManager.default.fileExists(atPath: place) else { return place }
    let part = "\(place).\(getpid()).part"
    defer { try? FileManager.default.removeItem(atPath: part) }
    do {
      try FileManager.default.createDirectory(
        atPath: part + "/kept", withIntermediateDirectories: true)
    } catch {
      throw Failure(.unwritableOutput, "'\(place)' cannot be made: \(error.localizedDescription)")
    }
    try make(part)
    // Another run may have created the directory meanwhile.
    guard rename(part + "/kept", place) == 0 || FileManager.default.fileExists(atPath: place) else {
      throw Failure(
        .unwritableOutput, "'\(place)' cannot be made: \(String(cString: strerror(errno))).")
    }
    return place
  }

  /// Fetches a parcel with pip, checks its SHA-256, and returns its path.
  private func fetch(_ parcel: Parcel, to part: String) throws(Failure) -> String {
    guard let pip = ["pip3", "pip"].first(where: { installedProgram($0) != nil }) else {
      throw Failure(
        .unavailable,
        "Csound 7 is fetched from PyPI by 'pip3', which is missing; its Debian package is 'python3-pip'."
      )
    }
    let fetched = try ChildProcess.run(
      "/usr/bin/env",
      [pip, "download", "--quiet", "--no-deps"] + parcel.words + [
        "--dest", part, "cycsound==0.2.3",
      ])
    let path = part + "/" + parcel.file
    guard fetched.isGood, FileManager.default.fileExists(atPath: path) else {
      let reason = fetched.errors.split(separator: "\n").last { $0.hasPrefix("ERROR") }
      throw Failure(
        .unavailable,
        "'\(parcel.file)', in which PyPI has Csound 7, cannot be fetched: pip says"
          + " '\(reason.map { $0.dropFirst(7) } ?? "nothing")'.")
    }
    let sum = try run("sha256sum", [path]).prefix(64)
    guard sum == parcel.sum else {
      throw Failure(
        .badInput,
        "'\(parcel.file)' has changed: its SHA-256 is \(sum), not \(parcel.sum). It was not used."
      )
    }
    return path
  }

  @discardableResult
  private func run(_ program: String, _ words: [String]) throws(Failure) -> String {
    let finished = try ChildProcess.run("/usr/bin/env", [program] + words)
    guard finished.isGood else {
      let reason = finished.errors.trimmingCharacters(in: .whitespacesAndNewlines)
      throw Failure(.unavailable, "'\(program)' failed: \(reason)")
    }
    return finished.output
  }

  private func move(_ source: String, to target: String) throws(Failure) {
    do {
      try FileManager.default.moveItem(atPath: source, toPath: target)
    } catch {
      throw Failure(
        .unavailable, "Csound 7 from PyPI has no '\((source as NSString).lastPathComponent)'."
      )
    }
  }
}
