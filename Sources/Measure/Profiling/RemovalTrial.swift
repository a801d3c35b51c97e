import Foundation
import HarnessBase
import Rendering
import Workers

/// Holds a profile against what is saved when lines are left out of the piece.
///
/// Both are about performance passes: init passes, which may make what later ones find, are in neither.
/// What one line saves need not add up with what others do: the processor works at several at once,
/// and a line may leave the cache to others. So all lines of instruments are also left out at once,
/// and what each saves alone is compared as it is and in proportion to what they save together.
public struct RemovalTrial: Codable, Sendable {
  public var path: String
  public var soundSeconds: Double
  public var renders: Int
  /// How many times the piece was rendered a while as it is and without each of the lines.
  public var turns: Int
  public var rows: [Row]
  /// What the lines that can be left out save together, as a part of the rendering time, and the sum
  /// of what each saves alone; nil for less than two.
  public var together: Double?
  public var sum: Double

  public struct Row: Codable, Sendable {
    public var file: String?
    public var line: Int
    public var text: String
    /// The line's part by the profile, with what it calls, and how far that may be wrong.
    public var share: Double
    public var doubt: Double?
    /// What leaving it out saves; nil with a `reason`.
    public var saved: Interval?
    public var savedInProportion: Double?
    public var verdict: Verdict
    public var reason: String?
  }

  public struct Interval: Codable, Equatable, Sendable {
    public var middle: Double
    public var margin: Double
  }

  public enum Verdict: String, Codable, Sendable {
    case agrees, differs
    /// It agrees when the lines' savings are brought to what they save together.
    case inProportion = "in proportion"
    /// What is saved is not known to `largestMargin`.
    case tooNoisy = "too noisy to tell"
    case notRemovable = "cannot be left out"
  }

  /// By how much a profile may differ from a trial.
  public static let tolerance = 0.03
  /// How well what is saved must be known to tell.
  static let largestMargin = 0.1

  static func verdict(
    share: Double, doubt: Double?, saved: Interval, inProportion: Double?
  ) -> Verdict {
    guard saved.margin <= largestMargin else { return .tooNoisy }
    let allowed = max(tolerance, doubt ?? 0) + saved.margin
    if abs(share - saved.middle) <= allowed { return .agrees }
    guard let inProportion else { return .differs }
    let range = min(saved.middle, inProportion)...max(saved.middle, inProportion)
    return range.contains(share) || abs(share - inProportion) <= allowed
      ? .inProportion : .differs
  }

  /// What a variant saves of the piece's time; the margin is two standard errors, by how much turns
  /// differ.
  public static func saving(_ turns: [VariantsTake.Turn], variant: Int) -> Interval {
    let pairs = turns.compactMap { turn in
      turn.ticks[0].flatMap { base in
        turn.ticks[variant + 1].map { (base: base * turn.cycles, other: $0 * turn.cycles) }
      }
    }
    let base = pairs.reduce(0) { $0 + $1.base }
    guard base > 0 else { return Interval(middle: 0, margin: 1) }
    let middle = 1 - pairs.reduce(0) { $0 + $1.other } / base
    guard pairs.count >= 8 else { return Interval(middle: middle, margin: 1) }
    let squares = pairs.reduce(0) { sum, pair in
      let rest = pair.base - pair.other - middle * pair.base
      return sum + rest * rest
    }
    let count = Double(pairs.count)
    return Interval(middle: middle, margin: 2 * (squares * count / (count - 1)).squareRoot() / base)
  }
}

extension Profiler {
  /// Seconds that a trial may take, and renders of it; fewer where all margins are small.
  public static let trialPatience = 60.0
  public static let trialRenders = 8
  static let smallMargin = 0.01

