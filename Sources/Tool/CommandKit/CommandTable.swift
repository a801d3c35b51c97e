/// The table of all commands, which the script `opcodekit` reads before anything is built: to find the program to build
/// for a command, and to complete words. A line has, with tabs between them, the command's name, the programs that
/// have it, the smallest first, its summary, what it takes as operands, and then for each option its name, with what
/// it takes as its value after `=`, and its help.
///
/// A value is `@files`, which the end of their names may follow, `@directories`, `@opcodes`, words with `|` between
/// them, or nothing.
package enum CommandTable {
  /// `programs` have parts of the commands, and are named in the order of their sizes.
  package static func text(
    _ commands: [Command], programs: [(name: String, commands: [Command])]
  ) -> String {
    commands.sorted { $0.name < $1.name }.map { command in
      let having = programs.filter { $0.commands.contains { $0.name == command.name } }
      let options = command.options.flatMap { option in
        (["--\(option.name)"] + (option.letter.map { ["-\($0)"] } ?? [])).flatMap { name in
          [option.value.map { "\(name)=\(kind(ofValue: $0))" } ?? name, option.help.firstClause]
        }
      }
      let fields =
        [
          command.name, having.map(\.name).joined(separator: " "), command.summary.firstClause,
          kind(ofOperands: command.operands),
        ] + options
      return fields.joined(separator: "\t") + "\n"
    }.joined()
  }

  private static func kind(ofValue value: String) -> String {
    // These two stand for paths.
    let words = value.split(separator: "|")
    if words.count > 1 {
      return words.filter { !["DIR", "FILE"].contains($0) }.joined(separator: "|")
    }
    if value.contains("FILE") || value.contains(".") {
      return value.contains(".csd") ? "@files.csd" : "@files"
    }
    return ["DIR", "FOLDER"].contains(value) ? "@directories" : ""
  }

  private static func kind(ofOperands operands: String) -> String {
    switch operands {
    case let text where text.lowercased().contains("csd"): "@files.csd"
    case let text where text.contains(".so"): "@files.so"
    case "IN OUT", "FILE …": "@files"
    case "DIR": "@directories"
    case "[NAME …]": "@opcodes"
    case let text where text.contains("|"): text.filter { !"[].".contains($0) }
    default: ""
    }
  }
}

extension String {
  /// The words before the first full stop, semicolon or colon that ends a word.
  fileprivate var firstClause: String {
    String(self[..<(firstRange(of: /[.;:](?=\s|$)/)?.lowerBound ?? endIndex)])
  }
}
