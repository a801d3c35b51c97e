import CommandKit
import Foundation
import HarnessBase

extension Command {
  /// The script answers this command itself, so that it needs no build.
  static let completion = Command(
    name: "completion", operands: "bash|zsh|fish",
    summary: "Print what your shell reads to complete commands, options and names with Tab.",
    options: []
  ) { arguments throws(Failure) in
    let shell = try arguments.operand("a shell: bash, zsh or fish")
    let path = "\(Project.kit)/Sources/Tool/Script/completion.\(shell)"
    guard ["bash", "zsh", "fish"].contains(shell),
      let text = try? String(contentsOfFile: path, encoding: .utf8)
    else { throw .usage("'\(shell)' is no shell that is known here; take bash, zsh or fish.") }
    print(text, terminator: "")
    return .success
  }
}
