import Foundation
import HarnessBase
import Rendering

/// The commits of a clone of Csound's sources that are newer than a version.
struct VersionHistory {
  /// Abbreviated hash, date and subject of each, the newest first, and the words of the subject.
  private let commits: [(text: String, words: Set<Substring>)]

  /// The most commits that are named for an opcode.
  private static let most = 3

  /// Reads the commits of all branches that change C files and that the version does not have. The version is found by its
  /// commit or else by the tag with its number.
  init(in clone: String, since csound: CsoundLibrary) throws(Failure) {
    // It comes from a file, and git would take other words for options.
    let revision = csound.commit ?? csound.version
    guard revision.wholeMatch(of: /[0-9A-Za-z][0-9A-Za-z.]*/) != nil else {
      throw .badInput("'\(revision)' is no commit or version of Csound.")
    }
    func git(_ words: [String]) throws(Failure) -> String {
      let finished = try ChildProcess.run(
        "/usr/bin/git", ["-C", clone, "log", "--no-show-signature"] + words)
      try finished.require(
        .badInput, "'\(clone)' is no clone of Csound's sources that has '\(revision)': ")
      return finished.output.trimmingCharacters(in: .newlines)
    }
    // A branch may bring in old commits of another one.
    let date = try git(["-1", "--format=%cI", revision, "--"])
    let lines = try git([
      "--branches", "--remotes", "--no-merges", "--format=%h %cs %s", "--since=\(date)", "--not",
      revision, "--", "*.c",
    ]).textLines
    var subjects: Set<Substring> = []
    commits = lines.compactMap { line in
      let subject = line.split(separator: " ", maxSplits: 2).last ?? ""
      guard subjects.insert(subject).inserted else { return nil }
      return (String(line), Set(subject.split { !$0.isLetter && !$0.isNumber && $0 != "_" }))
    }
  }

  /// The newest commits whose subject names an opcode; none for the shortest names, such as `in`, which are words.
  func commits(naming opcode: String) -> [String] {
    guard opcode.count > 2 else { return [] }
    return commits.lazy.filter { $0.words.contains(opcode[...]) }.prefix(Self.most).map(\.text)
  }
}
