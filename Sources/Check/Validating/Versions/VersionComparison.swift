import CommandKit
import Foundation
import HarnessBase
import Linting
import Rendering

/// What another version of Csound does with an overload.
enum VersionVerdict: String, Codable, CaseIterable, Comparable {
  // The gravest first, which is the least.
  case newFault = "new fault"
  case refuses
  case gone
  case different
  /// Only where a note begins or ends inside a block, as it does with this option.
  case sampleAccurate = "different with --sample-accurate"
  case fault = "fault in both"
  case mendedFault = "mended fault"
  case accepts
  case new
  case alike = "random, alike"
  case rounding
  case same
  case notPlayed = "not played"

  static func < (_ first: Self, _ second: Self) -> Bool {
    allCases.firstIndex(of: first)! < allCases.firstIndex(of: second)!
  }

  /// Whether it is new and bad, so that the command ends with 1.
  var isBad: Bool { self == .newFault || self == .refuses || self == .gone }
  /// Whether a list of changes names it.
  var isChange: Bool { ![.same, .rounding, .alike, .fault, .notPlayed].contains(self) }
}

/// One scene of an overload in two Csounds.
struct SceneComparison: Codable {
  /// Nil for a whole piece, and for a fault that `validate` finds.
  let scene: VersionScene.Kind?
  var verdict: VersionVerdict
  /// The energy of the difference divided by that of the sound in the first Csound, in dB; nil if there is no difference,
  /// or no sound.
  var nullDepth: Double?
  /// The first frame that differs, counted from the beginning of the scene.
  var firstFrame: Int?
  /// The level of the second Csound's sound less that of the first's, in dB.
  var levelChange: Double?
  /// What happened, if it was not only a difference.
  var message: String?

  /// Whether notes begin inside a block.
  var isInside: Bool { scene == .late || scene == .lateMoving }

  /// Below this null depth, in dB, a difference is rounding.
  static let rounding = -200.0
  /// So is a difference of less than this in every sample, 0dbfs being 1: what cancels out in one Csound may leave a last
  /// bit in the other.
  private static let residue = 1e-13

  /// Compares what two Csounds did in a scene, or with a piece.
  init(in scene: VersionScene? = nil, _ first: Played, _ second: Played, channels: Int) {
    self.init(scene: scene?.kind, verdict: .same)
    if let ended = Self.endings(first.ending, second.ending) {
      (verdict, message) = ended
      return
    }
    switch (first.firstNotFinite, second.firstNotFinite) {
    case (let one?, .some): (verdict, message) = (.fault, Self.notFinite(one / channels))
    case (nil, let frame?): (verdict, message) = (.newFault, Self.notFinite(frame / channels))
    case (let frame?, nil):
      (verdict, message) = (.mendedFault, "no longer " + Self.notFinite(frame / channels))
    case (nil, nil):
      compare(first, second, channels)
      if scene?.kind == .again { judgeRepetition(first, second, channels) }
    }
  }

  private init(scene: VersionScene.Kind?, verdict: VersionVerdict) {
    (self.scene, self.verdict) = (scene, verdict)
  }

  init(_ verdict: VersionVerdict, _ message: String) {
    self.init(scene: nil, verdict: verdict)
    self.message = message
  }

  private static func notFinite(_ frame: Int) -> String {
    "NaN or infinity comes out, first in frame \(frame)"
  }

  private static func endings(
    _ first: Played.Ending, _ second: Played.Ending
  ) -> (VersionVerdict, String)? {
    switch (first, second) {
    case (.ended, .ended): nil
    case (.crashed(let account), .crashed): (.fault, account)
    case (_, .crashed(let account)): (.newFault, account)
    case (.crashed(let account), _): (.mendedFault, "before: \(account)")
    case (.refused(let reason), .refused): (.notPlayed, reason)
    case (.ended, .refused(let reason)): (.refuses, reason)
    case (.refused(let reason), .ended): (.accepts, "refused before: \(reason)")
    }
  }

