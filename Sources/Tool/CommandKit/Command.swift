import HarnessBase

/// One command of the tool. `run` returns an exit code, or throws a failure, which has one of its own.
package struct Command: Sendable {
  /// As typed. A command for the kit's own developers has two words, such as `dev trust`.
  package let name: String
  package let operands: String
  package let summary: String
  package let options: [any CommandOption]
  /// Whether it takes opcodes from a plugin, if it has the option `--plugin`. If none is named, the tool builds one
  /// before it runs the command.
  package let takesPlugin: @Sendable (Arguments) -> Bool
  package let run: @Sendable (Arguments) throws(Failure) -> ExitCode

  package init(
    name: String, operands: String, summary: String, options: [any CommandOption],
    takesPlugin: @escaping @Sendable (Arguments) -> Bool = { _ in true },
    run: @escaping @Sendable (Arguments) throws(Failure) -> ExitCode
  ) {
    (self.name, self.operands, self.summary, self.options) = (name, operands, summary, options)
    (self.takesPlugin, self.run) = (takesPlugin, run)
  }

  package var usage: String {
    operands.isEmpty ? "./opcodekit \(name) [options]" : "./opcodekit \(name) \(operands) [options]"
  }

  package var help: String {
    let rows = options.map { ["  " + $0.usage, $0.help] }
    let table = options.isEmpty ? "" : "\nOptions:\n" + Table(rows: rows).text + "\n"
    return "\(usage)\n\n\(summary)\n\(table)"
  }

  private static let developers = "dev "

  /// A command's name without the word `dev`.
  package static func verb(_ name: String) -> String {
    name.hasPrefix(developers) ? String(name.dropFirst(developers.count)) : name
  }

  /// The full name of a command for developers, from its name without `dev`.
  package static func forDevelopers(_ verb: String) -> String { developers + verb }

  package var isForDevelopers: Bool { name.hasPrefix(Self.developers) }

  /// The name of the command that the words call, and the words after it; nil if there are no words.
  package static func called(
    by words: [String]
  ) -> (name: String, rest: [String])? {
    guard let first = words.first else { return nil }
    let count = words.count > 1 && first + " " == developers ? 2 : 1
    return (words.prefix(count).joined(separator: " "), Array(words.dropFirst(count)))
  }

  /// Whether the command has this very option, not only another option of the same name.
  package func has(_ option: any CommandOption) -> Bool {
    options.contains { $0.usage == option.usage && $0.help == option.help }
  }

  /// The help of `./opcodekit dev`.
  package static func developersOverview(_ all: [Command]) -> String {
    let rows = all.filter(\.isForDevelopers).map { ["  \(verb($0.name))", $0.summary] }
    return """
      Commands for developers of the kit.

      ./opcodekit dev COMMAND [options]

      \(Table(rows: rows).text)

      ./opcodekit dev COMMAND --help explains one command.

      """
  }

  package static func overview(_ all: [Command]) -> String {
    let verbs = all.filter(\.isForDevelopers).map { verb($0.name) }.sorted()
    let others = [
      "  dev",
      "For developers of the kit: \(verbs.joined(separator: ", ")); ./opcodekit dev lists them.",
    ]
    let test = [
      "  test",
      "Run the tests; --all at full size; --changed only those for changed files; NAME … only those of these names.",
    ]
    let rows = all.filter { !$0.isForDevelopers }.map { ["  \($0.name)", $0.summary] }
    return """
      OpcodeKit: write, compare and benchmark Csound opcodes in Swift.

      ./opcodekit COMMAND [options]

      \(Table(rows: rows + [others, test]).text)

      ./opcodekit COMMAND --help explains one command; ./opcodekit --version prints the version.
      In a package that depends on OpcodeKit, or with --package DIR, commands work on its opcodes.

      Exit codes: 0 good, 1 a check failed, 2 slower than before, 64 usage, 65 bad input, 66 input
      missing, 69 Csound, Swift or another program missing, 70 a fault of the tool itself, 73 output
      cannot be written, 76 a piece or a plugin crashed or hung Csound, 130 interrupted.

      """
  }
}

/// How a command ended.
package enum ExitCode: Int32 {
  case success = 0
  case checkFailed = 1
  /// Slower than a baseline, or than another build.
  case slower = 2
}
