import CommandKit
import Rendering

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

  /// The commit of the plugin, and when it was played. Absent in old results.
  package var commit: String?
  package var date: String?
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
  /// The size of its file.
  package var bytes: Int?
  /// What its file needs of a system beside Csound.
  package var needs: [String]?
  /// The program that played it.
  package var player: String?
  /// Why it was not built or not played; absent if it was.
  package var lack: String?
  package var pieces: [Piece] = []
  package var pairs: [Pair] = []

  package init(csound: String, processor: String, level: String? = nil, system: String? = nil) {
    (self.csound, self.processor, self.level, self.system) = (csound, processor, level, system)
  }
}

extension TargetTrial {
  /// What tells one target's results from another's.
  package struct Target: Equatable {
    private var csound, processor: String
    private var system, level: String?

    init(_ target: BuildTarget) {
      (csound, processor) = (target.csound.release, target.processor.rawValue)
      system = target.system == .linux ? nil : target.system.title
      level = target.level
    }

    fileprivate init(_ trial: TargetTrial) {
      (csound, processor, system, level) = (
        trial.csound, trial.processor, trial.system, trial.level
      )
    }
  }

  package var target: Target { Target(self) }

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
    (level.map { "\($0) alone" } ?? processors) + (system.map { ", \($0)" } ?? "")
  }

  /// The processors that its file is for.
  package var processors: String {
    switch system {
    case OperatingSystem.macos.title: "x86-64 and arm64"
    case OperatingSystem.web.title: "wasm32"
    default: processor
    }
  }

  /// The largest null depth of all pieces, dB; absent if all are identical.
  package var worst: Double? { pieces.compactMap(\.nullDepth).max() }

  /// The failures of pieces and pairs, one sentence each.
  package var failures: [String] {
    pieces.compactMap { piece in piece.failure.map { "\(piece.name): \($0)" } }
      + pairs.flatMap { pair in pair.failures.map { "\(pair.name): \($0)" } }
  }
}

/// The results of all targets. A run may be of some of them and keep those of the others.
package struct TargetRun: Codable, Sendable {
  /// Those of the last run.
  package var provenance: Provenance
  /// How far the run came, if it was stopped.
  package var partial: PartialRun?
  package var trials: [TargetTrial]

  package init(provenance: Provenance, partial: PartialRun?, trials: [TargetTrial]) {
    (self.provenance, self.partial, self.trials) = (provenance, partial, trials)
  }

  /// Adds the older results of targets that this run has none of, in the order of all targets. Those of an older run
  /// without a commit for each target have the run's own.
  package mutating func keep(_ older: TargetRun) {
    for var trial in older.trials where !trials.contains(where: { $0.target == trial.target }) {
      trial.commit = trial.commit ?? older.provenance.commit
      trial.date = trial.date ?? older.provenance.date
      trials.append(trial)
    }
    let order = BuildTarget.all.map(TargetTrial.Target.init)
    trials.sort { left, right in
      (order.firstIndex(of: left.target) ?? order.count)
        < (order.firstIndex(of: right.target) ?? order.count)
    }
  }
}
