import CsoundHost

/// The content of one test orchestra.
package struct Scene {
  /// The signal at the opcode's signal inputs.
  package enum Signal: String, CaseIterable {
    case silence, impulse, quietImpulse, noise, fullScale, constant, burst, late, huge, subnormal
  }

  /// The k-cycles after which a late signal begins; until then it is silent.
  package static let lateCycle = 30

  /// What another instrument puts into the audio-rate inputs, in global variables, before, in and after
  /// the note. It has a period of 1301 frames, so that notes 1301 frames apart get the same.
  package enum Sounding {
    /// Signals, and controls that move.
    case moving
    /// Signals, and controls that jump between their value and zero.
    case gated
  }

  static let soundingPeriod = 1301

  /// The amplitude of a quiet impulse, full scale at 1: too small for saturation to affect it.
  package static let quietLevel = 0.001

  package struct Note {
    package var start: Double
    /// In seconds; if negative, the note is held until a tied note follows.
    package var duration: Double
    /// The number (p4), from 1, that selects the note's signal and controls.
    package var variant: Int
    /// The fraction of the instrument number, as in `1.2`, which distinguishes notes of the instrument.
    package var tag: Int
    /// Its p-fields from p5 on.
    package var fields: [Double]

    package init(
      start: Double = 0, duration: Double = 0.1, variant: Int = 1, tag: Int = 0,
      fields: [Double] = []
    ) {
      self.start = start
      self.duration = duration
      self.variant = variant
      self.tag = tag
      self.fields = fields
    }
  }

  /// A local ksmps, set in the instrument or in a user-defined opcode around the call.
  package enum LocalKsmps: Equatable {
    case instrument(Int)
    case userOpcode(Int)
  }

  /// A sample rate that a user-defined opcode of Csound 7 has by itself, twice or half the orchestra's. All that the
  /// instrument does is in that opcode, and nothing is heard.
  package enum OwnRate: String {
    case double = "oversample 2"
    case half = "undersample 2"
  }

  package var sampleRate = 48_000.0
  package var ksmps = 64
  package var fullScale = 1.0
  package var isSampleAccurate = false
  package var threads = 1
  package var signal = Signal.noise
  /// What is in audio-rate inputs without an expression; nil if the instrument sets them itself.
  package var sounding: Sounding?
  package var notes = [Note()]
  /// Seconds after which it ends; nil for the end of the last note.
  package var end: Double?
  /// Csound expressions for inputs, by the input's index. `kcycle` counts the note's k-cycles from 1.
  package var expressions: [Int: String] = [:]
  /// Whether controls without an expression take another value after 640 frames.
  package var hasStep = false
  /// The values that strings change to in the 10th k-cycle, by the input's index.
  package var laterStrings: [Int: String] = [:]
  /// Lines of the instrument after the inputs and before the call.
  package var beforeCall: [String] = []
  /// Lines at the end of the instrument.
  package var afterCall: [String] = []
  /// Lines at the end of the header.
  package var header: [String] = []
  package var localKsmps: LocalKsmps?
  package var ownRate: OwnRate?
  /// A condition on `kcycle` on which inputs and opcode are initialised again (reinit).
  package var reinitWhen: String?
  /// Whether notes skip the opcode's init pass (igoto).
  package var skipsInit = false
  /// The variant of the notes that skip it; nil for all notes.
  package var skippingVariant: Int?
  /// An output and an input that share one variable.
  package var inPlace: InPlacePair?
  /// Whether the opcode is called as a function, `aout = NAME(ain)`.
  package var isFunction = false
  /// How optional inputs are passed.
  package enum Optionals { case asPlanned, leftOut, atDefaults }
  package var optionals = Optionals.asPlanned
  /// The number of additional local variables before the others, which shift all memory addresses.
  package var padding = 0
  /// Whether the opcode is called at all.
  package var callsOpcode = true
  /// Whether its outputs are passed to other opcodes.
  package var isHeard = true
  package var floatMode = FloatMode.csound
  /// How a recorded signal is read from the file `input.wav`.
  package enum Reader: String, Codable, CaseIterable, Sendable {
    case poscil, table, soundin, inch
  }
  /// What reads signals from a file; nil if Csound's own generators make them.
  package var reader: Reader?
  /// Whether outputs of every type are heard: numbers as signals, arrays as their length and sum.
  package var isRecorded = false
  /// The channels that a scene with recorded signals has at its input: four of noise and one with a slow sine.
  package static let recordedChannels = 5

  package init(_ signal: Signal = .noise, duration: Double = 0.1) {
    self.signal = signal
    notes = [Note(duration: duration)]
  }

  /// When the last note ends, without its release, in seconds.
  package var lastEnd: Double { notes.map { $0.start + abs($0.duration) }.max() ?? 0 }

  package func with(_ change: (inout Scene) -> Void) -> Scene {
    var copy = self
    change(&copy)
    return copy
  }
}

