import CommandKit
import HarnessBase

extension Command {
  /// `others` are the tool's other commands. The script answers this command from files that `dev docs --update` writes,
  /// so that it needs no build.
  static func completion(_ others: [Command]) -> Command {
    Command(
      name: "completion", operands: "bash|zsh|fish",
      summary: "Print what your shell reads to complete commands, options and names with Tab.",
      options: []
    ) { arguments throws(Failure) in
      let name = try arguments.operand("a shell: bash, zsh or fish")
      guard let shell = Completion.Shell(rawValue: name) else {
        throw Failure(.usage, "'\(name)' is no shell that is known here; take bash, zsh or fish.")
      }
      print(Completion(others + [completion(others)]).script(for: shell), terminator: "")
      return .success
    }
  }
}
