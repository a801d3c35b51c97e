import Foundation
import HarnessBase
import Rendering
import Workers

/// Holds a profile against what is saved when lines are taken out of the piece.
///
/// What one line saves need not add up with what others do: it may leave the cache to them, or its
/// values may make them dear. So all lines of instruments are also taken out at once, and what each
/// saves alone is compared as it is and in proportion to what they save together.
public struct RemovalTrial: Codable, Sendable {
  public var path: String
  public var rounds: Int
  public var rows: [Row]
  /// What the lines that can be taken out save together, as a part of the rendering time, and the sum
  /// of what each saves alone; nil for less than two.
  public var together: Double?
  public var sum: Double

  public struct Row: Codable, Sendable {
    public var line: Int
    public var text: String
    /// The line's part by the profile, with what it calls, and how far that may be wrong.
    public var share: Double
    public var doubt: Double?
    /// What taking it out saves; nil with a `reason`.
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
    case notRemovable = "cannot be removed"
  }

  /// By how much a profile may differ from a removal.
  public static let tolerance = 0.03

  static func verdict(
    share: Double, doubt: Double?, saved: Interval, inProportion: Double?
  ) -> Verdict {
    let allowed = max(tolerance, doubt ?? 0) + saved.margin
    if abs(share - saved.middle) <= allowed { return .agrees }
    guard let inProportion else { return .differs }
    let range = min(saved.middle, inProportion)...max(saved.middle, inProportion)
    return range.contains(share) || abs(share - inProportion) <= allowed
      ? .inProportion : .differs
  }

  /// What a variant saves of the base's time, by renders in turns: `times[round][stretch]`, 0 where a
  /// stretch was disturbed. The machine can only add to what a stretch takes, so that its shortest
  /// time counts; how much that varies between groups of rounds is the margin.
  public static func saving(base: [[Double]], variant: [[Double]]) -> Interval {
    func saved(_ rounds: Range<Int>) -> Double {
      var sums = (base: 0.0, variant: 0.0)
      for stretch in 0..<min(base[0].count, variant[0].count) {
        let times = [base, variant].map { takes in
          rounds.compactMap { takes[$0].indices.contains(stretch) ? takes[$0][stretch] : nil }
            .filter { $0 > 0 }.min()
        }
        guard let first = times[0], let second = times[1] else { continue }
        sums.base += first
        sums.variant += second
      }
      return sums.base > 0 ? 1 - sums.variant / sums.base : 0
    }
    let rounds = min(base.count, variant.count)
    let middle = saved(0..<rounds)
    let groups = rounds / 2
    guard groups >= 2 else { return Interval(middle: middle, margin: 1) }
    let parts = (0..<groups).map { saved(2 * $0..<2 * $0 + 2) }
    let mean = parts.reduce(0, +) / Double(groups)
    let variance = parts.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(groups - 1)
    return Interval(middle: middle, margin: 2 * (variance / Double(groups)).squareRoot())
  }
}

extension Profiler {
  /// Rounds of a trial: in each, the piece and all variants of it are rendered once. After four there
  /// are no more when the trial would take longer than `trialPatience` seconds.
  public static let trialRounds = 8
  public static let trialPatience = 120.0

