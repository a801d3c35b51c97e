extension CallPattern {
  /// The name of a control's macro, such as `CUTOFFSTART`.
  package static func macro(_ control: String, _ what: String) -> String {
    control.uppercased() + what
  }

  /// The subject's call at a rate combination: with its letters for the controls of any rate.
  package func call(at rates: Pairing.Variant) -> CallCode {
    variables.reduce(subject) { code, variable in
      guard case .control(let name) = variable.kind, variable.rate == "x",
        let letter = rates.macros[Self.macro(name, "RATE")]
      else { return code }
      return code.replacing(variable.name, with: letter + name)
    }
  }

  /// The controls of any rate (`x`): each rate combination sets their rates.
  private var ofAnyRate: [String] { controlNames.filter { rates(of: $0).contains("x") } }

  /// Every combination of k-rate and a-rate for the controls of any rate, k-rate first.
  var rates: [Pairing.Variant] {
    (0..<(1 << ofAnyRate.count)).map { number in
      let letters = ofAnyRate.enumerated().map { index, name in
        (name, number >> index & 1 == 0 ? "k" : "a")
      }
      let macros = letters.map { (Self.macro($0.0, "RATE"), $0.1) }
      return Pairing.Variant(
        name: rateName(Dictionary(uniqueKeysWithValues: letters)),
        macros: Dictionary(uniqueKeysWithValues: macros))
    }
  }

  /// The name of a rate combination: the rate letters of the controls; without controls, those of
  /// the signals; without signals, those of the outputs.
  private func rateName(_ letters: [String: String]) -> String {
    let taken = variables.filter { subject.reads.contains($0.name) }
    let controls = taken.filter { item in
      if case .control(let name) = item.kind { return !isInitTime(name) }
      return item.kind == .signal && item.rate == "k"
    }
    let others = controls.isEmpty ? taken.filter { $0.kind == .signal } : controls
    let shown = others.isEmpty ? outputs : others
    let array = signals.contains { $0.isArray && $0.rate == "a" } && !controls.isEmpty
    return (array ? "a[]" : "")
      + shown.map { item in
        guard case .control(let name) = item.kind, item.rate == "x" else {
          return "\(item.rate)" + (item.isArray ? "[]" : "")
        }
        return letters[name] ?? "k"
      }.joined()
  }

  /// The default cases: signals of all kinds while the controls move, and each control at either
  /// end of its range.
  var cases: [Pairing.Case] {
    var list: [Pairing.Case] = []
    func add(_ name: String, _ macros: [String: String], seconds: String) {
      list.append(
        Pairing.Case(name: name, macros: macros.merging(["DURATION": seconds]) { $1 }))
    }
    let moving = controlNames.filter { !isInitTime($0) && !controls[$0]!.isConstant }
    let sweeping = moving.isEmpty ? "" : ", controls sweeping"
    let vibrating = Dictionary(
      uniqueKeysWithValues: moving.map { (Self.macro($0, "CURVE"), "Vibrato") })
    var noise: [String: String] = [:]
    if !audioSignals.isEmpty {
      noise = ["SIGNAL": "Noise"]
      add("impulse", ["SIGNAL": "Impulse"], seconds: "0.25")
      add("noise" + sweeping, noise, seconds: "0.25")
      add("saw" + sweeping, ["SIGNAL": "Saw"], seconds: "0.25")
      if !moving.isEmpty {
        let macros = vibrating.merging(["SIGNAL": "Saw"]) { $1 }
        add("saw, controls with 811 Hz vibrato", macros, seconds: "0.1")
      }
      add("silence after a signal", ["SIGNAL": "Burst"], seconds: "0.3")
      add("hot signal", ["SIGNAL": "Saw", "LEVEL": "4"], seconds: "0.1")
      add("swell from -180 dB", ["SIGNAL": "Swell", "LEVEL": "4"], seconds: "0.25")
    } else if !controlSignals.isEmpty {
      noise = ["CONTROL": "Noise"]
      for signal in ["Steps", "Ramp", "Impulse", "Noise"] {
        add(signal.lowercased() + sweeping, ["CONTROL": signal], seconds: "0.5")
      }
    } else {
      add(controlNames.isEmpty ? "plain" : "controls sweeping", [:], seconds: "0.5")
      if !moving.isEmpty { add("controls with 811 Hz vibrato", vibrating, seconds: "0.1") }
    }
    for name in controlNames where !controls[name]!.isConstant {
      for value in [controls[name]!.start, controls[name]!.end] {
        add(
          "\(name) at \(value.text)", noise.merging(resting(name, at: value)) { $1 }, seconds: "0.1"
        )
      }
    }
    if hasAudioOutput {
      add("0dbfs 32768", noise.merging(["FULLSCALE": "32768"]) { $1 }, seconds: "0.1")
    }
    return list
  }

  /// The macros that hold a control at a value. At k-rate and a-rate the control then moves to the
  /// middle of its range, because at `value` the opcode may be silent.
  private func resting(_ name: String, at value: ControlRange.Bound) -> [String: String] {
    let start = [Self.macro(name, "START"): value.text]
    return start.merging(
      isInitTime(name)
        ? [Self.macro(name, "END"): value.text]
        : [Self.macro(name, "END"): controls[name]!.middle, Self.macro(name, "CURVE"): "Rest"]
    ) { $1 }
  }

  /// The default benchmark: on noise, while the controls move from the middle of their ranges to
  /// the end.
  var benchmark: Pairing.Benchmark {
    var macros = ["DURATION": "10000"]
    if !audioSignals.isEmpty { macros["SIGNAL"] = "Noise" }
    if !controlSignals.isEmpty { macros["CONTROL"] = "Ramp" }
    for name in controlNames where !controls[name]!.isConstant {
      macros[Self.macro(name, "START")] = controls[name]!.middle
    }
    guard hasAudioOutput else {
      macros["MEASURED"] = "1"
      return Pairing.Benchmark(
        macros: macros, sampleRate: 48_000, ksmps: [64], unit: .call,
        callsPerPass: Self.measuredCalls)
    }
    return Pairing.Benchmark(
      macros: macros, sampleRate: 48_000, ksmps: [1, 16, 64, 1024], unit: .sample,
      callsPerPass: hasArrays ? Self.arrayLength : nil, calls: hasArrays ? 0 : Self.timedCalls,
      silence: audioSignals.isEmpty ? nil : ["SIGNAL": "Burst"])
  }

  /// The macros that make the orchestra read a sound from its input channels; nil if the call takes
  /// no signal or has arrays.
  var input: [String: String]? {
    guard !signals.isEmpty, !hasArrays else { return nil }
    var macros: [String: String] = [:]
    if !audioSignals.isEmpty { macros["SIGNAL"] = "Input" }
    if !controlSignals.isEmpty { macros["CONTROL"] = "Input" }
    return macros
  }

  /// The number of calls per k-cycle when an opcode without audio output is benchmarked.
  static let measuredCalls = 128

  /// The number of calls in one note that are timed when an opcode with audio output is benchmarked.
  static let timedCalls = 8
}
