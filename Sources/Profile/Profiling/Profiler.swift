import Foundation
import HarnessBase
public import Rendering

/// Profiles orchestras, on the side of the parent process: renders with and without tracing, each
/// in its own worker process.
public struct Profiler: Sendable {
  public let pool: WorkerPool
  /// The number of pairs of renders, one of each pair traced. Nil for as many as fit into
  /// `patience` seconds, 1 to 3.
  public var pairs: Int?
  public var tracingShare = 0.08
  /// In `faster`: the sandbox the pieces play in, and the time in seconds after which a render
  /// stops.
  public var stage: PieceStage?
  public var cutOff: Double?
  /// The time for all renders, in seconds, that further pairs should not exceed.
  public static let patience = 30.0
  /// In pieces with fewer k-cycles than this, every call is timed.
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
      let round = try self.round(orchestra, limit, plain.count, progress)
      plain.append(round.plain)
      traced.append(round.traced)
      let elapsed = Date().timeIntervalSince(start)
      let isEnough =
        pairs.map { plain.count >= $0 }
        ?? (plain.count >= 3
          || elapsed * Double(plain.count + 1) / Double(plain.count) > Self.patience)
      if isEnough { break }
    }
    return (Profile(orchestra, plain: plain, traced: traced), plain[0].wasCutOff)
  }

  /// Renders once without tracing and once with it. `number` counts the rounds, from 0.
  func round(
    _ orchestra: Orchestra, _ limit: Double?, _ number: Int,
    _ progress: @escaping @Sendable (_ render: Int, _ seconds: Double) -> Void
  ) throws(Failure) -> (plain: ProfileTake, traced: ProfileTake) {
    var takes: [ProfileTake] = []
    for isTraced in [false, true] {
      // A short piece has too few k-cycles to time only some of them.
      let isShort = takes.last.map { $0.load.cycles < Self.fewestCyclesToDraw } ?? false
      let share = isTraced ? (isShort ? 0 : tracingShare) : nil
      let render = 2 * number + takes.count + 1
      var job = ProfileJob(
        orchestra: orchestra, limit: limit, tracingShare: share, seed: UInt64(number + 1))
      (job.stage, job.cutOff) = (stage, cutOff)
      takes.append(try run(job, of: "Rendering '\(orchestra.path)'") { progress(render, $0) })
    }
    return (takes[0], takes[1])
  }

  /// What a job replies that renders; `progress` gets the seconds of sound so far.
  func run<J: Job>(
    _ job: J, of work: String, in other: WorkerPool? = nil,
    _ progress: @escaping @Sendable (_ seconds: Double) -> Void
  ) throws(Failure) -> J.Reply {
    try (other ?? pool).run([job]) { _, report in
      if case .progress(let seconds) = report { progress(seconds) }
    }[0].reply(of: work)
  }
}
