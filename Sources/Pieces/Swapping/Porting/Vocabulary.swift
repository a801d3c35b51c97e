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
    /// Lists of inputs for its `init`, by their labels.
    var lists: [(label: String, inputs: [Int])] = []
    /// The k-rate inputs of `tune`, once for all frames where they are constant.
    var controls: [Int] = []
    /// The inputs of `next`.
    var signals: [Int] = []
    /// Inputs that must be left out, or be these numbers.
    var fixed: [Int: String] = [:]
    /// Whether its state is one that others use too.
    var sharesState = false
    /// Whether it needs a buffer.
    var hasBuffer = false
    /// Whether `init` can throw.
    var canFail = false
    /// What it has instead of `next`.
    var method = "next"
    /// Whether it finds its table anew in each pass.
    var finds = false
    /// Whether `next` is given one list.
    var takesList = false
    /// Whether the deinit pass deletes it.
    var isDeleted = false

    /// Whether what changes is not in the part itself.
    var hasOwnMemory: Bool { type == "Builtin.Numbers" || method == "value" }
    /// Whether its `init` is given the context.
    var needsContext: Bool { hasBuffer || finds || sharesState || type == "Builtin.NewTable" }
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
    case ("##and", 2): return .call("Builtin.and", all)
    case ("##or", 2): return .call("Builtin.or", all)
    case ("##shl", 2): return .call("Builtin.shiftLeft", all)
    case ("##shr", 2): return .call("Builtin.shiftRight", all)
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
    "log10": "Math.log10", "powoftwo": "Math.exp2", "sqrt": "Math.sqrt", "int": "Math.trunc",
    "floor": "Math.floor", "ceil": "Math.ceil", "round": "Builtin.round",
  ]

  /// Opcodes with state; the same for audio and for control signals.
  private static let parts: [String: Part] = {
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
      "lfo": Part(
        type: "Builtin.LFO", settings: [("shape", 2)], signals: [0, 1], hasBuffer: true,
        canFail: true),
      "mpulse": Part(type: "Builtin.Mpulse", settings: [("offset", 2)], signals: [0, 1]),
      "biquad": Part(
        type: "Builtin.Biquad", controls: [1, 2, 3, 4, 5, 6], signals: [0], fixed: [7: "0"]),
      "rms": Part(type: "Builtin.Rms", settings: [("cutoff", 1)], signals: [0], fixed: [2: "0"]),
      "interp": Part(
        type: "Builtin.Interp", kind: "frames: context.ksmps",
        settings: [("mode", 2), ("start", 3)],
        controls: [0], fixed: [1: "0"]),
      "a": Part(
        type: "Builtin.Interp", kind: "frames: context.ksmps, mode: 0, start: 0", controls: [0]),
    ]
    for (name, method) in [
      ("table", "next"), ("tablei", "linear"), ("table3", "cubic"), ("tab", "nearest"),
      ("tablew", "write"), ("tabw", "writeNearest"),
    ] {
      // What is written comes first.
      let first = name.hasSuffix("w") ? 1 : 0
      var settings = [("number", first + 1), ("scale", first + 2)]
      if name.hasPrefix("table") { settings += [("offset", first + 3), ("wrapping", first + 4)] }
      let part = Part(
        type: "Builtin.Table", settings: settings, signals: Array(0...first), canFail: true,
        method: method, finds: true)
      for alias in [name, "\(name)_i"] + (name == "tablew" ? ["tableiw"] : []) {
        parts[alias] = part
      }
    }
    parts["ftlen"] = Part(
      type: "Builtin.Table", settings: [("number", 0)], canFail: true, method: "count",
      finds: true)
    parts["tableng"] = parts["ftlen"]
    for (name, type, method) in [
      ("poscil", "Poscil", "next"), ("poscil3", "Poscil", "cubic"), ("oscil", "Oscil", "next"),
      ("oscili", "Oscil", "linear"),
    ] {
      parts[name] = Part(
        type: "Builtin.\(type)", settings: [("number", 2), ("phase", 3)], signals: [0, 1],
        canFail: true, method: method, finds: true)
    }
    for (name, method) in [("vdelay", "next"), ("vdelay3", "cubic")] {
      parts[name] = Part(
        type: "Builtin.VDelay", settings: [("longest", 2)], signals: [0, 1], fixed: [3: "0"],
        hasBuffer: true, canFail: true, method: method)
    }
    for (name, method) in [("comb", "next"), ("alpass", "allpass")] {
      parts[name] = Part(
        type: "Builtin.Comb", settings: [("seconds", 2)], controls: [1], signals: [0],
        fixed: [3: "0", 4: "0"], hasBuffer: true, canFail: true, method: method)
    }
    for (name, method, signals) in [
      ("rand", "next", [0]), ("randh", "held", [0, 1]), ("randi", "line", [0, 1]),
    ] {
      let count = signals.count
      parts[name] = Part(
        type: "Builtin.Rand", kind: name == "randi" ? "isLine: true" : nil,
        settings: [("seed", count), ("size", count + 1)], signals: signals + [count + 2],
        fixed: name == "randi" ? [count + 1: "0"] : [:], canFail: true, method: method)
    }
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
    for (name, method) in [("random", "value"), ("randomh", "held"), ("randomi", "line")] {
      parts[name] = Part(
        type: "Builtin.Random", kind: name == "randomi" ? "isLine: true" : nil,
        settings: name == "random" ? [] : [("mode", 3)],
        signals: [0, 1] + (name == "random" ? [] : [2]),
        fixed: [4: "0"], sharesState: true, canFail: true, method: method)
    }
    return parts
  }()
  /// The part for a call; nil for an opcode that is not known.
  /// `isSample` says that it runs for each sample, so that a k-cycle is one.
  static func part(
    _ name: String, _ all: [Expression], isAudio: Bool, isSample: Bool
  ) -> Part? {
    let count = all.count
    switch name {
    case "line", "oscil", "oscili":
      var part = parts[name]!
      if name == "line" {
        if !isAudio, !isSample { part.kind = "frames: context.ksmps" }
      } else if !isAudio {
        part.kind = "truncates: true"
      }
      return part
    case "linseg", "expseg":
      guard count > 2 else { return nil }
      let ends = stride(from: 2, to: count, by: 2)
      let isLinear = name == "linseg"
      return Part(
        type: "Builtin.\(isLinear ? "Linseg" : "Expseg")<\(Array(ends).count)>",
        settings: [("from", 0)],
        lists: [("seconds", ends.map { $0 - 1 }), ("values", Array(ends))],
        canFail: !isLinear, method: isLinear && !isAudio ? "control" : "next")
    case "changed", "changed2":
      return Part(
        type: "Builtin.Changed<\(count)>", kind: "isSilentFirst: \(name == "changed2")",
        signals: Array(0..<count), takesList: true)
    case "randomh", "randomi":
      // With mode 2 the first number depends on controls, which have no values in the init pass.
      return count > 3 && ["0", "1", "3"].contains(where: { all[3] == .number($0) })
        ? parts[name] : nil
    case "filter2":
      guard count > 3, let zeros = all[1].whole, let poles = all[2].whole, zeros > 0, poles >= 0,
        count == 3 + zeros + poles
      else { return nil }
      return Part(
        type: "Builtin.Filter2<\(zeros), \(poles), \(max(zeros - 1, poles))>",
        lists: [
          ("forward", Array(3..<(3 + zeros))), ("backward", Array((3 + zeros)..<count)),
        ], signals: [0])
    case "ftgentmp", "ftgen":
      guard count > 4, count < 13, all[0] == .number("0"), all[1] == .number("0") else {
        return nil
      }
      return Part(
        type: "Builtin.NewTable", settings: [("size", 2), ("generator", 3)],
        lists: [("values", Array(4..<count))], canFail: true, method: "number",
        isDeleted: name == "ftgentmp")
    default: return parts[name]
    }
  }
}

extension Expression {
  /// The number that it is, if that is a whole one.
  var whole: Int? { if case .number(let digits) = self { Int(digits) } else { nil } }
}
