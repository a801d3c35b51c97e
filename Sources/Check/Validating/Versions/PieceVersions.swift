import Foundation
import HarnessBase
import Linting
import Rendering

/// A whole piece in two Csounds, with its lines whose opcodes differ.
struct PieceFinding: Codable, Sendable {
  struct Line: Codable {
    /// The number of the line in the CSD, from 1.
    var number: Int
    var text: String
    /// What is found about its opcodes, each at its gravest overload.
    var findings: [VersionFinding]
  }

  var path: String
  var comparison: SceneComparison
  /// When the first difference is heard, in seconds.
  var firstSecond: Double?
  var lines: [Line] = []
}

extension Versions {
  /// Plays a piece in both Csounds, for at most that many seconds, and looks up the opcodes that it uses.
  func compare(piece path: String, duration: Double?) throws(Failure) -> PieceFinding {
    try requireReadableFile(path)
    let sounds = both(path, duration)
    var (played, forms): ([Played], [(rate: Double, channels: Int)]) = ([], [])
    for sound in sounds {
      if case .success(let sound) = sound { forms.append((sound.sampleRate, sound.channelCount)) }
      played.append(try Played(sound))
    }
    let (rate, channels) = forms.first ?? (1, 1)
    var finding = PieceFinding(
      path: path, comparison: SceneComparison(played[0], played[1], channels: channels))
    finding.firstSecond = finding.comparison.firstFrame.map { Double($0) / rate }
    if duration == nil, finding.comparison.message == nil,
      played.contains(where: { Double($0.samples.count / channels) >= rate * Self.longestPiece })
    {
      finding.comparison.message =
        "only the first \(Int(Self.longestPiece)) s were compared; --duration sets another length"
    }
    if forms.count == 2, forms[0] != forms[1] {
      let words = forms.map { "\(Int($0.rate)) Hz and \($0.channels.counted("channel"))" }
      finding.comparison = SceneComparison(.different, "\(words[0]) became \(words[1])")
      finding.firstSecond = nil
    }
    if finding.comparison.verdict == .different, forms.count == 2, forms[0] == forms[1] {
      var octaves = try OctaveComparison()
      var others: [[Played]] = [[], []]
      for seed in [2, 3] {
        for (index, sound) in both(path, duration, code: "seed \(seed)").enumerated() {
          others[index].append(try Played(sound))
        }
      }
      if let judged = try octaves.judge(played[0], played[1], others: others, channels: channels) {
        (finding.comparison.verdict, finding.comparison.message) = judged
      }
    }
    guard finding.comparison.verdict.isChange else { return finding }
    finding.lines = try lines(of: path)
    return finding
  }

  /// Renders a piece in both Csounds at the same time. `code` is added to its orchestra.
  private func both(
    _ path: String, _ duration: Double?, code: String? = nil
  ) -> [Result<Sound, Failure>] {
    atOnce { [first, second] index throws(Failure) in
      try CsoundProgram((index == 0 ? first : second).csound).render(
        Orchestra(path: path), input: nil, limit: Self.longestPiece, keeping: duration,
        cutting: true, adding: code, confined: true,
        stalling: WorkerPool.defaultTimeLimit)
    }
  }

  /// The longest sound of a piece that is compared, in seconds.
  static let longestPiece = 600.0

  /// The lines of a piece's orchestra with an opcode that differs.
  private func lines(of path: String) throws(Failure) -> [PieceFinding.Line] {
    let bytes: [UInt8]
    do {
      bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
      throw .missingInput("'\(path)' cannot be read: \(error.localizedDescription)")
    }
    let known = Set(firstSignatures.map(\.opcode))
    var words: [Int: [String]] = [:]
    var number = 1
    var last = 0
    let orchestra = OrchestraTokens.orchestra(in: bytes) ?? bytes.indices
    for token in OrchestraTokens(bytes, in: orchestra).tokens {
      number += (last..<token.range.lowerBound).count {
        bytes[$0] == 10 || bytes[$0] == 13 && bytes[$0 + 1] != 10
      }
      last = token.range.lowerBound
      let word = String(decoding: bytes[token.range], as: UTF8.self)
      guard token.kind == .word, known.contains(word) else { continue }
      if words[number]?.contains(word) != true { words[number, default: []].append(word) }
    }
    let texts = String(decoding: bytes, as: UTF8.self).textLines
    let isAccurate = texts.contains { $0.contains("--sample-accurate") }
    var looked: [String: VersionFinding] = [:]
    var lines: [PieceFinding.Line] = []
    for (number, opcodes) in words.sorted(by: { $0.key < $1.key }) {
      var findings: [VersionFinding] = []
      for opcode in opcodes where recorded != nil || arguments.knows(opcode) {
        if looked[opcode] == nil {
          looked[opcode] = try gravest(of: opcode, isSampleAccurate: isAccurate)
        }
        // A call that only the second Csound accepts is in no piece that both play.
        if let finding = looked[opcode], finding.verdict.isChange, finding.verdict != .accepts {
          findings.append(finding)
        }
      }
      guard !findings.isEmpty, texts.indices.contains(number - 1) else { continue }
      lines.append(
        PieceFinding.Line(
          number: number, text: texts[number - 1].trimmingCharacters(in: .whitespaces),
          findings: findings))
    }
    return lines
  }

  /// The overload that differs most, without those where notes begin inside a block, which only a piece with
  /// `--sample-accurate` has.
  private func gravest(of opcode: String, isSampleAccurate: Bool) throws(Failure) -> VersionFinding
  {
    var gravest = VersionFinding(opcode: opcode, verdict: .notPlayed)
    // Overloads for arrays are seldom meant.
    func isPlain(_ inputs: String, _ outputs: String) -> Bool { !(inputs + outputs).contains("[") }
    var findings: [VersionFinding] = []
    if let recorded {
      findings = recorded[opcode] ?? []
    } else {
      let all = overloads(of: opcode)
      let plain = all.filter { isPlain($0.inputs, $0.outputs) }
      for overload in plain.isEmpty ? all : plain { findings.append(try compare(overload)) }
    }
    let plain = findings.filter { isPlain($0.inputs, $0.outputs) }
    for var finding in plain.isEmpty ? findings : plain {
      if !isSampleAccurate, !finding.scenes.isEmpty {
        finding.scenes.removeAll(where: \.isInside)
        finding.conclude()
      }
      if finding.verdict < gravest.verdict { gravest = finding }
    }
    return gravest
  }
}

extension Played {
  /// What a piece did: it has no texts, and its memory is not measured.
  fileprivate init(_ result: Result<Sound, Failure>) throws(Failure) {
    switch result {
    case .success(let sound):
      self.init(ending: .ended, samples: sound.samples, texts: [], bytes: 0)
    case .failure(let failure):
      let ending: Ending
      switch failure.kind {
      case .crashed: ending = .crashed(failure.message)
      case .badInput, .missingInput, .skipped: ending = .refused(failure.message)
      default: throw failure
      }
      self.init(ending: ending, samples: [], texts: [], bytes: 0)
    }
  }
}
