import CommandKit
import Rendering
import Targets

/// What was seen of the plugin for one target.
package struct TargetTrial: Codable, Sendable {
  /// A piece, held against the same played by the tool on this machine.
  package struct Piece: Codable, Sendable {
    package var name: String
    /// Whether a recorded sound is played into it in place of its own: what then differs is not the
    /// source's.
    package var isFed: Bool
    /// Of the difference, dB; absent where all samples are the same.
    package var nullDepth: Double?
    package var peakError: Double?
    /// Why it could not be played or compared.
    package var failure: String?
  }

  /// An opcode and its rival on the target's own Csound.
  package struct Pair: Codable, Sendable {
    package var name: String
    package var comparisons: Int
    /// The cases beyond their limits, or what went wrong.
    package var failures: [String]
  }

  package var csound: String
  package var processor: String
  /// Nil where every processor of the kind has what the plugin needs.
  package var level: String?
  /// The oldest C library it runs with; absent where it was not built.
  package var glibc: String?
  /// What played it.
  package var player: String?
  /// Why it was not built or not played.
  package var lack: String?
  package var pieces: [Piece] = []
  package var pairs: [Pair] = []
}

extension TargetTrial {
  /// How many pieces play as the tool plays them, to the last bit.
  package var identicalCount: Int {
    pieces.count { $0.failure == nil && $0.nullDepth == nil }
  }

  package var isForEvery: Bool { level == nil }

  /// What it was built for, in a word.
  package var kind: String { level.map { "\($0) alone" } ?? processor }

  /// Largest null depth, dB; absent where all is identical.
  package var worst: Double? { pieces.compactMap(\.nullDepth).max() }

  /// What failed, a sentence each.
  package var failures: [String] {
    pieces.compactMap { piece in piece.failure.map { "\(piece.name): \($0)" } }
      + pairs.flatMap { pair in pair.failures.map { "\(pair.name): \($0)" } }
  }
}

/// A run over all targets.
package struct TargetRun: Codable, Sendable {
  package var provenance: Provenance
  /// How many targets it is of, where it was stopped.
  package var partial: PartialRun?
  package var trials: [TargetTrial]
}
