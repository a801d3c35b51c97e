import Foundation
import HarnessBase
import Rendering

/// Linux's sampling profiler, which records the worker's program counter many times a second.
public struct Perf: Sendable {
  private let program: String
  private let directory: ScratchDirectory
  /// Samples per second; a prime number, so that they do not synchronise with the k-cycles.
  private static let frequency = 1999

  private var data: String { directory.path + "/perf.data" }

  /// Finds perf on the PATH and checks that it may record.
  public init() throws(Failure) {
    program = try requiredProgram("perf", ofDebian: "linux-perf", for: "perf")
    directory = try ScratchDirectory("perf")
    let trial = run(["record", "--quiet", "--event=cycles", "--output=\(data)", "true"])
    guard trial.exitCode == 0 else {
      directory.remove()
      let level =
        (try? String(contentsOfFile: "/proc/sys/kernel/perf_event_paranoid", encoding: .utf8))
      throw .unavailable(
        "perf cannot look at programs here, where kernel.perf_event_paranoid is"
          + " \(level?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "unknown"); as root, run:"
          + " sysctl kernel.perf_event_paranoid=1, or leave out --perf.")
    }
  }

  /// Removes the recorded data.
  public func close() { directory.remove() }

  /// The same workers under perf.
  func pool(_ pool: WorkerPool) -> WorkerPool {
    WorkerPool(
      [
        program, "record", "--quiet", "--event=cycles", "--clockid=CLOCK_MONOTONIC",
        "--freq=\(Self.frequency)", "--output=\(data)", "--",
      ] + pool.words,
      directory: pool.directory, pinsPlugins: pool.pinsPlugins, timeLimit: pool.timeLimit)
  }

  /// One sample of the program counter.
  struct Sample {
    /// The time by the system's monotonic clock.
    var seconds: Double
    var address: UInt64
    /// The symbol, if perf knows it, and the file.
    var symbol: String?
    var object: String
  }

  /// The samples of the last worker, and the event that triggered them. It is the clock instead of
  /// the processor's cycles if the processor does not count cycles.
  func samples() throws(Failure) -> (event: String, samples: [Sample]) {
    let event = run(["evlist", "--input=\(data)"])
    let script = run([
      "script", "--input=\(data)", "--fields=time,ip,sym,dso", "--ns", "--no-demangle",
    ])
    guard event.exitCode == 0, script.exitCode == 0 else {
      throw .internalFault("perf cannot read what it has recorded: \(script.errors)")
    }
    let name = event.output.prefix { $0 != ":" && $0 != "\n" }
    return (String(name), script.output.split(separator: "\n").compactMap(Sample.init))
  }

  private func run(_ arguments: [String]) -> (exitCode: Int32, output: String, errors: String) {
    guard let finished = try? ChildProcess.run(program, arguments) else {
      return (-1, "", "it cannot be started")
    }
    let exitCode: Int32 = if case .exited(let code) = finished.ending { code } else { -1 }
    return (exitCode, finished.output, finished.errors)
  }
}

extension Perf.Sample {
  /// Parses a line such as
  /// `59368.407185194:      7f8efd9bde2a do_lookup_x (/lib/ld-linux-x86-64.so.2)`.
  init?(_ line: Substring) {
    let words = line.split(separator: " ", omittingEmptySubsequences: true)
    guard words.count >= 4, let seconds = Double(words[0].dropLast()),
      let address = UInt64(words[1], radix: 16), let last = line.lastIndex(of: "("),
      let name = line.firstRange(of: words[1])?.upperBound
    else { return nil }
    let symbol = line[name..<last].trimmingCharacters(in: .whitespaces)
    self.init(
      seconds: seconds, address: address, symbol: symbol == "[unknown]" ? nil : symbol,
      object: String(line[line.index(after: last)...].dropLast()))
  }
}
