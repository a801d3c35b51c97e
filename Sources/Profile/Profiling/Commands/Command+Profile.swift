import CommandKit
import HarnessBase

extension Command {
  static let profile = Command(
    name: "profile", operands: "PIECE.csd …",
    summary: "Find out which lines, opcodes and instruments of a piece take the time.",
    options: ProfileSession.options
  ) { arguments throws(Failure) in try ProfileSession(arguments).run() }
}
