import CommandKit

extension Feature {
  /// What describes the tool, these commands of it too.
  package static func documentation(of others: [Command]) -> Feature { Feature([.docs(others)]) }
}
