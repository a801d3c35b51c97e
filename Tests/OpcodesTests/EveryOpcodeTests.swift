import Foundation
import HarnessBase
import Linting
import OpcodeKit
import Opcodes
import Synchronization
import TestSupport
import Testing
import Validating

/// What holds for every opcode, whatever it does: checks of `validate`, for each overload the library
/// registers.
@Suite(
  "Every opcode of the pack",
  .disabled(
    if: ProcessInfo.processInfo.environment["OPCODEKIT_SANITIZER"] != nil,
    "the checks' processes replace memory functions, as a sanitizer does"))
struct EveryOpcodeTests {
  /// A rule for opcodes, and the checks that know it.
  struct Rule: CustomTestStringConvertible, Sendable {
    var sentence: String
    var checks: [String]
    var testDescription: String { sentence }

    init(_ sentence: String, _ checks: String...) {
      self.sentence = sentence
      self.checks = checks
    }
  }

  static let rules = [
    Rule(
      "the length of k-cycles makes no difference, nor one of its own", "render-ksmps-1",
      "render-ksmps-odd", "invariance-ksmps", "invariance-ksmps-moving", "invariance-local-ksmps",
      "invariance-instrument-ksmps"),
    Rule("its rates agree", "invariance-rates"),
    Rule(
      "a note that starts or ends inside a k-cycle is as any other, and silent outside",
      "edges-before-start", "edges-after-end", "edges-start-samples", "edges-end-samples",
      "life-short-notes"),
    Rule("an output may be an input", "edges-in-place", "edges-inputs-unchanged"),
    Rule(
      "a note begins afresh, in used memory and after a reinit", "life-recycled", "life-reinit"),
    Rule(
      "a note can be tied to the one before, or jump over the init pass", "life-tied",
      "life-skipped-init"),
    Rule("notes at once do not hear of each other", "life-instances", "life-two-engines"),
    Rule(
      "NaN and infinity do not last", "numbers-nan-signal", "numbers-infinite-signal",
      "numbers-nan-control", "numbers-infinite-control", "numbers-nan-next-note"),
  ]

  /// The names of the library's overloads.
  static let overloads = Overloads.all.map { "\($0.name)" }

  /// The quick run has one overload of each opcode, the first. With --all it is the other overloads, as `validate` in
  /// `CommandTests` tries the first ones then.
  static let subjects: [String] = {
    var seen: Set<Substring> = []
    let first = overloads.filter { seen.insert($0.prefix { $0 != "." }).inserted }
    return runsAllTests ? overloads.filter { !first.contains($0) } : first
  }()

  private static func validator() throws -> Validator {
    var validator = Validator(
      worker: [products + "/TestWorker"], directory: root + "/build/every-opcode",
      checksPerProcess: .max)
    validator.checks = Check.catalogue.filter { check in
      rules.contains { $0.checks.contains(check.id) }
    }
    (validator.level, validator.jobs) = (1, 1)
    validator.arguments = try ArgumentFile(readingFrom: root + "/Opcodes/arguments.json")
    validator.exclusions = try Exclusions(readingFrom: root + "/Opcodes/exclusions.json")
    return validator
  }
  static let signatures = Result {
    try validator().pool.lint(nil, name: "the pack").signatures
  }

  /// What the checks of all rules found in one overload, found once.
  final class Findings: Sendable {
    private let results = Mutex<[Validator.CheckResult]?>(nil)

    func results(_ subject: String) throws -> [Validator.CheckResult] {
      try results.withLock { results in
        if let results { return results }
        let all = try signatures.get()
        let signature = try #require(all.first { $0.name == subject })
        var found: [Validator.CheckResult] = []
        try validator().validate([signature], among: all) { found = $0.results }
        results = found
        return found
      }
    }
  }
  static let findings = Dictionary(uniqueKeysWithValues: subjects.map { ($0, Findings()) })

  @Test("It keeps the rule", arguments: rules, subjects)
  func keeps(rule: Rule, subject: String) throws {
    let results = try #require(Self.findings[subject]).results(subject)
    for result in results where rule.checks.contains(result.check.id) {
      guard ![.success, .skipped].contains(result.outcome.kind) else { continue }
      Issue.record(
        "\(subject): \(result.check.id): \(result.outcome.message) \(result.orchestra ?? "")"
      )
    }
  }

  @Test("Something is known of every overload", arguments: subjects)
  func isChecked(subject: String) throws {
    let results = try #require(Self.findings[subject]).results(subject)
    #expect(results.count { $0.outcome.kind == .success } >= 5)
  }

  @Test(
    "Of an opcode that does not come to an end, two values are tried, and it is told where it was")
  func hanging() throws {
    let all = try Self.signatures.get()
    var signature = try #require(all.first { $0.name == "MOOGLADDER.kk" })
    (signature.name, signature.inputs) = ("FAULTY_HANG", "akko")
    let validator = Validator(
      worker: [products + "/TestWorker"], directory: try temporaryDirectory(), timeLimit: 1)
    var results: [Validator.CheckResult] = []
    let time = try ContinuousClock().measure {
      try validator.validate([signature], among: [signature]) { results = $0.results }
    }
    #expect(
      results.first?.outcome
        == .crashed(
          "it does not come to an end: nothing happened for 1 s while it performed in TestWorker"))
    #expect(results.count { $0.outcome.kind == .skipped } == results.count - 1)
    #expect(time < .seconds(60), "\(time)")
  }

  @Test("Checks share a process, but for those about what a process keeps")
  func processes() throws {
    let started = try temporaryDirectory() + "/started"
    var validator = Validator(
      worker: ["/bin/sh", "-c", "echo >>'\(started)'; exec '\(products)/TestWorker'"],
      directory: try temporaryDirectory())
    let shared = ["edges-in-place", "numbers-nan-signal", "life-recycled", "life-tied"]
    validator.checks = Check.catalogue.filter { (shared + ["life-two-engines"]).contains($0.id) }
    validator.jobs = 1
    let all = try Self.signatures.get()
    var results: [Validator.CheckResult] = []
    try validator.validate(all.filter { $0.name == "ONEPOLE.k" }, among: all) {
      results = $0.results
    }
    #expect(results.count == 5 && results.allSatisfy { $0.outcome.kind == .success })
    // One process finds the arguments' values, one does four checks, one does the fifth.
    #expect(try String(contentsOfFile: started, encoding: .utf8).count == 3)
  }

  @Test("Every rule names checks there are, and there are overloads")
  func names() {
    let known = Check.catalogue.map(\.id)
    for check in Self.rules.flatMap(\.checks) { #expect(known.contains(check)) }
    #expect(Self.overloads.count > 100)
  }
}
