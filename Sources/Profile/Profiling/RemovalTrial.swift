import Foundation
import HarnessBase
import Rendering

/// Compares a profile with the time that is saved when lines are left out of the piece.
///
/// Both count performance passes only; init passes, which may prepare data for later passes, are never
/// left out. The savings of single lines need not add up to the saving of all: the processor overlaps
/// lines, and a line's removal leaves more cache to the others. So all lines of instruments are also
/// left out together. A line's share in the profile is compared with what the line saves alone, and
/// with that saving scaled so that the savings add up to what the lines save together.
public struct RemovalTrial: Codable, Sendable {
  public var path: String
  public var soundSeconds: Double
  public var renders: Int
  /// The number of turns; in each, the piece was rendered for a while unchanged and without each line.
  public var turns: Int
  public var rows: [Row]
  /// What the removable lines of instruments save together, as a part of the rendering time (nil for
  /// fewer than two lines), and the sum of what each saves alone.
  public var together: Double?
  public var sum: Double

  public struct Row: Codable, Sendable {
    public var file: String?
    public var line: Int
    public var text: String
    /// The line's part of the rendering time by the profile, including the calls inside it, 0 to 1, and
    /// the uncertainty of that part.
    public var share: Double
    public var doubt: Double?
    /// The part of the rendering time that leaving the line out saves; nil if it was not left out, for
    /// the `reason` given.
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
    /// It agrees after the savings are scaled to what the lines save together.
    case inProportion = "in proportion"
    /// The margin of the saving is larger than `largestMargin`.
    case tooNoisy = "too noisy to tell"
    case notRemovable = "cannot be left out"
  }

  /// The largest difference between profile and trial, as a part of the rendering time.
  public static let tolerance = 0.03
  /// The largest margin of a saving that allows a verdict, as a part of the rendering time.
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

  /// The part of the piece's time that a variant saves. The margin is two standard errors, estimated
  /// from the differences between turns; it is 1 for fewer than 8 turns.
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
  /// The time a trial should not exceed, in seconds, and its number of renders; it ends sooner if all
  /// margins are at most `smallMargin`.
  public static let trialPatience = 60.0
  public static let trialRenders = 8
  static let smallMargin = 0.01

  /// Leaves the `count` most expensive lines out of a piece, each in its own variant, and renders the
  /// unchanged piece and the variants in turns.
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
    // Each line alone, then all lines of instruments together.
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
      let take: VariantsTake
      do throws(Failure) {
        take = try run(job, of: "Rendering it without some of these lines") { progress(number, $0) }
      } catch {
        guard error.kind == .crashed else { throw error }
        for row in tried { trial.rows[row].reason = error.message }
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

/// The lines' parts of the time of the k-cycles, without the starting of notes and init passes.
private struct PerformanceShares {
  struct Line {
    var place: OrchestraSource.Place
    var calls: [Profile.Call]
    /// The line's part of the whole, including the calls inside it, 0 to 1, and its uncertainty.
    var share: Double
    var doubt: Double?
    var isInInstrument: Bool
  }

  /// The lines, the most expensive first.
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
