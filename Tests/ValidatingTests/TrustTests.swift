import Foundation
import TestSupport
import Testing
import Validating

@Suite(
  "validate and compare on opcodes with one fault each", .serialized,
  .disabled(
    if: ProcessInfo.processInfo.environment["OPCODEKIT_SANITIZER"] != nil,
    "validate's processes replace memory functions, as a sanitizer does"))
struct TrustTests {
  static let trust = Result {
    try Trust(root: root, worker: [products + "/TestWorker"], jobs: 2)
  }
  static let faults = (try? trust.get().faults) ?? []
  /// All of them, or a few of each kind.
  static let twins = {
    let all = (try? trust.get().twins) ?? []
    return runsAllTests ? all : all.enumerated().filter { $0.offset % 6 == 0 }.map(\.element)
  }()

  @Test("At least 40 faults, and 95 % of them have a check that finds them")
  func share() throws {
    let faults = try Self.trust.get().faults
    let caught = faults.filter { !$0.caughtBy.isEmpty }
    #expect(faults.count >= 40)
    #expect(caught.count * 100 >= faults.count * 95)
    #expect(Set(faults.map(\.opcode)).count == faults.count)
  }

  @Test("A fault is found by the checks that are meant for it", arguments: faults.map(\.opcode))
  func found(opcode: String) throws {
    let trust = try Self.trust.get()
    let fault = try #require(trust.faults.first { $0.opcode == opcode })
    let verdict = try trust.examine(opcode, checks: fault.caughtBy)
    let (found, meant) = (Set(verdict.caughtBy), Set(fault.caughtBy))
    #expect(fault.isOneEnough == true ? !found.isEmpty : found == meant, "\(fault.bug)")
  }

  /// Faults of what a process keeps, which other checks in the same process could hide.
  static let kept = faults.filter { fault in
    fault.caughtBy.contains {
      $0.contains(/^(life-(reset|two-engines|threads)|invariance-(repeat|engine-history))$/)
    }
  }

  @Test(
    "A fault of what a process keeps is found when all checks are made", .enabled(if: runsAllTests),
    arguments: kept.map(\.opcode))
  func foundAmongAll(opcode: String) throws {
    let fault = try #require(Self.kept.first { $0.opcode == opcode })
    let found = try Self.trust.get().examine(opcode).caughtBy
    #expect(!Set(found).isDisjoint(with: fault.caughtBy), "\(fault.bug)")
  }

  @Test("A correct opcode is not flagged by any check", arguments: twins)
  func clean(opcode: String) throws {
    let verdict = try Self.trust.get().examine(opcode)
    #expect(verdict.caughtBy.isEmpty, "\(verdict.accounts)")
    #expect(verdict.checksRun > 35)
  }

  @Test("Each check finds something")
  func everyCheck() throws {
    let meant = try Self.trust.get().meantChecks
    let others = Check.catalogue.map(\.id).filter { !meant.contains($0) }
    #expect(others.isEmpty)
  }
}

@Suite("The catalogue of checks")
struct CatalogueTests {
  @Test("At least 40 checks, each with an id of its own, group first, and a sentence")
  func ids() {
    let ids = Check.catalogue.map(\.id)
    #expect(ids.count >= 40)
    #expect(Set(ids).count == ids.count)
    for check in Check.catalogue {
      #expect(check.id.wholeMatch(of: /[a-z]+(-[a-z0-9]+)+/) != nil, "\(check.id)")
      #expect(check.sentence.hasSuffix("."))
      #expect((1...10).contains(check.level))
    }
    #expect(
      Set(Check.catalogue.map(\.group)) == [
        "render", "edges", "invariance", "life", "numbers", "stability", "realtime", "arguments",
        "fuzz",
      ])
  }
}
