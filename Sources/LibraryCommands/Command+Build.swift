import CommandKit
import HarnessBase
import OpcodeKit
import Targets

extension Command {
  private static let cpu = Option(
    name: "cpu", value: "LEVEL",
    help: "Build for newer processors, build/libNAME-LEVEL.so:"
      + " \(Processor.x86_64.levels.dropFirst().joined(separator: ", ")); default x86-64.")

  /// `overloads` are those of the tool's own opcodes, which the plugin has too.
  static func build(_ overloads: @escaping @Sendable () -> [Overload]) -> Command {
    Command(
      name: "build", operands: "",
      summary:
        "Build build/libNAME.so, a plugin for any Csound 6.18: the kit's opcodes, or the package's.",
      options: [cpu]
    ) { arguments throws(Failure) in try build(arguments, overloads) }
  }

  private static func build(
    _ arguments: Arguments, _ overloads: () -> [Overload]
  ) throws(Failure) -> ExitCode {
    try arguments.requireOperands(atMost: 0)
    let levels = Processor.x86_64.levels
    let target = BuildTarget(.six, .x86_64, level: arguments[cpu])
    guard levels.contains(target.level) else {
      throw Failure(
        .usage,
        "--cpu is '\(target.level)'; it takes \(levels.joined(separator: ", ")).")
    }
    let build = try PluginBuild.current()
    guard try build.isRight(overloads) else {
      printError("opcodekit: nothing was built; build/ is as it was.")
      return .checkFailed
    }
    try build.standalone(for: target)
    print(try build.summary(for: target))
    return .success
  }
}