  /// Takes the `count` most expensive lines out of a piece, each in a variant of its own, and renders
  /// it with and without them in turns.
  public func judge(
    _ profile: Profile, of orchestra: Orchestra, limit: Double?, top count: Int,
    rounds: Int = Profiler.trialRounds,
    progress: @escaping @Sendable (_ round: Int, _ variant: Int, _ variants: Int) -> Void = {
      _, _, _ in
    }
  ) throws(Failure) -> RemovalTrial {
    let source = OrchestraSource(readingFrom: orchestra.path)
    let stage = try TrialStage(orchestra)
    defer { stage.close() }
    let statements = profile.calls.map {
      LineRemoval.Statement(body: $0.body, file: $0.file, line: $0.line, outputs: $0.outputs)
    }
    var rows: [RemovalTrial.Row] = []
    var replacements: [Int: String] = [:]
    for line in profile.lines.sorted(by: { $0.total > $1.total }).prefix(count) {
      var row = RemovalTrial.Row(
        line: line.line ?? 0, text: line.text ?? "", share: line.total / profile.wholeSeconds,
        doubt: line.doubt, verdict: .notRemovable)
      do throws(LineRemoval.Refusal) {
        guard line.file == profile.path, let code = source.files.first?.code else {
          throw LineRemoval.Refusal(reason: "it is in another file")
        }
        replacements[row.line] =
          try LineRemoval(line: row.line, in: code, statements: statements).replacement
      } catch {
        row.reason = error.reason
      }
      rows.append(row)
    }
    // The piece as it is, without one line, without all of them.
    var variants: [[Int]] = [[]] + rows.filter { $0.reason == nil }.map { [$0.line] }
    let inInstruments = Set(
      profile.calls.filter { !$0.isUserOpcode && $0.file == 0 }.map(\.line))
    let all = variants.flatMap { $0 }.filter(inInstruments.contains)
    if all.count > 1 { variants.append(all) }
    var takes = [[[Double]]](repeating: [], count: variants.count)
    var failures = [String?](repeating: nil, count: variants.count)
    var cycles = 0
    let start = Date()
    var done = 0
    for round in 0..<rounds {
      let elapsed = Date().timeIntervalSince(start)
      if round >= 4, elapsed / Double(round) * Double(round + 1) > Self.trialPatience { break }
      done += 1
      let order = round.isMultiple(of: 2) ? Array(variants.indices) : variants.indices.reversed()
      for index in order where failures[index] == nil {
        progress(round + 1, index, variants.count)
        let path = try stage.write(
          source.files[0].lines, replacing: variants[index].map { ($0, replacements[$0]!) })
        var variant = orchestra
        variant.path = path
        let job = ProfileJob(orchestra: variant, limit: limit, tracingShare: nil)
        let report = try pool.run([job])[0]
        let take: ProfileTake
        do throws(Failure) {
          take = try report.reply(of: "Rendering '\(orchestra.path)'")
        } catch {
          let failure = error
          if index == 0 || failure.kind == .interrupted { throw failure }
          failures[index] = "without it: \(failure.message)"
          continue
        }
        if index == 0 { cycles = take.load.cycles }
        if index > 0, take.load.cycles != cycles {
          failures[index] = "without it the piece has another length"
        } else if index > 0, let error = take.noteErrors.first, profile.noteErrors.isEmpty {
          failures[index] = "without it: \(error)"
        } else {
          takes[index].append(take.load.stretches.map(\.seconds))
        }
      }
    }
    var trial = RemovalTrial(path: orchestra.path, rounds: done, rows: rows, sum: 0)
    for index in trial.rows.indices where trial.rows[index].reason == nil {
      let variant = variants.firstIndex(of: [trial.rows[index].line])!
      if let failure = failures[variant] {
        trial.rows[index].reason = failure
      } else {
        let saved = RemovalTrial.saving(base: takes[0], variant: takes[variant])
        trial.rows[index].saved = saved
        if inInstruments.contains(trial.rows[index].line) { trial.sum += max(0, saved.middle) }
      }
    }
    if all.count > 1, failures.allSatisfy({ $0 == nil }) {
      trial.together = RemovalTrial.saving(base: takes[0], variant: takes.last!).middle
    }
    for index in trial.rows.indices {
      guard let saved = trial.rows[index].saved else { continue }
      let inProportion =
        inInstruments.contains(trial.rows[index].line)
        ? trial.together.map { saved.middle * $0 / max(trial.sum, 1e-9) } : nil
      trial.rows[index].savedInProportion = inProportion
      trial.rows[index].verdict = RemovalTrial.verdict(
        share: trial.rows[index].share, doubt: trial.rows[index].doubt, saved: saved,
        inProportion: inProportion)
    }
    return trial
  }
}

/// A directory in which variants of a piece find what lies beside it.
private struct TrialStage {
  private let directory: String
  private let path: String

  init(_ orchestra: Orchestra) throws(Failure) {
    let files = FileManager.default
    let home = ((orchestra.path as NSString).deletingLastPathComponent as NSString)
    let beside = home.length == 0 ? files.currentDirectoryPath : home as String
    directory = NSTemporaryDirectory() + "opcodekit-removal-\(UUID().uuidString)"
    path = directory + "/" + (orchestra.path as NSString).lastPathComponent
    do {
      try files.createDirectory(atPath: directory, withIntermediateDirectories: true)
      let root = URL(fileURLWithPath: beside).standardizedFileURL.path
      for name in try files.contentsOfDirectory(atPath: root)
      where name != (path as NSString).lastPathComponent {
        try files.createSymbolicLink(
          atPath: directory + "/" + name, withDestinationPath: root + "/" + name)
      }
    } catch {
      throw Failure(
        .unwritableOutput,
        "The variants of '\(orchestra.path)' cannot be written to '\(directory)': "
          + error.localizedDescription)
    }
  }

  func write(
    _ lines: [String], replacing replacements: [(line: Int, text: String)]
  ) throws(Failure) -> String {
    var lines = lines
    for (line, text) in replacements { lines[line - 1] = text }
    do {
      try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
    } catch {
      throw Failure(
        .unwritableOutput, "'\(path)' cannot be written: \(error.localizedDescription)")
    }
    return path
  }

  func close() { try? FileManager.default.removeItem(atPath: directory) }
}
