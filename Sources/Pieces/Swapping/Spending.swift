import Foundation
public import HarnessBase
import Pieces
public import Profiling
import Rendering

/// Profiles many pieces and sums up which opcodes take the time.
public struct Spending: Sendable {
  /// Renders each with a trace and without once.
  public var profiler: Profiler
  /// Seconds of sound that are rendered of each piece, and of time after which a render is cut off.
  public var duration = 5.0
  public var cutOff = 30.0
  public var plugin: String?
  public var jobs = 1
  /// Directories that pieces may read beside their own.
  public var folders: [String] = []

  public init(_ profiler: Profiler) {
    self.profiler = profiler
    self.profiler.pairs = 1
  }

  /// The pieces that are not the same, byte for byte, as one before them.
  public static func different(_ pieces: [String]) -> [String] {
    var seen: Set<Data> = []
    return pieces.filter { path in
      FileManager.default.contents(atPath: path).map { seen.insert($0).inserted } ?? true
    }
  }

  /// `found` is called for each piece in their order, on any thread but one at a time.
  public func spent(
    in pieces: [String], found: @escaping @Sendable (SpentPiece) -> Void
  ) throws(Failure) -> [SpentPiece] {
    try PieceRun.results(
      of: pieces, jobs: jobs, { path, scratch throws(Failure) in try spent(path, scratch) },
      found: found)
  }

  private func spent(_ path: String, _ scratch: String) throws(Failure) -> SpentPiece {
    var profiler = profiler
    profiler.stage = PieceStage(
      directory: path.parentPath, scratch: scratch, folders: folders)
    profiler.cutOff = cutOff
    var orchestra = Orchestra(path: path, plugin: plugin, opensMIDI: false)
    // What threads do at the same time is no sum.
    orchestra.threads = 1
    do throws(Failure) {
      let profile = try profiler.profile(orchestra, limit: duration).profile
      return SpentPiece(profile)
    } catch {
      // Some pieces bring down whatever plays them.
      guard ![.unavailable, .unwritableOutput, .interrupted].contains(error.kind) else {
        throw error
      }
      return SpentPiece(path: path, reason: error.message, isSkipped: error.kind == .skipped)
    }
  }
}

/// What one piece's time went into.
public struct SpentPiece: Codable, Sendable {
  public var path: String
  /// Why it has no profile; nil when it has one.
  public var reason: String?
  /// Whether that is because it uses programs or the network, which pieces do not get.
  public var isSkipped = false
  public var soundSeconds = 0.0
  /// What rendering them takes, seconds.
  public var seconds = 0.0
  /// The parts of it that are Csound's own work and user-defined opcodes' calls.
  public var engine = 0.0
  public var userOpcodes = 0.0
  /// The parts that are opcodes', init passes in k-cycles included.
  public var opcodes: [String: Double] = [:]

  init(path: String, reason: String, isSkipped: Bool) {
    (self.path, self.reason, self.isSkipped) = (path, reason, isSkipped)
  }

  public init(_ profile: Profile) {
    path = profile.path
    soundSeconds = profile.soundSeconds
    let whole = profile.wholeSeconds
    guard whole > 0, soundSeconds > 0 else {
      reason = "It takes no time."
      return
    }
    seconds = whole
    engine = profile.engine.seconds / whole
    let own = Set(
      profile.instruments.filter { $0.isUserOpcode == true }.map {
        $0.name.dropFirst("opcode ".count)
      })
    for row in profile.opcodes {
      if own.contains(row.name[...]) {
        userOpcodes += row.ownSeconds / whole
      } else {
        opcodes[row.name, default: 0] += row.ownSeconds / whole
      }
    }
  }
}

/// What all pieces' time went into, by opcode.
public struct SpentTime: Codable, Sendable {
  public struct Row: Codable, Equatable, Sendable {
    public var opcode: String
    /// The part of the time of all pieces, of each the seconds rendered.
    public var share: Double
    /// The mean of the parts of the pieces' times, which counts cheap pieces as much as dear ones.
    public var meanShare: Double
    /// How many pieces have it.
    public var pieces: Int
  }

  /// Those first that take the largest part of a mean piece: one dear piece does not decide it.
  public var rows: [Row]
  /// The same two of Csound's own work, and of calls of user-defined opcodes.
  public var engine: Row
  public var userOpcodes: Row
  /// How many pieces it is about.
  public var pieces: Int

  public init(_ pieces: [SpentPiece]) {
    let pieces = pieces.filter { $0.reason == nil }
    self.pieces = pieces.count
    let whole = pieces.reduce(0) { $0 + $1.seconds }
    func row(_ name: String, _ part: (SpentPiece) -> Double?) -> Row {
      let parts = pieces.compactMap { piece in part(piece).map { ($0, piece.seconds) } }
      let seconds = parts.reduce(0) { $0 + $1.0 * $1.1 }
      return Row(
        opcode: name, share: whole > 0 ? seconds / whole : 0,
        meanShare: parts.reduce(0) { $0 + $1.0 } / Double(max(1, pieces.count)),
        pieces: parts.count)
    }
    rows = Set(pieces.flatMap(\.opcodes.keys)).map { name in row(name) { $0.opcodes[name] } }
      .sorted { ($1.meanShare, $0.opcode) < ($0.meanShare, $1.opcode) }
    engine = row("Csound itself") { $0.engine }
    userOpcodes = row("user-defined opcodes") { $0.userOpcodes > 0 ? $0.userOpcodes : nil }
  }
}