extension Scene {
  /// The orchestra as a CSD that any Csound can play; `command` is the command line for that, which is
  /// written as a comment.
  package func text(_ plan: CallPlan, command: String) -> String {
    var options: [String] = []
    if isSampleAccurate { options.append("--sample-accurate") }
    if threads > 1 { options.append("-j\(threads)") }
    let call = Call(plan, self)
    let channels =
      isRecorded
      ? max(1, call.heard.count)
      : max(
        1, plan.outputs.count { !$0.isArray && [.a, .f, .k].contains($0.rate) })
    var lines = ["<CsoundSynthesizer>", "<CsOptions>", "; \(command)"]
    if !options.isEmpty { lines.append(options.joined(separator: " ")) }
    lines += [
      "</CsOptions>", "<CsInstruments>", "sr = \(Self.number(sampleRate))", "ksmps = \(ksmps)",
      "nchnls = \(channels)", "0dbfs = \(Self.number(fullScale))", "",
    ]
    if isRecorded { lines += ["nchnls_i = \(Self.recordedChannels)", "seed 1"] }
    lines += recordedTables
    let tables = plan.inputs.indices.filter { plan.inputs[$0].isTable }
    lines += tables.map { "gitable\($0 + 1) ftgen 0, 0, \(plan.inputs[$0].data.table!)" }
    lines += plan.header + header
    let globals = plan.inputs.indices.filter(call.isGlobal)
    lines += globals.map { "\(call.inputName($0)) init 0" }
    if case .userOpcode(let ksmps) = localKsmps { lines += call.userOpcode(ksmps) }
    let body = body(plan, call).map { $0.hasSuffix(":") ? $0 : "  " + $0 }
    if let ownRate {
      // The opcode has those p-fields that the instrument uses.
      lines += ["", "opcode OwnRate, 0, i", "  ivariant xin", "  \(ownRate.rawValue)"]
      lines += body + ["endop", "", "instr 1", "  OwnRate p4"]
    } else {
      lines += ["", "instr 1"]
      if case .instrument(let ksmps) = localKsmps { lines.append("  setksmps \(ksmps)") }
      // A string variable takes 24 bytes, so each shifts the addresses that follow by 24 bytes.
      lines += (0..<padding).map { "  Spadding\($0) = \"x\"" }
      lines += body
    }
    lines.append("endin")
    if !globals.isEmpty {
      lines += ["", "instr 2"]
      for index in globals { lines += soundingLines(plan, index).map { "  " + $0 } }
      lines.append("endin")
    }
    lines += ["</CsInstruments>", "<CsScore>"]
    if !globals.isEmpty { lines.append("i 2 0 \(Self.number(end ?? lastEnd))") }
    for note in notes {
      let instrument = note.tag == 0 ? "1" : "1.\(note.tag)"
      let numbers = [note.start, note.duration, Double(note.variant)] + note.fields
      lines.append("i \(instrument) " + numbers.map(Self.number).joined(separator: " "))
    }
    lines.append(end.map { "f 0 \(Self.number($0))\ne" } ?? "e")
    return (lines + ["</CsScore>", "</CsoundSynthesizer>", ""]).joined(separator: "\n")
  }

