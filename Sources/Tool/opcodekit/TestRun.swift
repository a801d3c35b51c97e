import CommandKit
import Foundation
import HarnessBase

/// Helpers that the script calls for `./opcodekit test`; they are no commands for users.
enum TestRun {
  /// `test-summary FILE`: prints which tests took longest and then what failed, from Swift Testing's event stream.
  /// Among the lines of a thousand tests failures are hard to find.
  static func summary(_ path: String) -> String {
    let text = FileManager.default.contents(atPath: path) ?? Data()
    let events = text.split(separator: UInt8(ascii: "\n")).compactMap {
      try? JSONDecoder().decode(TestEvent.self, from: Data($0)).payload
    }
    return [slowest(events), failures(events)].filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// The ten slowest tests. Only for tests with arguments do the events tell when their bodies begin.
  private static func slowest(_ events: [TestEvent.Payload]) -> String {
    var started: [String: [Double]] = [:]
    var seconds: [String: Double] = [:]
    for event in events {
      guard let test = event.testID, let time = event.instant?.absolute else { continue }
      // Cases of one test may run in sequence or in parallel; in both cases the sum of their times is wanted.
      if event.kind == "testCaseStarted" { started[test, default: []].append(time) }
      if event.kind == "testCaseEnded", let start = started[test]?.popLast() {
        seconds[test, default: 0] += time - start
      }
    }
    let slowest = seconds.sorted { $0.value > $1.value }.prefix(10)
    guard !slowest.isEmpty else { return "" }
    return "The slowest tests with arguments, in seconds of all cases:\n"
      + Table(
        rows: slowest.map { [$1.formatted(1), name(of: $0)] }, alignment: [.right, .left]
      ).text
  }

  /// The failures and, if the run broke off, the tests that were running.
  private static func failures(_ events: [TestEvent.Payload]) -> String {
    var lines: [String] = []
    for event in events {
      guard let issue = event.issue, issue.isFailure, !issue.isKnown else { continue }
      lines.append(event.testID.map(name) ?? "No test")
      if let place = issue.sourceLocation { lines.append("  \(place.fileID):\(place.line)") }
      for message in event.messages ?? [] {
        lines += message.text.split(separator: "\n").map { "  \($0)" }
      }
    }
    if !events.contains(where: { $0.kind == "runEnded" }) {
      func tests(_ kind: String) -> Set<String> {
        Set(events.filter { $0.kind == kind }.compactMap(\.testID))
      }
      lines += tests("testStarted").subtracting(tests("testEnded")).filter { $0.contains("/") }
        .map { name(of: $0) + "\n  had not ended when the run did" }.sorted()
    }
    return lines.isEmpty ? "" : "What failed:\n" + lines.joined(separator: "\n") + "\n"
  }

  /// The event's test is Module.Suite/test()/File.swift:line:column; the name ends before the file.
  private static func name(of test: String) -> String {
    test.split(separator: "/").prefix(2).joined(separator: "/")
  }

  /// `changed-tests FILE…`: a filter for `swift test` that selects the tests about these files; empty if there are
  /// none.
  static func filter(for files: [String], in root: String) -> String {
    let suites = TestSuite.all(in: root)
    let chosen = Set(
      files.flatMap { file in suites.filter { $0.isAbout(file, in: root) } }.map(\.id))
    return chosen.isEmpty ? "" : "^(" + chosen.sorted().joined(separator: "|") + ")/"
  }
}

/// An event of Swift Testing, with the fields that are used.
private struct TestEvent: Decodable {
  struct Payload: Decodable {
    struct EventInstant: Decodable { var absolute: Double }
    struct Message: Decodable { var text: String }
    struct Issue: Decodable {
      struct Location: Decodable {
        var fileID: String
        var line: Int
      }
      var isKnown: Bool
      var isFailure: Bool
      var sourceLocation: Location?
    }
    var kind: String
    var testID: String?
    var instant: EventInstant?
    var issue: Issue?
    var messages: [Message]?
  }
  var payload: Payload
}

/// A suite of tests, read from its source.
private struct TestSuite {
  var target: String
  var name: String
  /// Its file, relative to the root.
  var file: String
  var text: String

