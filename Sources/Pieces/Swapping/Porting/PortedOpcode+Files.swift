import Foundation

extension PortedOpcode {
  /// Path and text of the opcode's files in a package that keeps its opcodes in this folder: the Swift, an orchestra
  /// with the user-defined opcode, and the pair of both.
  func files(in folder: String) -> [(path: String, text: String)] {
    [
      ("\(folder)/\(structName).swift", source), ("csd/\(name).csd", orchestra),
      ("Benchmarks/\(name).json", pairing),
    ]
  }

  /// A unit test, which a package's manifest asks for.
  func testFile(ofModule module: String) -> (path: String, text: String) {
    let hasArrays = (opcode.inputs + opcode.outputs).contains { "κι".contains($0) }
    let values = zip(inputs, opcode.inputs).map { input, letter in
      letter == "a" ? "[1, 0.5, -0.25, 0]" : Self.fallback(letter) ?? range(input).start
    }
    let rates = opcode.inputs.contains("a") ? [] : ["sampleRate: 48000", "ksmps: 4"]
    let outputs = isAudio || isControl ? "try call.perform()" : "call.outputs"
    let body = """
      @Test("Its outputs are numbers")
        func numbers() throws {
          let call = try TestCall<\(structName)>(\((values + rates).joined(separator: ", ")))
          let outputs = \(outputs)
          #expect(outputs.joined().allSatisfy(\\.isFinite))
        }
      """
    let withoutArrays = """
      // A TestCall has audio and numbers only.
        @Test("\(name) computes what it should", .disabled("to be written"))
        func result() {}
      """
    return (
      "Tests/\(module)Tests/\(structName)Tests.swift",
      """
      import OpcodeKit
      import Testing

      @testable import \(module)

      /// Calls the opcode's passes without Csound: `swift test`.
      @Suite("\(name)")
      struct \(structName)Tests {
        \(hasArrays ? withoutArrays : body)
      }

      """
    )
  }

  private static func fallback(_ letter: Character) -> String? {
    ["o": "0", "p": "1", "q": "10", "v": "0.5", "j": "-1", "h": "127"][letter.lowercased()]
  }

  /// Whether the body takes an input, also in a sum or by copies, for such a setting of a part.
  private func isUsed(_ input: String, as label: String) -> Bool {
    var names: Set<String> = []
    for step in Self.all(initSteps).reversed() {
      if case .assign(let name, let value) = step, names.contains(name) {
        names.formUnion(value.inputs)
      } else if case .part(_, let property, "init", let values, _) = step,
        let part = parts.first(where: { $0.property == property })
      {
        for (setting, value) in zip(part.settings, values) where setting.label == label {
          names.formUnion(value.inputs)
        }
      }
    }
    return names.contains(input)
  }

  /// Where a control begins and ends in the comparison, by its use or guessed from its name; the author knows better.
  private func range(_ input: String) -> (start: String, end: String) {
    if isUsed(input, as: "number") { return ("1", "1") }
    if isUsed(input, as: "size") || isUsed(input, as: "count") { return ("16", "16") }
    let word = input.lowercased()
    // Of tables whose use is not known -1, the built-in sine.
    let ranges: [(words: Regex<Substring>, start: String, end: String)] = [
      (/cut|freq|cps|cf|fc|hz|frq|pitch|centre|center/, "200", "4000"), (/band|bw/, "50", "400"),
      (/mode|type|order|channel|number|index|count/, "1", "1"), (/frames|samples/, "10", "10"),
      (/table|wave|^(?:ifn|ift|itab|kfn)$/, "-1", "-1"), (/seed/, "0.5", "0.5"),
      (/.min/, "0.1", "0.1"), (/.max/, "0.9", "0.9"), (/db/, "-24", "-6"),
      (/time|dur|del|sec|rise|dec|att|rel/, "0.01", "0.05"),
    ]
    return ranges.first { word.contains($0.words) }.map { ($0.start, $0.end) } ?? ("0.2", "0.8")
  }

  /// Whether an input is a sound, not a control that is an audio signal: the first one, and others with such a name.
  private func isSignal(_ input: String) -> Bool {
    guard Translation.rate(input) == "a" else { return false }
    let word = input.dropFirst().lowercased()
    return inputs.first { Translation.rate($0) == "a" } == input
      || ["in", "sig", "left", "right", "two"].contains { word.hasPrefix($0) }
  }

  // Optional arguments are left out, but for a size of a table, which may not be 0, and those before it.
  private var given: [(name: String, letter: Character)] {
    let all = zip(inputs, opcode.inputs).map { (name: $0, letter: $1) }
    let last = all.lastIndex { Self.fallback($0.letter) == nil || isUsed($0.name, as: "size") }
    return Array(all.prefix((last ?? -1) + 1))
  }

  private func macro(_ input: String) -> String {
    String(input.uppercased().filter { $0.isLetter || $0.isNumber })
  }

