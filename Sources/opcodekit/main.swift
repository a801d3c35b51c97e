import CsoundHost
import Foundation
import Harness
import OpcodeKit
import Opcodes

// A worker that dies must not take its parent along when a job is written to it.
signal(SIGPIPE, SIG_IGN)

func registerInProcess(_ csound: CsoundPointer) {
  var registry = CsoundRegistry(csound)
  registerOpcodes(in: &registry)
}

func runTool(_ words: [String]) throws(Failure) -> ExitCode {
  guard let name = words.first, !["help", "--help", "-h"].contains(name) else {
    print(Command.overview, terminator: "")
    return .success
  }
  if name == "worker" {
    Worker.serve(registering: registerInProcess)
    return .success
  }
  guard let command = Command.all.first(where: { $0.name == name }) else {
    let near = Command.all.map(\.name).filter { Project.editDistance($0, name) <= 2 }
    let advice = near.isEmpty ? "" : " Did you mean \(near.joined(separator: " or "))?"
    throw Failure(
      .usage, "'\(name)' is no command.\(advice) ./opcodekit --help lists the commands.")
  }
  let rest = Array(words.dropFirst())
  if rest.contains("--help") || rest.contains("-h") {
    print(command.help, terminator: "")
    return .success
  }
  return try command.run(Arguments(of: name, options: command.options, words: rest))
}

do throws(Failure) {
  exit(try runTool(Array(CommandLine.arguments.dropFirst())).rawValue)
} catch {
  printError("opcodekit: \(error.message)")
  exit(error.exitCode)
}
