import Foundation
import HarnessBase
import TestSupport
import Testing

@Suite("The mistakes that Benchmarks/mutate plants")
struct MutationTests {
  @Test(
    "Each can be planted, and names suites that are there",
    .disabled(if: installedProgram("git") == nil, "git is not installed"))
  func mutations() throws {
    let tests = try #require(FileManager.default.enumerator(atPath: root + "/Tests"))
    let files = tests.compactMap { $0 as? String }
    let suites = try files.filter { $0.hasSuffix("Tests.swift") }
      .map { try String(file: "\(root)/Tests/\($0)") }.joined()
    let patches = files.filter { $0.hasPrefix("Mutations/") }
    #expect(patches.count >= 30)
    for patch in patches {
      let path = "\(root)/Tests/\(patch)"
      try run("/usr/bin/env", ["git", "-C", root, "apply", "--check", path]).good()
      let named = try String(file: path).split(separator: "\n")[1].split(separator: " ").dropFirst(
        2)
      #expect(!named.isEmpty)
      for suite in named { #expect(suites.contains(" \(suite) {"), "\(patch): \(suite)") }
    }
  }
}
