import Foundation
import HarnessBase
import Linting
import Rendering
import Synchronization

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
    let results = Mutex<[Result<Sound, Failure>?]>([nil, nil])
    DispatchQueue.concurrentPerform(iterations: 2) { index in
      let result: Result<Sound, Failure>
      do throws(Failure) {
        let program = CsoundProgram((index == 0 ? first : second).csound)
        result = .success(
          try program.render(
            Orchestra(path: path), input: nil, limit: Self.longestPiece, keeping: duration,
            cutting: true))
      } catch {
        result = .failure(error)
      }
      results.withLock { $0[index] = result }
    }
    let sounds = results.withLock { $0.map { $0! } }
    var (played, forms): ([Played], [(rate: Double, channels: Int)]) = ([], [])
    for sound in sounds {
      switch sound {
      case .success(let sound):
        forms.append((sound.sampleRate, sound.channelCount))
        played.append(Played(ending: .ended, samples: sound.samples, texts: [], bytes: 0))
      case .failure(let failure) where [.badInput, .crashed].contains(failure.kind):
        played.append(
          Played(
            ending: failure.kind == .crashed
              ? .crashed(failure.message) : .refused(failure.message),
            samples: [], texts: [], bytes: 0))
      case .failure(let failure): throw failure
      }
    }
    let (rate, channels) = forms.first ?? (1, 1)
    var finding = PieceFinding(
      path: path, comparison: SceneComparison(played[0], played[1], channels: channels))
    finding.firstSecond = finding.comparison.firstFrame.map { Double($0) / rate }
    if forms.count == 2, forms[0] != forms[1] {
      let words = forms.map { "\(Int($0.rate)) Hz and \($0.channels.counted("channel"))" }
      finding.comparison = SceneComparison(.different, "\(words[0]) became \(words[1])")
      finding.firstSecond = nil
    }
    guard ![.same, .notPlayed].contains(finding.comparison.verdict) else { return finding }
    finding.lines = try lines(of: path)
    return finding
  }

  /// The longest sound of a piece that is compared, in seconds.
  static let longestPiece = 600.0

  /// The lines of a piece's orchestra with an opcode that differs.
  private func lines(of path: String) throws(Failure) -> [PieceFinding.Line] {
    let bytes: [UInt8]
    do {
      bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
      throw Failure(.missingInput, "'\(path)' cannot be read: \(error.localizedDescription)")
    }
    let known = Set(firstSignatures.map(\.opcode))
    var words: [Int: [String]] = [:]
    var number = 1
    var last = 0
    for token in OrchestraTokens(bytes, in: Self.orchestra(in: bytes)).tokens {
      number += bytes[last..<token.range.lowerBound].count { $0 == UInt8(ascii: "\n") }
      last = token.range.lowerBound
      let word = String(decoding: bytes[token.range], as: UTF8.self)
      guard token.kind == .word, known.contains(word) else { continue }
      if words[number]?.contains(word) != true { words[number, default: []].append(word) }
    }
    let texts = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\n")
    let isAccurate = texts.contains { $0.contains("--sample-accurate") }
    var looked: [String: VersionFinding] = [:]
    var lines: [PieceFinding.Line] = []
    for (number, opcodes) in words.sorted(by: { $0.key < $1.key }) {
      var findings: [VersionFinding] = []
      for opcode in opcodes where arguments.knows(opcode) {
        if looked[opcode] == nil {
          looked[opcode] = try gravest(of: opcode, isSampleAccurate: isAccurate)
        }
        if let finding = looked[opcode], finding.verdict.isChange { findings.append(finding) }
      }
      guard !findings.isEmpty else { continue }
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
    let all = overloads(of: opcode)
    let plain = all.filter { !($0.inputs + $0.outputs).contains("[") }
    for overload in plain.isEmpty ? all : plain {
      var finding = try compare(overload)
      if !isSampleAccurate {
        finding.scenes.removeAll(where: \.isInside)
        finding.conclude()
      }
      if finding.verdict < gravest.verdict { gravest = finding }
    }
    return gravest
  }

  /// The bytes of a CSD's orchestra.
  private static func orchestra(in bytes: [UInt8]) -> Range<Int> {
    func place(_ tag: String, from start: Int) -> Int? {
      let tag = Array(tag.utf8)
      return bytes[start...].indices.dropLast(max(0, tag.count - 1)).first {
        bytes[$0] == tag[0] && bytes[$0..<$0 + tag.count].elementsEqual(tag)
      }
    }
    guard let start = place("<CsInstruments>", from: 0) else { return 0..<bytes.count }
    return start + 15..<(place("</CsInstruments>", from: start) ?? bytes.count)
  }
}
