import Foundation
import HarnessBase

/// What became dearer or cheaper from one profile to another: the whole, and each instrument, opcode and line.
///
/// Costs are seconds, or instructions, for a second of sound.
public struct ProfileComparison: Codable, Sendable {
  public var before, now: String
  /// Instructions were compared, which are exact; otherwise times.
  public var isCounted: Bool
  /// How many renders of each piece were compared.
  public var rounds: Int
  /// By how much a cost must change, with its whole interval, to count: 0.02 is 2 %.
  public var threshold: Double
  public var whole: Change
  public var instruments, opcodes, lines: [Change]

  /// The change of one cost.
  public struct Change: Codable, Sendable {
    public var name: String
    /// The numbers of the line before and now; nil for other rows and where there is none.
    public var lineBefore, lineNow: Int?
    /// Means; nil where the row is new or gone.
    public var before, now: Double?
    /// Now over before, with its 99 % interval; nil where the row is new or gone, or nothing can be told.
    public var ratio: Estimate?
    /// What the change makes of the whole cost before: 0.05 is 5 % of the whole.
    public var part: Double
    public var verdict: Verdict
  }

  /// The costs of one piece.
  struct Costs {
    var path: String
    var isCounted: Bool
    var whole: [Double]
    var instruments, opcodes, lines: [Row]

    struct Row {
      var name: String
      var file: String?
      var line: Int?
      var values: [Double]
    }
  }

  /// With `isPaired`, value N of both was measured at about the same time.
  init(_ before: Costs, _ now: Costs, isPaired: Bool, threshold: Double) {
    (self.before, self.now) = (before.path, now.path)
    (isCounted, rounds, self.threshold) = (now.isCounted, now.whole.count, threshold)
    let all = before.whole.mean
    func ratio(_ old: [Double], _ new: [Double]) -> Estimate? {
      Self.ratio(old, new, isPaired, areExact: now.isCounted)
    }
    func change(_ old: Costs.Row?, _ new: Costs.Row?) -> Change {
      let costs = (old?.values.mean, new?.values.mean)
      let part = ((costs.1 ?? 0) - (costs.0 ?? 0)) / all
      let ratio = old.flatMap { old in new.flatMap { ratio(old.values, $0.values) } }
      // A row is worth a word if it changes the whole by a tenth of the threshold, with its whole interval.
      let least = threshold / 10
      let share = (costs.0 ?? 0) / all
      let (low, high) =
        ratio.map { (share * ($0.low - 1), share * ($0.high - 1)) }
        ?? (old == nil || new == nil ? (part, part) : (0, 0))
      let verdict: Verdict = low > least ? .slower : high < -least ? .faster : .same
      return Change(
        name: (new ?? old)!.name, lineBefore: old?.line, lineNow: new?.line, before: costs.0,
        now: costs.1, ratio: ratio, part: part, verdict: verdict)
    }
    func changes(_ pairs: [(Costs.Row?, Costs.Row?)]) -> [Change] {
      pairs.map(change).sorted { (abs($1.part), $0.name) < (abs($0.part), $1.name) }
    }
    let ratio = ratio(before.whole, now.whole)
    whole = Change(
      name: "all", before: all, now: now.whole.mean, ratio: ratio, part: now.whole.mean / all - 1,
      verdict: ratio?.verdict(beyond: threshold) ?? .tooNoisy)
    instruments = changes(Self.byName(before.instruments, now.instruments))
    opcodes = changes(Self.byName(before.opcodes, now.opcodes))
    lines = changes(Self.byText(before.lines, now.lines))
  }

  /// Nil where nothing can be told: also if each was timed once.
  private static func ratio(
    _ before: [Double], _ now: [Double], _ isPaired: Bool, areExact: Bool
  ) -> Estimate? {
    if areExact {
      let value = now.mean / before.mean
      return Estimate(value: value, low: value, high: value)
    }
    if isPaired {
      let pairs = zip(before, now).map { [CostPair(subject: $0, rival: $1)] }
      let ratio = CostRatio(pairs).estimate
      return ratio.isBounded ? ratio : nil
    }
    let (old, new) = (
      Estimate(trimmedMeanOf: before, trimming: 0), Estimate(trimmedMeanOf: now, trimming: 0)
    )
    return old.isBounded && new.isBounded ? Estimate(dividing: new, by: old) : nil
  }

