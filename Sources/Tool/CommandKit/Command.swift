import HarnessBase

/// One command of the tool. Ends normally, or with a failure, or with an exit code of its own.
package struct Command: Sendable {
  package let name: String
  package let operands: String
  package let summary: String
  package let options: [any CommandOption]
  /// Whether it takes opcodes from a plugin, where it has that option; one that is not named is built before.
  package let takesPlugin: @Sendable (Arguments) -> Bool
  package let run: @Sendable (Arguments) throws(Failure) -> ExitCode

  package init(
    name: String, operands: String, summary: String, options: [any CommandOption],
    takesPlugin: @escaping @Sendable (Arguments) -> Bool = { _ in true },
    run: @escaping @Sendable (Arguments) throws(Failure) -> ExitCode
  ) {
    self.name = name
    self.operands = operands
    self.summary = summary
    self.options = options
    self.takesPlugin = takesPlugin
    self.run = run
  }

  package var usage: String {
    operands.isEmpty ? "./opcodekit \(name) [options]" : "./opcodekit \(name) \(operands) [options]"
  }

  package var help: String {
    let rows = options.map { ["  " + $0.usage, $0.help] }
    let table = options.isEmpty ? "" : "\nOptions:\n" + Table(rows: rows).text + "\n"
    return "\(usage)\n\n\(summary)\n\(table)"
  }

  /// Whether this is one of its options, and not only one of that name.
  package func has(_ option: any CommandOption) -> Bool {
    options.contains { $0.usage == option.usage && $0.help == option.help }
  }

  package static func overview(_ all: [Command]) -> String {
    let test = [
      "  test",
      "Run all tests; --changed or NAME … only those of what has changed, or of these names.",
    ]
    let rows = all.map { ["  \($0.name)", $0.summary] }
    return """
      OpcodeKit: write, compare and benchmark Csound opcodes in Swift.

      ./opcodekit COMMAND [options]

      \(Table(rows: rows + [test]).text)

      ./opcodekit COMMAND --help explains one command; ./opcodekit --version tells what this is.
      In a package that depends on OpcodeKit, or with --package DIR, every command is about its opcodes.

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
