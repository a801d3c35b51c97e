import CommandKit
import Foundation
import HarnessBase
import Rendering

extension PluginBuild {
  /// What the compiler needs for one opcode, or for what belongs to none.
  struct Cost {
    var name: String
    var seconds = 0.0
    /// Bytes of machine code.
    var code = 0
  }

  /// Compiles the opcodes of a plugin once more, and adds up what the compiler spends on the functions of each. The
  /// plugin must have been built for the target. The costliest opcode is first; then comes what belongs to none.
  ///
  /// The optimiser's passes over Swift's own code say themselves how long they took for a function; those of LLVM say
  /// which function they begin with, and when they say it is noted.
  func costs(for target: BuildTarget) throws(Failure) -> [Cost] {
    let sources = AuthorPackage.current?.sources ?? directory + "/Opcodes"
    let overloads = Dictionary(grouping: try OpcodeDeclaration.all(in: sources), by: \.type)
    var trace = CompilerTrace()
    for words in try compilations(for: target, of: sources) { try trace.compile(words) }
    let sizes = try codeSizes(of: Set(overloads.keys), for: target)
    let owners = try Self.types(Set(overloads.keys), in: Array(trace.seconds.keys))
    var costs = overloads.mapValues { Cost(name: $0.map(\.overload).joined(separator: ", ")) }
    for (type, size) in sizes { costs[type]?.code = size }
    var shared = Cost(name: "all others")
    for (function, seconds) in trace.seconds {
      if let type = owners[function] {
        costs[type]?.seconds += seconds
      } else {
        shared.seconds += seconds
      }
    }
    return costs.values.sorted { ($0.seconds, $1.name) > ($1.seconds, $0.name) } + [
      Cost(name: "reading and checking", seconds: trace.before), shared,
    ]
  }

  /// The costs as a table, with the share of each.
  static func table(of costs: [Cost]) -> String {
    let total = max(costs.reduce(0) { $0 + $1.seconds }, 1e-9)
    let rows = costs.map { cost in
      [
        cost.name, String(format: "%.2f", cost.seconds),
        String(format: "%.1f %%", 100 * cost.seconds / total),
        cost.code > 0 ? String(format: "%.1f", Double(cost.code) / 1000) : "",
      ]
    }
    return Table(
      rows: [["opcode", "seconds", "share", "code kB"]] + rows,
      alignment: [.left, .right, .right, .right]
    ).text
  }

  /// The compiler's words for each module of a target that has sources in a directory, as the package manager has
  /// planned them.
  private func compilations(
    for target: BuildTarget, of sources: String
  ) throws(Failure) -> [[String]] {
    let compilations = planned(for: target).filter { words in
      Self.sources(in: words).contains { $0.hasPrefix(sources + "/") }
    }
    guard !compilations.isEmpty else {
      throw .badInput(
        "'\(plan(for: target))' names no module of '\(sources)'; remove .build and build again.")
    }
    return compilations
  }

  /// Which of the types each function belongs to, by the functions' names in object files.
  private static func types(
    _ types: Set<String>, in functions: [String]
  ) throws(Failure) -> [String: String] {
    guard let demangler = programOfSwift("swift-demangle") else { return [:] }
    var owners: [String: String] = [:]
    // As many names as fit into a command's arguments.
    for start in stride(from: 0, to: functions.count, by: 1000) {
      let part = functions[start..<min(start + 1000, functions.count)]
      let names = try ChildProcess.run(demangler, ["--compact", "--"] + part).output
        .split(separator: "\n", omittingEmptySubsequences: false)
      for (function, name) in zip(part, names) {
        let words = name.split { !($0.isLetter || $0.isNumber) }.map(String.init)
        // The first one is the function's own type where others are its arguments.
        owners[function] = words.first(where: types.contains)
      }
    }
    return owners
  }
}

/// Compilations whose passes have been timed.
private struct CompilerTrace {
  /// Seconds by function; the key is the function's name in object files, or says what else it was.
  private(set) var seconds: [String: Double] = [:]
  /// Seconds before the first pass, for reading and checking the sources.
  private(set) var before = 0.0

  /// Compiles a module with the words of a package manager's plan, into a file that goes at once.
  mutating func compile(_ planned: [String]) throws(Failure) {
    let scratch = try ScratchDirectory("costs")
    defer { scratch.remove() }
    var words = PluginBuild.plain(planned, dropping: ["-num-threads"])
    words += ["-c", "-o", "\(scratch.path)/module.o"]
    words += ["-sil-print-pass-time", "-opt-bisect-limit=-1"].flatMap { ["-Xllvm", $0] }
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else {
      throw .unavailable("No pipe can be made: \(String(cString: strerror(errno))).")
    }
    let compiler = try ChildProcess(planned[0], words, output: ends[1], errors: ends[1])
    close(ends[1])
    defer { close(ends[0]) }
    let said = read(from: ends[0])
    let ending = compiler.wait()
    try Interruption.check()
    guard ending == .exited(code: 0) else {
      writeError(said)
      throw .badInput("The opcodes cannot be compiled again; the messages are above.")
    }
  }

  /// Reads what the compiler says until it ends. Returns what is not about passes.
  private mutating func read(from pipe: Int32) -> String {
    var others = ""
    var line: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var (last, isFirst) = (ContinuousClock.now, true)
    /// What LLVM has begun with.
    var current: String?
    while true {
      let count = Foundation.read(pipe, &buffer, buffer.count)
      guard count > 0 else { break }
      let now = ContinuousClock.now
      let passed = last.duration(to: now) / .seconds(1)
      last = now
      if let current {
        seconds[current, default: 0] += passed
      } else if isFirst {
        before += passed
      }
      isFirst = false
      for byte in buffer[..<count] {
        guard byte == UInt8(ascii: "\n") else {
          line.append(byte)
          continue
        }
        let text = String(decoding: line, as: UTF8.self)
        line.removeAll(keepingCapacity: true)
        if let begun = Self.begun(text) {
          current = begun
        } else if let (milliseconds, function) = Self.timed(text) {
          seconds[function, default: 0] += milliseconds / 1000
          current = nil
        } else {
          others += text + "\n"
        }
      }
    }
    return others + String(decoding: line, as: UTF8.self)
  }

  /// The function in `BISECT: running pass (3) DCEPass on $e1a` or `… on function ($e1a)`.
  private static func begun(_ line: String) -> String? {
    guard line.hasPrefix("BISECT: "), let place = line.firstRange(of: " on ") else { return nil }
    let name = line[place.upperBound...]
    return name.hasPrefix("function (")
      ? String(name.dropFirst("function (".count).dropLast()) : String(name)
  }

  /// The time and the function in `0.615 ms: a-pass #1 @$e1a`; a pass over the module has no function.
  private static func timed(_ line: String) -> (milliseconds: Double, function: String)? {
    guard let match = line.wholeMatch(of: /\s*([0-9.]+) ms: \S+ #\d+(?: @(.+))?/),
      let milliseconds = Double(match.1)
    else { return nil }
    return (milliseconds, match.2.map(String.init) ?? "[module]")
  }
}