  private var orchestra: String {
    var lines = [
      "<CsoundSynthesizer>", "<CsInstruments>",
      "; \(name), and the user-defined opcode \(opcode.name) that it is ported from.",
      "; Every macro can be set from outside: --omacro:OPCODE=\(rival) plays the original.", "",
      "sr = 48000", "ksmps = 64", "nchnls = 1",
    ]
    func define(_ name: String, _ value: String) {
      lines += ["#ifndef \(name)", "#define \(name) #\(value)#", "#end"]
    }
    define("FULLSCALE", "1")
    lines += ["0dbfs = $FULLSCALE", ""]
    if inputs.contains(where: { isUsed($0, as: "number") }) {
      lines += ["gitable ftgen 1, 0, 1024, 10, 1, 0.5", ""]
    }
    for (name, value) in [
      ("OPCODE", name), ("SIGNAL", "Saw"), ("LEVEL", "0.5"), ("DURATION", "1"), ("NOTES", "1"),
    ] { define(name, value) }
    for (input, letter) in given where !isSignal(input) && !isArray(input) {
      let range = range(input)
      define(macro(input) + "START", range.start)
      if letter != "i" { define(macro(input) + "END", range.end) }
    }
    lines += [
      "", "opcode Saw, a, ii", "  ichannel, inumber xin",
      "  asaw vco2 $LEVEL * 0dbfs, 110 * ichannel * inumber", "  xout asaw", "endop", "",
      "opcode Noise, a, ii", "  ichannel, inumber xin",
      "  anoise rand $LEVEL * 0dbfs, 0.5 / (ichannel + inumber), 1", "  xout anoise", "endop", "",
      "opcode Impulse, a, ii", "  ichannel, inumber xin",
      "  aimpulse mpulse $LEVEL * 0dbfs, 0.01 * ichannel * inumber", "  xout aimpulse", "endop", "",
    ]
    for macro in ([opcode] + callees).flatMap(\.macros) where !lines.contains(macro) {
      lines.append(macro)
    }
    for inner in callees { lines += inner.definition + [""] }
    let head = opcode.definition[0].replacing(opcode.name, with: rival)
    lines += opcode.comment.map { "; " + $0 } + [head] + opcode.definition.dropFirst()
    lines += ["", "instr 1"]
    var words: [String] = []
    for (index, (input, letter)) in given.enumerated() {
      let rate = letter.isUppercase ? "k" : Self.fallback(letter) == nil ? "\(letter)" : "i"
      let word = "\(rate)arg\(index + 1)"
      words.append(word)
      switch letter {
      case "κ", "ι":
        // Arrays of different lengths.
        let numbers = ["0.2", "0.5", "0.35", "0.8", "0.1"].prefix(3 + index % 3)
        words[index] = "\(letter == "κ" ? "k" : "i")arg\(index + 1)"
        lines.append("  \(words[index])[] fillarray \(numbers.joined(separator: ", "))")
      case "a" where isSignal(input): lines.append("  \(word) $SIGNAL p4, \(index + 1)")
      case "a":
        lines.append("  \(word) line $\(macro(input))START, p3, $\(macro(input))END")
      case "k":
        let name = macro(input)
        lines.append("  \(word) line $\(name)START, p3, $\(name)END")
      default: lines.append("  \(word) = $\(macro(input))START")
      }
    }
    let results = opcode.outputs.enumerated().map { place, letter in
      "\(letter == "a" || letter == "i" ? letter : letter == "ι" ? "i" : "k")out\(place + 1)"
    }
    let isArray = opcode.outputs.map { "κι".contains($0) }
    for (result, isArray) in zip(results, isArray) {
      lines.append(isArray ? "  \(result)[] init 1" : "  \(result) init 0")
    }
    lines += [
      "#ifndef EMPTY",
      "  "
        + [results.joined(separator: ", "), "$OPCODE", words.joined(separator: ", ")]
        .filter { !$0.isEmpty }.joined(separator: " "),
      "#end",
    ]
    // Each output has a weight of its own, so that the comparison hears all of them.
    for (result, isArray) in zip(results, isArray) where isArray {
      let (rate, sum) = (result.prefix(1), result + "sum")
      lines += [
        "  \(sum) = 0", "  \(rate)index = 0", "  while \(rate)index < lenarray(\(result)) do",
        "    \(sum) += \(result)[\(rate)index] / (\(rate)index + 1.5)", "    \(rate)index += 1",
        "  od",
      ]
    }
    let sum = results.enumerated().map { place, result in
      let result = isArray[place] ? result + "sum" : result
      let value =
        result.hasPrefix("a") ? result : "a(\(result.hasPrefix("i") ? "k(\(result))" : result))"
      return place == 0 ? value : "\(value) * \(place + 1)"
    }
    lines += ["#ifndef MUTED"]
    lines += results.isEmpty ? [] : ["  outch p4, " + sum.joined(separator: " + ")]
    lines += [
      "#end", "endin", "", "inote = 0", "while inote < $NOTES * nchnls do",
      "  schedule 1, 0, $DURATION, inote % nchnls + 1", "  inote += 1", "od",
      "event_i \"e\", 0, $DURATION", "</CsInstruments>", "<CsScore>", "f 0 z", "</CsScore>",
      "</CsoundSynthesizer>", "",
    ]
    return lines.joined(separator: "\n")
  }

  private var pairing: String {
    let hasSignal = opcode.inputs.contains("a")
    let signals = hasSignal ? ["Saw", "Noise", "Impulse"] : ["Saw"]
    let cases = signals.map { signal in
      """
          { "name": "\(hasSignal ? signal.lowercased() : "usual")", "macros": { "SIGNAL": "\(signal)", "DURATION": "0.25" } }
      """
    }
    return """
      {
        "group": "ported",
        "subject": "\(name)",
        "rival": "\(rival)",
        "orchestra": "csd/\(name).csd",
        "tolerance": -200,
        "rates": [{ "name": "\(opcode.inputs.isEmpty ? "none" : UserOpcode.types(opcode.inputs))", "macros": {} }],
        "cases": [
      \(cases.joined(separator: ",\n"))
        ],
        "sampleRates": [44100, 48000],
        "ksmps": [1, 16, 64],
        "benchmark": {
          "macros": { "SIGNAL": "\(hasSignal ? "Noise" : "Saw")", "DURATION": "10000" },
          "sampleRate": 48000,
          "ksmps": [64],
          "unit": "\(isAudio || isOneSample || hasFrames ? "sample" : "call")"
        }
      }

      """
  }
}
