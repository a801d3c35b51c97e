import Foundation
import HarnessBase
import Linting

/// A change made into a test: an orchestra that needs no file and fails by its exit code in one of the two Csounds, as small
/// as it still shows the change.
extension Versions {
  /// Writes the test for a change beside its orchestra, if one is found; it was played in both.
  func writeTest(
    of finding: inout VersionFinding, _ scenes: [VersionScene], to path: String
  ) throws(Failure) {
    let decisive = Set(finding.decisive.compactMap(\.scene))
    let kinds: [VersionScene.Kind] = [
      .constant, .moving, .audio, .again, .reinit, .late, .lateMoving, .two,
    ]
    // A random opcode passes or fails by chance.
    guard finding.decisive.allSatisfy({ $0.message?.contains("random") != true }),
      let kind = kinds.first(where: decisive.contains),
      let scene = scenes.first(where: { $0.kind == kind }),
      let (small, shown) = try shrunk(scene)
    else { return }
    let title = "\(finding.title): \(finding.verdict.rawValue) \(kind.place)"
    let text = shown.test(small, about: title)
    let (before, after) = try both([text])
    guard before[0].isSuccess != after[0].isSuccess else { return }
    let order = before[0].isSuccess ? (first, second) : (second, first)
    let passes =
      "; It passes in \(order.0.csound.title), with exit code 0, and fails in \(order.1.csound.title)."
    let said = text.replacing("; \(title)\n", with: "; \(title)\n\(passes)\n")
    try writing(path) { try said.write(toFile: path, atomically: true, encoding: .utf8) }
    finding.test = path
  }

  /// How a scene differs in both Csounds.
  struct ShownChange {
    var comparison: SceneComparison
    /// The value of the first channel that differs at the first frame that differs, in each Csound, and that channel.
    var values: [Double] = []
    var channel = 0

    init?(_ scene: VersionScene, _ before: Played, _ after: Played) {
      let channels = scene.channels
      comparison = SceneComparison(before, after, channels: channels)
      guard comparison.verdict.isChange else { return nil }
      guard let frame = comparison.firstFrame else {
        // Sounds of another length, or texts, have no sample to test.
        if comparison.verdict == .different { return nil }
        return
      }
      let range = frame * channels..<(frame + 1) * channels
      guard let place = range.first(where: { before.samples[$0] != after.samples[$0] }) else {
        return nil
      }
      channel = place - range.lowerBound
      values = [before.samples[place], after.samples[place]]
    }
  }

  private typealias Shown = (scene: VersionScene, change: ShownChange)

  /// The smallest of the scenes tried that still show a change; nil if none without a sound file does.
  private func shrunk(_ scene: VersionScene) throws(Failure) -> (VersionScene, ShownChange)? {
    var signals: [Scene.Signal] = [.constant, .impulse, .fullScale, .noise]
    if scene.plan.signals.isEmpty { signals = [.constant] }
    guard
      var best = try firstThatShows(
        signals.map { signal in
          scene.with {
            ($0.reader, $0.signal) = (nil, signal)
          }
        })
    else { return nil }
    best = try firstThatShows([best.scene.with { $0.optionals = .leftOut }]) ?? best
    best =
      try firstThatShows(
        [1, 2, 4, 8, 16, 32].map { ksmps in best.scene.with { $0.ksmps = ksmps } }) ?? best
    if best.scene.scene.reinitWhen != nil {
      best = try firstThatShows([best.scene.with { $0.reinitWhen = "kcycle == 2" }]) ?? best
    }
    if best.scene.kind == .again {
      best =
        try firstThatShows(
          [0.002, 0.01, 0.05].map { seconds in
            best.scene.with {
              $0.notes = [0, 1.25 * seconds].map { Scene.Note(start: $0, duration: seconds) }
              $0.end = 2.5 * seconds
            }
          }) ?? best
    } else if let frame = best.change.comparison.firstFrame {
      let seconds = Double(frame + 2 * best.scene.scene.ksmps) / VersionScene.sampleRate
      best =
        try firstThatShows([
          best.scene.with {
            for index in $0.notes.indices { $0.notes[index].duration = seconds }
            $0.end = nil
          }
        ]) ?? best
    }
    return (best.scene, best.change)
  }

  private func firstThatShows(_ scenes: [VersionScene]) throws(Failure) -> Shown? {
    let (before, after) = try both(scenes.map { $0.scene.text($0.plan, command: "") })
    for (index, scene) in scenes.enumerated() {
      if let change = ShownChange(scene, before[index], after[index]) { return (scene, change) }
    }
    return nil
  }
}

extension VersionScene {
  fileprivate func with(_ change: (inout Scene) -> Void) -> VersionScene {
    VersionScene(kind: kind, plan: plan, scene: scene.with(change))
  }
}

extension Played {
  /// Whether a test that is this orchestra would pass. What the player returns does not say so, but Csound's program does.
  fileprivate var isSuccess: Bool { ending == .ended && texts.isEmpty }
}

extension Versions.ShownChange {
  /// The orchestra of a scene with instruments that look at its sound and end Csound with exit code 1.
  fileprivate func test(_ small: VersionScene, about: String) -> String {
    var scene = small.scene
    let heard = Call(small.plan, scene).heard
    // The number of the k-cycle from the start of the performance, for a scene of several notes.
    scene.header += ["gkended init 0", "gkfailed init 0"]
    scene.afterCall += ["gkended = 1"]
    if heard.indices.contains(channel) {
      let name = heard[channel].name
      if let frame = comparison.firstFrame {
        let expected = values[0]
        let tolerance = abs(values[1] - expected) / 2
        scene.afterCall += [
          "know timek", "kvalue vaget \(frame % scene.ksmps), \(name)",
          "if know == \(frame / scene.ksmps + 1) then",
          "  gkfailed = (abs(kvalue - (\(expected))) < \(tolerance) ? 0 : 1)", "endif",
        ]
      } else {
        scene.afterCall += [
          "kframe = 0", "while kframe < ksmps do", "  kvalue vaget kframe, \(name)",
          "  if !(abs(kvalue) < 1e300) then", "    gkfailed = 1", "  endif", "  kframe += 1", "od",
        ]
      }
    }
    let end = Scene.number((scene.end ?? scene.lastEnd) + 0.01)
    return scene.text(small.plan, command: about)
      .replacing(
        "</CsInstruments>",
        with: """

          instr 99
            if i(gkfailed) == 1 || i(gkended) == 0 then
              prints "text: the test has failed\\n"
              exitnow 1
            endif
          endin
          </CsInstruments>
          """
      )
      .replacing(/(f 0 [0-9.]+\n)?e\n<\/CsScore>/, with: "i 99 \(end) 0.01\ne\n</CsScore>")
  }
}
