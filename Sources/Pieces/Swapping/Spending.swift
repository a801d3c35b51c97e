import Foundation
public import HarnessBase
public import Profiling
import Rendering

/// Profiles many pieces and sums up which opcodes take the time.
public struct Spending: Sendable {
  /// Renders each piece once with a trace and once without.
  public var profiler: Profiler
  /// Seconds of sound that are rendered of each piece.
  public var duration = 5.0
  /// Seconds of time after which a render is cut off.
  public var cutOff = 30.0
  public var plugin: String?
  public var jobs = 1
  /// Directories that pieces may read in addition to their own.
  public var folders: [String] = []

  public init(_ profiler: Profiler) {
    self.profiler = profiler
    self.profiler.pairs = 1
  }

  /// The pieces without those that are, byte for byte, the same as an earlier one.
  public static func different(_ pieces: [String]) -> [String] {
    var seen: Set<Data> = []
    return pieces.filter { path in
      FileManager.default.contents(atPath: path).map { seen.insert($0).inserted } ?? true
    }
  }

  /// Profiles the pieces. Calls `found` with each result in the order of the pieces, on any thread, but
  /// never two calls at a time.
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
    // The times of threads that run at the same time cannot be added up.
    orchestra.threads = 1
    do throws(Failure) {
      let profile = try profiler.profile(orchestra, limit: duration).profile
      return SpentPiece(profile)
    } catch {
      // A piece that cannot be played, or crashes its process, is reported and does not end the survey.
      guard ![.unavailable, .unwritableOutput, .interrupted].contains(error.kind) else {
        throw error
      }
      return SpentPiece(path: path, reason: error.message, isSkipped: error.kind == .skipped)
    }
  }
}

/// Where the time of one piece is spent.
public struct SpentPiece: Codable, Sendable {
  public var path: String
  /// Why the piece has no profile; nil if it has one.
  public var reason: String?
  /// Whether that is because it uses other programs or the network, which is not allowed here.
  public var isSkipped = false
  /// Seconds of sound that were rendered.
  public var soundSeconds = 0.0
  /// Seconds that rendering the sound takes.
  public var seconds = 0.0
  /// The fraction of this time that Csound itself takes.
  public var engine = 0.0
  /// The fraction that calls of user-defined opcodes take.
  public var userOpcodes = 0.0
  /// The fraction that each opcode takes, including init passes in k-cycles.
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

/// Where the time of all pieces is spent, by opcode.
public struct SpentTime: Codable, Sendable {
  public struct Row: Codable, Equatable, Sendable {
    public var opcode: String
    /// The fraction of the time that all pieces together take.
    public var share: Double
    /// The mean of the fractions in all pieces. In it cheap pieces count as much as expensive ones.
    public var meanShare: Double
    /// How many pieces spend time in it.
    public var pieces: Int
  }

  /// Sorted by `meanShare`, the largest first, so that one expensive piece does not decide the order.
  public var rows: [Row]
  /// The row of Csound's own work.
  public var engine: Row
  /// The row of calls of user-defined opcodes.
  public var userOpcodes: Row
  /// How many pieces have a profile.
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
