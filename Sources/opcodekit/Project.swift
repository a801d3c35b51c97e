import Comparing
import Foundation
import HarnessBase
import Rendering

/// Where things are, and what the commands share.
enum Project {
  /// The directory of Package.swift; the script `opcodekit` names it.
  static let root =
    ProcessInfo.processInfo.environment["OPCODEKIT_ROOT"]
    ?? FileManager.default.currentDirectoryPath

  static let executable =
    (try? FileManager.default.destinationOfSymbolicLink(
      atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]

  /// What and which this is, in one line.
  static var version: String {
    let here = Provenance.current(root: root)
    let commit = here.commit.map { " at commit \($0)" } ?? ""
    return "OpcodeKit\(commit), Csound \(here.csound), \(here.compiler)"
  }

  /// Where and with what the opcodes that the options name are measured: their commit is that of the
  /// package they come from.
  static func provenance(_ arguments: Arguments) -> Provenance {
    let package =
      arguments[.sources] ?? plugin(arguments).map { ($0 as NSString).deletingLastPathComponent }
    return .current(root: package ?? root)
  }

  /// A directory for what a run leaves: `build/NAME`. Where that is in use by another run it is one
  /// beside it, and where it cannot be written, one of the system's temporary ones, which is said.
  static func outputDirectory(_ name: String) throws(Failure) -> String {
    let usual = "\(root)/build/\(name)"
    if let free = try? lock(usual, orBeside: "\(usual)-\(getpid())") { return free }
    let other = NSTemporaryDirectory() + "/opcodekit-\(name)-\(getpid())"
    do {
      try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    } catch {
      throw Failure(.unwritableOutput, "Neither '\(usual)' nor '\(other)' can be written.")
    }
    printError("opcodekit: '\(usual)' cannot be written; what is left goes to '\(other)'.")
    return other
  }

  /// Takes a directory for as long as this process runs, or another one where it is taken.
  private static func lock(_ usual: String, orBeside other: String) throws -> String {
    for path in [usual, other] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      guard access(path, W_OK) == 0 else { throw CocoaError(.fileWriteNoPermission) }
      let file = open(path, O_RDONLY | O_CLOEXEC)
      if file >= 0, flock(file, LOCK_EX | LOCK_NB) == 0 { return path }
      close(file)
    }
    return other
  }

  /// The pairings called `names`, or all when there are none, that have one of the selected rates. A
  /// name is an opcode's, which stands for all of its files in Benchmarks/, or that of one file.
  static func pairings(_ names: [String], _ selection: Selection) throws(Failure) -> [Pairing] {
    let (all, broken) = try Pairing.all(in: root + "/Benchmarks")
    // One that cannot be read spoils only itself: what does not ask for it goes on.
    for (name, failure) in broken {
      guard !names.isEmpty, !names.contains(name) else { throw failure }
      printError("opcodekit: left out: \(failure.message)")
    }
    var chosen = names.isEmpty ? all : []
    for name in names {
      let ofOpcode = all.filter { $0.subject == name }
      let found = ofOpcode.isEmpty ? all.filter { $0.name == name } : ofOpcode
      guard !found.isEmpty else {
        throw Failure(
          .usage,
          unknown(
            "No opcode paired with a rival", name, Set(all.flatMap { [$0.subject, $0.name] })))
      }
      chosen += found.filter { item in !chosen.contains { $0.name == item.name } }
    }
    guard let rates = selection.rates else { return chosen }
    let known = Set(chosen.flatMap { $0.rates.map(\.name) })
    for rate in rates where !known.contains(rate) {
      throw Failure(
        .usage, "--rates is '\(rate)'; it takes \(known.sorted().joined(separator: ", ")).")
    }
    return chosen.filter { $0.rates.contains { rates.contains($0.name) } }
  }

  /// The sentence for a name that nothing has, with what it may have been meant for.
  static func unknown(_ what: String, _ name: String, _ known: Set<String>) -> String {
    let distances = known.map { ($0, editDistance($0.lowercased(), name.lowercased())) }
    let nearest = distances.map(\.1).min() ?? .max
    let near =
      nearest <= max(2, name.count / 3)
      ? distances.filter { $0.1 == nearest }.map(\.0).sorted() : []
    let advice =
      near.isEmpty
      ? "known are \(known.sorted().joined(separator: ", "))."
      : "did you mean \(near.joined(separator: " or "))?"
    return "\(what) is called '\(name)'; \(advice)"
  }

  /// How many letters must be inserted, removed or changed to turn one word into the other
  /// (Levenshtein's distance).
  static func editDistance(_ first: String, _ second: String) -> Int {
    let second = Array(second)
    var row = Array(0...second.count)
    for (i, letter) in first.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in second.enumerated() {
        let changed = diagonal + (letter == other ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(changed, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[second.count]
  }

  /// A path as it is from the current directory, when it lies below.
  static func short(_ path: String) -> String {
    let here = FileManager.default.currentDirectoryPath + "/"
    return path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
  }

  static func grid(_ arguments: Arguments, otherBuild: String? = nil) throws(Failure) -> Grid {
    Grid(
      root: root, evidenceDirectory: try outputDirectory("compare"),
      plugin: plugin(arguments), otherBuild: otherBuild, worker: [executable, "worker"],
      timeLimit: try arguments.timeLimit())
  }

  static func selection(_ arguments: Arguments) throws(Failure) -> Selection {
    Selection(
      ksmps: try arguments.wholeNumbers(.ksmps, Orchestra.ksmpsRange),
      sampleRates: try arguments.numbers(.sampleRate, Orchestra.sampleRateRange),
      rates: try arguments.names(.rates))
  }

  /// The plugin of `--plugin` as an absolute path.
  static func plugin(_ arguments: Arguments) -> String? {
    arguments[.plugin].map { URL(fileURLWithPath: $0).path }
  }
}