  private mutating func compare(_ first: Played, _ second: Played, _ channels: Int) {
    let count = min(first.samples.count, second.samples.count)
    guard let place = (0..<count).first(where: { first.samples[$0] != second.samples[$0] }) else {
      if first.samples.count != second.samples.count {
        (verdict, message) = (.different, "the sounds differ in length")
      } else if first.texts != second.texts {
        (verdict, message) = (
          .different, "\(first.texts.first ?? "no text") became \(second.texts.first ?? "none")"
        )
      }
      return
    }
    firstFrame = place / channels
    guard first.samples.count == second.samples.count else {
      (verdict, message) = (.different, "the sounds differ in length")
      return
    }
    func energy(_ samples: [Double]) -> Double { samples.reduce(0) { $0 + $1 * $1 } }
    let whole = Sound(
      sampleRate: VersionScene.sampleRate, channelCount: channels, samples: first.samples)
    let other = Sound(
      sampleRate: VersionScene.sampleRate, channelCount: channels, samples: second.samples)
    let comparison = Comparison(subject: other, rival: whole, tolerance: 0)
    nullDepth = comparison.nullDepth.isFinite ? comparison.nullDepth : nil
    let (before, after) = (energy(first.samples), energy(second.samples))
    // The energy of very large samples is infinite.
    levelChange = before > 0 && after > 0 ? (10 * log10(after / before)).finite : nil
    let isResidue = (0..<count).allSatisfy {
      abs(first.samples[$0] - second.samples[$0]) < Self.residue
    }
    guard !isResidue, comparison.nullDepth >= Self.rounding else {
      if isResidue { nullDepth = nil }
      verdict = .rounding
      return
    }
    verdict = .different
    if before == 0 { message = "it was silent" }
    if after == 0 { message = "it is silent" }
  }

  /// A fault that can be seen in one Csound: a second note that does not sound as the first.
  private mutating func judgeRepetition(_ first: Played, _ second: Played, _ channels: Int) {
    let half = VersionScene.period * channels
    guard verdict == .different, first.samples.count == 2 * half, second.samples.count == 2 * half
    else { return }
    let repeats = [first, second].map { $0.samples.prefix(half) == $0.samples.suffix(half) }
    guard repeats[0] != repeats[1] else { return }
    let fault = "a note that is played again sounds otherwise than before"
    (verdict, message) = repeats[0] ? (.newFault, fault) : (.mendedFault, "no longer: \(fault)")
  }
}

/// How the powers of two sounds' octaves agree, for sounds that are random.
struct OctaveComparison {
  private var spectra: PowerSpectrum

  init() throws(Failure) { spectra = try PowerSpectrum(length: 2048, .hann) }

  /// The difference of octaves' levels that is put down to chance in any case, in dB.
  private static let leastChance = 3.0

  /// Judges a difference that may be chance, by what both Csounds play once more and with other seeds; nil if neither is
  /// random. How far apart renders of the first Csound are is the measure for the second; `more` has further ones.
  mutating func judge(
    _ before: Played, _ after: Played, others: [[Played]], channels: Int,
    more: () throws(Failure) -> [Played] = { [] }
  ) throws(Failure) -> (VersionVerdict, String?)? {
    let isRandom = zip([before, after], others).map { original, others in
      others.contains { $0.ending == .ended && $0.samples != original.samples }
    }
    guard isRandom[0] == isRandom[1] else {
      return (.different, isRandom[0] ? "it is no longer random" : "it is random now")
    }
    guard isRandom[0] else { return nil }
    // A render that did not end has no sound to compare.
    func largest(_ renders: [Played]) -> Double {
      renders.filter { $0.ending == .ended }.map { difference(before, $0, channels) }.max() ?? 0
    }
    var chance = largest(others[0])
    let change = difference(before, after, channels)
    func isChance() -> Bool { change <= max(Self.leastChance, 2 * chance) }
    if !isChance() {
      chance = max(chance, largest(try more()))
    }
    let levels =
      "it is random; an octave's level changes by \(change.formatted(1)) dB, by"
      + " \(chance.formatted(1)) dB with other seeds"
    return isChance() ? (.alike, nil) : (.different, levels)
  }

