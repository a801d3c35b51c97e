import CCallgrind
import CWatch
import Foundation
import HarnessBase

/// Counts instructions, on the side of the parent process: runs workers under valgrind's Callgrind.
///
/// The count of a deterministic performance does not depend on other load on the machine. It does not
/// model caches, stalls or instructions that the processor executes in parallel.
public struct Callgrind: Sendable {
  /// The factor by which the time limit between two reports is raised.
  private static let slowness = 20.0

  private let program: String
  private let scratch: ScratchDirectory
  /// The directory of the workers' counts. It exists until `close`.
  package var directory: String { scratch.path }

  /// More words for Callgrind.
  private let words: [String]

  /// Finds valgrind on the PATH, and makes a directory for counts. With `countsAddresses` each instruction has a count
  /// of its own.
  public init(for option: String = "counts", countsAddresses: Bool = false) throws(Failure) {
    words = countsAddresses ? ["--dump-instr=yes"] : []
    program = try requiredProgram("valgrind", ofDebian: "valgrind", for: option)
    scratch = try ScratchDirectory("counts")
  }

  /// Removes the directory.
  public func close() { scratch.remove() }

  /// Aligns large heap blocks. A worker calls it before it counts, because otherwise the count depends
  /// on what the heap held before.
  package static let alignHeap: Void = watch_align_heap()

  /// The same workers under Callgrind. Threads are counted separately, because a worker has a thread
  /// that a timer wakes, at times that vary.
  package func pool(_ pool: WorkerPool) -> WorkerPool {
    WorkerPool(
      [
        // Otherwise a worker's allocations, and so the addresses Csound gets, differ from run to run.
        "/usr/bin/env", "SWIFT_DETERMINISTIC_HASHING=1", program,
        "--tool=callgrind", "--quiet", "--log-file=/dev/null", "--separate-threads=yes",
        "--instr-atstart=no", "--collect-atstart=no",
        "--compress-strings=no", "--compress-pos=no",
        "--callgrind-out-file=\(directory)/%p",
      ] + words + pool.words,
      directory: pool.directory, pinsPlugins: pool.pinsPlugins,
      timeLimit: Self.slowness * pool.timeLimit)
  }

  /// The content of the file that Callgrind wrote when the worker's performing thread asked for a dump
  /// with this name. The names of that thread's files end in `-01`.
  package func file(_ name: String) throws(Failure) -> String {
    let files = ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [])
      .filter { $0.hasSuffix("-01") }
      .compactMap { try? String(contentsOfFile: "\(directory)/\($0)", encoding: .utf8) }
      .filter { $0.contains("desc: Trigger: Client Request: \(name)\n") }
    guard files.count == 1 else {
      throw .internalFault("Callgrind wrote \(files.count) counts '\(name)' instead of 1.")
    }
    return files[0]
  }

  /// The failure for a report without a count. `work` is what messages call the orchestra.
  package static func failure<Reply>(
    of report: Report<Reply>, counting work: String, for option: String = "counts"
  ) -> Failure {
    let reason =
      if case .crashed(signal: SIGILL, _) = report {
        "valgrind does not know one of its instructions; build it for an older processor."
      } else {
        report.failure(of: "the worker under valgrind").message
      }
    return Failure.badInput(
      "The instructions of \(work) cannot be counted: \(reason) Or leave out --\(option).")
  }
}
