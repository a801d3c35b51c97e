import CommandKit

extension Feature {
  /// Plays the plugin for every Csound and processor, and times what plays live.
  package static let trials = Feature([.targets, .timing])

  /// What describes the tool, these commands of it too.
  package static func documentation(of others: [Command]) -> Feature { Feature([.docs(others)]) }
}
