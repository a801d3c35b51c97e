import CommandKit

extension Feature {
  /// The commands that complete words and build the documentation, which describes all commands. `programs` have parts
  /// of them, the smallest first.
  package static func documentation(
    of others: [Command], programs: [(name: String, commands: [Command])]
  ) -> Feature {
    Feature([.completion, .docs(others + [.completion], programs: programs)])
  }
}
