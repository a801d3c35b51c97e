import Foundation
import HarnessBase
import Targets

extension Project {
  /// The environment variable that gives a tool for another Csound the path of the plugin built for it.
  private static let builtPlugin = "OPCODEKIT_BUILT_PLUGIN"

  /// If a Csound other than the tool's is asked for, replaces this process by the tool for that Csound; otherwise does
  /// nothing.
  package static func handOver(_ arguments: Arguments) throws(Failure) {
    let target = target(arguments)
    guard target != .tools else { return }
    let tool = try PublishedTool(kit: kit, executable: executable) {
      printError(
        "opcodekit: building the tool for Csound \(target.csound.release), once; this takes minutes."
      )
    }
    var environment = ProcessInfo.processInfo.environment.merging(tool.environment) { $1 }
    environment["OPCODEKIT_ROOT"] = kit
    environment[builtPlugin] = arguments.takesBuiltPlugin ? arguments[.plugin] : nil
    var words = [tool.program] + arguments.command.split(separator: " ").map(String.init)
    for (name, value) in arguments.given where name != Option.toolCsound.name {
      guard name != Option.plugin.name || !arguments.takesBuiltPlugin else { continue }
      words.append("--\(name)" + (value.isEmpty ? "" : "=\(value)"))
    }
    words += ["--"] + arguments.operands
    fflush(nil)
    let strings = words.map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    execve(tool.program, strings, variables)
    let reason = String(cString: strerror(errno))
    throw Failure(.unavailable, "'\(tool.program)' cannot be started: \(reason).")
  }

  /// Reads the arguments of a command that another tool has handed over.
  package static func handedOver(_ command: Command, _ words: [String]) throws(Failure) -> Arguments
  {
    var arguments = try Arguments(of: command.name, options: command.options, words: words)
    if let plugin = ProcessInfo.processInfo.environment[builtPlugin] {
      arguments.take(builtPlugin: plugin)
    }
    return arguments
  }
}
