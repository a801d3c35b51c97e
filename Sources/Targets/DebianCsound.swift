import Foundation
import HarnessBase

/// Debian's csound for arm64, unpacked into a folder and never installed, which qemu executes.
package struct DebianCsound: Sendable {
  /// The folder that is the root of its files.
  private let root: String

  /// In the kit's build directory. Where it is missing apt fetches the packages with a state of its own, so
  /// that the machine's stays as it is and no rights are needed.
  package init(kit: String) throws(Failure) {
    guard installedProgram(Self.emulator) != nil else {
      throw Failure(
        .unavailable,
        "Playing on arm64 needs the Debian package 'qemu-user-static', which is not installed; as root, run:"
          + " apt-get install -y qemu-user-static.")
    }
    let directory = kit + "/.build/csound-arm64"
    root = directory + "/root"
    guard !FileManager.default.fileExists(atPath: root) else { return }
    try Self.fetch(into: directory, as: root)
  }

  private static let emulator = "qemu-aarch64-static"

  /// The program with what goes before csound's own options.
  package var words: [String] {
    ["/usr/bin/env", Self.emulator, "-L", root, root + "/usr/bin/csound"]
  }

  /// Where its own plugins are.
  package var plugins: String { root + "/usr/lib/aarch64-linux-gnu/csound/plugins64-6.0" }

  // MARK: Fetching

  private static func fetch(into directory: String, as root: String) throws(Failure) {
    for program in ["apt-get", "dpkg-deb"] where installedProgram(program) == nil {
      throw Failure(
        .unavailable,
        "Csound for arm64 is fetched from Debian by '\(program)', which is missing here.")
    }
    let part = PartFile.path(of: root)
    defer { try? FileManager.default.removeItem(atPath: part) }
    let archives = part + "/cache/archives"
    do {
      for name in ["\(part)/state/lists/partial", "\(archives)/partial", "\(part)/root"] {
        try FileManager.default.createDirectory(atPath: name, withIntermediateDirectories: true)
      }
      // Nothing is installed, as far as this apt knows.
      try Data().write(to: URL(fileURLWithPath: part + "/status"))
    } catch {
      throw Failure(
        .unwritableOutput, "'\(directory)' cannot be written: \(error.localizedDescription)")
    }
    let apt =
      ["apt-get", "-q", "-y"]
      + [
        "Dir::State=\(part)/state", "Dir::State::status=\(part)/status", "Dir::Cache=\(part)/cache",
        "APT::Architecture=arm64", "APT::Architectures::=arm64", "APT::Sandbox::User=root",
        "Debug::NoLocking=1", "Acquire::Languages=none", "Acquire::Retries=2",
      ].flatMap { ["-o", $0] }
    // A source that has nothing for arm64 is no reason to give up.
    _ = try ChildProcess.run("/usr/bin/env", ["LC_ALL=C"] + apt + ["update"])
    try run(apt + ["install", "--no-install-recommends", "--download-only", "csound"])
    let names = (try? FileManager.default.contentsOfDirectory(atPath: archives)) ?? []
    for name in names.sorted() where name.hasSuffix(".deb") {
      try run(["dpkg-deb", "--extract", "\(archives)/\(name)", part + "/root"])
    }
    // Another run may have been quicker.
    guard rename(part + "/root", root) == 0 || FileManager.default.fileExists(atPath: root) else {
      throw Failure(
        .unwritableOutput, "'\(root)' cannot be made: \(String(cString: strerror(errno))).")
    }
  }

  private static func run(_ words: [String]) throws(Failure) {
    let finished = try ChildProcess.run("/usr/bin/env", ["LC_ALL=C"] + words)
    guard !finished.isGood else { return }
    let reason = finished.errors.split(separator: "\n").first { $0.hasPrefix("E: ") }?.dropFirst(3)
    throw Failure(
      .unavailable,
      "Csound for arm64 cannot be fetched from Debian: \(reason.map { "apt says '\($0)'" } ?? "'\(words[0])' failed")."
    )
  }
}