  var id: String { "\(target)\\.\(name)" }

  /// Whether its tests run the tool, which makes them slow.
  var isOfCommands: Bool { target == "CommandTests" }

  static func all(in root: String) -> [TestSuite] {
    let tests = FileManager.default.enumerator(atPath: root + "/Tests")
    let files = (tests?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix("Tests.swift") }
    return files.flatMap { file -> [TestSuite] in
      guard let target = file.split(separator: "/").first.map(String.init),
        let text = try? String(contentsOfFile: "\(root)/Tests/\(file)", encoding: .utf8)
      else { return [] }
      return text.matches(of: /(?m)^struct (\w+Tests)\b/).map {
        TestSuite(target: target, name: String($0.output.1), file: "Tests/" + file, text: text)
      }
    }
  }

  func isAbout(_ changed: String, in root: String) -> Bool {
    let parts = changed.split(separator: "/").map(String.init)
    guard parts.count > 1 || changed.hasSuffix(".md"),
      let stem = parts.last?.split(separator: ".").first.map(String.init)
    else { return false }
    if changed.hasSuffix(".md") { return name == "DocumentationTests" }
    // Sources/GROUP/MODULE/…
    switch (parts[0], parts[0] == "Sources" && parts.count > 2 ? parts[2] : parts[1]) {
    case ("Tests", target): return changed == file || !stem.hasSuffix("Tests")
    case ("Tests", _): return text.contains(parts[1])
    case ("Opcodes", _):
      return target == "OpcodesTests" && mentions(Self.opcodes(in: "\(root)/\(changed)") + [stem])
    case ("csd", _), ("Benchmarks", _): return !isOfCommands && mentions([stem])
    case ("Sources", let module)
    where ["opcodekit", "CommandKit", "DevCommands"].contains(module) || parts.contains("Commands"):
      return isOfCommands
        && Self.commands(with: stem, in: root).contains { text.contains("\"\($0)\"") }
    // Every opcode depends on these modules.
    case ("Sources", "OpcodeKit"), ("Sources", "CCsound"):
      return ["OpcodeKitTests", "OpcodesTests"].contains(target)
    case ("Sources", let module):
      return target == "\(module)Tests" || !isOfCommands && text.contains("import \(module)\n")
    default: return false
    }
  }

  /// Whether its text contains one of these words.
  private func mentions(_ words: [String]) -> Bool {
    let own = Set(text.split { !$0.isLetter && !$0.isNumber }.map(String.init))
    return !own.isDisjoint(with: words)
  }

  /// The commands whose file has this name or mentions it, or mentions a file of its folder that does. If there are
  /// none, `--help`, which stands for all commands.
  private static func commands(with stem: String, in root: String) -> [String] {
    if let verb = stem.split(separator: "+").dropFirst().last { return [verb.lowercased()] }
    let folders = FileManager.default.enumerator(atPath: root + "/Sources")
    let places = (folders?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix("Commands") }
    let verbs = places.flatMap { place in
      let directory = "\(root)/Sources/\(place)"
      let files = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
      func mentioning(_ stems: [String]) -> [String] {
        files.filter { file in
          let source = try? String(contentsOfFile: "\(directory)/\(file)", encoding: .utf8)
          return stems.contains { source?.contains($0) == true }
        }
      }
      let beside = mentioning([stem]).filter { !$0.contains("+") }.map { String($0.dropLast(6)) }
      return mentioning([stem] + beside).filter { $0.hasPrefix("Command+") }
        .map { $0.dropFirst("Command+".count).prefix { $0 != "." }.lowercased() }
    }
    return verbs.isEmpty || stem == "Command" ? ["--help"] : verbs
  }

  /// The names of the opcodes that a file registers.
  private static func opcodes(in path: String) -> [String] {
    let source = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return source.matches(of: /"([A-Z][A-Z0-9]+)(?:\.\w+)?"/).map { String($0.output.1) }
  }
}