  /// Leaves the `count` most expensive lines out of a piece, each in a variant of its own, and renders
  /// it with and without them in turns.
  public func judge(
    _ profile: Profile, of orchestra: Orchestra, limit: Double?, top count: Int,
    renders: Int = Profiler.trialRenders,
    progress: @escaping @Sendable (_ render: Int, _ seconds: Double) -> Void = { _, _ in }
  ) throws(Failure) -> RemovalTrial {
    let source = OrchestraSource(readingFrom: orchestra.path)
    let shares = PerformanceShares(profile)
    let deciding = RemovableLine.deciding(in: source.files.flatMap(\.code))
    var rows: [RemovalTrial.Row] = []
    var lines: [Int: RemovableLine] = [:]
    for line in shares.lines.prefix(count) {
      let place = line.place
      var row = RemovalTrial.Row(
        file: source.files.indices.contains(place.file) ? source.files[place.file].path : nil,
        line: place.line, text: source.text(place), share: line.share, doubt: line.doubt,
        verdict: .notRemovable)
      do throws(RemovableLine.Refusal) {
        lines[rows.count] = try RemovableLine(
          code: source.code(place), calls: line.calls, deciding: deciding)
      } catch {
        row.reason = error.reason
      }
      rows.append(row)
    }
    var trial = RemovalTrial(
      path: orchestra.path, soundSeconds: 0, renders: 0, turns: 0, rows: rows, sum: 0)
    let tried = lines.keys.sorted()
    guard !tried.isEmpty else { return trial }
    // Each line alone, then all of instruments together.
    let inInstruments = tried.filter { shares.lines[$0].isInInstrument }
    var variants = tried.map { lines[$0]!.statements }
    if inInstruments.count > 1 {
      variants.append(inInstruments.flatMap { lines[$0]!.statements })
    }
    var turns: [VariantsTake.Turn] = []
    let start = Date()
    while trial.renders < renders {
      let number = trial.renders + 1
      let job = VariantsJob(
        orchestra: orchestra, limit: limit, variants: variants, seed: UInt64(number))
      let report = try pool.run([job]) { _, report in
        if case .progress(let seconds) = report { progress(number, seconds) }
      }[0]
      let take: VariantsTake
      do throws(Failure) {
        take = try report.reply(of: "Rendering it without some of these lines")
      } catch {
        let failure = error
        guard failure.kind == .crashed else { throw failure }
        for row in tried { trial.rows[row].reason = failure.message }
        return trial
      }
      if profile.noteErrors.isEmpty, let error = take.noteErrors.first {
        for row in tried { trial.rows[row].reason = "without some lines: \(error)" }
        return trial
      }
      trial.renders = number
      trial.soundSeconds = take.soundSeconds
      turns += take.turns
      let margins = variants.indices.map { RemovalTrial.saving(turns, variant: $0).margin }
      let elapsed = Date().timeIntervalSince(start)
      if margins.allSatisfy({ $0 <= Self.smallMargin })
        || elapsed * Double(number + 1) / Double(number) > Self.trialPatience
      {
        break
      }
    }
    trial.turns = turns.count
    for (variant, row) in tried.enumerated() {
      let saved = RemovalTrial.saving(turns, variant: variant)
      trial.rows[row].saved = saved
      if inInstruments.contains(row) { trial.sum += max(0, saved.middle) }
    }
    if inInstruments.count > 1 {
      trial.together = RemovalTrial.saving(turns, variant: tried.count).middle
    }
    for row in tried {
      let saved = trial.rows[row].saved!
      let inProportion =
        inInstruments.contains(row)
        ? trial.together.map { saved.middle * $0 / max(trial.sum, 1e-9) } : nil
      trial.rows[row].savedInProportion = inProportion
      trial.rows[row].verdict = RemovalTrial.verdict(
        share: trial.rows[row].share, doubt: trial.rows[row].doubt, saved: saved,
        inProportion: inProportion)
    }
    return trial
  }
}

/// What lines take of the k-cycles, the starting of notes and their init passes left out.
private struct PerformanceShares {
  struct Line {
    var place: OrchestraSource.Place
    var calls: [Profile.Call]
    /// With what it calls, as a part of the whole, and how far that may be wrong.
    var share: Double
    var doubt: Double?
    var isInInstrument: Bool
  }

  /// The most expensive first.
  let lines: [Line]

  init(_ profile: Profile) {
    let calls = profile.calls
    func place(_ call: Profile.Call) -> OrchestraSource.Place {
      OrchestraSource.Place(file: call.file, line: call.line)
    }
    let engine = profile.engine.seconds - profile.engine.starting
    let whole = calls.reduce(engine) { $0 + $1.seconds }
    var totals: [OrchestraSource.Place: Double] = [:]
    var above: [Set<OrchestraSource.Place>] = []
    for call in calls {
      let outer = call.caller.map { above[$0] } ?? []
      if !outer.contains(place(call)) { totals[place(call), default: 0] += call.total }
      above.append(outer.union([place(call)]))
    }
    let byPlace = Dictionary(grouping: calls, by: place)
    let doubts = Dictionary(
      profile.lines.map { row in
        let file = profile.files.firstIndex { $0.path == row.file } ?? OrchestraSource.noFile
        return (OrchestraSource.Place(file: file, line: row.line ?? 0), row.doubt)
      }, uniquingKeysWith: { first, _ in first })
    lines = totals.map { place, total in
      Line(
        place: place, calls: byPlace[place]!, share: total / whole,
        doubt: doubts[place].flatMap { $0 }.map { $0 * profile.wholeSeconds / whole },
        isInInstrument: byPlace[place]!.allSatisfy { !$0.isUserOpcode })
    }.sorted { $0.share > $1.share }
  }
}
