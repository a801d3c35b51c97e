import Benchmarking
import Comparing
import CsoundHost
import Foundation
import Goldens
import HarnessBase
import Linting
import OpcodeKit
import Opcodes
import Portraying
import Profiling
import Rendering
import Validating
import Workers

// A closed standard descriptor would be given to the first file opened, and printed into.
for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
  _ = open("/dev/null", O_RDWR)
}

// A reader that has seen enough, as in `| head`, does not end the tool in the middle of its work.
signal(SIGPIPE, SIG_IGN)

/// What workers can be asked to do.
let jobs = JobRegistry([
  RenderJob.self, CompileJob.self, LintJob.self, BuiltinsJob.self, CompareJob.self,
  BenchmarkJob.self, CountJob.self, ExploreJob.self, ValidateJob.self, ProfileJob.self,
  RecordJob.self, CheckJob.self, PortraitJob.self,
])

func runTool(_ words: [String]) throws(Failure) -> ExitCode {
  guard let name = words.first, !["help", "--help", "-h"].contains(name) else {
    print(Command.overview, terminator: "")
    return .success
  }
  if name == "worker" {
    Worker.serve(jobs, registering: registerLibrary)
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
  let ending = try runTool(Array(CommandLine.arguments.dropFirst()))
  // A reader that has seen enough, as in `| head`, is no failure.
  guard fflush(nil) == 0 || errno == EPIPE else {
    throw Failure(
      .unwritableOutput, "The results cannot be printed: \(String(cString: strerror(errno))).")
  }
  exit(ending.rawValue)
} catch {
  printError("opcodekit: \(error.message)")
  exit(error.exitCode)
}
