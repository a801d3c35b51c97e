import CommandKit
import Foundation
import HarnessBase
import OpcodeKit

extension Command {
  /// Processor levels of the x86-64 ABI, the oldest first; the default is what every x86-64 has.
  private static let levels = ["x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"]

  private static let cpu = Option(
    name: "cpu", value: "LEVEL",
    help: "Build for newer processors, build/libopcodes-LEVEL.so:"
      + " \(levels.dropFirst().joined(separator: ", ")); default x86-64.")

  /// `overloads` are those of the tool's own opcodes, which the plugin has too.
  static func build(_ overloads: @escaping @Sendable () -> [Overload]) -> Command {
    Command(
      name: "build", operands: "",
      summary: "Build build/libopcodes.so, a plugin for any Csound 6.18.",
      options: [cpu]
    ) { arguments throws(Failure) in try build(arguments, overloads()) }
  }

  private static func build(
    _ arguments: Arguments, _ overloads: [Overload]
  ) throws(Failure) -> ExitCode {
    try arguments.requireOperands(atMost: 0)
    let level = arguments[cpu] ?? levels[0]
    guard levels.contains(level) else {
      throw Failure(
        .usage, "--cpu is '\(level)'; it takes \(levels.joined(separator: ", ")).")
    }
    let suffix = level == levels[0] ? "" : "-\(level)"
    for overload in overloads {
      if let problem = overload.problem {
        throw Failure(.badInput, problem.description(of: overload))
      }
    }
    guard installedProgram("swift") != nil else {
      throw Failure(
        .unavailable,
        "Swift 6.3 or newer is missing: install it from"
          + " https://www.swift.org/install/linux and put 'swift' on the PATH.")
    }
    let scratch = Project.root + "/.build/standalone\(suffix)"
    try run(
      "swift",
      [
        "build", "--quiet", "--package-path", Project.root, "-c", "release",
        "--scratch-path", scratch, "--product", "opcodes",
        "-Xcc", "-march=\(level)", "-Xcc", "-ffp-contract=off",
        "-Xlinker", "--version-script=\(Project.root)/Sources/CCsound/plugin.map",
        "-Xlinker", "--gc-sections", "-Xlinker", "--strip-all",
      ])
    let file = "build/libopcodes\(suffix).so"
    let plugin = Project.root + "/" + file
    try install(scratch + "/release/libopcodes.so", as: plugin)
    let size = (try? FileManager.default.attributesOfItem(atPath: plugin)[.size]) as? Int ?? 0
    let libraries = try run("ldd", [plugin]).split(separator: "\n").compactMap {
      $0.split(separator: " ").first.map { $0.trimmingCharacters(in: .whitespaces) }
    }.map { ($0 as NSString).lastPathComponent }
    print("\(file): \(size) bytes, depends on \(libraries.joined(separator: ", "))")
    return .success
  }

  /// Runs a program with the standalone build's environment and returns what it prints.
  @discardableResult
  private static func run(_ program: String, _ arguments: [String]) throws(Failure) -> String {
    let finished = try ChildProcess.run(
      "/usr/bin/env", [program] + arguments,
      environment: ProcessInfo.processInfo.environment
        .merging(["OPCODEKIT_STANDALONE": "1"]) { $1 },
      showsErrors: true)
    guard finished.isGood else {
      writeError(finished.output)
      throw Failure(.badInput, "'\(program)' failed; its own messages are above.")
    }
    return finished.output
  }

  /// Replaces `target` in one step, so that no Csound ever loads half a file.
  private static func install(_ source: String, as target: String) throws(Failure) {
    let files = FileManager.default
    let directory = (target as NSString).deletingLastPathComponent
    let fresh = "\(target).\(getpid()).new"
    do {
      try files.createDirectory(atPath: directory, withIntermediateDirectories: true)
      try files.copyItem(atPath: source, toPath: fresh)
    } catch {
      throw Failure(
        .unwritableOutput, "'\(target)' cannot be written: \(error.localizedDescription)")
    }
    defer { unlink(fresh) }
    guard rename(fresh, target) == 0 else {
      throw Failure(
        .unwritableOutput, "'\(target)' cannot be written: \(String(cString: strerror(errno))).")
    }
  }
}
