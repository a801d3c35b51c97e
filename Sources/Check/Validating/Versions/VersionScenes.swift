import HarnessBase
import Linting

/// How an overload is played in two Csounds.
struct VersionScene {
  /// A situation that versions of an opcode treat differently.
  enum Kind: String, Codable, CaseIterable {
    /// Two notes at once, for the memory that one more takes.
    case two
    case constant, moving, again, reinit
    case audio = "audio-rate"
    case late
    case lateMoving = "late moving"

    /// Where a difference lies, for a sentence.
    var place: String {
      switch self {
      case .two: "with two notes at once"
      case .constant: "with constant arguments"
      case .moving: "where controls move"
      case .again: "where a note is played again"
      case .reinit: "after a reinit"
      case .audio: "with controls at audio rate"
      case .late: "where a note begins and ends inside a block"
      case .lateMoving: "where a note begins inside a block and controls move"
      }
    }
  }

  let kind: Kind
  let plan: CallPlan
  let scene: Scene

  static let sampleRate = 48_000.0
  /// The frames after which the recorded input repeats itself; whole k-cycles.
  static let period = 24_000
  /// The first frame of the note that begins inside a block, and that of its block.
  static let lateStart = 3 * 64 + 21

  /// The scenes of an overload. `audible` is the same call with its `x` arguments at audio rate, if it has any.
  static func all(of plan: CallPlan, audible: CallPlan?, reader: Scene.Reader) -> [VersionScene] {
    var plain = Scene(.noise, duration: 0.4)
    (plain.isRecorded, plain.reader) = (true, reader)
    plain.end = 0.5
    var late = plain
    late.isSampleAccurate = true
    late.notes = [
      Scene.Note(start: (Double(lateStart) + 0.5) / sampleRate, duration: 0.4003)
    ]
    var scenes: [VersionScene] = []
    func add(
      _ kind: Kind, _ scene: Scene, _ other: CallPlan? = nil,
      _ change: (inout Scene) -> Void = { _ in }
    ) {
      scenes.append(VersionScene(kind: kind, plan: other ?? plan, scene: scene.with(change)))
    }
    add(.two, plain) { $0.notes = [1, 2].map { Scene.Note(duration: 0.4, tag: $0) } }
    add(.constant, plain)
    let moves = moving(plan)
    if !moves.isEmpty { add(.moving, plain) { $0.expressions = moves } }
    add(.again, plain) {
      $0.notes = [0, 0.5].map { Scene.Note(start: $0, duration: 0.4) }
      $0.end = 1
    }
    add(.reinit, plain) { $0.reinitWhen = "kcycle == 150" }
    if let audible, let lines = movingAtAudioRate(audible, plain) {
      add(.audio, plain, audible) { $0.beforeCall = lines }
    }
    add(.late, late)
    if !moves.isEmpty { add(.lateMoving, late) { $0.expressions = moves } }
    return scenes
  }

  /// The scenes in which nothing but a recorded signal is heard.
  static func alone(_ reader: Scene.Reader) -> [VersionScene] {
    let nothing = Signature(name: "nothing", outputs: "", inputs: "")
    guard let plan = try? CallPlan(nothing, siblings: [], entry: ArgumentFile().entry(nothing))
    else { return [] }
    return all(of: plan, audible: nil, reader: reader).map { scene in
      VersionScene(
        kind: scene.kind, plan: plan,
        scene: scene.scene.with {
          $0.callsOpcode = false
          $0.beforeCall = $0.recordedLines("arecorded", channel: 1)
          $0.afterCall = ["outc arecorded"]
        })
    }
  }

  /// Two notes and one note of an instrument that only passes its input on.
  static let emptyNotes = [2, 1].map { count in
    """
    <CsoundSynthesizer>
    <CsInstruments>
    sr = 48000
    ksmps = 64
    nchnls = 1
    nchnls_i = \(Scene.recordedChannels)
    0dbfs = 1
    instr 1
      ain1 inch 1
      outc ain1
    endin
    </CsInstruments>
    <CsScore>
    \((1...count).map { "i 1.\($0) 0 0.1" }.joined(separator: "\n"))
    e
    </CsScore>
    </CsoundSynthesizer>

    """
  }

  /// The range in which a control moves: from its usual value to another valid one.
  private static func range(_ plan: CallPlan, _ index: Int) -> (from: String, span: String) {
    let value = plan.inputs[index].value
    let other = plan.otherValue(index)
    return (Scene.number(value), Scene.number(0.5 * (other - value)))
  }

  /// Expressions for the controls, by their index: slow cosines.
  private static func moving(_ plan: CallPlan) -> [Int: String] {
    var found: [Int: String] = [:]
    for index in plan.controls where !plan.inputs[index].isLeftOut {
      let (from, span) = range(plan, index)
      found[index] = "\(from) + \(span) * (1 - cos(kcycle * 0.05))"
    }
    return found
  }

  /// Lines that move each control at audio rate; nil if there is none.
  private static func movingAtAudioRate(_ plan: CallPlan, _ scene: Scene) -> [String]? {
    let controls = plan.controls.filter { plan.inputs[$0].rate == .a && !plan.inputs[$0].isLeftOut }
    guard !controls.isEmpty else { return nil }
    return scene.recordedLines("amove", channel: Scene.recordedChannels)
      + controls.map { index in
        let (from, span) = range(plan, index)
        return "\(Call.name(.a, "in", index)) = \(from) + \(span) * (1 - amove)"
      }
  }

  /// What the scenes' signals are: noise, and a sine of 40 Hz in the last channel, twice the same.
  static func input(seed: UInt64) -> Sound {
    var generator = SeededGenerator(seed: seed)
    let channels = Scene.recordedChannels
    var samples: [Double] = []
    for frame in 0..<period {
      for _ in 1..<channels {
        samples.append(0.6 * (Double(generator.next() >> 11) * 0x1p-53 - 0.5))
      }
      samples.append(sine(Double(frame) * 40 / sampleRate))
    }
    return Sound(sampleRate: sampleRate, channelCount: channels, samples: samples + samples)
  }

  private static func sine(_ turns: Double) -> Double {
    // Samples must not depend on a mathematical library: a parabola is as good.
    let phase = turns - turns.rounded(.down)
    return phase < 0.5 ? 16 * phase * (0.5 - phase) : -16 * (phase - 0.5) * (1 - phase)
  }
}