  /// The largest difference of an octave's level, in dB, among the octaves less than 40 dB below the loudest one.
  mutating func difference(_ first: Played, _ second: Played, _ channels: Int) -> Double {
    var largest = 0.0
    for channel in 0..<channels {
      let levels = [first, second].map { octaves($0.samples, channel, channels) }
      let least = 1e-4 * (levels[0] + levels[1]).reduce(0, max)
      for (before, after) in zip(levels[0], levels[1]) where max(before, after) > least {
        largest = max(largest, abs(10 * log10(max(after, least / 100) / max(before, least / 100))))
      }
    }
    return largest
  }

  private mutating func octaves(_ samples: [Double], _ channel: Int, _ channels: Int) -> [Double] {
    let powers = spectra.mean(
      stride(from: channel, to: samples.count, by: channels).map { samples[$0] })
    // From bin 4 on, because the power of lower octaves rests on few bins.
    return (2..<10).map { octave in powers[1 << octave..<1 << (octave + 1)].reduce(0, +) }
  }
}

/// What is found about one overload, or one opcode that only one of the two Csounds has.
struct VersionFinding: Codable, Sendable {
  var opcode: String
  var outputs = ""
  var inputs = ""
  /// The values of its arguments, for display.
  var values = ""
  var verdict: VersionVerdict
  var scenes: [SceneComparison] = []
  /// Heap memory of one note in bytes, in each Csound.
  var bytes: [Int] = []
  /// Instructions for each sample, in each Csound; empty unless they were counted.
  var instructions: [Double] = []
  /// The orchestra that shows a change, if it was kept.
  var orchestra: String?
  /// The orchestra that fails in one of the two by its exit code, if one was found.
  var test: String?
  /// The sound files of that orchestra's first channel in both Csounds, if it plays in both.
  var sounds: [String] = []
  /// The levels of those sounds and of their difference in 96 stretches of the scene, in dB below the loudest.
  var levels: [[Int]] = []
  /// Commits of Csound since the first version that name the opcode, the newest first.
  var commits: [String]?
  /// Why it is not played, or what else there is to say.
  var message: String?

  var title: String {
    outputs.isEmpty && inputs.isEmpty ? opcode : "\(opcode) (\(outputs) ← \(inputs))"
  }

  /// Whether its cost has changed by more than a tenth, and by more than an instruction a sample.
  var costChanges: Bool {
    instructions.count == 2
      && abs(instructions[1] - instructions[0]) > max(1, 0.1 * abs(instructions[0]))
  }

  /// The gravest of the scenes' verdicts.
  mutating func conclude() {
    verdict = scenes.map(\.verdict).min() ?? .notPlayed
    if verdict == .different, decisive.allSatisfy(\.isInside) { verdict = .sampleAccurate }
    let accounts = scenes.filter { $0.message != nil }
    message =
      message ?? decisive.first { $0.message != nil }?.message
      ?? accounts.first { $0.verdict == .mendedFault }?.message
  }

  /// The scenes with its verdict.
  var decisive: [SceneComparison] {
    scenes.filter { $0.verdict == (verdict == .sampleAccurate ? .different : verdict) }
  }

  /// The greatest null depth, in dB; nil if nothing differs.
  var nullDepth: Double? { scenes.compactMap(\.nullDepth).max() }

  /// Where it differs, in words.
  var place: String {
    // That verdict says where.
    guard verdict.isChange, verdict != .sampleAccurate, !decisive.isEmpty else { return "" }
    let others = scenes.filter { scene in !decisive.contains { $0.scene == scene.scene } }
    guard others.count > 1 || decisive.count < 3 else {
      return "in every scene" + (others.first?.scene.map { " but \($0.place)" } ?? "")
    }
    return decisive.compactMap(\.scene?.place).joined(separator: "; ")
  }
}
