/// What port knows of Csound's opcodes.
enum Vocabulary {
  /// An opcode with state: a part of the kit, and which of the opcode's inputs it is given when.
  struct Part {
    /// The Swift type, such as `Builtin.Tone`.
    var type: String
    /// A further argument of its `init`, in Swift with its label.
    var kind: String?
    /// The inputs of its `init`, in the init pass, by their labels.
    var settings: [(label: String, input: Int)] = []
    /// The k-rate inputs of `tune`, once for all frames where they are constant.
    var controls: [Int] = []
    /// The inputs of `next`.
    var signals: [Int] = []
    /// Inputs that must be left out, or be these numbers.
    var fixed: [Int: String] = [:]
    /// Whether it needs a buffer.
    var hasBuffer = false
    /// Whether `init` can throw.
    var canFail = false
  }

  /// Opcodes without state, in Swift.
  static func value(_ name: String, _ all: [Expression]) -> Expression? {
    if all.count == 2, let sign = signs[name] { return .binary(sign, all[0], all[1]) }
    if all.count == 1, let function = functions[name] { return .call(function, all) }
    switch (name, all.count) {
    case ("##mod", 2): return .call("Builtin.remainder", all)
    case ("##pow", 2), ("pow", 2): return .call("Math.pow", all)
    case ("pow", 3), ("##pow", 3):
      return all[2] == .number("1")
        ? .call("Math.pow", [all[0], all[1]])
        : .binary("/", .call("Math.pow", [all[0], all[1]]), all[2])
    case ("taninv2", 2): return .call("Math.atan2", all)
    case ("limit", 3): return .call("Builtin.limit", all)
    case ("wrap", 3): return .call("Builtin.wrap", all)
    case ("mirror", 3): return .call("Builtin.mirror", all)
    case ("abs", 1): return .member("$0.magnitude", all)
    case ("frac", 1): return .binary("-", all[0], .call("Math.trunc", all))
    case ("signum", 1): return .call("Builtin.sign", all)
    case ("!", 1): return .not(all[0])
    case ("ntrpol", 3), ("ntrpol", 5):
      guard all.count == 3 || all[3...] == [.number("0"), .number("1")] else { return nil }
      return .binary("+", all[0], .binary("*", all[2], .binary("-", all[1], all[0])))
    case ("max", 2...): return all.dropFirst().reduce(all[0]) { .call("max", [$0, $1]) }
    case ("min", 2...): return all.dropFirst().reduce(all[0]) { .call("min", [$0, $1]) }
    case ("sum", 1...): return all.dropFirst().reduce(all[0]) { .binary("+", $0, $1) }
    case ("product", 1...): return all.dropFirst().reduce(all[0]) { .binary("*", $0, $1) }
    case ("ampdb", 1): return .call("Builtin.amplitude", all)
    case ("ampdbfs", 1):
      return .binary("*", .rate("0dbfs"), .call("Builtin.amplitude", all))
    case ("dbamp", 1): return .call("Builtin.decibels", all)
    case ("dbfsamp", 1):
      return .call("Builtin.decibels", [.binary("/", all[0], .rate("0dbfs"))])
    case ("octave", 1): return .call("Math.exp2", all)
    case ("semitone", 1): return .call("Math.exp2", [.binary("/", all[0], .number("12"))])
    case ("cent", 1): return .call("Math.exp2", [.binary("/", all[0], .number("1200"))])
    case ("=", 1), ("k", 1), ("i", 1), ("upsamp", 1): return all[0]
    default: return nil
    }
  }

  private static let signs = [
    "##add": "+", "##sub": "-", "##mul": "*", "##div": "/", "==": "==", "!=": "!=", "<": "<",
    ">": ">", "<=": "<=", ">=": ">=", "&&": "&&", "||": "||",
  ]

  private static let functions = [
    "sin": "Math.sin", "cos": "Math.cos", "tan": "Math.tan", "sininv": "Math.asin",
    "cosinv": "Math.acos", "taninv": "Math.atan", "sinh": "Math.sinh", "cosh": "Math.cosh",
    "tanh": "Math.tanh", "exp": "Math.exp", "log": "Math.log", "log2": "Math.log2",
    "log10": "Math.log10", "logbtwo": "Math.log2", "powoftwo": "Math.exp2", "sqrt": "Math.sqrt",
    "int": "Math.trunc", "floor": "Math.floor", "ceil": "Math.ceil", "round": "Builtin.round",
  ]

  /// Opcodes with state; the same for audio and for control signals.
  static let parts: [String: Part] = {
    var parts: [String: Part] = [
      "tone": Part(type: "Builtin.Tone", controls: [1], signals: [0], fixed: [2: "0"]),
      "atone": Part(type: "Builtin.Atone", controls: [1], signals: [0], fixed: [2: "0"]),
      "delay1": Part(type: "Builtin.Delay1", signals: [0], fixed: [1: "0"]),
      "phasor": Part(type: "Builtin.Phasor", settings: [("phase", 1)], signals: [0]),
      "port": Part(
        type: "Builtin.Port", settings: [("halfTime", 1), ("start", 2)], signals: [0]),
      "portk": Part(type: "Builtin.PortK", settings: [("start", 2)], signals: [0, 1]),
      "tonek": Part(type: "Builtin.Tone", controls: [1], signals: [0], fixed: [2: "0"]),
      "atonek": Part(type: "Builtin.Atone", controls: [1], signals: [0], fixed: [2: "0"]),
      "reson": Part(
        type: "Builtin.Reson", settings: [("scale", 3)], controls: [1, 2], signals: [0],
        fixed: [4: "0"]),
      "samphold": Part(
        type: "Builtin.SampleAndHold", settings: [("start", 2)], signals: [0, 1], fixed: [3: "0"]),
      "integ": Part(type: "Builtin.Integ", signals: [0], fixed: [1: "0"]),
      "diff": Part(type: "Builtin.Diff", signals: [0], fixed: [1: "0"]),
      "dcblock": Part(type: "Builtin.DCBlock", settings: [("gain", 1)], signals: [0]),
      "metro": Part(type: "Builtin.Metro", settings: [("phase", 1)], signals: [0]),
      "trigger": Part(type: "Builtin.Trigger", signals: [0, 1, 2]),
      "line": Part(
        type: "Builtin.Line", settings: [("from", 0), ("seconds", 1), ("to", 2)]),
      "expon": Part(
        type: "Builtin.Expon", settings: [("from", 0), ("seconds", 1), ("to", 2)], canFail: true),
      "delay": Part(
        type: "Builtin.Delay", settings: [("seconds", 1)], signals: [0], fixed: [2: "0"],
        hasBuffer: true, canFail: true),
      "interp": Part(
        type: "Builtin.Interp", kind: "frames: context.ksmps",
        settings: [("mode", 2), ("start", 3)],
        controls: [0], fixed: [1: "0"]),
      "a": Part(
        type: "Builtin.Interp", kind: "frames: context.ksmps, mode: 0, start: 0", controls: [0]),
    ]
    for (name, kind) in [
      ("butterlp", "low"), ("butterhp", "high"), ("butterbp", "band"), ("butterbr", "allButBand"),
    ] {
      let isBand = name.hasSuffix("bp") || name.hasSuffix("br")
      let part = Part(
        type: "Builtin.Butter", kind: "kind: .\(kind)", controls: isBand ? [1, 2] : [1],
        signals: [0],
        fixed: [isBand ? 3 : 2: "0"])
      for alias in [name, name.replacing("butter", with: "but")] { parts[alias] = part }
    }
    return parts
  }()
}
