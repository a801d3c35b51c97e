import CCallgrind
import CWatch
import Foundation
import HarnessBase
import Workers

/// The parent's side of counting: workers that valgrind's tool Callgrind executes.
///
/// The count of a deterministic performance does not depend on what else a machine does. It knows
/// nothing of caches, stalls or how many instructions a processor takes at once.
public struct Callgrind: Sendable {
  /// How many times as long a worker may take for what it does without a word.
  private static let slowness = 20.0

  private let program: String
  private let scratch: ScratchDirectory
  /// Where the workers' counts go; there while this is in use.
  package var directory: String { scratch.path }

  /// Finds valgrind on the PATH, and makes a directory for counts.
  public init() throws(Failure) {
    guard let found = installedProgram("valgrind") else {
      throw Failure(
        .unavailable,
        "--counts needs the Debian package 'valgrind', which is not installed; as root, run:"
          + " apt-get install -y valgrind.")
    }
    program = found
    scratch = try ScratchDirectory("counts")
  }

  /// Removes the directory.
  public func close() { scratch.remove() }

  /// In a worker, before it counts: without it the count depends on what the heap held before.
  package static let alignHeap: Void = watch_align_heap()

  /// The same workers under Callgrind. Threads are counted apart: one of a worker's wakes up by the
  /// clock.
  package func pool(_ pool: WorkerPool) -> WorkerPool {
    WorkerPool(
      executable: "/usr/bin/env",
      arguments: [
        // Else what a worker allocates differs from run to run, and with it what Csound finds free.
        "SWIFT_DETERMINISTIC_HASHING=1", program,
        "--tool=callgrind", "--quiet", "--log-file=/dev/null", "--separate-threads=yes",
        "--instr-atstart=no", "--collect-atstart=no",
        "--compress-strings=no", "--compress-pos=no",
        "--callgrind-out-file=\(directory)/%p", pool.executable,
      ] + pool.arguments,
      directory: pool.directory, pinsPlugins: pool.pinsPlugins,
      timeLimit: Self.slowness * pool.timeLimit)
  }

  /// The file that a worker's performing thread, the one whose ends in `-01`, has asked for by name.
  package func file(_ name: String) throws(Failure) -> String {
    let files = ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [])
      .filter { $0.hasSuffix("-01") }
      .compactMap { try? String(contentsOfFile: "\(directory)/\($0)", encoding: .utf8) }
      .filter { $0.contains("desc: Trigger: Client Request: \(name)\n") }
    guard files.count == 1 else {
      throw Failure(
        .internalFault, "Callgrind wrote \(files.count) counts '\(name)' where 1 was asked for.")
    }
    return files[0]
  }

  /// A report that is no count, as a failure.
  package static func failure<Reply>(of report: Report<Reply>, counting work: String) -> Failure {
    let reason =
      if case .crashed(signal: SIGILL, _) = report {
        "valgrind does not know one of its instructions; build it for an older processor."
      } else {
        report.failure(of: "the worker under valgrind").message
      }
    return Failure(
      .badInput, "The instructions of \(work) cannot be counted: \(reason) Or leave out --counts.")
  }
}
