import CommandKit
import Comparing
import Foundation
import HarnessBase
import PluginBuilding
import Rendering

/// The pairings whose opcodes a piece plays; each is compared with its rival after each save.
struct Rivals {
  private let package: AuthorPackage
  private let pairings: [Pairing]
  private let timeLimit: Double

  /// Takes the pairings whose subject the piece calls. Those that cannot be read are left out; `compare` reports these.
  init(_ package: AuthorPackage, _ piece: String, timeLimit: Double) {
    (self.package, self.timeLimit) = (package, timeLimit)
    let text = (try? String(contentsOfFile: piece, encoding: .utf8)) ?? ""
    let words = Set(text.split { !$0.isLetter && !$0.isNumber && $0 != "_" })
    let all = (try? Pairing.all(in: package.directory + "/Benchmarks"))?.pairings ?? []
    // A rival with a source of its own would have to be built first.
    pairings = all.filter { words.contains($0.subject[...]) && $0.rivalSource == nil }
  }

  /// The null depth of each subject to its rival in the pairing's first case, for the end of a line.
  func sentence(_ plugin: String) throws(Failure) -> String {
    guard !pairings.isEmpty else { return "" }
    let scratch = try ScratchDirectory("rivals")
    defer { scratch.remove() }
    return try pairings.map { pairing throws(Failure) in
      let evidence = Evidence(directory: scratch.path + "/" + pairing.name)
      return "; \(pairing.rival) \(try depth(pairing, plugin, evidence))"
    }.joined()
  }

  private func depth(
    _ pairing: Pairing, _ plugin: String, _ evidence: Evidence
  ) throws(Failure) -> String {
    let root = package.directory
    let orchestra = try pairing.orchestra(
      root: root, rates: pairing.rates[0], macros: pairing.cases[0].macros,
      sampleRate: pairing.sampleRates[0], ksmps: pairing.ksmps[0], plugin: plugin)
    let job = CompareJob(
      subject: orchestra.with(["OPCODE": pairing.subject]),
      rival: orchestra.with(pairing.rivalMacros), tolerance: -.infinity, evidence: evidence)
    let pool = WorkerPool(
      Project.worker, directory: pairing.directory(root: root),
      pinsPlugins: pairing.usesInstalledPlugins != true, timeLimit: timeLimit)
    do throws(Failure) {
      let comparison = try pool.run([job])[0].reply(
        of: "Comparing \(pairing.subject) and \(pairing.rival)")
      return comparison.nullDepth == -.infinity
        ? "has the same samples" : "null \(comparison.nullDepth.formatted(1)) dB"
    } catch {
      guard error.kind != .interrupted else { throw error }
      return "is not compared: \(error.message)"
    }
  }
}
