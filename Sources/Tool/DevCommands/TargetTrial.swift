import CommandKit
import Rendering
import Targets

/// The results of the plugin for one target.
package struct TargetTrial: Codable, Sendable {
  /// A piece, compared with its sound when the tool plays it on this machine. On another operating system it is compared
  /// with the same Csound's sound on Linux.
  package struct Piece: Codable, Sendable {
    package var name: String
    /// Whether a recorded sound replaces the piece's own source, so that differences are not caused
    /// by the source.
    package var isFed: Bool
    /// Null depth, dB; absent if all samples are the same.
    package var nullDepth: Double?
    package var peakError: Double?
    /// Why it could not be played or compared; absent if it was.
    package var failure: String?
  }

  /// An opcode and its rival, both played by the target's own Csound.
  package struct Pair: Codable, Sendable {
    package var name: String
    package var comparisons: Int
    /// The cases beyond their limits, or what went wrong.
    package var failures: [String]
  }

  package var csound: String
  package var processor: String
  /// The operating system; nil for Linux.
  package var system: String?
  /// The processor level that the plugin needs; nil if it runs on every processor of its kind.
  package var level: String?
  /// Whether it was built.
  package var isBuilt: Bool?
  /// The oldest glibc it runs with; absent if it was not built, or not for Linux.
  package var glibc: String?
  /// The program that played it.
  package var player: String?
  /// Why it was not built or not played; absent if it was.
  package var lack: String?
  package var pieces: [Piece] = []
  package var pairs: [Pair] = []
}

extension TargetTrial {
  /// Says that it was not built or not played.
  package var shortcoming: String? {
    lack.map { "\(isBuilt == true || glibc != nil ? "built, not played" : "not built"): \($0)" }
  }

  /// How many pieces have the same samples as when the tool plays them.
  package var identicalCount: Int {
    pieces.count { $0.failure == nil && $0.nullDepth == nil }
  }

  package var isForEvery: Bool { level == nil }

  /// The processor it was built for.
  package var kind: String {
    (level.map { "\($0) alone" } ?? processor) + (system.map { ", \($0)" } ?? "")
  }

  /// The largest null depth of all pieces, dB; absent if all are identical.
  package var worst: Double? { pieces.compactMap(\.nullDepth).max() }

  /// The failures of pieces and pairs, one sentence each.
  package var failures: [String] {
    pieces.compactMap { piece in piece.failure.map { "\(piece.name): \($0)" } }
      + pairs.flatMap { pair in pair.failures.map { "\(pair.name): \($0)" } }
  }
}

/// A run over all targets.
package struct TargetRun: Codable, Sendable {
  package var provenance: Provenance
  /// How far the run came, if it was stopped.
  package var partial: PartialRun?
  package var trials: [TargetTrial]
}
