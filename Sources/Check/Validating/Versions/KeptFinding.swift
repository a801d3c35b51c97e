import Foundation
import HarnessBase
import Linting

/// What `--keep` writes for a change: an orchestra, the sound file that it reads, and how it sounds in both Csounds.
extension Versions {
  /// The sound file has the seed of its noise in its name, so that one of another seed stays.
  private var keptInput: String { "input\(seed == 1 ? "" : "-\(seed)").wav" }

  /// Writes the orchestra of the first scene that shows a change, and the sound file that it reads.
  func keep(
    _ finding: inout VersionFinding, _ scenes: [VersionScene], _ before: [Played],
    _ after: [Played]
  ) throws(Failure) {
    guard let kept, finding.verdict.isChange,
      let index = scenes.firstIndex(where: { scene in
        finding.decisive.contains { $0.scene == scene.kind }
      })
    else { return }
    let scene = scenes[index]
    let types = "\(finding.outputs)-\(finding.inputs)".replacing("[]", with: "A")
      .replacing(/[^A-Za-z0-9-]/, with: "_")
    let path = "\(kept)/\(finding.opcode)-\(types).csd"
    let command = "\(finding.verdict.rawValue) \(scene.kind.place), in \(second.csound.title)"
    let text = scene.scene.text(scene.plan, command: command)
      .replacing("<CsOptions>\n", with: "<CsOptions>\n-i \(keptInput)\n")
    if let there = try? String(contentsOfFile: path, encoding: .utf8),
      !there.contains("\n-i input")
    {
      throw .unwritableOutput(
        "'\(path)' is there already and is no orchestra of --keep; give another directory.")
    }
    try writing(path) {
      try FileManager.default.createDirectory(atPath: kept, withIntermediateDirectories: true)
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      let sound = "\(kept)/\(keptInput)"
      guard !FileManager.default.fileExists(atPath: sound) else { return }
      try FileManager.default.copyItem(atPath: input, toPath: sound)
    }
    finding.orchestra = path
    try writeTest(of: &finding, scenes, to: "\(kept)/\(finding.opcode)-\(types)-test.csd")
    let channels = scene.channels
    let sounds = [before[index], after[index]].map { played in
      stride(from: 0, to: played.samples.count, by: channels).map { played.samples[$0] }
    }
    guard sounds.allSatisfy({ sound in !sound.isEmpty && sound.allSatisfy(\.isFinite) }) else {
      return
    }
    // Numbers are made quieter alike, so that both can be heard.
    let peak = (sounds[0] + sounds[1]).reduce(0) { max($0, abs($1)) }
    for (sound, name) in zip(sounds, ["first", "second"]) {
      let file = "\(kept)/\(finding.opcode)-\(types)-\(name).flac"
      try Sound(
        sampleRate: VersionScene.sampleRate, channelCount: 1,
        samples: sound.map { $0 / max(1, 1.01 * peak) }
      ).write(to: file, as: .flac24)
      finding.sounds.append(file)
    }
    let difference = zip(sounds[0], sounds[1]).map { $1 - $0 }
    finding.levels = (sounds + [difference]).map { Self.levels($0, peak: peak) }
  }

  /// The levels of a sound in 96 stretches, in dB below a peak, at least -120.
  private static func levels(_ sound: [Double], peak: Double) -> [Int] {
    let length = max(1, (sound.count + 95) / 96)
    return stride(from: 0, to: sound.count, by: length).map { start in
      let loudest = sound[start..<min(start + length, sound.count)].reduce(0) { max($0, abs($1)) }
      return loudest > 0 ? max(-120, Int((20 * log10(loudest / peak)).rounded())) : -120
    }
  }
}
