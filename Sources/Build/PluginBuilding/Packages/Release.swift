import CommandKit
import Foundation
import HarnessBase

/// The state of the sources that is distributed, and its author, from git.
struct Release {
  /// The version for Debian: `1.2` at a tag, `1.2+3.0123456789ab` three commits later, `0~20261122.0123456789ab`
  /// without a tag. `+dirty` is appended if there are changes that are in no commit.
  let version: String
  /// The version's numbers only, for risset.
  let numbers: String
  /// When the last commit was made, in seconds since 1970.
  let epoch: Int
  let author: String
  let email: String
  /// The last commit; nil if there is none.
  let commit: String?
  /// The files that differ from the last commit.
  let changes: [String]
  /// The web page of the repository; nil if git knows no address on the web.
  let page: String?

  var maintainer: String { "\(author) <\(email)>" }

  /// Reads the repository that a directory is in, ignoring changes in `folder`. A given version and maintainer take
  /// precedence over git's.
  init(
    of directory: String, without folder: String, version given: String?, maintainer: Person?
  ) throws(Failure) {
    try requireProgram("git", package: "git")
    let log = try Self.git(
      directory, ["log", "-1", "--no-show-signature", "--format=%ct%n%an%n%ae%n%H"])
    let fields = log?.split(separator: "\n").map(String.init) ?? []
    guard fields.count == 4, let epoch = Int(fields[0]) else {
      guard let given, let maintainer else {
        throw .badInput(
          "'\(directory)' is in no git repository with a commit, from which a package has its version, date"
            + " and maintainer: run 'git init', 'git add .' and 'git commit' there, or give --version and --maintainer."
        )
      }
      epoch = Int(Date().timeIntervalSince1970)
      (version, numbers, commit, changes, page) = (given, given, nil, [], nil)
      (author, email) = maintainer
      return
    }
    self.epoch = epoch
    let commit = String(fields[3].prefix(12))
    self.commit = commit
    (author, email) = maintainer ?? (fields[1], fields[2])
    changes = try Self.changes(directory, without: folder)
    page = try Self.git(directory, ["remote", "get-url", "origin"]).flatMap(Self.page)
    let mark = changes.isEmpty ? "" : "+dirty"
    let tag = try Self.git(
      directory, ["describe", "--tags", "--long", "--match", "v[0-9]*", "--match", "[0-9]*"])
    if let given {
      (version, numbers) = (given + mark, given)
    } else if let match = tag?.wholeMatch(of: /v?(.*)-(\d+)-g[0-9a-f]+/) {
      numbers = String(match.1)
      guard Self.isVersion(numbers) else {
        throw .badInput(
          "The last tag is '\(match.1)', which is no version of up to three numbers; give one with"
            + " --version.")
      }
      version = numbers + (match.2 == "0" ? "" : "+\(match.2).\(commit)") + mark
    } else {
      version = "0~\(Self.text(epoch, "yyyyMMdd")).\(commit)" + mark
      numbers = "0.0.0"
    }
  }

  /// Runs git; returns its output without the last newline, or nil if it fails.
  private static func git(_ directory: String, _ words: [String]) throws(Failure) -> String? {
    let finished = try ChildProcess.run("/usr/bin/env", ["git", "-C", directory] + words)
    guard finished.isGood else { return nil }
    return finished.output.hasSuffix("\n") ? String(finished.output.dropLast()) : finished.output
  }

  private static func changes(
    _ directory: String, without folder: String
  ) throws(Failure) -> [String] {
    let below = directory + "/"
    let but = folder.hasPrefix(below) ? [":(exclude)" + folder.dropFirst(below.count)] : []
    let said = try git(directory, ["status", "--porcelain", "--", "."] + but) ?? ""
    return said.split(separator: "\n").map { String($0.dropFirst(3)) }
  }

  private static func isVersion(_ text: String) -> Bool {
    text.wholeMatch(of: /\d+(\.\d+){0,2}/) != nil
  }

  typealias Person = (name: String, email: String)

  /// Reads the value of `--version`.
  static let numbers = ValueReader.one("up to three numbers, such as 1.2.0") { text in
    isVersion(text) ? text : nil
  }

  /// Reads the value of `--maintainer`.
  static let person = ValueReader.one("a name and an address, 'Ada <ada@place.org>'") {
    $0.wholeMatch(of: /([^<>\n]*[^<>\n ]) *<([^<>@ \n]+@[^<>@ \n]+)>/).map { match in
      (name: String(match.1), email: String(match.2)) as Person
    }
  }

  /// The web page of a repository, made from its URL in git; names and passwords in the URL are removed.
  static func page(of url: String) -> String? {
    let web =
      url.wholeMatch(of: /https?:\/\/(?:[^\/@]*@)?([^\/]+)\/(.+)/)
      ?? url.wholeMatch(of: /ssh:\/\/(?:[^\/@]+@)?([^\/:]+)(?::\d+)?\/(.+)/)
      ?? url.wholeMatch(of: /[^\/@]+@([^\/:]+):(.+)/)
    guard let web else { return nil }
    let path = String(web.2)
    return "https://\(web.1)/\(path.hasSuffix(".git") ? String(path.dropLast(4)) : path)"
  }

  /// The commit's date in the format of Debian's changelogs.
  var date: String { Self.text(epoch, "EEE, dd MMM yyyy HH:mm:ss +0000") }

  /// The commit's year.
  var year: String { Self.text(epoch, "yyyy") }

  private static func text(_ epoch: Int, _ format: String) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = format
    return formatter.string(from: Date(timeIntervalSince1970: Double(epoch)))
  }
}

/// Fails if a program is missing; the message names the Debian package that has it.
func requireProgram(_ name: String, package: String) throws(Failure) {
  guard installedProgram(name) != nil else {
    throw .unavailable("The command '\(name)' is missing; its Debian package is '\(package)'.")
  }
}
