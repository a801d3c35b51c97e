import Foundation
import HarnessBase

/// Debian's csound for another kind of processor than this machine's. It is unpacked into a folder,
/// not installed, and qemu executes it.
package struct DebianCsound: Sendable {
  package let processor: Processor
  /// The folder that serves as the root directory of its files.
  private let root: String
  private let emulator: String

  /// Unpacks csound into the kit's build directory, unless it is there. apt fetches the packages with
  /// its own state directory, so that the system does not change and root's rights are not needed.
  package init(for processor: Processor, path: String? = nil) throws(Failure) {
    root = "\(kitBuildDirectory)/csound-\(processor.rawValue)/root"
    guard let emulator = Self.emulator(of: processor, in: path) else {
      throw .unavailable(
        "Playing on \(processor.rawValue) needs the Debian package 'qemu-user-static', which is not installed;"
          + " as root, run: apt-get install -y qemu-user-static.")
    }
    (self.processor, self.emulator) = (processor, emulator)
    guard !FileManager.default.fileExists(atPath: root) else { return }
    try fetch()
  }

  /// The program that emulates a kind of processor, on the PATH or in other directories; nil if there is none.
  package static func emulator(of processor: Processor, in path: String? = nil) -> String? {
    let name = "qemu-\(processor.gnuName)"
    return installedProgram(name + "-static", in: path) ?? installedProgram(name, in: path)
  }

  /// The program, and the arguments before csound's own options.
  package var words: [String] {
    ["/usr/bin/env", emulator, "-L", root, root + "/usr/bin/csound"]
  }

  /// The directory of its plugins.
  package var plugins: String {
    "\(root)/usr/lib/\(processor.gnuName)-linux-gnu/csound/plugins64-6.0"
  }

  // MARK: Fetching

  private func fetch() throws(Failure) {
    for program in ["apt-get", "dpkg-deb"] where installedProgram(program) == nil {
      throw .unavailable(
        "Csound for \(processor.rawValue) is fetched from Debian by '\(program)', which is missing here."
      )
    }
    let part = PartFile.path(of: root)
    defer { try? FileManager.default.removeItem(atPath: part) }
    let archives = part + "/cache/archives"
    for name in ["\(part)/state/lists/partial", "\(archives)/partial", "\(part)/root"] {
      try makeDirectory(name)
    }
    // An empty status file: for this apt, nothing is installed.
    try OutputFile(part + "/status").write(Data())
    let apt =
      ["apt-get", "-q", "-y"]
      + [
        "Dir::State=\(part)/state", "Dir::State::status=\(part)/status", "Dir::Cache=\(part)/cache",
        "APT::Architecture=\(processor.debianName)", "APT::Architectures::=\(processor.debianName)",
        "APT::Sandbox::User=root",
        "Debug::NoLocking=1", "Acquire::Languages=none", "Acquire::Retries=2",
      ].flatMap { ["-o", $0] }
    // The result is ignored, because a package source may have nothing for this processor.
    _ = try ChildProcess.run("/usr/bin/env", ["LC_ALL=C"] + apt + ["update"])
    try run(apt + ["install", "--no-install-recommends", "--download-only", "csound"])
    let names = (try? FileManager.default.contentsOfDirectory(atPath: archives)) ?? []
    for name in names.sorted() where name.hasSuffix(".deb") {
      try run(["dpkg-deb", "--extract", "\(archives)/\(name)", part + "/root"])
    }
    // Another run may have created the folder meanwhile.
    guard rename(part + "/root", root) == 0 || FileManager.default.fileExists(atPath: root) else {
      throw .unwritableOutput("'\(root)' cannot be made: \(String(cString: strerror(errno))).")
    }
  }

  private func run(_ words: [String]) throws(Failure) {
    let finished = try ChildProcess.run("/usr/bin/env", ["LC_ALL=C"] + words)
    guard !finished.isGood else { return }
    let reason = finished.errors.split(separator: "\n").first { $0.hasPrefix("E: ") }?.dropFirst(3)
    throw .unavailable(
      "Csound for \(processor.rawValue) cannot be fetched from Debian: \(reason.map { "apt says '\($0)'" } ?? "'\(words[0])' failed")."
    )
  }
}
