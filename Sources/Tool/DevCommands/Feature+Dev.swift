import CommandKit

extension Feature {
  /// The commands that try the plugin on every Csound and processor, measure the timing of live playing, and try Csound's
  /// own opcodes.
  package static let trials = Feature([.targets, .timing, .findings])

  /// The commands that complete words and build the documentation; both describe all commands.
  package static func documentation(of others: [Command]) -> Feature {
    let docs = Command.docs(others + [.completion(others)])
    return Feature([.completion(others + [docs]), docs])
  }
}
