import Foundation
import HarnessBase

/// The Csound headers that plugins are compiled with.
package struct CsoundHeaders: Sendable {
  /// The directory in which compilers find `csound/csdl.h`.
  package let directory: String
  package let csound: CsoundVersion
  /// Whether compilers find the headers without an option.
  private let isUsual: Bool

  /// The directories that compilers search without an option, in order.
  private static let usual = ["/usr/local/include", "/usr/include"]

  /// The headers in the directory `given`, otherwise those of an installed Csound, otherwise, for
  /// Csound 7, those from PyPI, which are fetched into the kit's build directory once.
  package init(
    of csound: CsoundVersion, given: String? = nil, kit: String
  ) throws(Failure) {
    self.csound = csound
    let first = Self.usual.first { Self.version(in: $0) != nil }
    if let given {
      let found: (major: Int, minor: Int)
      (directory, found) = try Self.place(given)
      guard found.major == csound.rawValue else {
        throw .badInput(
          "--csound-include is '\(given)', whose headers are of Csound \(found.major).\(found.minor); --csound"
            + " \(csound.rawValue) takes those of \(csound.release).")
      }
    } else if let first, Self.version(in: first)?.major == csound.rawValue {
      directory = first
    } else if let other = Self.usual.first(where: {
      Self.version(in: $0)?.major == csound.rawValue
    }) {
      directory = try Self.linked(other, csound)
    } else if csound == .seven {
      directory = try PublishedCsound(kit: kit).headers()
    } else {
      throw .unavailable(
        "No headers of Csound \(csound.release) are installed; their Debian package is 'libcsound64-dev', or"
          + " --csound-include names their directory.")
    }
    isUsual = directory == first
  }

  /// Arguments for SwiftPM. Compilers for another system than Linux do not search this one's directories.
  package func compilerWords(for system: OperatingSystem) throws(Failure) -> [String] {
    switch (isUsual, system) {
    case (true, .linux): []
    case (true, _): ["-Xcc", "-I\(try Self.linked(directory, csound))"]
    case (false, _): ["-Xcc", "-I\(directory)"]
    }
  }

  /// Fails unless the kit's own C headers in the directory `kitsHeaders` compile with these headers. The
  /// version number is not enough, because betas of Csound 7 have the number of the release.
  package func check(with kitsHeaders: String) throws(Failure) {
    guard !isUsual, let clang = Clang.path else { return }
    let compiled = try ChildProcess.run(
      clang,
      ["-fsyntax-only", "-w", "-x", "c", "-I\(directory)", "\(kitsHeaders)/CCsound.h"])
    guard !compiled.isGood else { return }
    let reason = compiled.errors.split(separator: "\n").first { $0.contains("error:") }
    throw .badInput(
      "The headers in '\(directory)' are not those of Csound \(csound.release):"
        + " \(reason.map(String.init) ?? "they do not compile"). Headers of a beta cannot be used.")
  }

  /// The version of the headers in the folder `csound` of a directory; nil if there are none.
  private static func version(in directory: String) -> (major: Int, minor: Int)? {
    guard
      let text = try? String(contentsOfFile: directory + "/csound/version.h", encoding: .utf8),
      let major = text.firstMatch(of: /#\s*define\s+CS_VERSION\s+\(?(\d+)/),
      let minor = text.firstMatch(of: /#\s*define\s+CS_SUBVER\s+\(?(\d+)/)
    else { return nil }
    return (Int(major.output.1)!, Int(minor.output.1)!)
  }

  /// The major version of the headers that compilers find without an option.
  static var usualMajor: Int? { usual.lazy.compactMap { version(in: $0)?.major }.first }

  /// Whether compilers find headers of this Csound in a directory that they search without an option.
  package static func areInstalled(of csound: CsoundVersion) -> Bool {
    usual.contains { version(in: $0)?.major == csound.rawValue }
  }

  /// The version of the headers in a directory that the user gave.
  package static func csound(in given: String) throws(Failure) -> CsoundVersion {
    let found = try place(given).version
    guard let csound = CsoundVersion(rawValue: found.major) else {
      throw .badInput(
        "--csound-include is '\(given)', whose headers are of Csound \(found.major).\(found.minor);"
          + " plugins are built for 6 and 7.")
    }
    return csound
  }

  /// The include directory and the version of its headers for a directory that the user gave, which may
  /// also be the folder `csound` itself.
  private static func place(
    _ given: String
  ) throws(Failure) -> (directory: String, version: (major: Int, minor: Int)) {
    let path = URL(fileURLWithPath: given).standardizedFileURL.path
    let above = path.parentPath
    let isInside = version(in: path) == nil && (path as NSString).lastPathComponent == "csound"
    let directory = isInside ? above : path
    guard let found = version(in: directory) else {
      throw .missingInput(
        "--csound-include is '\(given)', where there is no csound/version.h; name the directory that has"
          + " Csound's headers in a folder 'csound'.")
    }
    return (directory, found)
  }

  /// A new directory that holds only a link to the headers in `directory`. An option with `directory`
  /// itself would have no effect, as compilers search it anyway, in their own order.
  private static func linked(
    _ directory: String, _ csound: CsoundVersion
  ) throws(Failure) -> String {
    let place = "\(kitBuildDirectory)/csound\(csound.rawValue)-installed"
    let link = place + "/csound"
    try makeDirectory(place)
    try writing(link) {
      let (files, headers) = (FileManager.default, directory + "/csound")
      guard (try? files.destinationOfSymbolicLink(atPath: link)) != headers else { return }
      // Of headers that were elsewhere before.
      try? files.removeItem(atPath: link)
      try files.createSymbolicLink(atPath: link, withDestinationPath: headers)
    }
    return place
  }
}
