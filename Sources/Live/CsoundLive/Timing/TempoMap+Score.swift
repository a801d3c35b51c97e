import Foundation
import HarnessBase

extension TempoMap {
  /// The tempo map of a CSD whose score has one `t` statement, which counts for the whole piece; nil for all others:
  /// scores of several sections, with jumps (`a`), loops or repeats, or whose `t` statement has macros or expressions;
  /// scores that a program makes; and pieces that Csound plays at a tempo of its own (`--tempo`).
  public init?(csd: String) {
    let csd = OrchestraTokens.code(of: csd)
    let options = csd.firstMatch(of: /<CsOptions>([\s\S]*?)<\/CsOptions>/)?.1 ?? ""
    guard let score = csd.firstMatch(of: /<CsScore>([\s\S]*?)<\/CsScore>/)?.1,
      !options.split(whereSeparator: \.isWhitespace).contains(where: {
        $0.hasPrefix("-t") || $0.hasPrefix("--tempo")
      })
    else { return nil }
    var fields: [Substring]?
    lines: for line in score.split(whereSeparator: \.isNewline) {
      let line = line.drop(while: \.isWhitespace)
      guard let letter = line.first else { continue }
      switch letter {
      case "e": break lines
      case "t" where fields == nil: fields = line.dropFirst().split(whereSeparator: \.isWhitespace)
      case "t", "s", "a", "r", "m", "n", "x", "{", "}", "#": return nil
      default: continue
      }
    }
    guard let fields, let map = Self.map(fields.map(String.init)) else { return nil }
    self = map
  }

  /// The map of the fields of a `t` statement: 0, a tempo, then a beat and a tempo each.
  private static func map(_ fields: [String]) -> TempoMap? {
    let numbers = fields.compactMap { Double($0) }
    guard numbers.count == fields.count, numbers.count >= 2, numbers.count % 2 == 0 else {
      return nil
    }
    let points = stride(from: 0, to: numbers.count, by: 2).map { (numbers[$0], numbers[$0 + 1]) }
    guard points[0].0 == 0 else { return nil }
    var changes: [Change] = []
    for (index, (beat, tempo)) in points.enumerated() {
      let next = index + 1 < points.count ? points[index + 1] : nil
      // Two tempos for one beat are a step: the first is reached a moment before it.
      let isStep = next?.0 == beat
      let place = isStep && beat > 0 ? beat - 1e-9 : beat
      if isStep, beat == 0 { continue }
      changes.append(Change(at: place, tempo: tempo, glides: !isStep && next != nil))
    }
    return try? TempoMap(changes)
  }
}
