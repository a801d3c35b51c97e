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

/// All that the tool can do, a line for each part of it.
let parts: [Feature] = [
  .speed { product throws(Failure) in try PluginBuild(ofKit: product).renew() },
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
  if name == "test-summary" {
    print(TestRun.summary(words.dropFirst().first ?? ""))
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
  try command.check(arguments)
  try PluginBuild.supply(&arguments, of: command)
  PluginBuild.explainCrashes(arguments)
  if command.options.contains(.toolCsound) { try Project.handOver(arguments) }
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

Program.run { () throws(Failure) in
  try requireCurrentDirectory()
  return try runTool(choosingPackage(Array(CommandLine.arguments.dropFirst())))
}
