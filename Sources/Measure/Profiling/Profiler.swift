import Foundation
import HarnessBase
public import Pieces
import Rendering
import Workers

/// The parent's side of profiling: renders with and without a trace, each in a process of its own.
public struct Profiler: Sendable {
  public let pool: WorkerPool
  /// Pairs of renders, one traced; nil for as many as fit into `patience` seconds, up to three.
  public var pairs: Int?
  public var tracingShare = 0.08
  /// Where pieces play, in a survey, with the time after which a render stops, seconds.
  public var stage: PieceStage?
  public var cutOff: Double?
  /// Seconds that repeating may take.
  public static let patience = 30.0
  /// In pieces of fewer k-cycles every call is timed.
  static let fewestCyclesToDraw = 2000

  public init(pool: WorkerPool) { self.pool = pool }

  /// Profiles an orchestra until its score ends or for `limit` seconds of sound.
  public func profile(
    _ orchestra: Orchestra, limit: Double?,
    progress: @escaping @Sendable (_ render: Int, _ seconds: Double) -> Void = { _, _ in }
  ) throws(Failure) -> (profile: Profile, wasCutOff: Bool) {
    var plain: [ProfileTake] = []
    var traced: [ProfileTake] = []
    let start = Date()
    while true {
      for isTraced in [false, true] {
        // A short piece has too few k-cycles to draw some.
        let isShort = plain.last.map { $0.load.cycles < Self.fewestCyclesToDraw } ?? false
        let share = isTraced ? (isShort ? 0 : tracingShare) : nil
        let number = plain.count + traced.count + 1
        var job = ProfileJob(
          orchestra: orchestra, limit: limit, tracingShare: share,
          seed: UInt64(traced.count + 1))
        (job.stage, job.cutOff) = (stage, cutOff)
        let report = try pool.run([job]) { _, report in
          if case .progress(let seconds) = report { progress(number, seconds) }
        }[0]
        let take = try report.reply(of: "Rendering '\(orchestra.path)'")
        if share == nil { plain.append(take) } else { traced.append(take) }
      }
      let elapsed = Date().timeIntervalSince(start)
      let isEnough =
        pairs.map { plain.count >= $0 }
        ?? (plain.count >= 3
          || elapsed * Double(plain.count + 1) / Double(plain.count) > Self.patience)
      if isEnough { break }
    }
    return (
      Profile(orchestra, plain: plain, traced: traced), plain[0].wasCutOff
    )
  }
}
