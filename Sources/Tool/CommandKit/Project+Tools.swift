import Foundation
import HarnessBase
import Targets
import Workers

extension Project {
  /// The environment variable that gives a tool for another Csound the path of the plugin built for it.
  private static let builtPlugin = "OPCODEKIT_BUILT_PLUGIN"

  /// If a Csound other than the tool's is asked for, replaces this process by the tool for that Csound; otherwise does
  /// nothing.
  package static func handOver(_ arguments: Arguments) throws(Failure) {
    let target = target(arguments)
    guard target != .tools else { return }
    let tool = try PublishedTool(
      program(for: arguments.command), kit: kit, executable: executable
    ) {
      printError(
        "opcodekit: building '\(arguments.command)' for Csound \(target.csound.release), once; this takes minutes."
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

  /// The program for a command in Csound 7. A program has the commands that need the same modules, because it is built
  /// before the first of them runs.
  private static func program(for command: String) -> String {
    switch command {
    case "play", "watch": "opcodekit-csound7-play"
    case "dev panels", "dev spent", "dev survey", "faster", "profile": "opcodekit-csound7-pieces"
    default: "opcodekit-csound7"
    }
  }

  /// Runs the command of these features that another tool has handed over to this program, and ends the process.
  package static func serveHandedOver(_ features: [Feature]) -> Never {
    Program.run { () throws(Failure) in
      let words = Array(CommandLine.arguments.dropFirst())
      if words.first == "worker" {
        Worker.serve(JobRegistry(features.flatMap(\.jobs)), registering: { _ in })
      }
      let served = features.flatMap(\.commands).filter { $0.has(.toolCsound) }
      guard let (name, rest) = Command.called(by: words),
        let command = served.first(where: { $0.name == name })
      else {
        throw Failure(
          .usage,
          "This program is called by 'opcodekit', for \(served.map(\.name).joined(separator: ", "))."
        )
      }
      return try command.run(handedOver(command, rest))
    }
  }

  /// Reads the arguments of a command that another tool has handed over.
  private static func handedOver(_ command: Command, _ words: [String]) throws(Failure) -> Arguments
  {
    var arguments = try Arguments(of: command.name, options: command.options, words: words)
    if let plugin = ProcessInfo.processInfo.environment[builtPlugin] {
      arguments.take(builtPlugin: plugin)
    }
    return arguments
  }
}
