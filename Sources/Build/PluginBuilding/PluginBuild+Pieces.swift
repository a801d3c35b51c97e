import CommandKit
import Foundation
import HarnessBase
import Rendering

extension PluginBuild {
  /// The most seconds of sound that are rendered of a piece.
  private static var longest: Double { 60 }

  /// The names of the package's pieces, `csd/*.csd`, sorted.
  package var pieces: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory + "/csd")) ?? []
    return names.sorted().filter { $0.hasSuffix(".csd") }
  }

  /// Plays pieces of the package with its plugin, each for at most a minute. Prints why a piece does not play, and
  /// returns how many do not.
  package func countUnplayable(_ pieces: [String]) throws(Failure) -> Int {
    let scratch = try ScratchDirectory("pieces")
    defer { scratch.remove() }
    var jobs: [RenderJob] = []
    for (number, piece) in pieces.enumerated() {
      jobs.append(
        RenderJob(
          orchestra: Orchestra(
            path: "\(directory)/csd/\(piece)", plugin: path(for: playedTarget(for: .tools))),
          output: try OutputFile("\(scratch.path)/\(number).wav"), limit: Self.longest))
    }
    let pool = WorkerPool(Project.worker, directory: directory, pinsPlugins: false)
    let reports = try pool.run(jobs, parallel: ProcessInfo.processInfo.activeProcessorCount)
    var count = 0
    for (piece, report) in zip(pieces, reports) {
      let problem: String?
      do throws(Failure) {
        let summary = try report.reply(of: "Playing 'csd/\(piece)'")
        problem =
          summary.missingFile.map { MissingFile.failure($0, of: "csd/\(piece)").message }
          ?? summary.complaints.first
      } catch {
        problem = error.message
      }
      guard let problem else { continue }
      printError("opcodekit: csd/\(piece): \(problem)")
      count += 1
    }
    return count
  }
}
