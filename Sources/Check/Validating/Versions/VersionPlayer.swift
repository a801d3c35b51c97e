import Foundation
import HarnessBase
import Linting
import Rendering

/// What a Csound did with one orchestra.
struct Played {
  enum Ending: Equatable {
    case ended
    /// It did not compile, or a note's init pass failed; the message.
    case refused(String)
    /// Its process ended by a signal, or does not end; what happened.
    case crashed(String)
  }

  var ending: Ending
  /// The samples of all channels, frame by frame.
  var samples: [Double]
  /// The lines that the orchestra's texts have printed.
  var texts: [String]
  /// Heap memory that the first k-cycle took, in bytes.
  var bytes: Int

  var refusal: String? {
    guard case .refused(let reason) = ending else { return nil }
    return reason
  }

  /// Whether it has put out a sound or a text.
  var isHeard: Bool { !texts.isEmpty || samples.contains { $0 != 0 } }

  var firstNotFinite: Int? { samples.firstIndex { !$0.isFinite } }
}

/// Plays orchestras with one Csound, each in a process of its own.
struct VersionPlayer: Sendable {
  let csound: CsoundLibrary
  private let words: [String]
  private let environment: [String: String]
  private let directory: String
  /// The processor time that an orchestra may take, in seconds.
  static let timeLimit = 5

  /// - Parameter directory: where it runs, and where files go that opcodes write.
  init(_ csound: CsoundLibrary, directory: String) {
    (self.csound, self.directory) = (csound, directory)
    words = csound.words
    environment = ProcessInfo.processInfo.environment.merging(csound.environment) { $1 }
  }

  /// The overloads that this Csound lists.
  func signatures() throws(Failure) -> [Signature] {
    let listed = try ChildProcess.run(
      words[0], Array(words.dropFirst()) + ["-z1"], environment: environment)
    let signatures = (listed.output + listed.errors).split(separator: "\n").compactMap {
      line -> Signature? in
      let parts = line.split(separator: " ", omittingEmptySubsequences: true)
        .map { $0 == "(null)" ? "" : String($0) }
      guard (2...3).contains(parts.count), let first = parts[0].first,
        first.isLetter || first == "_" || first == "#"
      else { return nil }
      return Signature(name: parts[0], outputs: parts[1], inputs: parts.count > 2 ? parts[2] : "")
    }
    guard signatures.count > 100 else {
      throw .unavailable("\(csound.title) does not list its opcodes.")
    }
    return signatures
  }

  /// Plays the CSDs, with a sound file as input.
  func play(
    _ paths: [String], input: String, timeLimit: Int = timeLimit
  ) throws(Failure) -> [Played] {
    let finished = try ChildProcess.run(
      words[0],
      words.dropFirst() + ["--each=\(timeLimit)", "-d", "-n", "-m0", "-i", input, "--"]
        + paths,
      environment: environment, directory: directory)
    let lines = finished.output.split(separator: "\n")
    guard finished.isGood, lines.count == paths.count else {
      throw .internalFault(
        "The player ended after \(lines.count) of \(paths.count) orchestras: \(finished.errors)")
    }
    var played: [Played] = []
    for (line, path) in zip(lines, paths) {
      let numbers = line.split(separator: " ").compactMap { Double($0) }
      defer { for ending in [".samples", ".said"] { unlink(path + ending) } }
      guard numbers.count == 3 else { throw .internalFault("The player said '\(line)'.") }
      // Csound may change the colour of a line before its first word.
      let said =
        ((try? Data(contentsOf: URL(fileURLWithPath: path + ".said")))
        .map { String(decoding: $0, as: UTF8.self) } ?? "").replacing(/\u{1B}\[[0-9;]*m/, with: "")
      let data = (try? Data(contentsOf: URL(fileURLWithPath: path + ".samples"))) ?? Data()
      played.append(
        Played(
          ending: try Self.ending(code: Int(numbers[0]), signal: Int(numbers[1]), said),
          samples: data.withUnsafeBytes { Array($0.bindMemory(to: Double.self)) },
          texts: said.split(separator: "\n").filter { $0.hasPrefix("text: ") }.map(String.init),
          // A process that crashes while it is measured leaves any number.
          bytes: abs(numbers[2]) < 1e12 ? Int(numbers[2]) : 0))
    }
    return played
  }

  /// Counts the instructions of all k-cycles of each CSD, under valgrind; nil if one does not come to its end.
  func count(_ paths: [String], input: String) throws(Failure) -> [Int]? {
    let valgrind = try requiredProgram("valgrind", ofDebian: "valgrind", for: "counts")
    let scratch = try ScratchDirectory("counted")
    defer { scratch.remove() }
    var counts: [Int] = []
    for path in paths {
      let finished = try ChildProcess.run(
        valgrind,
        [
          "--tool=callgrind", "--quiet", "--log-file=/dev/null", "--collect-atstart=no",
          "--toggle-collect=csoundPerformKsmps", "--callgrind-out-file=\(scratch.path)/%p",
        ] + words + [
          "--each=\(50 * Self.timeLimit)", "-d", "-n", "-m0", "-i", input, "--", path,
        ], environment: environment, directory: directory)
      for ending in [".samples", ".said"] { unlink(path + ending) }
      guard finished.output.hasPrefix("0 0 ") else { return nil }
      // One file is of the player, the other of the process that plays.
      let files = (try? FileManager.default.contentsOfDirectory(atPath: scratch.path)) ?? []
      var sum = 0
      for file in files.map({ scratch.path + "/" + $0 }) {
        let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        sum += text.firstMatch(of: /\ntotals: (\d+)/).flatMap { Int($0.1) } ?? 0
        unlink(file)
      }
      counts.append(sum)
    }
    return counts
  }

  private static func ending(
    code: Int, signal: Int, _ said: String
  ) throws(Failure) -> Played.Ending {
    guard signal == 0 else {
      return .crashed(
        [SIGXCPU, SIGALRM, SIGKILL].contains(Int32(signal))
          ? "it does not come to an end"
          : "it crashes: \(String(cString: strsignal(Int32(signal))))")
    }
    guard code != 73 else { throw .unwritableOutput("Samples cannot be written.") }
    let lines = said.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    let complaint = lines.first { line in
      ["INIT ERROR", "PERF ERROR", "error:", "Error:", "ERROR:"].contains { line.contains($0) }
    }
    if let complaint { return .refused(complaint) }
    return code == 0 ? .ended : .refused("it is not compiled")
  }
}
