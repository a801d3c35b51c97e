import CommandKit

extension Feature {
  /// The commands that try the plugin on every Csound and processor, and measure the timing of live
  /// playing.
  package static let trials = Feature([.targets, .timing])

  /// The command that builds the documentation, which describes this command, too.
  package static func documentation(of others: [Command]) -> Feature { Feature([.docs(others)]) }
}
