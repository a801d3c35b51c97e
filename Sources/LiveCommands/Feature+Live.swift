import CommandKit
import CsoundLive

extension Feature {
  /// Plays pieces on sound devices, with the opcodes `register` adds to an engine.
  package static func playing(registering register: @escaping Piece.Registration) -> Feature {
    Feature([.play(registering: register), .devices, .timing, .convert])
  }
}
