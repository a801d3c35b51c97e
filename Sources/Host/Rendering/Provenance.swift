import CsoundHost
import Foundation
import HarnessBase

/// On which machine, with which software and when figures were measured.
public struct Provenance: Codable, Equatable, Sendable {
  /// The date and time, in the form of ISO 8601.
  public var date: String
  public var processor: String
  /// The number of active logical processors.
  public var cores: Int
  public var csound: String
  /// The first line of `swift --version`.
  public var compiler: String
  /// The commit of the sources, with the suffix `-dirty` if there are uncommitted changes; nil if the
  /// sources are in no Git repository.
  public var commit: String?

  public init(
    date: String, processor: String, cores: Int, csound: String, compiler: String, commit: String?
  ) {
    (self.date, self.processor, self.cores, self.csound) = (date, processor, cores, csound)
    (self.compiler, self.commit) = (compiler, commit)
  }

  /// This machine at this moment, with the sources in `root`.
  public static func current(root: String) -> Provenance {
    // An installed tool says what it was made of.
    let installed =
      isInstalled
      ? try? String(contentsOfFile: kitDirectory + "/" + versionFile, encoding: .utf8) : nil
    let made = installed?.split(separator: "\n").map(String.init)
    return Provenance(
      date: ISO8601DateFormatter().string(from: Date()), processor: processorName,
      cores: ProcessInfo.processInfo.activeProcessorCount, csound: Csound.version,
      compiler: made?.last ?? firstLine(of: ["swift", "--version"]) ?? "unknown",
      commit: root == kitDirectory && made != nil
        ? made?.first
        : firstLine(
          of: ["git", "-C", root, "describe", "--always", "--dirty", "--exclude=*", "--abbrev=12"]))
  }

  /// The file of an installed tool with the commit and the compiler that it was made of, a line each.
  package static let versionFile = "version"

  /// The differences that can change figures, one phrase each, such as `Csound 6.17, not 6.18`.
  public func differences(from other: Provenance) -> [String] {
    [
      ("", processor, other.processor), ("", "\(cores) processors", "\(other.cores) processors"),
      ("Csound ", csound, other.csound), ("", compiler, other.compiler),
    ].filter { $0.1 != $0.2 }.map { "\($0.0)\($0.1), not \($0.2)" }
  }

  /// The first line a program prints; nil if the program is missing or fails.
  private static func firstLine(of words: [String]) -> String? {
    guard let finished = try? ChildProcess.run("/usr/bin/env", words), finished.isGood else {
      return nil
    }
    return finished.output.split(separator: "\n").first.map(String.init)
  }

  package static var processorName: String {
    let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
    return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
      ?? "unknown"
  }
}
