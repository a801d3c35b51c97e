import CommandKit
import Foundation
import HarnessBase
import Linting
import Manuals
import OpcodeKit
import Workers

extension Command {
  private static let cpu = Option(
    name: "cpu", value: "LEVEL",
    help: "Build for newer processors, build/libNAME-LEVEL.so:"
      + " \(PluginBuild.levels.dropFirst().joined(separator: ", ")); default x86-64.")

  /// `overloads` are those of the tool's own opcodes, which the plugin has too.
  static func build(_ overloads: @escaping @Sendable () -> [Overload]) -> Command {
    Command(
      name: "build", operands: "",
      summary:
        "Build build/libNAME.so, a plugin for any Csound 6.18: the kit's opcodes, or the package's.",
      options: [cpu]
    ) { arguments throws(Failure) in try build(arguments, overloads()) }
  }

  private static func build(
    _ arguments: Arguments, _ overloads: [Overload]
  ) throws(Failure) -> ExitCode {
    try arguments.requireOperands(atMost: 0)
    let level = arguments[cpu] ?? PluginBuild.levels[0]
    guard PluginBuild.levels.contains(level) else {
      throw Failure(
        .usage,
        "--cpu is '\(level)'; it takes \(PluginBuild.levels.joined(separator: ", ")).")
    }
    let build: PluginBuild
    if let package = AuthorPackage.current {
      build = try PluginBuild(package)
      let faults = try lint(build, package)
      guard faults.isEmpty else {
        for fault in faults { printError("opcodekit: \(fault)") }
        printError("opcodekit: nothing was built; build/ is as it was.")
        return .checkFailed
      }
    } else {
      build = .pack
      for overload in overloads {
        if let problem = overload.problem {
          throw Failure(.badInput, problem.description(of: overload))
        }
      }
    }
    try build.standalone(level: level)
    print(try build.summary(level: level))
    return .success
  }

  /// Builds with the Swift runtime, where types are compared with letters, and returns the faults of
  /// what is registered.
  private static func lint(
    _ build: PluginBuild, _ package: AuthorPackage
  ) throws(Failure) -> [String] {
    printError("opcodekit: building \(build.product) to check it")
    let plugin = try build.plain()
    let report = try lint(plugin, name: "lib\(build.product).so")
    let count = report.signatures.count
    let declared = try OpcodeDeclaration.all(in: package.sources)
    let registered = Set(report.signatures.map(\.name))
    let refusals = report.findings.filter { $0.id == .kitRefusal }.map(\.message)
    let missing = declared.filter { item in
      !registered.contains(item.overload)
        && !refusals.contains { $0.contains(" \(item.overload):") }
    }
    let forgotten = Set(missing.map(\.type)).sorted().map { type in
      "'\(type)' is an @Opcode that is not registered: call register\(type)(in: &registry) in the"
        + " library's registerOpcodes(in:)."
    }
    guard count + report.generators.count + forgotten.count > 0 else {
      return [
        "lib\(build.product).so registers nothing: put @Plugin before the enum that is its OpcodeLibrary."
      ]
    }
    print(
      "lib\(build.product).so: \(count) signature\(count == 1 ? "" : "s"), names and types checked")
    return forgotten + report.findings.filter { $0.severity == .fault }.map(\.message)
  }
}
