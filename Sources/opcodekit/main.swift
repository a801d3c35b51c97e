import CProcess
import CommandKit
import DocsCommands
import Foundation
import HarnessBase
import LibraryCommands
import LiveCommands
import Opcodes
import PackageCommands
import ProfileCommands
import QualityCommands
import ReportCommands
import SpeedCommands
import SurveyCommands
import TargetCommands
import Workers

// A closed standard descriptor would be given to the first file opened, and printed into.
let isOutputClosed = fcntl(STDOUT_FILENO, F_GETFD) == -1
for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
  // What is printed to standard output must not seem to arrive.
  if descriptor != STDOUT_FILENO || open("/dev/full", O_WRONLY) == -1 {
    _ = open("/dev/null", O_RDWR)
  }
}

// A reader that has seen enough, as in `| head`, does not end the tool in the middle of its work.
signal(SIGPIPE, SIG_IGN)

/// All that the tool can do, a line for each part of it.
let parts: [Feature] = [
  .speed,
  .surveying,
  .reporting,
  .listing({ Catalogue.all }, generators: { GeneratorNames.all }),
  .linting,
  .validation,
  .profiling,
  .goldens,
  .building { Catalogue.all },
  .packaging { Catalogue.all },
  .targets,
  .rendering,
  .playing { Library.install(in: $0) },
]
let merging = Feature([.merge(parts.flatMap(\.reports))])
let features = parts + [merging, .documentation(of: (parts + [merging]).flatMap(\.commands))]
let commands = features.flatMap(\.commands)

/// The words without `--package DIR`, which is chosen.
func choosingPackage(_ words: [String]) throws(Failure) -> [String] {
  guard let place = words.firstIndex(where: { $0 == "--package" || $0.hasPrefix("--package=") })
  else { return words }
  var rest = words
  let word = rest.remove(at: place)
  if word != "--package" {
    try AuthorPackage.choose(String(word.dropFirst("--package=".count)))
  } else {
    guard place < rest.count else {
      throw Failure(.usage, "'--package' needs the directory of a package.")
    }
    try AuthorPackage.choose(rest.remove(at: place))
  }
  return rest
}

func runTool(_ words: [String]) throws(Failure) -> ExitCode {
  guard let name = words.first, !["help", "--help", "-h"].contains(name) else {
    print(Command.overview(commands).callingTool, terminator: "")
    return .success
  }
  if name == "--version" {
    print(Project.version)
    return .success
  }
  if name == "slowest-tests" {
    print(TestRun.slowest(words.dropFirst().first ?? ""))
    return .success
  }
  if name == "changed-tests" {
    print(TestRun.filter(for: Array(words.dropFirst()), in: Project.kit))
    return .success
  }
  if name == "test" {
    guard let package = AuthorPackage.current else {
      throw Failure(
        .usage, "There is no package of opcodes here; the kit's own tests are run by its script.")
    }
    return try PackageTest.run(package, Array(words.dropFirst()), by: runTool)
  }
  if name == "worker" {
    Worker.serve(JobRegistry(features.flatMap(\.jobs)), registering: Library.install)
  }
  guard let command = commands.first(where: { $0.name == name }) else {
    let near = commands.map(\.name).filter { NearNames.editDistance($0, name) <= 2 }
    let advice = near.isEmpty ? "" : " Did you mean \(near.joined(separator: " or "))?"
    throw Failure(
      .usage, "'\(name)' is no command.\(advice) ./opcodekit --help lists the commands.")
  }
  let rest = Array(words.dropFirst())
  if rest.contains("--help") || rest.contains("-h") {
    print(command.help.callingTool, terminator: "")
    return .success
  }
  var arguments = try Arguments(of: name, options: command.options, words: rest)
  try PluginBuild.supply(&arguments, of: command)
  return try command.run(arguments)
}

/// Nothing has a place where the current directory has been removed.
func requireCurrentDirectory() throws(Failure) {
  let path = getcwd(nil, 0)
  defer { free(path) }
  guard path == nil else { return }
  chdir("/")
  throw Failure(
    .missingInput, "The current directory has been removed; change to one that is there.")
}

/// Fails when something that was printed has not arrived. A reader that has seen enough, as in
/// `| head`, is no failure.
func requireOutput() throws(Failure) {
  let status = fflush(nil)
  let reason = isOutputClosed ? "standard output is closed" : String(cString: strerror(errno))
  guard status != 0 || process_lost_output() != 0 else { return }
  var reader = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
  if poll(&reader, 1, 0) == 1, reader.revents & Int16(POLLERR) != 0 { return }
  throw Failure(
    .unwritableOutput,
    status == 0 && !isOutputClosed
      ? "The results cannot be printed." : "The results cannot be printed: \(reason).")
}

do throws(Failure) {
  try requireCurrentDirectory()
  let ending = try runTool(choosingPackage(Array(CommandLine.arguments.dropFirst())))
  try requireOutput()
  exit(ending.rawValue)
} catch {
  printError("opcodekit: \(error.message)")
  exit(error.exitCode)
}