  private func body(_ plan: CallPlan, _ call: Call) -> [String] {
    var lines: [String] = []
    if needsCycle {
      lines += ["kcycle init 0", "kcycle += 1"]
    }
    if let reinitWhen {
      lines += ["if \(reinitWhen) then", "  reinit again", "endif", "again:"]
    }
    for index in plan.inputs.indices where !call.isLeftOut(index) && !call.isGlobal(index) {
      lines += input(plan, index)
    }
    lines += beforeCall
    if callsOpcode {
      let jump = (skippingVariant.map { "if p4 == \($0) " } ?? "") + "igoto behind"
      lines += call.linesBefore + (skipsInit ? [jump, call.text, "behind:"] : [call.text])
      lines += call.linesAfter
    }
    let consumers = callsOpcode && isHeard && ownRate == nil ? call.consumers : []
    let end = reinitWhen == nil ? [] : ["rireturn"]
    // What reads an fsig has memory for its size, and must start anew where a reinit changes that.
    lines += plan.outputs.contains { $0.rate == .f } ? consumers + end : end + consumers
    lines += afterCall
    // This statement's block lies directly after the opcode's.
    return lines + ["idone = p4"]
  }

  private var needsCycle: Bool {
    reinitWhen != nil || hasStep || signal == .late || !laterStrings.isEmpty
      || (expressions.values + beforeCall + afterCall).contains { $0.contains("kcycle") }
  }

  /// The value at init time of an input that is a number or a table, unless an expression sets it.
  package func initialValue(_ plan: CallPlan, _ index: Int) -> String {
    let input = plan.inputs[index]
    if optionals == .atDefaults, let fallback = input.fallback { return Self.number(fallback) }
    return input.isTable ? "gitable\(index + 1)" : Self.number(input.value)
  }

  /// The lines that set an input's variable.
  private func input(_ plan: CallPlan, _ index: Int) -> [String] {
    let input = plan.inputs[index]
    let name = Call.name(input.rate, "in", index)
    // A power of two, because some opcodes take an array for a table.
    let elements = input.data.array ?? (isRecorded ? [0.5, 0.25, 1, -0.5] : [0.5, 0.25, 1])
    var framesPerCycle = ksmps
    if case .instrument(let own) = localKsmps { framesPerCycle = own }
    let step =
      hasStep && input.isNumber && input.rate != .i
      ? "(kcycle > \(640 / framesPerCycle) ? \(Self.number(0.7 * input.value)) :"
        + " \(Self.number(input.value)))" : nil
    if input.isArray {
      if let expression = expressions[index] {
        // The first line declares the array; further lines are taken as they are.
        return expression.replacing("$ARRAY", with: name).split(separator: "\n").enumerated()
          .map { $0 == 0 ? "\(name)[] \($1)" : String($1) }
      }
      switch input.rate {
      case .a:
        return ["\(name)[] init 2"]
          + (0..<2).flatMap {
            signalLines("asource\(index + 1)_\($0)", seed: index + $0)
              + ["\(name)[\($0)] = asource\(index + 1)_\($0)"]
          }
      case .S:
        let text = input.data.string ?? "text"
        return ["\(name)[] fillarray \"\(text)\", \"\(text)\""]
      default:
        let list = elements.map(Self.number).joined(separator: ", ")
        return ["\(name)[] fillarray \(list)"]
      }
    }
    if input.isSignal {
      guard input.rate == .f else { return signalLines(name, seed: index) }
      // Below ksmps it would be a sliding signal, which an opcode may refuse.
      var hop = 128
      while hop < ksmps { hop *= 2 }
      return signalLines("asource\(index + 1)", seed: index)
        + ["\(name) pvsanal asource\(index + 1), \(4 * hop), \(hop), \(4 * hop), 1"]
    }
    let value = initialValue(plan, index)
    switch input.rate {
    case .S:
      let line = "\(name) = \"\(expressions[index] ?? input.data.string ?? "text")\""
      guard let later = laterStrings[index] else { return [line] }
      // Before the assignment, because strcpyk has an init pass, too.
      return ["if kcycle == 10 then", "  \(name) strcpyk \"\(later)\"", "endif", line]
    case .i: return ["\(name) = \(expressions[index] ?? value)"]
    case .k:
      guard let expression = expressions[index] ?? step else { return ["\(name) init \(value)"] }
      return ["\(name) init \(value)", "\(name) = \(expression)"]
    default:
      guard let expression = expressions[index] ?? step else { return [held(name, value)] }
      let control = "kcontrol\(index + 1)"
      return [
        "\(control) init \(value)", "\(control) = \(expression)", "\(name) upsamp \(control)",
      ]
    }
  }