  private static func byName(_ before: [Costs.Row], _ now: [Costs.Row]) -> [(
    Costs.Row?, Costs.Row?
  )] {
    let names = Set(now.map(\.name))
    return now.map { row in (before.first { $0.name == row.name }, row) }
      + before.filter { !names.contains($0.name) }.map { ($0, nil) }
  }

  /// Pairs the lines of the two files: equal ones in order, and between these the changed ones, one by one.
  private static func byText(_ before: [Costs.Row], _ now: [Costs.Row]) -> [(
    Costs.Row?, Costs.Row?
  )] {
    func sorted(_ rows: [Costs.Row]) -> [Costs.Row] {
      rows.sorted { ($0.file ?? "", $0.line ?? 0) < ($1.file ?? "", $1.line ?? 0) }
    }
    let (old, new) = (sorted(before), sorted(now))
    let difference = new.map(\.name).difference(from: old.map(\.name))
    var (gone, added) = (Set<Int>(), Set<Int>())
    for case .remove(let offset, _, _) in difference { gone.insert(offset) }
    for case .insert(let offset, _, _) in difference { added.insert(offset) }
    var pairs: [(Costs.Row?, Costs.Row?)] = []
    var (i, j) = (0, 0)
    while i < old.count || j < new.count {
      let (isGone, isAdded) = (gone.contains(i), added.contains(j))
      pairs.append((isAdded && !isGone ? nil : old[i], isGone && !isAdded ? nil : new[j]))
      if isGone || !isAdded { i += 1 }
      if isAdded || !isGone { j += 1 }
    }
    return pairs
  }
}

extension [Double] {
  fileprivate var mean: Double { reduce(0, +) / Double(count) }
}

// MARK: The costs of a profile

extension ProfileComparison.Costs {
  /// Takes a profile that was timed.
  init(_ profile: Profile) throws(Failure) {
    guard let rounds = profile.rounds, let first = rounds.first else {
      throw .badInput(
        "'\(profile.path)' was profiled without the times of its renders; do it again.")
    }
    func rows(_ rows: [Profile.Row], _ values: KeyPath<Profile.Round, [Double]>) throws(Failure)
      -> [Row]
    {
      guard first[keyPath: values].count == rows.count else {
        throw .badInput("The profile of '\(profile.path)' has other rows than its rounds.")
      }
      return rows.indices.map { index in
        Row(
          rows[index].name, rows[index].file, rows[index].line, rows[index].text, profile.path,
          rounds.map { $0[keyPath: values][index] / profile.soundSeconds })
      }
    }
    self.init(
      path: profile.path, isCounted: false,
      whole: rounds.map { $0.whole / profile.soundSeconds },
      instruments: try rows(profile.instruments, \.instruments),
      opcodes: try rows(profile.opcodes, \.opcodes), lines: try rows(profile.lines, \.lines))
  }

  init(_ profile: CountedProfile) {
    func rows(_ rows: [CountedProfile.Row]) -> [Row] {
      rows.map {
        Row(
          $0.name, $0.file, $0.line, $0.text, profile.path,
          [Double($0.own + $0.initOwn) / profile.soundSeconds])
      }
    }
    self.init(
      path: profile.path, isCounted: true,
      whole: [Double(profile.instructions) / profile.soundSeconds],
      instruments: rows(profile.instruments),
      opcodes: rows(profile.opcodes) + [
        Row(name: "Csound itself", values: [Double(profile.engine) / profile.soundSeconds])
      ],
      lines: rows(profile.lines))
  }

  /// Reads what `profile --json FILE` has written, with `--counts` or without.
  init(readingFrom path: String) throws(Failure) {
    struct Head: Decodable { var instructions: Int? }
    let kind = "a profile as profile --json writes it"
    if try DataFile.read(Head.self, from: path, as: kind).instructions != nil {
      self.init(try DataFile.read(CountedProfile.self, from: path, as: kind))
    } else {
      try self.init(DataFile.read(Profile.self, from: path, as: kind))
    }
  }
}

extension ProfileComparison.Costs.Row {
  /// A line is called by its text. The piece's own file has no name, so that two files' lines can be the same.
  fileprivate init(
    _ name: String, _ file: String?, _ line: Int?, _ text: String?, _ piece: String,
    _ values: [Double]
  ) {
    self.init(
      name: text?.trimmingCharacters(in: .whitespaces) ?? name,
      file: file == piece ? nil : file.map { ($0 as NSString).lastPathComponent }, line: line,
      values: values)
  }
}
