import CommandKit
import Foundation
import HarnessBase
import QualityCommands
import SpeedCommands
import Workers

// The commands that run in a Csound 7 engine. The tool itself is linked with Csound 6 and hands these commands over to
// this program, which has no opcodes of its own.

let features: [Feature] = [.speed(building: nil), .linting, .validation]

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
      "This program is called by 'opcodekit', for \(served.map(\.name).joined(separator: ", ")).")
  }
  return try command.run(Project.handedOver(command, rest))
}
