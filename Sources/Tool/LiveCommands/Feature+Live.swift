import CommandKit

extension Feature {
  /// The commands that play pieces on sound devices.
  package static let playing = Feature([.play, .watch, .devices, .convert])
}