  /// A constant audio signal. With --sample-accurate it is assigned in every k-cycle, because after
  /// `init` the frames before the note's start offset stay silent in every k-cycle of Csound 7.
  private func held(_ name: String, _ value: String) -> String {
    isSampleAccurate ? "\(name) = \(value)" : "\(name) init \(value)"
  }

  private func signalLines(_ name: String, seed: Int) -> [String] {
    // The seed depends on the note's variant and the input's index. It stays below 1, from where on
    // Csound would seed from the clock.
    if reader != nil {
      return recordedLines(name, channel: seed % (Self.recordedChannels - 1) + 1)
    }
    let seed = "0.01 * p4 + \(Self.number(0.0013 * Double(seed + 1)))"
    let noise = "\(name) rand 0.5 * 0dbfs, \(seed), 1"
    switch signal {
    case .silence: return ["\(name) init 0"]
    case .impulse: return ["\(name) mpulse 0dbfs, 0"]
    case .quietImpulse: return ["\(name) mpulse \(Self.quietLevel) * 0dbfs, 0"]
    case .noise: return [noise]
    case .fullScale: return ["\(name) oscili 0dbfs, 997"]
    case .constant: return [held(name, "0.5 * 0dbfs")]
    case .burst:
      return [noise, "\(name)gate linseg 1, 0.02, 1, 0, 0, 1, 0", "\(name) *= \(name)gate"]
    case .late: return [noise, "\(name) *= (kcycle > \(Self.lateCycle) ? 1 : 0)"]
    case .huge: return ["\(name) rand 1e10 * 0dbfs, \(seed), 1"]
    case .subnormal: return ["\(name) rand 1e-310, \(seed), 1"]
    }
  }

  /// The lines of the other instrument that set a global variable.
  private func soundingLines(_ plan: CallPlan, _ index: Int) -> [String] {
    func sine(_ amplitude: String, _ cycles: Int) -> String {
      "poscil \(amplitude), \(cycles) * sr / \(Self.soundingPeriod)"
    }
    let name = "gain\(index + 1)"
    guard plan.inputs[index].isNumber else {
      return [
        "\(name) \(sine("0.3 * 0dbfs", 37))",
        "asecond\(index + 1) \(sine("0.2 * 0dbfs", 211 + index))",
        "\(name) += asecond\(index + 1)",
      ]
    }
    let input = plan.inputs[index]
    // A frequency reaches the end of its range: some delays are shorter than a block only there.
    let isFrequency = (input.data.low ?? 0) > 0
    let (value, other) = (
      input.value, isFrequency ? input.data.high ?? plan.otherValue(index) : plan.otherValue(index)
    )
    switch sounding {
    case .gated:
      // The phase keeps the zero crossings between samples.
      return [
        "\(name) \(sine("1e9", 29)), -1, 0.0001", "\(name) limit \(name), 0, 1",
        "\(name) *= \(Self.number(value))",
      ]
    default:
      return [
        "\(name) \(sine(Self.number(0.5 * (value - other)), 29 + index))",
        "\(name) += \(Self.number(0.5 * (value + other)))",
      ]
    }
  }

  /// A number as Csound code.
  package static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : "\(value)"
  }
}
