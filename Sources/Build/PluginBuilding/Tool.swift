import CommandKit
import Foundation
import HarnessBase
import Linting
import Rendering

/// Tests a package with the commands of a tool, which its second argument runs.
package typealias PackageTester =
  (AuthorPackage, ([String]) throws(Failure) -> ExitCode) throws(Failure) -> ExitCode

/// A program with some of the tool's commands, and the jobs that its worker processes do for them.
package struct Tool {
  package let commands: [Command]
  private let jobs: JobRegistry
  private let test: PackageTester?
  /// What builds, checks and lists the plugin, which every command may do.
  private static let buildingJobs: [any Job.Type] = [
    LintJob.self, BuiltinsJob.self, RenderJob.self,
  ]

  /// `test` does the command `test` in packages; a program without it has no such command.
  package init(_ features: [Feature], test: PackageTester? = nil) {
    self.test = test
    commands = features.flatMap(\.commands)
    jobs = JobRegistry(features.flatMap(\.jobs) + Self.buildingJobs)
  }

  /// Runs the command that the program's arguments name, and ends the process. `answer` returns the text to print if
  /// the words are no command, or nil.
  package func run(answering answer: ([String]) -> String? = { _ in nil }) -> Never {
    Program.run { () throws(Failure) in
      try Self.requireCurrentDirectory()
      let words = try Self.choosingPackage(Array(CommandLine.arguments.dropFirst()))
      if let text = answer(words) {
        print(text.callingTool, terminator: "")
        return .success
      }
      if words.first == "worker" { Worker.serve(jobs, registering: { _ in }) }
      return try run(words)
    }
  }

  private func run(_ words: [String]) throws(Failure) -> ExitCode {
    guard let (name, rest) = Command.called(by: words) else {
      throw .usage("A command is missing; ./opcodekit --help lists the commands.")
    }
    if name == "--version" {
      print(Project.version)
      return .success
    }
    if name == "test", let test {
      guard !isInstalled else { throw Self.lacksSources }
      guard let package = AuthorPackage.current else {
        throw .usage(
          "There is no package of opcodes here; the kit's own tests are run by its script.")
      }
      let arguments = try Arguments(of: name, options: [.toolCsound], words: rest)
      if let word = arguments.operands.first {
        throw .usage(
          "'\(word)' is one word too many: in a package 'test' takes none and tests all.")
      }
      try arguments.handOver()
      return try test(package, run)
    }
    if name == "test-build" {
      // By the script, while it builds the program that tests.
      _ = try PluginBuild.current().tested()
      return .success
    }
    guard let command = commands.first(where: { $0.name == name }) else { throw unknown(name) }
    if rest.contains("--help") || rest.contains("-h") {
      print(command.help.callingTool, terminator: "")
      return .success
    }
    var arguments = try Arguments(of: name, options: command.options, words: rest)
    if isInstalled, command.isForDevelopers || Self.compiling.contains(name) {
      throw Self.lacksSources
    }
    if command.has(.toolCsound) { try arguments.handOver() }
    try PluginBuild.supply(&arguments, of: command)
    // Before the command prints the head of a table.
    if !arguments.takesBuiltPlugin, let plugin = arguments[.plugin] {
      try requireReadableFile(plugin)
    }
    PluginBuild.explainCrashes(arguments)
    defer { OrchestraAndScore.remove() }
    try arguments.replaceOrchestras()
    return try command.run(arguments)
  }

  /// The commands that are about sources, which an installed tool has not.
  private static let compiling: Set = ["add", "build", "new", "package", "port", "watch"]

  /// What an installed tool says where something must be compiled.
  static let lacksSources = Failure.unavailable(
    "This is the tool without Swift, which compiles no opcodes: that takes Swift 6.3 and a clone of OpcodeKit,"
      + " which has the same commands. It takes compiled plugins, with --plugin FILE.so."
  )

  private func unknown(_ name: String) -> Failure {
    let names = commands.map(\.name)
    let own = Command.forDevelopers(name)
    guard !names.contains(own) else {
      return Failure(
        .usage, "'\(name)' is for the kit's own developers; call it as ./opcodekit \(own).")
    }
    let near = names.filter { NearNames.editDistance(Command.verb($0), Command.verb(name)) <= 2 }
    let advice = near.isEmpty ? "" : " Did you mean \(near.joined(separator: " or "))?"
    return Failure(
      .usage, "'\(name)' is no command.\(advice) ./opcodekit --help lists the commands.")
  }

  /// Sets the package of `--package DIR`; returns the other words.
  private static func choosingPackage(_ words: [String]) throws(Failure) -> [String] {
    guard let place = words.firstIndex(where: { $0 == "--package" || $0.hasPrefix("--package=") })
    else { return words }
    var rest = words
    let word = rest.remove(at: place)
    if word != "--package" {
      try AuthorPackage.choose(String(word.dropFirst("--package=".count)))
    } else {
      guard place < rest.count else {
        throw .usage("'--package' needs the directory of a package.")
      }
      try AuthorPackage.choose(rest.remove(at: place))
    }
    return rest
  }

  /// Fails if the current directory has been removed, because paths would have no meaning.
  private static func requireCurrentDirectory() throws(Failure) {
    let path = getcwd(nil, 0)
    defer { free(path) }
    guard path == nil else { return }
    chdir("/")
    throw .missingInput("The current directory has been removed; change to one that exists.")
  }
}
