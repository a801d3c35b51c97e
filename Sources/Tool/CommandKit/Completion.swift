/// What a shell proposes while a command of the tool is typed, from the declarations of the commands.
package struct Completion {
  package enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish
  }

  /// The words that can stand in a place of the command line.
  enum Words: Equatable {
    case none, directories, opcodes
    /// Files whose names end so; all files if nil.
    case files(String?)
    case choices([String])
  }

  let commands: [Command]

  package init(_ commands: [Command]) { self.commands = commands.sorted { $0.name < $1.name } }

  /// The script that the shell reads.
  package func script(for shell: Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  /// Verbs and their summaries, without those for developers.
  var verbs: [(name: String, summary: String)] {
    commands.filter { !$0.isForDevelopers }.map { ($0.name, $0.summary) }
      + [("dev", "For developers of the kit."), ("test", "Run the tests.")]
  }

  /// Verbs after `dev` and their summaries.
  var developersVerbs: [(name: String, summary: String)] {
    commands.filter(\.isForDevelopers).map { (Command.verb($0.name), $0.summary) }
  }

  /// What an option takes as its value; nil for a switch.
  static func words(for option: any CommandOption) -> Words? {
    guard let value = option.value else { return nil }
    if value.contains("|") { return .choices(value.split(separator: "|").map(String.init)) }
    if value.contains("FILE") || value.contains(".") {
      return .files(value.contains(".csd") ? ".csd" : nil)
    }
    return value == "DIR" ? .directories : Words.none
  }

  /// What a command takes as operands.
  static func operands(of command: Command) -> Words {
    switch command.operands {
    case let text where text.lowercased().contains("csd"): .files(".csd")
    case let text where text.contains(".so"): .files(".so")
    case "IN OUT": .files(nil)
    case "DIR": .directories
    case "[NAME …]": .opcodes
    case let text where text.contains("|"): .choices(text.split(separator: "|").map(String.init))
    default: .none
    }
  }
}

extension String {
  /// The first clause, without quotes and other characters that have a meaning in a shell.
  var firstClause: String {
    String(prefix { !".;:".contains($0) }.filter { !"\"`\\[]$".contains($0) })
      .replacing("'", with: "’")
  }
}
