import Probing
import Foundation
import Linting

extension Check {
  /// Random orchestras. The same seed gives the same orchestras.
  static let fuzz = [
    Check(
      "fuzz-controls", "Random controls within their ranges give finite output.",
      { e throws(Outcome) in try play(e, wild: false, notes: 1) }),
    Check(
      "fuzz-wild-controls", "Random controls of any size give finite output.",
      { e throws(Outcome) in try play(e, wild: true, notes: 1) }),
    Check(
      "fuzz-notes", "Random notes with ties, reinit, offsets and local ksmps do no harm.",
      { e throws(Outcome) in try play(e, wild: false, notes: 12) }),
  ]

  private static func play(
    _ examination: Examination, wild: Bool, notes: Int
  ) throws(Outcome) {
    let count = [1, 2, 4, 8, 12, 25, 50, 100, 200, 400][examination.level - 1]
    for number in 0..<count {
      let scene = random(examination, wild: wild, notes: notes)
      let take = try Heap.requireNoOverrun { () throws(Outcome) in
        try examination.play(scene, Probe.Settings(vectors: .marked, keepsOutputs: false))
      }
      try examination.requireNoViolation(
        .wroteBehind, .wroteBefore, .overranBlock, .changedInput, in: take)
      for note in take.notes where take.errors.isEmpty {
        if let text = note.notFinite { throw .failed("in random orchestra \(number + 1), \(text)") }
      }
    }
  }

  private static func random(_ examination: Examination, wild: Bool, notes: Int) -> Scene {
    func pick<Element>(_ list: [Element]) -> Element {
      list.randomElement(using: &examination.generator)!
    }
    func number(_ range: ClosedRange<Double>) -> Double {
      Double.random(in: range, using: &examination.generator)
    }
    var scene = Scene(pick([.noise, .impulse, .fullScale, .constant, .burst, .silence]))
    scene.sampleRate = pick([8_000, 22_050, 44_100, 48_000, 48_000, 96_000, 44_100.5])
    scene.ksmps = pick([1, 2, 3, 5, 8, 10, 16, 17, 31, 32, 64, 100, 128, 441])
    scene.fullScale = pick([1, 1, 32_768])
    for index in examination.plan.controls {
      let input = examination.plan.inputs[index]
      let low = input.data.low ?? min(0.25 * input.value, 4 * input.value)
      let high = input.data.high ?? max(0.25 * input.value, 4 * input.value)
      func value() -> String {
        guard wild else { return Scene.number(number(low...max(low, high))) }
        let size = Foundation.pow(10, number(-6...7))
        return Scene.number(pick([size, -size, 0, number(low...max(low, high))]))
      }
      let rate = Scene.number(number(1...400))
      scene.expressions[index] = pick([
        value(), "(kcycle % \(pick([2, 3, 7, 20])) == 0 ? \(value()) : \(value()))",
        "\(value()) * (1 + 0.1 * sin(kcycle * \(Scene.number(number(0.001...3)))))",
        "randomh:k(\(value()), \(value()), \(rate))",
      ])
    }
    if notes > 1 {
      scene.isSampleAccurate = pick([true, false])
      scene.notes = (0..<notes).map { index in
        let isTied = pick([true, false, false, false])
        return Scene.Note(
          start: number(0...0.2), duration: (isTied ? -1 : 1) * number(0.0001...0.1),
          variant: index + 1, tag: pick([0, 0, 1, 2, 3]))
      }
      scene.notes.sort { $0.start < $1.start }
      scene.end = 0.35
      // Not in every k-cycle to the end: an init pass may take milliseconds, and there are thousands of k-cycles.
      if pick([true, false, false]) {
        scene.reinitWhen = "kcycle < 40 && kcycle % \(pick([2, 5, 9])) == 0"
      }
      if pick([true, false, false]) {
        scene.afterCall = ["if kcycle == \(pick([1, 3, 20])) then", "  turnoff", "endif"]
      }
      let divisor = pick([1, 2, 4].filter { scene.ksmps % $0 == 0 })
      if examination.plan.fitsUserOpcode, scene.reinitWhen == nil, pick([true, false, false]) {
        scene.localKsmps = .userOpcode(scene.ksmps / divisor)
      }
    }
    return scene
  }
}
