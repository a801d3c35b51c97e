import CommandKit

extension Feature {
  /// Plays pieces on sound devices.
  package static let playing = Feature([.play, .watch, .devices, .convert])
}
